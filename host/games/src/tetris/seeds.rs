//! The seeds' own controllers, each as its program really plays.
//!
//! The five systems this project comes from left four Tetris players. None of
//! them is a linear controller over the common features: each has definitions,
//! an order of placements or rules of its own. Here each is a [`Policy`], which
//! decides positions under the common rules, and those whose programs play by
//! other rules bring their [`OwnGame`]. Read `packed` first, then a profile:
//!
//! | profile | policy | own game |
//! |---|---|---|
//! | `ece532` | [`ece532`] | |
//! | `ece532-v2.5` | [`ece532_v25`] | [`ece532_game`] |
//! | `hidamari` | [`hidamari`] | `hidamari_game`, `hidamari_field` |
//! | `lacaille` | [`lacaille`] | |
//! | `led-tetris` | [`led`] | `led_game` |
//!
//! The programs were read for facts; nothing of them was taken.
//!
//! Every rotation below is this crate's (README.md of the folder above), also
//! where a program numbers them otherwise; only the order is the program's.

pub mod ece532;
pub mod ece532_game;
pub mod ece532_v25;
pub mod hidamari;
mod hidamari_field;
mod hidamari_game;
pub mod lacaille;
pub mod led;
mod led_game;
mod led_wall;
mod packed;
mod random;

use std::fmt;

use super::board::Board;
use super::piece::Piece;
use super::score::{Score, UNIT};
use super::size::Size;
use super::source::PieceSource;
use super::{piece, placement::Placement};

/// Deals a game of a program from a session's seed and the game's number.
pub type DealOwn = fn(u64, u64) -> Box<dyn OwnGame>;

/// A controller that is not a linear one over the common features, or plays by rules of its own.
pub struct Policy {
    /// Short name, unique among [`policies`].
    pub name: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The board its own program plays on.
    pub board: Size,
    /// The pieces it is dealt under the common rules unless others are named.
    pub piece_source: PieceSource,
    /// Whether it decides with the next piece known.
    pub lookahead: bool,
    /// Whether it decides on boards of a size.
    pub plays_on: fn(Size) -> bool,
    /// Its placement of a piece, with the next one where it is known, legal under the common rules;
    /// `None` when it has none, or on a board it does not play on. The score is in millionths of
    /// the program's own unit.
    pub decide: fn(&Board, Piece, Option<Piece>) -> Option<Placement>,
    /// Deals a game of its own program; `None` when its program plays by the common rules.
    pub own_game: Option<DealOwn>,
    /// Whether it plays its own game by default.
    pub prefers_own_game: bool,
}

impl Policy {
    /// A game of its own program; `None` when its program plays by the common rules.
    pub fn own_game(&self, seed: u64, game: u64) -> Option<Box<dyn OwnGame>> {
        self.own_game.map(|deal| deal(seed, game))
    }
}

/// A program is the same as another if it has the same name.
impl PartialEq for Policy {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Policy {}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Policy").field(&self.name).finish()
    }
}

/// A game as a policy's own program plays it.
pub trait OwnGame: Send {
    /// Plays until one more piece is locked; `None` when the game is over, and
    /// from then on.
    fn step(&mut self) -> Option<Locked>;

    /// Pieces locked so far.
    fn moves(&self) -> u64;

    /// Rows removed so far, as the program counts them.
    fn lines(&self) -> u64;

    /// The locked cells.
    fn board(&self) -> Board;
}

/// A piece that came to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Locked {
    /// The piece.
    pub piece: Piece,
    /// Its cells as [column, row], on the board as it was when the piece came
    /// to rest: before the rows it fills are removed.
    pub cells: [[usize; 2]; 4],
}

impl Locked {
    /// A piece in one rotation whose bounding box starts at that column and row.
    fn at(piece: Piece, cells: &piece::Cells, column: usize, row: usize) -> Self {
        let cells = cells.map(|(c, r)| [column + c, row + r]);
        Self { piece, cells }
    }
}

/// Every profile.
static POLICIES: [Policy; 5] = [
    ece532::POLICY,
    Policy {
        own_game: Some(|seed, game| {
            Box::new(ece532_game::Ece532Game::new(
                ece532_game::AsksWhen::BeforeClearing,
                seed,
                game,
            ))
        }),
        ..ece532_v25::POLICY
    },
    Policy {
        own_game: Some(|seed, game| Box::new(hidamari_game::HidamariGame::new(seed, game))),
        ..hidamari::POLICY
    },
    lacaille::POLICY,
    Policy {
        own_game: Some(|seed, game| Box::new(led_game::LedGame::new(seed, game))),
        ..led::POLICY
    },
];

