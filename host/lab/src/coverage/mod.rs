//! How much of the RTL, and of what can be asked of it, a run has reached.
//!
//! - [`bins`] are functional: counted on the host's side, from what is asked and answered.
//!   [`watch`] has those of the wire, read off a link; [`cover`] says what a game brings:
//!   its own bins, positions that fill them, requests that its core refuses.
//! - `stimulus` asks all of that of a core whose model counts what it reaches (feature
//!   `coverage`).
//! - [`data`] is what models counted, [`waivers`] what cannot be reached and why, [`report`] all of
//!   it together ([`bits`] what changed), [`document`] that as text, [`lcov`] for other programs.

pub mod bins;
pub mod bits;
mod connect4;
pub mod cover;
pub mod data;
pub mod document;
pub mod lcov;
mod measure;
pub mod report;
#[cfg(feature = "coverage")]
mod stimulus;
mod tetris;
pub mod waivers;
pub mod watch;

pub use cover::{Cover, NoBin};
pub use measure::{Effort, MeasureError, Subject, measure};
