//! The engine: a controller made ready for a board size and an instruction set.

use super::brute;
use super::game::Game;
use super::limits::{MAX_COLUMNS, MAX_ROWS, fits};
use super::lookahead::Lookahead;
use super::path::Path;
use super::run::Runner;
use super::scale::Scale;
use super::shape::shape;
use super::stack::Stack;
use lockstep_games::tetris::Linear;
use lockstep_games::tetris::Placement;
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::piece::Piece;
use lockstep_games::tetris::search::Search;
use lockstep_games::tetris::size::Size;

/// Decides placements for one linear controller and one board size.
#[derive(Clone)]
pub struct Engine {
    linear: Linear,
    size: Size,
    path: Path,
    runner: Runner,
    scale: Scale,
}

/// Why there is no such engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The machine lacks the instructions of a path.
    #[error("this machine lacks the instructions of the path {0}")]
    Path(Path),
    /// The board is too large.
    #[error(
        "the engine holds boards of up to {MAX_COLUMNS}x{MAX_ROWS}, not {0}; the golden model holds any"
    )]
    Size(Size),
}

impl Engine {
    /// An engine for `linear` on boards of `size`, run by `path`.
    ///
    /// # Errors
    /// [`EngineError`] when this machine cannot run `path`, or the board is
    /// larger than 12 columns by 32 rows.
    pub fn new(linear: &Linear, size: Size, path: Path) -> Result<Engine, EngineError> {
        if !fits(size) {
            return Err(EngineError::Size(size));
        }
        let runner = Runner::new(path).ok_or(EngineError::Path(path))?;
        Ok(Engine {
            linear: linear.clone(),
            size,
            path,
            runner,
            scale: Scale::new(&linear.weights, size),
        })
    }

    /// Dimensions of the boards it decides on.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The instruction set it runs on.
    pub const fn path(&self) -> Path {
        self.path
    }

    /// The best placement of `piece` on `board`, `None` when none is legal or the
    /// board is not of the engine's size. A controller that looks further uses
    /// `next`, the piece after it, when it is known.
    ///
    /// The first of equal scores wins, rotation before column.
    pub fn decide(&self, board: &Board, piece: Piece, next: Option<Piece>) -> Option<Placement> {
        if !board.is_of(self.size) {
            return None;
        }
        if self.linear.search != Search::ONE {
            return self.lookahead().decide(board, piece, next);
        }
        let Some(stack) = Stack::from_board(board, self.size) else {
            return brute::decide(&self.linear, self.size, &brute::columns(board), piece);
        };
        let choice = self.runner.choose(&stack, &self.scale, piece)?;
        let (shape, columns) = (shape(piece, choice.rotation), brute::columns(board));
        let played = brute::evaluate_move(&columns, self.size, shape, choice.column, choice.row);
        let score = brute::score(&self.linear.weights, &played.features);
        let place = (choice.rotation, choice.column, choice.row);
        Some(brute::placement(place, &played, score))
    }

    /// Pieces it plays in some 10 ms, for whoever wants to look up now and then.
    pub fn chunk(&self) -> u64 {
        match self.linear.search.depth() {
            1 => 50_000,
            2 => 500,
            _ => 5,
        }
    }

    /// Plays up to `pieces` pieces of `game`; `true` when a piece found no place:
    /// the board is empty again, and the next call begins another game.
    /// Plays nothing of a game of another size.
    pub fn play(&self, game: &mut Game, pieces: u64) -> bool {
        if game.stack.size != self.size {
            return false;
        }
        if self.linear.search != Search::ONE {
            return self.lookahead().play(game, pieces);
        }
        self.runner.play(game, &self.scale, pieces)
    }

    fn lookahead(&self) -> Lookahead<'_> {
        Lookahead {
            linear: &self.linear,
            size: self.size,
            runner: self.runner,
            scale: &self.scale,
        }
    }
}
