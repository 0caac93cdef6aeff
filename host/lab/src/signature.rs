//! The signature of a long game, one number over all moves, played by the engine or golden model.

use std::fmt;

use serde::Serialize;

use lockstep_engine::tetris::{Engine, EngineError, EngineGame, EngineTotals, Path};
use lockstep_games::tetris::{Board, Linear, Pieces, Size, golden};

use crate::ticking::{self, EndReason};

/// The software that plays a long game.
pub enum Player {
    /// The engine on one dispatch path.
    Engine(Engine),
    /// The golden model.
    Golden {
        /// The controller's weights and search.
        linear: Linear,
        /// Size of the board.
        size: Size,
    },
}

impl Player {
    /// The engine on a path.
    ///
    /// # Errors
    /// When this machine cannot run the path, or the board is too large for it.
    pub fn engine(linear: &Linear, size: Size, path: Path) -> Result<Self, EngineError> {
        Ok(Self::Engine(Engine::new(linear, size, path)?))
    }

    /// Plays `count` pieces, game after game. `tick` takes the pieces since its last call;
    /// `false` stops and gives `None`.
    pub fn tally(
        &self,
        pieces: Pieces,
        count: u64,
        tick: &dyn Fn(u64) -> bool,
    ) -> Option<EngineTotals> {
        match self {
            Self::Engine(engine) => {
                let mut game = EngineGame::new(engine.size(), pieces);
                let end = ticking::play(Some(count), tick, |most| {
                    ticking::engine_chunk(engine, &mut game, most.min(engine.chunk()))
                });
                (end == EndReason::Cut).then(|| game.totals())
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
    let end = ticking::play(Some(count), tick, |most| {
        ticking::timed_chunk(most, &mut step)
    });
    (end == EndReason::Cut).then_some(tally)
}

/// The signature of a player, as `lockstep signature --json` lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Signature {
    /// Name of the controller.
    pub controller: String,
    /// A path of the engine, or `golden`.
    pub player: String,
    /// All moves in 64 bits, hexadecimal.
    pub signature: String,
    /// Rows removed.
    pub lines: u64,
    /// Games lost.
    pub games: u64,
}

impl Signature {
    /// The signature of what `player` played with the controller of that name.
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
