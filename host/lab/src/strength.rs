//! The strength of a controller: statistics of many whole games.
//!
//! Read in this order:
//! - [`Player`]: plays one game; [`tetris`] has the players of Tetris.
//! - [`run`]: plays the games on several threads.
//! - [`state`]: keeps finished games in a journal, from which the next run resumes.
//! - [`summary`]: the result.

pub mod run;
pub mod state;
pub mod summary;
pub mod tetris;

use serde::{Deserialize, Serialize};

pub use crate::ticking::EndReason;

/// Maximum number of games of a run.
pub const MAX_GAMES: u64 = 1_000_000_000;

/// Called at least every few 100 ms with the pieces placed since then; `false` stops the game.
pub type Tick<'a> = &'a (dyn Fn(u64) -> bool + Sync);

/// Plays a game by its number, from 0. The same number always gives the same game.
pub type Player<'a> = Box<dyn Fn(u64, Tick<'_>) -> GameResult + Sync + 'a>;

/// The result of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// Pieces placed.
    pub pieces: u64,
    /// Rows removed.
    pub lines: u64,
    /// Why it ended.
    pub end: EndReason,
}
