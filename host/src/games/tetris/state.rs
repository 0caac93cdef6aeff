//! A game under way.

use super::board::Board;
use super::piece::Piece;
use super::position::Position;
use super::source::Pieces;
use super::{Placement, Setup, Tetris};
use crate::games::Match;

/// A game of Tetris under way.
#[derive(Debug, Clone)]
pub struct State {
    board: Board,
    piece: Piece,
    next: Piece,
    next_known: bool,
    pieces: Pieces,
    moves: u64,
    lines: u64,
}

impl State {
    /// An empty board and the first piece of a game of a session.
    pub fn new(setup: &Setup, game: u64) -> Self {
        let mut pieces = Pieces::new(setup.piece_source, setup.seed, game);
        Self {
            board: Board::of_size(setup.board),
            piece: pieces.draw(),
            next: pieces.draw(),
            next_known: setup.next_known,
            pieces,
            moves: 0,
            lines: 0,
        }
    }
}

impl Match<Tetris> for State {
    fn position(&self) -> Position {
        Position {
            board: self.board.clone(),
            piece: self.piece,
            next: self.next_known.then_some(self.next),
        }
    }

    fn apply(&mut self, decision: &Option<Placement>) -> Result<bool, String> {
        let Some(placement) = decision else {
            return Ok(false);
        };
        let cells = self.piece.rotations().get(placement.rotation);
        let cells = cells
            .ok_or_else(|| format!("{:?} has no rotation {}", self.piece, placement.rotation))?;
        let row = self.board.landing_row(cells, placement.column);
        if row != Some(placement.row) {
            let where_to = row.map_or("nowhere".into(), |row| format!("in row {row}"));
            return Err(format!(
                "{:?} in rotation {} at column {} comes to rest {where_to}, not in row {}",
                self.piece, placement.rotation, placement.column, placement.row
            ));
        }
        self.board.place(cells, placement.column, placement.row);
        self.lines += self.board.clear_full_rows().len() as u64;
        self.moves += 1;
        self.piece = std::mem::replace(&mut self.next, self.pieces.draw());
        Ok(true)
    }

    fn moves(&self) -> u64 {
        self.moves
    }

    fn score(&self) -> u64 {
        self.lines
    }
}
