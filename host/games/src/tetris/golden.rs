//! The golden model: every placement in order, each scored by definition.

use super::board::Board;
use super::features::Features;
use super::linear::Linear;
use super::piece::{Cells, Piece, width};
use super::score::Score;

/// One legal placement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Rotation number.
    pub rotation: usize,
    /// Leftmost column of the piece.
    pub column: usize,
    /// Landing row.
    pub row: usize,
    /// Its features.
    pub features: Features,
    /// The board once full rows are cleared.
    pub after: Board,
}

/// All legal placements of a piece, in order.
pub fn placements(board: &Board, piece: Piece) -> impl Iterator<Item = Candidate> {
    let of_rotation = move |(rotation, cells): (usize, &'static Cells)| {
        let columns = 0..(board.columns() + 1).saturating_sub(width(cells));
        columns.filter_map(move |column| {
            let row = board.landing_row(cells, column)?;
            let (features, after) = Features::of(board, cells, column, row);
            Some(Candidate {
                rotation,
                column,
                row,
                features,
                after,
            })
        })
    };
    piece.rotations().iter().enumerate().flat_map(of_rotation)
}

/// The placement with the highest score by itself, the first of equals; `None`
/// when none is legal.
pub fn best_now(board: &Board, piece: Piece, controller: &Linear) -> Option<(Candidate, Score)> {
    let mut best: Option<(Candidate, Score)> = None;
    for candidate in placements(board, piece) {
        let score = controller.score(&candidate.features);
        if best.as_ref().is_none_or(|(_, highest)| score > *highest) {
            best = Some((candidate, score));
        }
    }
    best
}
