//! The parameters from which games are dealt.

use protocol::layout::gomoku::COLUMNS;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng as _;
use serde::{Deserialize, Serialize};

use super::board::{Board, Stone};
use super::position::Position;
use crate::random::{below, game_seed};

/// First and last column and row of the stones of an opening.
const MIDDLE: std::ops::RangeInclusive<usize> = 4..=10;

/// The parameters of a session's games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object that says how games are dealt")]
pub struct Setup {
    /// The seed of the session.
    pub seed: u64,
    /// Number of stones that are put at random before the first move, so that games differ.
    pub opening: u8,
}

impl Setup {
    /// The default setup: openings of three stones.
    pub const fn standard(seed: u64) -> Self {
        Self { seed, opening: 3 }
    }

    /// The position with which a game of a session begins.
    ///
    /// The opening has fewer stones if no further stone finds a point in the middle of the board.
    pub fn opening(&self, game: u64) -> Position {
        let mut random = SplitMix64::seed_from_u64(game_seed(self.seed, game));
        let mut position = Position {
            board: Board::default(),
            to_move: Stone::Black,
        };
        for _ in 0..self.opening {
            let after = |point| {
                let mut board = position.board;
                (board.put(point, position.to_move) && !board.makes_five(point)).then_some(board)
            };
            let points = MIDDLE.flat_map(|y| MIDDLE.map(move |x| y * COLUMNS + x));
            let boards: Vec<Board> = points.filter_map(after).collect();
            let Some(board) = boards.get(below(&mut random, boards.len())) else {
                break;
            };
            position = Position {
                board: *board,
                to_move: position.to_move.other(),
            };
        }
        position
    }
}
