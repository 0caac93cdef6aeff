//! Controllers: a weight for each cell, and a search depth.

use protocol::layout::connect4::{COLUMNS, ROWS};
use serde::{Deserialize, Serialize};

use super::{Connect4, Setup};
use crate::catalog::{check_text, presets};
use crate::stones::check_depth;
use crate::{Catalog, GameError, LoadError};

/// The largest depth of a search: the number of cells.
pub const MAX_DEPTH: u8 = (COLUMNS * ROWS) as u8;

/// A weight for each cell, by column and row.
pub type Weights = [[i8; ROWS]; COLUMNS];

/// The parameters of a decision.
///
/// In JSON, `weights` is a list of columns from left to right, each a list of numbers from the
/// bottom up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "File")]
pub struct Controller {
    /// A short name.
    pub name: String,
    /// The origin of the weights.
    pub source: String,
    /// Number of stones to look ahead, 1 to [`MAX_DEPTH`].
    pub depth: u8,
    /// The value of a stone in each cell.
    pub weights: Weights,
}

/// The content of a controller's file.
#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with name, source, depth and weights"
)]
struct File {
    name: String,
    source: String,
    depth: u64,
    weights: Weights,
}

impl TryFrom<File> for Controller {
    type Error = String;

    fn try_from(file: File) -> Result<Self, String> {
        check_text(&file.name, &file.source)?;
        Ok(Self {
            depth: check_depth(file.depth, MAX_DEPTH).map_err(|why| why.to_string())?,
            name: file.name,
            source: file.source,
            weights: file.weights,
        })
    }
}

impl Controller {
    /// The built-in controller of that name, or the controller in the file of that name.
    ///
    /// # Errors
    /// When there is neither, or the file is not a controller.
    pub fn load(name: &str) -> Result<Self, LoadError> {
        Connect4::load(name)
    }

    /// The same controller with another depth.
    ///
    /// # Errors
    /// When the depth is not 1 to [`MAX_DEPTH`].
    pub fn with_depth(mut self, stones: u64) -> Result<Self, GameError> {
        self.depth = check_depth(stones, MAX_DEPTH)?;
        Ok(self)
    }
}

impl Catalog for Connect4 {
    const DEFAULT: &'static str = "windows";

    const PRESETS: &'static [(&'static str, &'static str)] =
        presets!("connect4/": "windows" "centre" "flat");

    fn name(controller: &Controller) -> &str {
        &controller.name
    }

    fn default_setup(seed: u64) -> Setup {
        Setup::new(seed, 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::check_bad_files;

    #[test]
    fn windows_weights_count_lines_of_four() {
        let mut lines = [[0; ROWS]; COLUMNS];
        for (column, row, right, up) in (0..COLUMNS as i32).flat_map(|c| {
            let directions = [(1, 0), (0, 1), (1, 1), (1, -1)];
            (0..ROWS as i32).flat_map(move |r| directions.map(|(right, up)| (c, r, right, up)))
        }) {
            let cells: Vec<_> = (0..4)
                .map(|n| ((column + n * right) as usize, (row + n * up) as usize))
                .filter(|&(c, r)| c < COLUMNS && r < ROWS)
                .collect();
            for (c, r) in cells.iter().filter(|_| cells.len() == 4) {
                lines[*c][*r] += 1;
            }
        }
        let windows = Controller::load("windows").expect("a built-in controller");
        assert_eq!(windows.weights, lines);
    }

    /// A member of the file, its value and the error.
    const BAD: &str = r#"
        depth       | 0    | the depth is 0, expected 1 to 42
        depth       | 43   | the depth is 43, expected 1 to 42
        depth       | 300  | the depth is 300, expected 1 to 42
        name        | ""   | the name has 0 characters, expected 1 to 64
        weights/2/3 | 128  | invalid value: integer `128`, expected i8
        weights/2/3 | -129 | invalid value: integer `-129`, expected i8
        weights     | []   | invalid length 0, expected an array of length 7
        weights/2   | []   | invalid length 0, expected an array of length 6
    "#;

    #[test]
    fn controller_bad_file_errs() {
        check_bad_files::<Connect4>(BAD);
        let unknown = Controller::load("window").expect_err("no built-in controller");
        let expected = "no controller is called 'window' and there is no such file; the built-in \
                        ones are windows, centre, flat";
        assert_eq!(unknown.to_string(), expected);
        let folder = Controller::load(".").expect_err("a folder").to_string();
        assert!(folder.starts_with("controller .: "), "{folder}");
        let deeper = Controller::load("flat")
            .expect("a built-in controller")
            .with_depth(43);
        assert!(deeper.is_err_and(|why| why.0 == "the depth is 43, expected 1 to 42"));
    }
}
