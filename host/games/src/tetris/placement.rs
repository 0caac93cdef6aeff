//! A chosen placement.

use serde::{Deserialize, Serialize};

use super::golden::Candidate;
use super::piece::Piece;
use super::score::Score;

/// The chosen placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "a placement")]
pub struct Placement {
    /// Rotation number.
    pub rotation: usize,
    /// Leftmost column of the piece.
    pub column: usize,
    /// Landing row: the piece's bottom row.
    pub row: usize,
    /// Rows it clears.
    pub rows_cleared: usize,
    /// Its score.
    pub score: Score,
}

impl Placement {
    /// The cells the piece occupies, [column, row] each; empty for a rotation
    /// the piece does not have.
    pub fn cells(&self, piece: Piece) -> Vec<[usize; 2]> {
        let cells = piece.rotations().get(self.rotation);
        cells
            .into_iter()
            .flatten()
            // A record may hold anything.
            .map(|(c, r)| [self.column.saturating_add(*c), self.row.saturating_add(*r)])
            .collect()
    }

    /// A candidate with its score.
    pub fn of(candidate: &Candidate, score: Score) -> Self {
        Self {
            rotation: candidate.rotation,
            column: candidate.column,
            row: candidate.row,
            rows_cleared: candidate.features.rows_cleared as usize,
            score,
        }
    }
}
