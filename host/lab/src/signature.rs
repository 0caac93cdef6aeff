//! All moves of a long game in one number, for every path of the engine and
//! for the golden model: equal numbers, equal moves.

use std::fmt;

use serde::Serialize;

use lockstep_engine::tetris::{Engine, EngineError, EngineGame, EngineTotals, Path};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::source::Pieces;
use lockstep_games::tetris::{Linear, Size, golden};

use crate::turns::{self, End};

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

impl Player {
    /// The engine.
    ///
    /// # Errors
    /// When it cannot be had on that path, or for that board.
    pub fn engine(linear: &Linear, size: Size, path: Path) -> Result<Self, EngineError> {
        Ok(Self::Engine(Engine::new(linear, size, path)?))
    }

    /// What comes of so many pieces, game after game; `None` once `tick` says
    /// so, which is told the pieces played since it was last asked.
    pub fn tally(
        &self,
        pieces: Pieces,
        count: u64,
        tick: &dyn Fn(u64) -> bool,
    ) -> Option<EngineTotals> {
        match self {
            Self::Engine(engine) => {
                let mut game = EngineGame::new(engine.size(), pieces);
                let end = turns::play(Some(count), tick, |most| {
                    turns::series(engine, &mut game, most.min(engine.chunk()))
                });
                (end == End::Cut).then(|| game.totals())
            }
            Self::Golden { linear, size } => golden_tally(linear, *size, pieces, count, tick),
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
    tick: &dyn Fn(u64) -> bool,
) -> Option<EngineTotals> {
    let mut tally = EngineGame::new(size, pieces.clone()).totals();
    let mut board = Board::of_size(size);
    let mut step = || {
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
        true
    };
    let end = turns::play(Some(count), tick, |most| turns::pieces(most, &mut step));
    (end == End::Cut).then_some(tally)
}

/// What came of one player's games, as `lockstep signature --json` lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Signature {
    /// Name of the controller.
    pub controller: String,
    /// Who played: a path of the engine, or `golden`.
    pub player: String,
    /// All moves in 64 bits, hexadecimal.
    pub signature: String,
    /// Rows removed.
    pub lines: u64,
    /// Games lost.
    pub games: u64,
}

impl Signature {
    /// What a player of a controller came to.
    pub fn new(controller: &str, player: &Player, tally: &EngineTotals) -> Self {
        Self {
            controller: controller.into(),
            player: player.to_string(),
            signature: format!("{:016x}", tally.signature),
            lines: tally.lines,
            games: tally.games,
        }
    }
}
