//! How well a controller plays: many whole games, summed up.
//!
//! Read in this order:
//! - [`Player`]: who plays a game; [`tetris`] has the one of Tetris.
//! - [`run`]: the games on threads.
//! - [`state`]: the finished games in a file, so that a run can go on after it
//!   was interrupted, and [`bounds`], what such games can come to; [`place`] is
//!   where that file lies unless it is named.
//! - [`progress`], [`estimate`]: how far a run is and how long it still takes.
//! - [`summary`], [`interval`], [`histogram`], [`report`]: what came of it.

pub mod bounds;
pub mod estimate;
pub mod histogram;
pub mod interval;
pub mod place;
pub mod progress;
pub mod report;
pub mod run;
pub mod state;
pub mod summary;
pub mod tetris;

use serde::{Deserialize, Serialize};

pub use crate::turns::End;

/// Plays single games, each the same whenever it is played.
pub trait Player: Sync {
    /// Plays game `game`, from 0. Calls `tick` with the pieces placed since its
    /// last call, at least every few 100 ms, and stops when it returns false.
    fn play(&self, game: u64, tick: &(dyn Fn(u64) -> bool + Sync)) -> Played;
}

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
