//! The backends of each game, and what needs a whole backend: soaks and measurements of speed.
//!
//! Read in this order:
//! - [`table`]: the table of backends of each game.
//! - [`gomoku`]: third-party protocols.
//! - `signals`: the signals of each core that a waveform shows.
//! - [`speed`]: decisions a second of several backends.
//! - [`soak`]: compares a backend that plays by itself with the engine.

pub mod gomoku;
#[cfg(feature = "sim")]
pub mod signals;
pub mod soak;
pub mod speed;
pub mod table;
