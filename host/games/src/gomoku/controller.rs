//! Controllers: a profile with its weights, and a depth.

pub use protocol::layout::gomoku::MAX_DEPTH;
use protocol::layout::gomoku::SHAPES;
use serde::{Deserialize, Serialize};

use super::board::POINTS;
use super::{Gomoku, Setup};
use crate::catalog::{check_text, presets};
use crate::stones::check_depth;
use crate::{Catalog, GameError, LoadError};

/// The greatest weight of a shape in the order of candidates.
pub const MAX_KEY: u8 = 31;

/// The parameters of a decision.
///
/// In JSON, the members of [`Lines`] are missing in the profile `wujian`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "File")]
pub struct Controller {
    /// A short name.
    pub name: String,
    /// The origin of the weights.
    pub source: String,
    /// Number of stones to look ahead, 1 to 24.
    pub depth: u8,
    /// The search and its weights.
    #[serde(flatten)]
    pub profile: Profile,
}

/// A search with its weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "profile", rename_all = "lowercase")]
pub enum Profile {
    /// Runs of stones, and every point next to a stone.
    Wujian,
    /// Shapes of empty points, and the candidates with the highest keys.
    Lines(Lines),
}

/// The parameters of the profile `lines`. The weight of shape n has index n - 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Lines {
    /// Maximum number of candidates of a node; 0 means no limit.
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
#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with name, source, profile and depth"
)]
struct File {
    name: String,
    source: String,
    profile: String,
    depth: u64,
    width: Option<u8>,
    extend: Option<bool>,
    attack: Option<[i16; SHAPES]>,
    defend: Option<[i16; SHAPES]>,
    key: Option<[u8; SHAPES]>,
}

const WUJIAN: &str = "wujian";
const LINES: &str = "lines";

impl TryFrom<File> for Controller {
    type Error = String;

    fn try_from(file: File) -> Result<Self, String> {
        check_text(&file.name, &file.source)?;
        let missing = |name| move || format!("the profile {LINES} needs {name}");
        let members = (file.width, file.extend, file.attack, file.defend, file.key);
        let profile = match (file.profile.as_str(), members) {
            (WUJIAN, (None, None, None, None, None)) => Profile::Wujian,
            (WUJIAN, _) => {
                return Err(format!(
                    "width, extend, attack, defend and key belong to the profile {LINES}, \
                     not {WUJIAN}"
                ));
            }
            (LINES, (width, extend, attack, defend, key)) => Profile::Lines(Lines {
                width: width.ok_or_else(missing("width"))?,
                extend: extend.ok_or_else(missing("extend"))?,
                attack: attack.ok_or_else(missing("attack"))?,
                defend: defend.ok_or_else(missing("defend"))?,
                key: key.ok_or_else(missing("key"))?,
            }),
            (other, _) => {
                return Err(format!(
                    "the profile is {other:?}, expected {WUJIAN} or {LINES}"
                ));
            }
        };
        if let Profile::Lines(Lines { width, key, .. }) = profile {
            if usize::from(width) > POINTS {
                return Err(format!("width is {width}, expected 0 to {POINTS}"));
            }
            if let Some(weight) = key.iter().find(|weight| **weight > MAX_KEY) {
                return Err(format!("key has {weight}, expected 0 to {MAX_KEY}"));
            }
        }
        Ok(Self {
            depth: check_depth(file.depth, MAX_DEPTH).map_err(|why| why.to_string())?,
            name: file.name,
            source: file.source,
            profile,
        })
    }
}

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
        Gomoku::load(name)
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

    const PRESETS: &'static [(&'static str, &'static str)] = presets!("gomoku/": "lines" "wujian");

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
    use crate::contract::check_bad_files;

    /// A member of the file, its value and the error; without a value the member is missing.
    const BAD: &str = r#"
        depth   | 0                          | the depth is 0, expected 1 to 24
        depth   | 25                         | the depth is 25, expected 1 to 24
        profile | "line"                     | the profile is "line", expected wujian or lines
        profile | "wujian" | width, extend, attack, defend and key belong to the profile lines, not wujian
        width   | 226                        | width is 226, expected 0 to 225
        name    | ""                         | the name has 0 characters, expected 1 to 64
        attack  | [1, 2, 3]                  | invalid length 3, expected an array of length 7
        defend  | [0, 0, 0, 0, 0, 32768, 0]  | invalid value: integer `32768`, expected i16
        key     | [0, 32, 0, 0, 0, 0, 0]     | key has 32, expected 0 to 31
        key     | [-1, 0, 0, 0, 0, 0, 0]     | invalid value: integer `-1`, expected u8
        extend  |                            | the profile lines needs extend
        key     |                            | the profile lines needs key
    "#;

    #[test]
    fn controller_bad_file_errs() {
        check_bad_files::<Gomoku>(BAD);
        let unknown = Controller::load("line")
            .expect_err("no built-in controller")
            .to_string();
        assert!(unknown.contains("lines, wujian"), "{unknown}");
        let deeper = Controller::load("wujian")
            .expect("a built-in controller")
            .with_depth(25);
        assert_eq!(
            deeper.expect_err("25").0,
            "the depth is 25, expected 1 to 24"
        );
    }

    #[test]
    fn controller_wujian_has_no_weights_in_json() {
        let wujian = Controller::load("wujian").expect("a built-in controller");
        assert_eq!(wujian.profile, Profile::Wujian);
        let json = serde_json::to_value(&wujian).expect("JSON");
        let members: Vec<_> = json.as_object().expect("an object").keys().collect();
        assert_eq!(members, ["depth", "name", "profile", "source"]);
    }
}
