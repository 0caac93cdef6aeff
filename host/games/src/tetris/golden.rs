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

/// Where a piece may be placed, in order: rotation and column of every placement, each
/// with its candidate, `None` if it is not legal.
pub fn places(
    board: &Board,
    piece: Piece,
) -> impl Iterator<Item = ([usize; 2], Option<Candidate>)> {
    let of_rotation = move |(rotation, cells): (usize, &'static Cells)| {
        let columns = 0..(board.columns() + 1).saturating_sub(width(cells));
        columns.map(move |column| {
            let candidate = board.landing_row(cells, column).map(|row| {
                let (features, after) = Features::of(board, cells, column, row);
                Candidate {
                    rotation,
                    column,
                    row,
                    features,
                    after,
                }
            });
            ([rotation, column], candidate)
        })
    };
    piece.rotations().iter().enumerate().flat_map(of_rotation)
}

/// All legal placements of a piece, in order.
pub fn placements(board: &Board, piece: Piece) -> impl Iterator<Item = Candidate> {
    places(board, piece).filter_map(|(_, candidate)| candidate)
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