/// Every profile.
pub fn policies() -> impl Iterator<Item = &'static Policy> {
    POLICIES.iter()
}

/// The profile of that name.
pub fn policy(name: &str) -> Option<&'static Policy> {
    policies().find(|policy| policy.name == name)
}

/// A score of a program that computes in floating point.
fn score(value: f64) -> Score {
    Score((value * UNIT as f64).round() as i64)
}

/// A score of a program that computes in integers.
fn whole_score(value: i64) -> Score {
    Score(value * UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tetris::{Setup, Tetris};
    use crate::{Match as _, Rules as _};

    /// A short game in three numbers: every cell locked, in order (FNV-1a), the
    /// pieces and the lines.
    pub(super) fn signature(game: &mut dyn OwnGame, pieces: usize) -> (u64, u64, u64) {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for _ in 0..pieces {
            let Some(locked) = game.step() else { break };
            mix(&mut hash, &locked.cells);
        }
        (hash, game.moves(), game.lines())
    }

    fn mix(hash: &mut u64, cells: &[[usize; 2]]) {
        for cell in cells.as_flattened() {
            *hash = (*hash ^ *cell as u64).wrapping_mul(0x100_0000_01b3);
        }
    }

    /// The same of a game its program plays, be it by the common rules.
    fn program_signature(
        policy: &'static Policy,
        seed: u64,
        game: u64,
        pieces: usize,
    ) -> (u64, u64, u64) {
        if let Some(mut game) = policy.own_game(seed, game) {
            return signature(&mut *game, pieces);
        }
        let setup = Setup {
            piece_source: policy.piece_source,
            seed,
            board: policy.board,
            next_known: policy.lookahead,
        };
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut state = Tetris::deal(&setup, game);
        for _ in 0..pieces {
            let p = state.position();
            let Some(placement) = (policy.decide)(&p.board, p.piece, p.next) else {
                break;
            };
            mix(&mut hash, &placement.cells(p.piece));
            state.apply(&Some(placement)).unwrap();
        }
        (hash, state.moves(), state.lines())
    }

    /// The first game of session 1. Those of `hidamari`, `lacaille` and
    /// `led-tetris` were played piece for piece by the programs themselves when
    /// these numbers were taken.
    #[test]
    fn short_games_have_their_signatures() {
        let expected = [
            ("ece532", 500, (18_012_910_620_875_645_630, 500, 198)),
            ("ece532-v2.5", 500, (5_677_726_862_657_505_029, 500, 196)),
            ("hidamari", 60, (13_301_474_775_139_019_958, 60, 23)),
            ("lacaille", 500, (9_040_679_666_891_173_558, 500, 195)),
            ("led-tetris", 300, (2_753_345_697_942_252_775, 300, 5)),
        ];
        let played = expected.map(|(name, pieces, _)| {
            let policy = policy(name).unwrap();
            (name, pieces, program_signature(policy, 1, 0, pieces))
        });
        assert_eq!(played, expected);
    }

    #[test]
    fn own_games_repeat_by_seed_and_differ_between_games() {
        for policy in policies() {
            let play = |seed, game| program_signature(policy, seed, game, 12);
            assert_eq!(play(1, 0), play(1, 0), "{}", policy.name);
            assert_ne!(play(1, 0), play(1, 1), "{}", policy.name);
            assert_ne!(play(1, 0), play(2, 0), "{}", policy.name);
        }
    }

    /// What a policy places comes to rest where it says, piece after piece, on
    /// its own board and on the standard one.
    #[test]
    fn decisions_are_legal_under_the_common_rules() {
        for policy in policies() {
            for size in [policy.board, Size::STANDARD] {
                assert!((policy.plays_on)(size));
                let mut board = Board::of_size(size);
                let pieces = crate::tetris::source::Pieces::from_seed(
                    crate::tetris::PieceSource::Uniform,
                    3,
                );
                let pieces: Vec<Piece> = pieces.take(31).collect();
                for pair in pieces.windows(2) {
                    let Some(p) = (policy.decide)(&board, pair[0], Some(pair[1])) else {
                        break;
                    };
                    let cells = &pair[0].rotations()[p.rotation];
                    assert_eq!(board.landing_row(cells, p.column), Some(p.row));
                    board.place(cells, p.column, p.row);
                    assert_eq!(board.clear_full_rows().len(), p.rows_cleared);
                }
            }
        }
    }
}
