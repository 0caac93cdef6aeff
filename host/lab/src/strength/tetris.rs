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
            lines: state.score(),
            end,
        }
    }
}

/// A program by its own rules.
struct Own {
    policy: &'static dyn Policy,
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
mod tests {
    use super::*;
    use crate::strength::End;
    use lockstep_games::Rules as _;
    use lockstep_games::tetris::{PieceSource, Rule, controller};

    fn terms(controller: &str, setup: Setup, max_pieces: Option<u64>) -> Terms {
        Terms {
            controller: Controller::load(controller).unwrap(),
            setup,
            own_rules: false,
            max_pieces,
            arithmetic: Arithmetic::Fixed,
            written: None,
        }
    }

    /// Game and end as a session plays it with the golden model.
    fn in_a_session(terms: &Terms, game: u64) -> Played {
        let mut state = Tetris::deal(&terms.setup, game);
        let end = loop {
            if terms.max_pieces == Some(state.moves()) {
                break End::Cut;
            }
            let decision = Tetris::decide(&terms.controller, &state.position()).unwrap();
            if !state.apply(&decision).unwrap() {
                break End::Lost;
            }
        };
        Played {
            pieces: state.moves(),
            lines: state.score(),
            end,
        }
    }

    #[test]
    fn games_are_those_of_a_session() {
        let uniform = Setup::standard(7);
        let bag = Setup {
            piece_source: PieceSource::Bag,
            ..uniform
        };
        let tall = Setup {
            board: "6x40".parse().unwrap(),
            ..uniform
        };
        let small = Setup {
            board: "6x8".parse().unwrap(),
            next_known: true,
            ..uniform
        };
        for (setup, depth) in [(uniform, 1), (bag, 1), (tall, 1), (small, 2)] {
            for (game, max) in [(0, None), (1, None), (5, None), (0, Some(9))] {
                let mut terms = terms("lowest", setup, max);
                terms.controller = terms.controller.with_search(depth, None).unwrap();
                let played = terms.player().play(game, &|_| true);
                assert_eq!(played, in_a_session(&terms, game), "{setup:?} {game}");
                let end = max.map_or(End::Lost, |_| End::Cut);
                assert_eq!(played.end, end);
            }
        }
    }

    /// Whole weights are exact in floats: the same games.
    #[test]
    fn floats_play_as_the_fixed_point_does_where_both_are_exact() {
        let mut setup = Setup::standard(5);
        setup.board = "10x10".parse().unwrap();
        let fixed = terms("dellacherie", setup, Some(3_000));
        let written = controller::written("dellacherie").unwrap();
        let float = Terms {
            arithmetic: Arithmetic::Float,
            written,
            ..fixed.clone()
        };
        let bits = Terms {
            arithmetic: Arithmetic::Bits(2),
            ..fixed.clone()
        };
        for game in 0..3 {
            let played = |terms: &Terms| terms.player().play(game, &|_| true);
            assert_eq!(played(&float), played(&fixed));
            assert_ne!(played(&bits), played(&fixed), "two bits lose much");
        }
    }

    #[test]
    fn programs_play_by_the_common_rules_or_their_own() {
        let common = terms("ece532-v2.5", Setup::standard(3), Some(500));
        let played = common.player().play(0, &|_| true);
        assert_eq!(played, in_a_session(&common, 0));
        let own = Terms {
            own_rules: true,
            ..common
        };
        let policy = own.controller.policy().unwrap();
        let mut game = policy.own_game(3, 0).unwrap();
        while game.moves() < 500 && game.step().is_some() {}
        let played = own.player().play(0, &|_| true);
        assert_eq!(played.lines, game.lines());
    }

    #[test]
    fn a_game_stops_within_a_tick_when_told() {
        let terms = terms("dt-20", Setup::standard(1), None);
        let played = terms.player().play(0, &|pieces| {
            assert!([0, 50_000].contains(&pieces), "{pieces}");
            pieces == 0
        });
        assert_eq!((played.pieces, played.end), (50_000, End::Stopped));
    }

    #[test]
    fn the_header_has_all_that_determines_a_game() {
        let one = terms("lowest", Setup::standard(1), None);
        let mut renamed = one.clone();
        renamed.controller.source = "elsewhere".into();
        assert_eq!(one.header(), renamed.header(), "plays the same");
        let mut others = vec![one.clone(); 8];
        others[0].setup.seed = 2;
        others[1].setup.piece_source = PieceSource::Bag;
        others[2].max_pieces = Some(5);
        others[3].setup.board = "10x10".parse().unwrap();
        if let Rule::Linear(linear) = &mut others[4].controller.rule {
            linear.weights[3] += 1;
        }
        others[5].setup.next_known = true;
        others[6].own_rules = true;
        others[7].arithmetic = Arithmetic::Bits(8);
        for other in others {
            assert_ne!(one.header(), other.header(), "{other:?}");
        }
    }
}
