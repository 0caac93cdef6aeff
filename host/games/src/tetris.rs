//! Tetris. The definitions are in this folder's README.md.
//!
//! - [`piece`], [`size`], [`board`], [`position`], [`placement`], [`setup`],
//!   [`source`]: the nouns of the game; [`state`] is a game under way.
//! - [`features`], [`linear`], [`search`], [`controller`]: what decides; [`weighed`]: its
//!   candidates.
//! - [`golden`], [`lookahead`]: the golden model, by the definitions.
//! - [`playing`]: playing on from a board without being asked piece by piece.
//! - [`seeds`]: the seed projects' programs.
//! - [`timing`]: the clock cycles of the serial core.
//! - `game`, `state`, `model`, `codec`, `picture`, `explain`, `catalog`: what the rest of the host asks
//!   of a game, a trait each.

pub mod arithmetic;
pub mod board;
mod catalog;
mod codec;
pub mod controller;
pub mod error;
mod explain;
pub mod features;
mod game;
pub mod golden;
pub mod linear;
pub mod lookahead;
mod model;
mod picture;
pub mod piece;
pub mod placement;
pub mod playing;
pub mod position;
pub mod score;
pub mod search;
pub mod seeds;
pub mod setup;
pub mod size;
pub mod source;
pub mod state;
pub mod timing;
pub mod weighed;

pub use arithmetic::Arithmetic;
pub use controller::{Controller, Rule};
pub use error::TetrisError;
pub use game::Tetris;
pub use linear::Linear;
pub use picture::solo;
pub use piece::Piece;
pub use placement::Placement;
pub use playing::{Move, Run, SelfPlay, Sums};
pub use position::Position;
pub use score::Score;
pub use search::Search;
pub use setup::Setup;
pub use size::Size;
pub use source::PieceSource;
pub use state::State;
pub use weighed::Weighed;
