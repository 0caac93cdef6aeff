//! A game of a policy under the common rules, on a board of any size.

use super::{Locked, OwnGame, Policy};
use crate::games::tetris::board::Board;
use crate::games::tetris::piece::Piece;
use crate::games::tetris::source::{PieceSource, Pieces};

/// Decide, place, remove the full rows, deal; over when the policy has no
/// placement.
pub struct CommonGame<'a> {
    policy: &'a dyn Policy,
    board: Board,
    pieces: Pieces,
    /// The piece to place and the one after it.
    dealt: [Piece; 2],
    moves: u64,
    lines: u64,
}

impl<'a> CommonGame<'a> {
    /// Game `game` of the session `seed`, on an empty board of that many
    /// columns and rows.
    pub fn new(
        policy: &'a dyn Policy,
        (columns, rows): (usize, usize),
        source: PieceSource,
        seed: u64,
        game: u64,
    ) -> Self {
        let mut pieces = Pieces::new(source, seed, game);
        let dealt = [deal(&mut pieces), deal(&mut pieces)];
        Self {
            policy,
            board: Board::new(columns, rows),
            pieces,
            dealt,
            moves: 0,
            lines: 0,
        }
    }
}

/// The next piece; a source has no end.
fn deal(pieces: &mut Pieces) -> Piece {
    pieces.next().unwrap_or(Piece::I)
}

impl OwnGame for CommonGame<'_> {
    fn step(&mut self) -> Option<Locked> {
        let [piece, next] = self.dealt;
        let next_known = self.policy.lookahead().then_some(next);
        let placement = self.policy.decide(&self.board, piece, next_known)?;
        let cells = &piece.rotations()[placement.rotation];
        self.board.place(cells, placement.column, placement.row);
        self.lines += self.board.clear_full_rows().len() as u64;
        self.moves += 1;
        self.dealt = [next, deal(&mut self.pieces)];
        Some(Locked::at(piece, cells, placement.column, placement.row))
    }

    fn moves(&self) -> u64 {
        self.moves
    }

    fn lines(&self) -> u64 {
        self.lines
    }

    fn board(&self) -> Board {
        self.board.clone()
    }
}
