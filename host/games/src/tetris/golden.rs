//! The golden model without lookahead: scores all placements in order.

use super::piece::width;
use super::{Board, Cells, Features, Linear, Piece, Score};

/// A legal placement, its features and the board after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Landing {
    /// Rotation number.
    pub rotation: usize,
    /// Leftmost column of the piece.
    pub column: usize,
    /// Landing row: the bottom row of the piece.
    pub row: usize,
    /// The features.
    pub features: Features,
    /// The board after full rows are cleared.
    pub after: Board,
}

/// All placements of a piece, in order: rotation and column, and `None` if it is not legal.
pub fn all_placements(
    board: &Board,
    piece: Piece,
) -> impl Iterator<Item = ([usize; 2], Option<Landing>)> {
    let of_rotation = move |(rotation, cells): (usize, &'static Cells)| {
        let columns = 0..(board.columns() + 1).saturating_sub(width(cells));
        columns.map(move |column| {
            let landing = board.landing_row(cells, column).map(|row| {
                let (features, after) = Features::of(board, cells, column, row);
                Landing {
                    rotation,
                    column,
                    row,
                    features,
                    after,
                }
            });
            ([rotation, column], landing)
        })
    };
    piece.rotations().iter().enumerate().flat_map(of_rotation)
}

/// The legal placements of a piece, in order.
pub fn placements(board: &Board, piece: Piece) -> impl Iterator<Item = Landing> {
    all_placements(board, piece).filter_map(|(_, landing)| landing)
}

/// The first legal placement with the highest score without lookahead, if any.
pub fn best_now(board: &Board, piece: Piece, controller: &Linear) -> Option<(Landing, Score)> {
    let scored = placements(board, piece).map(|landing| {
        let score = controller.score(&landing.features);
        (landing, score)
    });
    scored.reduce(|best, next| if next.1 > best.1 { next } else { best })
}
