//! The golden model's choice, however far a controller looks.

use super::board::Board;
use super::golden::{Candidate, best_now};
use super::linear::Linear;
use super::lookahead::Lookahead;
use super::piece::Piece;
use super::score::Score;
use super::search::Search;

/// The placement with the highest score, the first of equals; `None` when none
/// is legal. A controller that looks further uses `next`, the piece after this
/// one, when it is known.
pub fn best(
    board: &Board,
    piece: Piece,
    next: Option<Piece>,
    controller: &Linear,
) -> Option<(Candidate, Score)> {
    match controller.search {
        Search::ONE => best_now(board, piece, controller),
        _ => Lookahead(controller).best(board, piece, next),
    }
}
