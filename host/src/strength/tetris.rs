//! Who plays Tetris.

use std::fmt;

use indicatif::HumanCount;
use serde_json::{Value, json};

use super::size::Size;
use super::state::{MARK, VERSION};
use super::{End, Played, Player};
use crate::games::tetris::board::Board;
use crate::games::tetris::source::Pieces;
use crate::games::tetris::{Controller, PieceSource, golden};

/// All that determines a game, but its number.
#[derive(Debug, Clone)]
pub struct Terms {
    /// Who decides.
    pub controller: Controller,
    /// Size of the board.
    pub board: Size,
    /// How pieces are drawn.
    pub piece_source: PieceSource,
    /// Seed of the session.
    pub seed: u64,
    /// Pieces after which a game is stopped.
    pub max_pieces: Option<u64>,
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
            "board": self.board.to_string(),
            "piece_source": self.piece_source,
            "seed": self.seed,
            "max_pieces": self.max_pieces,
        })
    }

    /// The player of these games.
    pub fn player(&self) -> impl Player {
        Golden(self.clone())
    }
}

/// In one line, for people.
impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, board, seed) = (&self.controller.name, self.board, self.seed);
        let source = match self.piece_source {
            PieceSource::Uniform => "uniform pieces",
            PieceSource::Bag => "pieces from a bag",
        };
        write!(f, "{name} on {board}, {source}, seed {seed}")?;
        if let Some(most) = self.max_pieces {
            write!(f, ", at most {} pieces a game", HumanCount(most))?;
        }
        Ok(())
    }
}

/// Pieces between two ticks of the golden model: some 10 ms.
const TICK: u64 = 64;

/// The golden model.
struct Golden(Terms);

impl Player for Golden {
    fn play(&self, game: u64, tick: &(dyn Fn(u64) -> bool + Sync)) -> Played {
        let Terms {
            controller,
            board,
            piece_source,
            seed,
            max_pieces,
        } = &self.0;
        let mut dealt = Pieces::new(*piece_source, *seed, game);
        let mut board = Board::new(board.columns(), board.rows());
        let (mut pieces, mut lines) = (0, 0);
        let end = loop {
            if *max_pieces == Some(pieces) {
                break End::Cut;
            }
            if pieces > 0 && pieces % TICK == 0 && !tick(TICK) {
                break End::Stopped;
            }
            let best = |piece| golden::best(&board, piece, controller);
            let Some((placed, _)) = dealt.next().and_then(best) else {
                break End::Lost;
            };
            pieces += 1;
            lines += placed.features.rows_cleared as u64;
            board = placed.after;
        };
        Played { pieces, lines, end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Game as _;
    use crate::games::Match as _;
    use crate::games::tetris::{Setup, Tetris};

    fn terms(seed: u64, piece_source: PieceSource, max_pieces: Option<u64>) -> Terms {
        Terms {
            controller: Controller::load("lowest").unwrap(),
            board: Size::STANDARD,
            piece_source,
            seed,
            max_pieces,
        }
    }

    /// Game and end as a session plays it.
    fn in_a_session(terms: &Terms, game: u64) -> Played {
        let setup = Setup {
            piece_source: terms.piece_source,
            seed: terms.seed,
        };
        let mut state = Tetris::deal(&setup, game);
        let end = loop {
            if terms.max_pieces == Some(state.moves()) {
                break End::Cut;
            }
            let decision = Tetris::decide(&terms.controller, &state.position());
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
        for source in [PieceSource::Uniform, PieceSource::Bag] {
            for (game, max) in [(0, None), (1, None), (5, None), (0, Some(60))] {
                let terms = terms(7, source, max);
                let played = terms.player().play(game, &|_| true);
                assert_eq!(played, in_a_session(&terms, game), "{source:?} {game}");
                let end = max.map_or(End::Lost, |_| End::Cut);
                assert_eq!(played.end, end);
            }
        }
    }

    #[test]
    fn a_game_stops_within_a_tick_when_told() {
        let terms = terms(1, PieceSource::Uniform, None);
        let played = terms.player().play(0, &|pieces| {
            assert_eq!(pieces, TICK);
            false
        });
        assert_eq!((played.pieces, played.end), (TICK, End::Stopped));
    }

    #[test]
    fn a_small_board_makes_short_games() {
        let small = Terms {
            board: "6x6".parse().unwrap(),
            ..terms(1, PieceSource::Uniform, None)
        };
        let played = small.player().play(0, &|_| true);
        assert_eq!(played.end, End::Lost);
        // Four cells a piece, six a line, at most 36 on the board.
        let left = 4 * played.pieces - 6 * played.lines;
        assert!(left <= 36, "{played:?}");
    }

    #[test]
    fn the_header_has_all_that_determines_a_game() {
        let one = terms(1, PieceSource::Uniform, None);
        let mut renamed = one.clone();
        renamed.controller.source = "elsewhere".into();
        assert_eq!(one.header(), renamed.header(), "plays the same");
        let mut others = vec![one.clone(); 5];
        others[0].seed = 2;
        others[1].piece_source = PieceSource::Bag;
        others[2].max_pieces = Some(5);
        others[3].board = "10x10".parse().unwrap();
        others[4].controller.weights[3] += 1;
        for other in others {
            assert_ne!(one.header(), other.header(), "{other}");
        }
    }
}
