//! The parameters from which games are dealt.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng as _;
use serde::{Deserialize, Serialize};

use super::board::ORDER;
use super::{Board, Position, Stone};
use crate::random::{below, game_seed};

/// The parameters of a session's games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object that says how games are dealt")]
pub struct Setup {
    /// The seed of the session.
    pub seed: u64,
    /// Number of stones that are dropped at random before the first move, so that games differ.
    pub opening: u8,
}

impl Setup {
    /// The default setup: openings of two stones.
    pub const fn standard(seed: u64) -> Self {
        Self { seed, opening: 2 }
    }

    /// The position with which a game of a session begins.
    ///
    /// The opening has fewer stones if every further stone would end the game.
    pub fn opening(&self, game: u64) -> Position {
        let mut random = SplitMix64::seed_from_u64(game_seed(self.seed, game));
        let mut position = Position {
            board: Board::default(),
            to_move: Stone::Yellow,
        };
        for _ in 0..self.opening {
            let after = |column| {
                let mut board = position.board;
                board.drop(column, position.to_move)?;
                (!board.is_over()).then_some(board)
            };
            let boards: Vec<Board> = ORDER.into_iter().filter_map(after).collect();
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
