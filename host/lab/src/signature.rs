//! All moves of a long game in one number, for every path of the engine and
//! for the golden model: equal numbers, equal moves.

use std::fmt;

use lockstep_engine::tetris::{Engine, EngineError, Game, Path, Tally};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::source::Pieces;
use lockstep_games::tetris::{Linear, Size, golden};

/// Who plays.
pub enum Player {
    /// The engine on one of its paths.
    Engine(Engine),
    /// The golden model.
    Golden {
        /// How it decides.
        linear: Linear,
        /// Size of the board.
        size: Size,
    },
}

/// Pieces between two looks at whether to stop.
const CHUNK: u64 = 10_000;

impl Player {
    /// The engine.
    ///
    /// # Errors
    /// When it cannot be had on that path, or for that board.
    pub fn engine(linear: &Linear, size: Size, path: Path) -> Result<Self, EngineError> {
        Ok(Self::Engine(Engine::new(linear, size, path)?))
    }

    /// What comes of so many pieces, game after game; `None` once `stop` says
    /// so.
    pub fn tally(&self, pieces: Pieces, count: u64, stop: &dyn Fn() -> bool) -> Option<Tally> {
        match self {
            Self::Engine(engine) => {
                let mut game = Game::new(engine.size(), pieces);
                while game.tally().pieces < count {
                    if stop() {
                        return None;
                    }
                    let left = count - game.tally().pieces;
                    engine.play(&mut game, CHUNK.min(left));
                }
                Some(game.tally())
            }
            Self::Golden { linear, size } => golden_tally(linear, *size, pieces, count, stop),
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine(engine) => engine.path().fmt(f),
            Self::Golden { .. } => f.pad("golden"),
        }
    }
}

fn golden_tally(
    linear: &Linear,
    size: Size,
    mut pieces: Pieces,
    count: u64,
    stop: &dyn Fn() -> bool,
) -> Option<Tally> {
    let mut tally = Game::new(size, pieces.clone()).tally();
    let mut board = Board::of_size(size);
    while tally.pieces < count {
        if tally.pieces.is_multiple_of(CHUNK) && stop() {
            return None;
        }
        let best = golden::best_now(&board, pieces.draw(), linear);
        let placed = best.map(|(candidate, _)| {
            board = candidate.after;
            let lines = candidate.features.rows_cleared as u64;
            (candidate.rotation, candidate.column, lines)
        });
        if placed.is_none() {
            board = Board::of_size(size);
        }
        tally.count(size, placed);
    }
    Some(tally)
}
