//! Gomoku, defined in the README.md of this folder.
//!
//! - [`board`], [`position`], [`controller`]: the types of the game.
//! - [`state`]: the rules, and openings.
//! - [`decision`]: the chosen point, and the nodes of a trace.
//! - [`golden`]: the golden model of both profiles.
//! - `cycles`: the time of a core's search.
//! - `game`, `codec`, `picture`, `explain`, `shrink`, `catalog`: the other traits of a game.

pub mod board;
mod catalog;
mod codec;
pub mod controller;
mod cycles;
pub mod decision;
mod error;
mod explain;
mod game;
pub mod golden;
mod picture;
pub mod position;
mod shrink;
pub mod state;

pub use board::{Board, Stone};
pub use controller::{Controller, Lines, Profile};
pub use decision::{Answer, Candidate, Decision};
pub use error::GomokuError;
pub use game::Gomoku;
pub use position::Position;
pub use state::State;

pub use crate::stones::Setup;
