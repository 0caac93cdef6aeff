//! Gomoku, defined in the README.md of this folder.
//!
//! - [`board`], [`controller`]: the types of the game.
//! - `game`: its types together, and its rules.
//! - [`decision`]: the chosen point, and the nodes of a trace.
//! - [`golden`]: the golden model of both profiles.
//! - `cycles`: the time of a core's search.
//! - `codec`, `explain`: the other traits of a game.

pub mod board;
mod codec;
pub mod controller;
mod cycles;
pub mod decision;
mod explain;
mod game;
pub mod golden;

pub use board::Board;
pub use controller::{Controller, Lines, Profile};
pub use decision::{Answer, Candidate, Decision};
pub use game::Gomoku;

pub use crate::stones::Setup;
pub use crate::stones::Stone::{self, First as Black, Second as White};

/// A board and the side to move.
pub type Position = crate::stones::Position<Gomoku>;
