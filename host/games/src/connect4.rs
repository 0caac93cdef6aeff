//! Connect Four, defined in the README.md of this folder.
//!
//! - [`board`], [`position`], [`controller`]: the types of the game.
//! - [`state`]: the rules, and openings.
//! - [`decision`]: the chosen column, and the candidates.
//! - [`golden`]: the golden model, plain minimax.
//! - `game`, `codec`, `picture`, `explain`: the other traits of a game.

pub mod board;
mod codec;
pub mod controller;
pub mod decision;
mod explain;
mod game;
pub mod golden;
mod picture;
pub mod position;
pub mod state;

pub use board::{Board, Stone};
pub use controller::Controller;
pub use decision::{Candidate, Decision};
pub use game::Connect4;
pub use position::Position;
pub use state::State;

pub use crate::stones::Setup;
