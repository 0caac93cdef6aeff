//! The table of backends, and measurements: speed, strength, training and soaks.
//!
//! Read in this order:
//! - [`backends`]: the table of backends of each game.
//! - [`ticking`], [`threads`], [`files`], [`journal`]: used by the rest: games that can be stopped,
//!   thread pools, files that are whole or absent, and the state of a command in a file.
//! - [`speed`]: decisions a second; [`signature`]: the moves of a long game as one number.
//! - [`soak`]: compares a backend that plays by itself with the engine.
//! - [`strength`]: how many lines a controller clears; [`train`]: finds weights by playing games.
//! - `signals`: the signals of each core that a waveform shows.

pub mod backends;
pub mod files;
pub mod journal;
#[cfg(feature = "sim")]
pub mod signals;
pub mod signature;
pub mod soak;
pub mod speed;
pub mod strength;
pub mod threads;
pub mod ticking;
pub mod train;
