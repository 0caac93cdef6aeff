//! Measurements on games and engines alone: strength, training, signatures.
//!
//! Read in this order:
//! - [`ticking`], [`threads`], [`files`], [`journal`]: used by the rest: games that can be stopped,
//!   thread pools, files that are whole or absent, and the state of a command in a file.
//! - [`signature`]: the moves of a long game as one number.
//! - [`strength`]: how many lines a controller clears; [`train`]: finds weights by playing games.

pub mod files;
pub mod journal;
pub mod signature;
pub mod strength;
pub mod threads;
pub mod ticking;
pub mod train;
