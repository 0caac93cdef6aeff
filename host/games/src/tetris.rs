//! Tetris, defined in the README.md of this folder.
//!
//! - [`piece`], [`board`], [`position`], [`source`]: the types of the game.
//! - [`state`]: a running game, and the rules.
//! - [`features`], [`search`], [`linear`], [`controller`]: controllers.
//! - [`golden`], [`lookahead`]: the golden model.
//! - [`candidate`]: the candidates of a decision, and the decision.
//! - [`playing`]: runs and self-play.
//! - [`programs`]: the Tetris programs of earlier projects.
//! - [`timing`]: the clock cycles of the core's decisions.
//! - `game`, `codec`, `picture`, `explain`: the other traits of a game.

pub mod board;
pub mod candidate;
mod codec;
pub mod controller;
mod explain;
pub mod features;
mod game;
pub mod golden;
pub mod linear;
pub mod lookahead;
mod picture;
pub mod piece;
pub mod playing;
pub mod position;
pub mod programs;
pub mod search;
pub mod source;
pub mod state;
pub mod timing;

pub use board::Board;
pub use board::Size;
pub use candidate::Candidate;
pub use candidate::Placement;
pub use controller::{Controller, Rule};
pub use features::{FEATURES, Features};
pub use game::Tetris;
pub use linear::Arithmetic;
pub use linear::Linear;
pub use linear::Score;
pub use picture::program_game;
pub use piece::{Cells, Piece};
pub use playing::{Move, Run, SelfPlay, Sums};
pub use position::Position;
pub use search::Search;
pub use source::{PieceSource, Pieces};
pub use state::Setup;
pub use state::State;
