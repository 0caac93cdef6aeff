//! Controllers: a profile with its weights, and a depth.

pub use protocol::layout::gomoku::MAX_DEPTH;
use protocol::layout::gomoku::SHAPES;
use serde::{Deserialize, Serialize};

use super::board::POINTS;
use super::{Gomoku, Setup};
use crate::catalog::check_text;
use crate::stones::check_depth;
use crate::{Catalog, GameError, LoadError, catalog};

/// The greatest weight of a shape in the order of candidates.
pub const MAX_KEY: u8 = 31;

/// The parameters of a decision.
///
/// In JSON, the members of [`Lines`] are missing in the profile `wujian`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct Controller {
    /// A short name.
    pub name: String,
    /// The origin of the weights.
    pub source: String,
    /// The search and its weights.
    pub profile: Profile,
    /// Number of stones to look ahead, 1 to 24.
    pub depth: u8,
}

/// A search with its weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Runs of stones, and every point next to a stone.
    Wujian,
    /// Shapes of empty points, and the candidates with the highest keys.
    Lines(Lines),
}

/// The parameters of the profile `lines`. The weight of shape n has index n - 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines {
    /// Most candidates of a node; 0 is no limit.
    pub width: u8,
    /// Whether forced blocks continue below the horizon.
    pub extend: bool,
    /// Weights of the mover's shapes in the score.
    pub attack: [i16; SHAPES],
    /// Weights of the opponent's shapes in the score.
    pub defend: [i16; SHAPES],
    /// Weights of the shapes in the order of candidates, 0 to [`MAX_KEY`].
    pub key: [u8; SHAPES],
}

/// The content of a controller's file.
#[derive(Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with name, source, profile and depth"
)]
struct File {
    name: String,
    source: String,
    profile: String,
    depth: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extend: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attack: Option<Vec<i64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    defend: Option<Vec<i64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<Vec<i64>>,
}

const WUJIAN: &str = "wujian";
const LINES: &str = "lines";

impl TryFrom<File> for Controller {
    type Error = String;

    fn try_from(file: File) -> Result<Self, String> {
        check_text(&file.name, &file.source)?;
        let profile = match file.profile.as_str() {
            WUJIAN => wujian(&file)?,
            LINES => Profile::Lines(lines(&file)?),
            other => {
                return Err(format!(
                    "the profile is {other:?}, expected {WUJIAN} or {LINES}"
                ));
            }
        };
        Ok(Self {
            depth: check_depth(file.depth, MAX_DEPTH).map_err(|why| why.to_string())?,
            name: file.name,
            source: file.source,
            profile,
        })
    }
}

/// The profile `wujian`, which has no members of its own.
fn wujian(file: &File) -> Result<Profile, String> {
    for (name, is_given) in [
        ("width", file.width.is_some()),
        ("extend", file.extend.is_some()),
        ("attack", file.attack.is_some()),
        ("defend", file.defend.is_some()),
        ("key", file.key.is_some()),
    ] {
        if is_given {
            return Err(format!(
                "{name} belongs to the profile {LINES}, not {WUJIAN}"
            ));
        }
    }
    Ok(Profile::Wujian)
}

fn lines(file: &File) -> Result<Lines, String> {
    let missing = |name: &str| format!("the profile {LINES} needs {name}");
    let width = file.width.ok_or_else(|| missing("width"))?;
    let valid = u8::try_from(width).ok();
    let valid = valid.filter(|width| usize::from(*width) <= POINTS);
    let width = valid.ok_or_else(|| format!("width is {width}, expected 0 to {POINTS}"))?;
    let weights = |name, weights: &Option<Vec<i64>>| {
        let weights = weights.as_deref().ok_or_else(|| missing(name))?;
        table(name, weights, i16::MIN.into()..=i16::MAX.into())
    };
    let key = file.key.as_deref().ok_or_else(|| missing("key"))?;
    let key = table("key", key, 0..=MAX_KEY.into())?;
    Ok(Lines {
        width,
        extend: file.extend.ok_or_else(|| missing("extend"))?,
        attack: weights("attack", &file.attack)?,
        defend: weights("defend", &file.defend)?,
        key: key.map(|weight: i16| weight as u8),
    })
}

/// The weights of the seven shapes, each within `range`.
fn table(
    name: &str,
    weights: &[i64],
    range: std::ops::RangeInclusive<i64>,
) -> Result<[i16; SHAPES], String> {
    let count = weights.len();
    if count != SHAPES {
        return Err(format!("{name} has {count} weights, expected {SHAPES}"));
    }
    let mut table = [0; SHAPES];
    for ((number, weight), &given) in table.iter_mut().enumerate().zip(weights) {
        let valid = range.contains(&given).then_some(given);
        *weight = valid.and_then(|w| i16::try_from(w).ok()).ok_or_else(|| {
            let (from, to) = (range.start(), range.end());
            let shape = number + 1;
            format!("{name}: the weight of shape {shape} is {given}, expected {from} to {to}")
        })?;
    }
    Ok(table)
}

