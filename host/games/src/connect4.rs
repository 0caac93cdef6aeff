//! Connect Four. The definitions are in this folder's README.md.
//!
//! - [`board`], [`position`], [`controller`], [`setup`]: the nouns of the game; [`state`] is a
//!   game under way.
//! - [`decision`]: the column chosen, and the candidates it is chosen from.
//! - [`golden`]: the golden model, plain minimax.
//! - `game`, `codec`, `picture`, `explain`: what the rest of the host asks of a game, a trait
//!   each.

pub mod board;
mod catalog;
mod codec;
pub mod controller;
pub mod decision;
mod error;
mod explain;
mod game;
pub mod golden;
mod picture;
pub mod position;
pub mod setup;
pub mod state;

pub use board::{Board, Stone};
pub use controller::Controller;
pub use decision::{Candidate, Decision};
pub use error::Connect4Error;
pub use game::Connect4;
pub use position::Position;
pub use setup::Setup;
pub use state::State;
