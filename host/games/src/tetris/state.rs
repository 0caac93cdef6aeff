//! A game under way.

use super::board::Board;
use super::error::TetrisError;
use super::game::Tetris;
use super::piece::Piece;
use super::placement::Placement;
use super::position::Position;
use super::setup::Setup;
use super::source::Pieces;
use crate::{BoardSize, Match, Rules};

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

impl Rules for Tetris {
    type Match = State;

    fn board(setup: &Setup) -> BoardSize {
        BoardSize::new(setup.board.columns(), setup.board.rows())
    }

    fn deal(setup: &Setup, game: u64) -> State {
        State::new(setup, game)
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

    fn apply(&mut self, decision: &Option<Placement>) -> Result<bool, TetrisError> {
        let Some(placement) = decision else {
            return Ok(false);
        };
        let (piece, rotation) = (self.piece, placement.rotation);
        let cells = piece.rotations().get(rotation);
        let cells = cells.ok_or(TetrisError::Rotation { piece, rotation })?;
        let rests = self.board.landing_row(cells, placement.column);
        if rests != Some(placement.row) {
            return Err(TetrisError::Landing {
                piece,
                rotation,
                column: placement.column,
                row: placement.row,
                rests,
            });
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