impl From<Controller> for File {
    fn from(controller: Controller) -> Self {
        let (profile, lines) = match controller.profile {
            Profile::Wujian => (WUJIAN, None),
            Profile::Lines(lines) => (LINES, Some(lines)),
        };
        let list = |table: [i16; SHAPES]| table.map(i64::from).to_vec();
        Self {
            name: controller.name,
            source: controller.source,
            profile: profile.into(),
            depth: controller.depth.into(),
            width: lines.map(|lines| lines.width.into()),
            extend: lines.map(|lines| lines.extend),
            attack: lines.map(|lines| list(lines.attack)),
            defend: lines.map(|lines| list(lines.defend)),
            key: lines.map(|lines| lines.key.map(i64::from).to_vec()),
        }
    }
}

macro_rules! preset {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!(
                "../../../../fixtures/weights/gomoku/",
                $name,
                ".json"
            )),
        )
    };
}

/// The built-in controllers: names and JSON texts.
pub const PRESETS: [(&str, &str); 2] = [preset!("lines"), preset!("wujian")];

impl Profile {
    /// The name of the profile.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Wujian => WUJIAN,
            Self::Lines(_) => LINES,
        }
    }
}

impl Controller {
    /// The built-in controller of that name, or the controller in the file of that name.
    ///
    /// # Errors
    /// When there is neither, or the file is not a controller.
    pub fn load(name: &str) -> Result<Self, LoadError> {
        catalog::load(&PRESETS, name, &PRESETS.map(|(name, _)| name))
    }

    /// The same controller with another depth.
    ///
    /// # Errors
    /// When the depth is not 1 to 24.
    pub fn with_depth(mut self, stones: u64) -> Result<Self, GameError> {
        self.depth = check_depth(stones, MAX_DEPTH)?;
        Ok(self)
    }
}

impl Catalog for Gomoku {
    const DEFAULT: &'static str = "lines";

    fn presets() -> Vec<&'static str> {
        PRESETS.iter().map(|(name, _)| *name).collect()
    }

    fn load(name: &str) -> Result<Controller, LoadError> {
        Controller::load(name)
    }

    fn name(controller: &Controller) -> &str {
        &controller.name
    }

    fn default_setup(seed: u64) -> Setup {
        Setup::new(seed, 3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A member, its value and the error; without a value the member is missing.
    const BAD: &str = r#"
        depth   | 0                          | the depth is 0, expected 1 to 24
        depth   | 25                         | the depth is 25, expected 1 to 24
        profile | "line"                     | the profile is "line", expected wujian or lines
        profile | "wujian"                   | width belongs to the profile lines, not wujian
        width   | 226                        | width is 226, expected 0 to 225
        name    | ""                         | the name has 0 characters, expected 1 to 64
        attack  | [1, 2, 3]                  | attack has 3 weights, expected 7
        defend | [0, 0, 0, 0, 0, 32768, 0] | defend: the weight of shape 6 is 32768, expected -32768 to 32767
        key     | [0, 32, 0, 0, 0, 0, 0]     | key: the weight of shape 2 is 32, expected 0 to 31
        key     | [-1, 0, 0, 0, 0, 0, 0]     | key: the weight of shape 1 is -1, expected 0 to 31
        extend  |                            | the profile lines needs extend
        key     |                            | the profile lines needs key
    "#;

    #[test]
    fn controller_bad_file_errs() {
        let lines = Controller::load("lines").expect("a preset");
        for row in BAD.trim().lines() {
            let cells: Vec<_> = row.split('|').map(str::trim).collect();
            let mut file = serde_json::to_value(&lines).expect("JSON");
            match cells[1] {
                "" => drop(file.as_object_mut().expect("an object").remove(cells[0])),
                value => file[cells[0]] = serde_json::from_str(value).expect("JSON"),
            }
            let error = serde_json::from_value::<Controller>(file).expect_err(row);
            assert_eq!(error.to_string(), cells[2]);
        }
        let unknown = Controller::load("line").expect_err("no preset").to_string();
        assert!(unknown.contains("lines, wujian"), "{unknown}");
        let deeper = Controller::load("wujian").expect("a preset").with_depth(25);
        assert_eq!(
            deeper.expect_err("25").0,
            "the depth is 25, expected 1 to 24"
        );
    }

    #[test]
    fn controller_wujian_has_no_weights_in_json() {
        let wujian = Controller::load("wujian").expect("a preset");
        assert_eq!(wujian.profile, Profile::Wujian);
        let json = serde_json::to_value(&wujian).expect("JSON");
        let members: Vec<_> = json.as_object().expect("an object").keys().collect();
        assert_eq!(members, ["depth", "name", "profile", "source"]);
    }
}
