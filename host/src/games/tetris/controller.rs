//! Linear controllers: weights by feature, from files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use protocol::layout::TETRIS_WEIGHTS;
use protocol::payload::tetris::Weights;
use serde::{Deserialize, Serialize};

use super::features::{FEATURES, Features};
use super::score::{Score, UNIT};

/// A linear controller: the placement with the highest weighted sum of
/// features is chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct Controller {
    /// Short name.
    pub name: String,
    /// Where the weights come from.
    pub source: String,
    /// Weights in millionths; that of the landing height is per half row.
    pub weights: [i32; FEATURES],
}

/// Why there is no such controller.
#[derive(Debug, thiserror::Error)]
pub enum ControllerError {
    /// Neither a preset nor a file.
    #[error(
        "no controller is called '{name}' and there is no such file; the presets are {}",
        presets().collect::<Vec<_>>().join(", ")
    )]
    Unknown {
        /// The name given.
        name: String,
    },
    /// The file cannot be read.
    #[error("controller {path}: {why}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        why: std::io::Error,
    },
    /// The file is not a controller.
    #[error("controller {path}: {why}", path = path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// What was expected and what came.
        why: String,
    },
}

/// The file: weights as published, by feature; a feature left out weighs 0.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    source: String,
    weights: BTreeMap<String, f64>,
}

macro_rules! presets {
    ($($name:literal),+ $(,)?) => {
        const PRESETS: &[(&str, &str)] = &[$((
            $name,
            include_str!(concat!("../../../../fixtures/weights/", $name, ".json")),
        )),+];
    };
}

presets!(
    "dellacherie",
    "el-tetris",
    "bcts",
    "dt-10",
    "dt-20",
    "lowest",
    "probe",
);

/// Names of the built-in controllers (`fixtures/weights/`).
pub fn presets() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(name, _)| *name)
}

impl Controller {
    /// The preset of that name, or the controller in that file.
    ///
    /// # Errors
    /// When there is neither, or the file is not a controller.
    pub fn load(name: &str) -> Result<Self, ControllerError> {
        if let Some((_, text)) = PRESETS.iter().find(|(preset, _)| *preset == name) {
            return Self::parse(Path::new(name), text);
        }
        let path = Path::new(name);
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(path, &text),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                Err(ControllerError::Unknown { name: name.into() })
            }
            Err(why) => Err(ControllerError::Read {
                path: path.into(),
                why,
            }),
        }
    }

    fn parse(path: &Path, text: &str) -> Result<Self, ControllerError> {
        serde_json::from_str(text).map_err(|e| ControllerError::Parse {
            path: path.into(),
            why: e.to_string(),
        })
    }

    /// Weighted sum of the features, exact.
    pub fn score(&self, features: &Features) -> Score {
        let terms = self.weights.iter().zip(features.to_array());
        Score(terms.map(|(&w, f)| i64::from(w) * f).sum())
    }

    /// As the wire carries them.
    pub fn wire(&self) -> Weights {
        Weights(self.weights)
    }
}

impl TryFrom<File> for Controller {
    type Error = String;

    fn try_from(file: File) -> Result<Self, String> {
        let mut weights = [0; FEATURES];
        for (name, weight) in &file.weights {
            let index = TETRIS_WEIGHTS
                .iter()
                .position(|f| f.name == name)
                .ok_or_else(|| format!("there is no feature '{name}'; {}", names()))?;
            weights[index] = fixed(*weight, index == LANDING_HEIGHT)
                .ok_or_else(|| format!("{name}: {weight} is not within ±2147"))?;
        }
        if weights == [0; FEATURES] {
            return Err("every weight is 0".into());
        }
        Ok(Self {
            name: file.name,
            source: file.source,
            weights,
        })
    }
}

impl From<Controller> for File {
    fn from(controller: Controller) -> Self {
        let fields = TETRIS_WEIGHTS.iter().zip(controller.weights).enumerate();
        let weights = fields
            .filter(|(_, (_, weight))| *weight != 0)
            .map(|(i, (field, weight))| {
                let halves = if i == LANDING_HEIGHT { 2.0 } else { 1.0 };
                (
                    field.name.to_owned(),
                    f64::from(weight) * halves / UNIT as f64,
                )
            });
        Self {
            weights: weights.collect(),
            name: controller.name,
            source: controller.source,
        }
    }
}

/// Index of the one weight that is stored per half.
const LANDING_HEIGHT: usize = 0;

/// The nearest number of millionths, halved for the landing height.
fn fixed(weight: f64, landing_height: bool) -> Option<i32> {
    let whole = if landing_height { weight / 2.0 } else { weight };
    let scaled = (whole * UNIT as f64).round();
    let limit = f64::from(i32::MAX);
    (scaled.abs() <= limit).then_some(scaled as i32)
}

fn names() -> String {
    let names: Vec<_> = TETRIS_WEIGHTS.iter().map(|f| f.name).collect();
    format!("the features are {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_decimals_are_exact() {
        let dt20 = Controller::load("dt-20").unwrap();
        assert_eq!(dt20.weights[0], -1_340_000);
        assert_eq!(dt20.weights[5], 2_030_000);
        let bcts = Controller::load("bcts").unwrap();
        assert_eq!(bcts.weights[4], -19_773_560);
        assert_eq!(bcts.weights[0], -6_314_500);
    }

    #[test]
    fn every_preset_loads_under_its_name() {
        for name in presets() {
            assert_eq!(Controller::load(name).unwrap().name, name);
        }
    }

    #[test]
    fn controllers_survive_json() {
        for name in presets() {
            let controller = Controller::load(name).unwrap();
            let text = serde_json::to_string(&controller).unwrap();
            assert_eq!(
                serde_json::from_str::<Controller>(&text).unwrap(),
                controller
            );
        }
    }

    #[test]
    fn a_bad_file_is_named_with_what_is_wrong() {
        let parse = |text: &str| {
            let error = Controller::parse(Path::new("mine.json"), text).unwrap_err();
            error.to_string()
        };
        let file =
            |weights: &str| format!(r#"{{"name":"x","source":"y","weights":{{{weights}}}}}"#);
        assert!(parse(&file(r#""hole":1"#)).contains("mine.json: there is no feature 'hole'"));
        assert!(parse(&file(r#""holes":3000"#)).contains("holes: 3000 is not within"));
        assert!(parse(&file("")).contains("every weight is 0"));
        assert!(parse("[]").contains("mine.json"));
        let unknown = Controller::load("dt-30").unwrap_err().to_string();
        assert!(
            unknown.contains("dt-30") && unknown.contains("dt-20"),
            "{unknown}"
        );
    }
}
