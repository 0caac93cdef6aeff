//! Players of Tetris.

use serde_json::{Value, json};

use super::{End, Played, Player, Tick};
use crate::turns::{self, Turn};
use lockstep_engine::tetris::{Engine, EngineGame, Float, Path};
use lockstep_games::tetris::features::FEATURES;
use lockstep_games::tetris::{Arithmetic, Controller, Setup, State, Tetris};
use lockstep_games::{Golden as _, Match as _};

/// All that determines a game, but its number.
#[derive(Debug, Clone)]
pub struct Terms {
    /// The controller.
    pub controller: Controller,
    /// How games are dealt.
    pub setup: Setup,
    /// Whether a program plays by its own rules; the setup then gives only the
    /// seed.
    pub own_rules: bool,
    /// Pieces after which a game is stopped.
    pub max_pieces: Option<u64>,
    /// The numbers a linear controller computes with.
    pub arithmetic: Arithmetic,
    /// Its weights exactly as they are written, for [`Arithmetic::Float`].
    pub written: Option<[f64; FEATURES]>,
}

impl Terms {
    /// The settings that determine each game, for the journal.
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

    /// The player of these games: the engine if it plays them, otherwise the golden model or the
    /// program.
    pub fn player(&self) -> Player<'_> {
        let (setup, most) = (&self.setup, self.max_pieces);
        if let (true, Some(policy)) = (self.own_rules, self.controller.policy()) {
            return Box::new(move |game, tick| {
                let mut game = policy.own_game(setup.seed, game);
                let step = || game.as_mut().is_some_and(|game| game.step().is_some());
                let end = by_pieces(most, tick, step);
                Played {
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
            let mut state = State::new(setup, game);
            let step = || {
                let decision = Tetris::decide(&self.controller, &state.position());
                // A position that is not decided and a forbidden move end the game too.
                decision.is_ok_and(|decision| state.apply(&decision).unwrap_or(false))
            };
            let end = by_pieces(most, tick, step);
            Played {
                pieces: state.moves(),
                lines: state.lines(),
                end,
            }
        })
    }
}

/// Plays a game that is dealt so. `play` plays up to so many pieces, at most `chunk` at a time, and
/// says whether the game is lost.
pub fn fast(
    (setup, game): (&Setup, u64),
    most: Option<u64>,
    chunk: u64,
    play: impl Fn(&mut EngineGame, u64) -> bool,
    tick: Tick<'_>,
) -> Played {
    let mut game = EngineGame::deal(setup, game);
    let end = turns::play(most, tick, |left| {
        let pieces = left.min(chunk);
        match play(&mut game, pieces) {
            true => Turn::Over,
            false => Turn::Played(pieces),
        }
    });
    let tally = game.totals();
    Played {
        // A piece that finds no place is drawn, but not placed.
        pieces: tally.pieces - tally.games,
        lines: tally.lines,
        end,
    }
}

/// Plays piece by piece; `step` says whether one was placed.
fn by_pieces(most: Option<u64>, tick: Tick<'_>, mut step: impl FnMut() -> bool) -> End {
    turns::play(most, tick, |left| turns::pieces(left, &mut step))
}

#[cfg(test)]
mod tests;
