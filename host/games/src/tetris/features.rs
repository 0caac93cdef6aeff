//! The features, implemented from their definitions in the README.md of this folder.

use serde::{Serialize, Serializer};

use super::piece::height;
use super::{Board, Cells};

/// Number of features.
pub const FEATURES: usize = protocol::layout::tetris::WEIGHT_FIELDS.len();

/// The features of a placement, in the order of the weights.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Features {
    /// Twice the landing height, which is a multiple of ½.
    #[serde(rename = "landing_height", serialize_with = "halved")]
    pub landing_height_doubled: i64,
    pub eroded_cells: i64,
    pub rows_cleared: i64,
    pub row_transitions: i64,
    pub column_transitions: i64,
    pub holes: i64,
    pub cumulative_wells: i64,
    pub well_sums: i64,
    pub hole_depth: i64,
    pub rows_with_holes: i64,
    pub diversity: i64,
    pub aggregate_height: i64,
    pub bumpiness: i64,
    pub max_height: i64,
}

impl Features {
    /// The features of a piece at its landing row, and the board after the placement.
    pub fn of(board: &Board, cells: &Cells, column: usize, row: usize) -> (Self, Board) {
        let mut after = board.clone();
        after.place(cells, column, row);
        let cleared = after.clear_full_rows();
        let eroded = cells
            .iter()
            .filter(|(_, r)| cleared.contains(&(row + r)))
            .count();
        let features = Self {
            landing_height_doubled: (2 * row + height(cells) - 1) as i64,
            eroded_cells: (cleared.len() * eroded) as i64,
            rows_cleared: cleared.len() as i64,
            ..Self::of_board(&after)
        };
        (features, after)
    }

    /// The features of the move alone, which do not follow from the resulting board.
    pub fn of_move(&self) -> Self {
        Self {
            landing_height_doubled: self.landing_height_doubled,
            eroded_cells: self.eroded_cells,
            rows_cleared: self.rows_cleared,
            ..Self::default()
        }
    }

    fn of_board(board: &Board) -> Self {
        let b = Walled(board);
        let heights: Vec<i64> = b
            .columns()
            .map(|c| board.height(c as usize) as i64)
            .collect();
        let differences: Vec<i64> = heights.windows(2).map(|h| h[0] - h[1]).collect();
        Self {
            row_transitions: b.row_transitions(),
            column_transitions: b.column_transitions(),
            holes: b.count(|c, r| b.hole(c, r)),
            cumulative_wells: b.cumulative_wells(),
            well_sums: b.well_sums(),
            hole_depth: b.hole_depth(),
            rows_with_holes: b.rows_with_holes(),
            diversity: (-2..=2).filter(|d| differences.contains(d)).count() as i64,
            aggregate_height: heights.iter().sum(),
            bumpiness: differences.iter().map(|d| d.abs()).sum(),
            max_height: heights.iter().copied().max().unwrap_or(0),
            ..Self::default()
        }
    }

    /// The features as an array, in the order of the weights.
    pub fn to_array(&self) -> [i64; FEATURES] {
        [
            self.landing_height_doubled,
            self.eroded_cells,
            self.rows_cleared,
            self.row_transitions,
            self.column_transitions,
            self.holes,
            self.cumulative_wells,
            self.well_sums,
            self.hole_depth,
            self.rows_with_holes,
            self.diversity,
            self.aggregate_height,
            self.bumpiness,
            self.max_height,
        ]
    }
}

/// Serialises the landing height in rows.
fn halved<S: Serializer>(doubled: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(*doubled as f64 / 2.0)
}

/// The board with its surroundings: filled walls and floor, empty cells above.
struct Walled<'a>(&'a Board);

impl Walled<'_> {
    fn columns(&self) -> std::ops::Range<i64> {
        0..self.0.columns() as i64
    }

    fn rows(&self) -> std::ops::Range<i64> {
        0..self.0.rows() as i64
    }

    fn filled(&self, column: i64, row: i64) -> bool {
        if row < 0 || !self.columns().contains(&column) {
            return true;
        }
        row < self.0.rows() as i64 && self.0.filled(column as usize, row as usize)
    }

    /// Number of cells of the board that satisfy a condition.
    fn count(&self, condition: impl Fn(i64, i64) -> bool) -> i64 {
        let of_row = |r| self.columns().filter(|&c| condition(c, r)).count();
        self.rows().map(of_row).sum::<usize>() as i64
    }

    fn row_transitions(&self) -> i64 {
        let of_row = |r: i64| {
            (-1..self.0.columns() as i64)
                .filter(|&c| self.filled(c, r) != self.filled(c + 1, r))
                .count()
        };
        self.rows().map(of_row).sum::<usize>() as i64
    }

    fn column_transitions(&self) -> i64 {
        let of_column = |c: i64| {
            (-1..self.0.rows() as i64)
                .filter(|&r| self.filled(c, r) != self.filled(c, r + 1))
                .count()
        };
        self.columns().map(of_column).sum::<usize>() as i64
    }

    fn hole(&self, column: i64, row: i64) -> bool {
        !self.filled(column, row) && (row..self.rows().end).any(|r| self.filled(column, r))
    }

    fn well_cell(&self, column: i64, row: i64) -> bool {
        !self.filled(column, row) && self.filled(column - 1, row) && self.filled(column + 1, row)
    }

    /// Number of empty cells from this one down to the first filled one.
    fn empties_down(&self, column: i64, row: i64) -> i64 {
        (0..=row)
            .rev()
            .take_while(|&r| !self.filled(column, r))
            .count() as i64
    }

    fn cumulative_wells(&self) -> i64 {
        let of_column = |c| -> i64 {
            self.rows()
                .filter(|&r| self.well_cell(c, r))
                .map(|r| self.empties_down(c, r))
                .sum()
        };
        self.columns().map(of_column).sum()
    }

    fn well_sums(&self) -> i64 {
        let mut sum = 0;
        for column in self.columns() {
            // Whether this run of empty cells is already counted from a higher well cell.
            let mut counted = false;
            for row in self.rows().rev() {
                if self.filled(column, row) {
                    counted = false;
                } else if !counted && self.well_cell(column, row) {
                    let n = self.empties_down(column, row);
                    sum += n * (n + 1) / 2;
                    counted = true;
                }
            }
        }
        sum
    }

    fn hole_depth(&self) -> i64 {
        let above = |c: i64, r: i64| {
            (r + 1..self.rows().end)
                .take_while(|&r| self.filled(c, r))
                .count()
        };
        let of_column = |c| -> usize {
            self.rows()
                .filter(|&r| self.hole(c, r))
                .map(|r| above(c, r))
                .sum()
        };
        self.columns().map(of_column).sum::<usize>() as i64
    }

    fn rows_with_holes(&self) -> i64 {
        self.rows()
            .filter(|&r| self.columns().any(|c| self.hole(c, r)))
            .count() as i64
    }
}
