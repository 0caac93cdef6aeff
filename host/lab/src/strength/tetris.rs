//! The players of Tetris: engine, golden model and programs.

use serde_json::{Value, json};

use super::{EndReason, GameResult, Player, Tick};
use crate::ticking;
use lockstep_engine::tetris::{Engine, EngineGame, Float, Path};
use lockstep_games::tetris::{Arithmetic, Controller, FEATURES, Setup, Tetris};
use lockstep_games::{Golden as _, Match as _, Rules as _};

/// The settings that, with its number, determine a game.
#[derive(Debug, Clone)]
pub struct GameSettings {
    /// The controller.
    pub controller: Controller,
    /// Board, pieces and seed.
    pub setup: Setup,
    /// Whether a program plays by its own rules; of the setup it uses only the seed.
    pub own_rules: bool,
    /// Pieces after which a game is cut.
    pub max_pieces: Option<u64>,
    /// The arithmetic of a linear controller.
    pub arithmetic: Arithmetic,
    /// The unrounded weights of its file, for [`Arithmetic::Float`].
    pub written: Option<[f64; FEATURES]>,
}

impl GameSettings {
    /// The settings as JSON, for the journal.
    pub fn settings(&self) -> Value {
        let mut controller = json!(self.controller);
        if let Value::Object(fields) = &mut controller {
            // The origin of the weights has no effect.
            fields.remove("source");
        }
        json!({
            "game": "tetris",
            "controller": controller,
            "rules": if self.own_rules { "own" } else { "common" },
            "board": self.setup.board,
            "piece_source": self.setup.piece_source,
            "next_known": self.setup.next_known,
            "seed": self.setup.seed,
            "max_pieces": self.max_pieces,
            "arithmetic": self.arithmetic,
            "written": self.written,
        })
    }

    /// The player of these games: the engine if it can, otherwise the golden model or the program.
    pub fn player(&self) -> Player<'_> {
        let (setup, most) = (&self.setup, self.max_pieces);
        if let (true, Some(policy)) = (self.own_rules, self.controller.policy()) {
            return Box::new(move |game, tick| {
                let mut game = policy.own_game(setup.seed, game);
                let step = || game.as_mut().is_some_and(|game| game.step().is_some());
                let end = by_pieces(most, tick, step);
                GameResult {
                    pieces: game.as_ref().map_or(0, |game| game.moves()),
                    lines: game.as_ref().map_or(0, |game| game.lines()),
                    end,
                }
            });
        }
        if let (Arithmetic::Float, Some(weights)) = (self.arithmetic, self.written)
            && let Ok(float) = Float::new(weights, setup.board)
        {
            return Box::new(move |game, tick| {
                let play = |game: &mut EngineGame, pieces| float.play(game, pieces);
                fast((setup, game), most, 2_000, play, tick)
            });
        }
        let linear = self.controller.linear();
        let linear = linear.map(|linear| match self.arithmetic {
            Arithmetic::Bits(bits) => linear.with_bits(bits),
            _ => linear.clone(),
        });
        let engine = linear.and_then(|linear| Engine::new(&linear, setup.board, Path::best()).ok());
        if let Some(engine) = engine {
            return Box::new(move |game, tick| {
                let play = |game: &mut EngineGame, pieces| engine.play(game, pieces);
                fast((setup, game), most, engine.chunk(), play, tick)
            });
        }
        Box::new(move |game, tick| {
            let mut state = Tetris::deal(setup, game);
            let step = || {
                let decision = Tetris::decide(&self.controller, &state.position());
                // An error of the decision and an illegal move end the game too.
                decision.is_ok_and(|decision| state.apply(&decision).unwrap_or(false))
            };
            let end = by_pieces(most, tick, step);
            GameResult {
                pieces: state.moves(),
                lines: state.lines(),
                end,
            }
        })
    }
}

/// Plays a game of the engine, up to `most` pieces.
///
/// `play` plays up to a number of pieces, at most `chunk`, and returns whether the game is lost.
pub fn fast(
    (setup, game): (&Setup, u64),
    most: Option<u64>,
    chunk: u64,
    play: impl Fn(&mut EngineGame, u64) -> bool,
    tick: Tick<'_>,
) -> GameResult {
    let mut game = EngineGame::deal(setup, game);
    let end = ticking::play(most, tick, |left| {
        let pieces = left.min(chunk);
        (!play(&mut game, pieces)).then_some(pieces)
    });
    let tally = game.totals();
    GameResult {
        // The last piece of a lost game is drawn, but not placed.
        pieces: tally.pieces - tally.games,
        lines: tally.lines,
        end,
    }
}

/// Plays piece by piece; `step` returns whether one was placed.
fn by_pieces(most: Option<u64>, tick: Tick<'_>, mut step: impl FnMut() -> bool) -> EndReason {
    ticking::play(most, tick, |left| ticking::timed_chunk(left, &mut step))
}

#[cfg(test)]
mod tests;
