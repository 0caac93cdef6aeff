//! Tetris, defined in the README.md of this folder.
//!
//! - [`piece`], [`size`], [`board`], [`position`], [`placement`], [`score`], [`setup`], [`source`]:
//!   the types of the game.
//! - [`state`]: a running game, and the rules.
//! - [`features`], [`search`], [`linear`], [`arithmetic`], [`controller`]: controllers.
//! - [`golden`], [`lookahead`]: the golden model of linear controllers.
//! - [`candidate`]: the candidates of a decision.
//! - [`playing`]: runs and self-play.
//! - [`seeds`]: the seed projects' programs.
//! - [`timing`]: the clock cycles of the core's decisions.
//! - `game`, `model`, `codec`, `picture`, `explain`, `catalog`: the other traits of a game.

pub mod arithmetic;
pub mod board;
pub mod candidate;
mod catalog;
mod codec;
pub mod controller;
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

pub use arithmetic::Arithmetic;
pub use board::Board;
pub use candidate::Candidate;
pub use controller::{Controller, Rule};
pub use features::{FEATURES, Features};
pub use game::Tetris;
pub use linear::Linear;
pub use picture::program_game;
pub use piece::{Cells, Piece};
pub use placement::Placement;
pub use playing::{Move, Run, SelfPlay, Sums};
pub use position::Position;
pub use score::Score;
pub use search::Search;
pub use setup::Setup;
pub use size::Size;
pub use source::{PieceSource, Pieces};
pub use state::State;
