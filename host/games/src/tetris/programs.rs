//! The Tetris programs of four earlier projects, as controllers that decide like them.
//!
//! None of them is a linear controller over the common features: each has features, an order of
//! placements or rules of its own. Here each is a [`Policy`], which decides positions under the
//! common rules. Programs that play by other rules also have an [`OwnGame`]. Read `packed` first,
//! then a program:
//!
//! | program | policy | own game |
//! |---|---|---|
//! | `ece532` | [`ece532`] | |
//! | `ece532-v2.5` | [`ece532_v25`] | `ece532_game` |
//! | `hidamari` | [`hidamari`] | [`hidamari`], `hidamari_field` |
//! | `lacaille` | [`lacaille`] | |
//! | `led-tetris` | [`led`] | `led_game` |
//!
//! The programs were read for facts; no code of them was taken. Rotations have the numbers of the
//! common definitions, also where a program numbers them differently; only their order is the
//! program's.

pub mod ece532;
mod ece532_game;
pub mod ece532_v25;
pub mod hidamari;
mod hidamari_field;
pub mod lacaille;
pub mod led;
mod led_game;
mod packed;

use super::linear::UNIT;
use super::{Board, Piece, PieceSource, Placement, Score, Size, piece};

/// Deals a program's own game from the session's seed and the number of the game.
pub type DealOwn = fn(u64, u64) -> Box<dyn OwnGame>;

/// A program of an earlier project as a controller.
#[derive(Debug)]
pub struct Policy {
    /// A short name, unique among [`policies`].
    pub name: &'static str,
    /// A summary in one sentence.
    pub summary: &'static str,
    /// The origin of the program.
    pub source: &'static str,
    /// The size of the program's board.
    pub board: Size,
    /// The default piece source under the common rules.
    pub piece_source: PieceSource,
    /// Whether it uses the next piece if that is known.
    pub lookahead: bool,
    /// Whether it supports boards of a size.
    pub plays_on: fn(Size) -> bool,
    /// Decides on a board, a piece and the next piece, if it is known.
    ///
    /// The placement is legal under the common rules, and its score is in millionths of the
    /// program's own unit. `None` if the program has no such placement or does not support the
    /// board.
    pub decide: fn(&Board, Piece, Option<Piece>) -> Option<Placement>,
    /// Deals a game by the program's own rules; `None` if it plays by the common rules.
    pub own_game: Option<DealOwn>,
    /// Whether it plays by its own rules by default.
    pub prefers_own_game: bool,
}

impl Policy {
    /// A game by the program's own rules; `None` if it plays by the common rules.
    pub fn own_game(&self, seed: u64, game: u64) -> Option<Box<dyn OwnGame>> {
        self.own_game.map(|deal| deal(seed, game))
    }
}

/// Programs are equal if they have the same name.
impl PartialEq for Policy {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Policy {}

/// A running game by a program's own rules.
pub trait OwnGame: Send {
    /// Plays until the next piece is locked; `None` once the game is over.
    fn step(&mut self) -> Option<Locked>;

    /// Number of pieces locked so far.
    fn moves(&self) -> u64;

    /// Number of rows removed so far, as the program counts them.
    fn lines(&self) -> u64;

    /// The cells of the locked pieces.
    fn board(&self) -> Board;

    /// Notes of one line each on the decision of the last locked piece.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A piece that came to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Locked {
    /// The piece.
    pub piece: Piece,
    /// Its cells as [column, row], before the rows that it fills are removed.
    pub cells: [[usize; 2]; 4],
}

impl Locked {
    /// A piece in one rotation; its bounding box begins at that column and row.
    fn at(piece: Piece, cells: &piece::Cells, column: usize, row: usize) -> Self {
        let cells = cells.map(|(c, r)| [column + c, row + r]);
        Self { piece, cells }
    }
}

static POLICIES: [Policy; 5] = [
    ece532::POLICY,
    ece532_v25::POLICY,
    hidamari::POLICY,
    lacaille::POLICY,
    led::POLICY,
];

/// All programs.
pub fn policies() -> impl Iterator<Item = &'static Policy> {
    POLICIES.iter()
}

/// The program called `name`.
pub fn policy(name: &str) -> Option<&'static Policy> {
    policies().find(|policy| policy.name == name)
}

/// A piece put down in a rotation at a column; `None` if the placement is not legal.
fn placed(
    board: &Board,
    piece: Piece,
    [rotation, column]: [usize; 2],
    score: Score,
) -> Option<Placement> {
    let cells = &piece.rotations()[rotation];
    let row = board.landing_row(cells, column)?;
    let mut after = board.clone();
    after.place(cells, column, row);
    Some(Placement {
        rotation,
        column,
        row,
        rows_cleared: after.clear_full_rows().len(),
        score,
    })
}

/// The score of a program that computes in floating point.
fn score(value: f64) -> Score {
    Score((value * UNIT as f64).round() as i64)
}

/// The score of a program that computes in integers.
fn whole_score(value: i64) -> Score {
    Score(value * UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tetris::{Setup, Tetris};
    use crate::{Match as _, Rules as _};

    /// A short game as three numbers: a hash (FNV-1a) of all locked cells, the pieces and the
    /// lines.
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

    /// [`signature`] of a game by the program's own rules, or else by the common ones.
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

    /// The first game of session 1. Those of `hidamari`, `lacaille` and `led-tetris` were compared
    /// with the programs themselves, piece by piece.
    #[test]
    fn program_short_game_has_known_signature() {
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
    fn program_games_repeat_by_seed_and_differ() {
        for policy in policies() {
            let play = |seed, game| program_signature(policy, seed, game, 12);
            assert_eq!(play(1, 0), play(1, 0), "{}", policy.name);
            assert_ne!(play(1, 0), play(1, 1), "{}", policy.name);
            assert_ne!(play(1, 0), play(2, 0), "{}", policy.name);
        }
    }

    /// On the program's own board and on the standard one.
    #[test]
    fn program_decisions_are_legal_under_common_rules() {
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
