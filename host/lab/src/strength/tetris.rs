//! Who plays Tetris.

use serde_json::{Value, json};

use super::bounds::Bounds;
use super::state::{MARK, VERSION};
use super::{Played, Player};
use crate::turns::{self, Turn};
use lockstep_engine::tetris::{Engine, Float, Game as FastGame, Path};
use lockstep_games::tetris::features::FEATURES;
use lockstep_games::tetris::seeds::{OwnGame, Policy};
use lockstep_games::tetris::{Arithmetic, Controller, Setup, State, Tetris};
use lockstep_games::{Golden as _, Match as _};

/// All that determines a game, but its number.
#[derive(Debug, Clone)]
pub struct Terms {
    /// Who decides.
    pub controller: Controller,
    /// What games are dealt from.
    pub setup: Setup,
    /// Whether a program plays by its own rules, of which the setup only gives
    /// the seed.
    pub own_rules: bool,
    /// Pieces after which a game is stopped.
    pub max_pieces: Option<u64>,
    /// The numbers a linear controller computes with.
    pub arithmetic: Arithmetic,
    /// Its weights exactly as they are written, for [`Arithmetic::Float`].
    pub written: Option<[f64; FEATURES]>,
}

impl Terms {
    /// Header of the file with the finished games.
    pub fn header(&self) -> Value {
        let mut controller = json!(self.controller);
        if let Value::Object(fields) = &mut controller {
            // Says where the weights come from and plays no part.
            fields.remove("source");
        }
        json!({
            MARK: VERSION,
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

    /// What such games can come to.
    pub fn bounds(&self) -> Bounds {
        Bounds {
            // A program's own rules may count otherwise.
            columns: (!self.own_rules).then(|| self.setup.board.columns() as u64),
            max_pieces: self.max_pieces,
        }
    }

    /// The player of these games: the engine where it can, otherwise the golden
    /// model or the program.
    pub fn player(&self) -> Box<dyn Player> {
        let Self {
            controller,
            setup,
            max_pieces,
            ..
        } = self.clone();
        if let (true, Some(policy)) = (self.own_rules, controller.policy()) {
            return Box::new(Own {
                policy,
                seed: setup.seed,
                max_pieces,
            });
        }
        if let (Arithmetic::Float, Some(weights)) = (self.arithmetic, self.written)
            && let Ok(float) = Float::new(weights, setup.board)
        {
            return Box::new(Fast {
                chunk: 2_000,
                play: move |game: &mut FastGame, pieces| float.play(game, pieces),
                setup,
                max_pieces,
            });
        }
        let linear = controller.linear().map(|linear| match self.arithmetic {
            Arithmetic::Bits(bits) => linear.with_bits(bits),
            _ => linear.clone(),
        });
        let engine = linear.and_then(|linear| Engine::new(&linear, setup.board, Path::best()).ok());
        match engine {
            Some(engine) => Box::new(Fast {
                chunk: engine.chunk(),
                play: move |game: &mut FastGame, pieces| engine.play(game, pieces),
                setup,
                max_pieces,
            }),
            None => Box::new(Plain {
                controller,
                setup,
                max_pieces,
            }),
        }
    }
}

/// The engine, or what plays its games.
struct Fast<F> {
    /// Plays up to so many pieces; whether the game is lost.
    play: F,
    setup: Setup,
    max_pieces: Option<u64>,
    chunk: u64,
}

impl<F: Fn(&mut FastGame, u64) -> bool + Sync> Player for Fast<F> {
    fn play(&self, game: u64, tick: &(dyn Fn(u64) -> bool + Sync)) -> Played {
        let mut game = FastGame::deal(&self.setup, game);
        let end = turns::play(self.max_pieces, tick, |most| {
            let pieces = most.min(self.chunk);
            match (self.play)(&mut game, pieces) {
                true => Turn::Over,
                false => Turn::Played(pieces),
            }
        });
        let tally = game.tally();
        Played {
            // A piece that finds no place is drawn, but not placed.
            pieces: tally.pieces - tally.games,
            lines: tally.lines,
            end,
        }
    }
}

/// The golden model, or a program under the common rules.
struct Plain {
    controller: Controller,
    setup: Setup,
    max_pieces: Option<u64>,
}

impl Player for Plain {
    fn play(&self, game: u64, tick: &(dyn Fn(u64) -> bool + Sync)) -> Played {
        let mut state = State::new(&self.setup, game);
        let mut step = || {
            let decision = Tetris::decide(&self.controller, &state.position());
            // What it does not decide, or the rules forbid, ends the game too.
            decision.is_ok_and(|decision| state.apply(&decision).unwrap_or(false))
        };
        let end = turns::play(self.max_pieces, tick, |most| turns::pieces(most, &mut step));
        Played {
            pieces: state.moves(),
            lines: state.lines(),
            end,
        }
    }
}

/// A program by its own rules.
struct Own {
    policy: &'static Policy,
    seed: u64,
    max_pieces: Option<u64>,
}

impl Player for Own {
    fn play(&self, game: u64, tick: &(dyn Fn(u64) -> bool + Sync)) -> Played {
        let mut game: Option<Box<dyn OwnGame>> = self.policy.own_game(self.seed, game);
        let mut step = || game.as_mut().is_some_and(|game| game.step().is_some());
        let end = turns::play(self.max_pieces, tick, |most| turns::pieces(most, &mut step));
        Played {
            pieces: game.as_ref().map_or(0, |game| game.moves()),
            lines: game.as_ref().map_or(0, |game| game.lines()),
            end,
        }
    }
}

#[cfg(test)]
mod tests;
