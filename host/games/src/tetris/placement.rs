//! Placements: the decisions of Tetris.

use serde::{Deserialize, Serialize};

use super::golden::Landing;
use super::{Piece, Score};

/// A placement that was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "a placement")]
pub struct Placement {
    /// Rotation number.
    pub rotation: usize,
    /// Leftmost column of the piece.
    pub column: usize,
    /// Landing row: the bottom row of the piece.
    pub row: usize,
    /// Number of rows that it clears.
    pub rows_cleared: usize,
    /// The score.
    pub score: Score,
}

impl Placement {
    /// The cells that the piece occupies, [column, row] each; empty if it has no such rotation.
    pub fn cells(&self, piece: Piece) -> Vec<[usize; 2]> {
        let cells = piece.rotations().get(self.rotation);
        cells
            .into_iter()
            .flatten()
            // A record may contain any number.
            .map(|(c, r)| [self.column.saturating_add(*c), self.row.saturating_add(*r)])
            .collect()
    }

    /// The placement of a landing, with its score.
    pub fn of(landing: &Landing, score: Score) -> Self {
        Self {
            rotation: landing.rotation,
            column: landing.column,
            row: landing.row,
            rows_cleared: landing.features.rows_cleared as usize,
            score,
        }
    }
}
