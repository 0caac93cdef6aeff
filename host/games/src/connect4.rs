//! Connect Four, defined in the README.md of this folder.
//!
//! - [`board`], [`controller`]: the types of the game.
//! - `game`: its types together, and its rules.
//! - [`decision`]: the chosen column, and the candidates.
//! - [`golden`]: the golden model, plain minimax.
//! - `codec`, `explain`: the other traits of a game.

pub mod board;
mod codec;
pub mod controller;
pub mod decision;
mod explain;
mod game;
pub mod golden;

pub use board::Board;
pub use controller::Controller;
pub use decision::{Candidate, Decision};
pub use game::Connect4;

pub use crate::stones::Setup;
pub use crate::stones::Stone::{self, First as Yellow, Second as Red};

/// A board and the side to move.
pub type Position = crate::stones::Position<Connect4>;
