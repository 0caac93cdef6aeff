//! The strength of a controller: many whole games, summed up.
//!
//! Read in this order:
//! - [`Player`]: plays a game; [`tetris`] has the one of Tetris.
//! - [`run`]: the games on threads.
//! - [`state`]: the finished games in a journal, from which the next run continues; [`place`] is
//!   its path unless an option names one.
//! - [`summary`], [`report`]: the result.

pub mod place;
pub mod report;
pub mod run;
pub mod state;
pub mod summary;
pub mod tetris;

use serde::{Deserialize, Serialize};

pub use crate::turns::End;

/// Most games of a run.
pub const MAX_GAMES: u64 = 1_000_000_000;

/// Takes the pieces placed since its last call, at least every few 100 ms; `false` stops the game.
pub type Tick<'a> = &'a (dyn Fn(u64) -> bool + Sync);

/// Plays the game of a number, from 0: the same whenever it is played.
pub type Player<'a> = Box<dyn Fn(u64, Tick<'_>) -> Played + Sync + 'a>;

/// A game played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Played {
    /// Pieces placed.
    pub pieces: u64,
    /// Rows removed.
    pub lines: u64,
    /// Why it ended.
    pub end: End,
}
