//! Games: their rules, their golden models, and the traits that the rest of the host uses.
//!
//! Read in this order:
//! - [`game`]: the types of a game ([`Game`]), its rules ([`Rules`], [`Match`]) and its picture
//!   ([`Draw`]).
//! - [`codec`]: its encoding on the wire ([`Codec`]).
//! - [`explain`]: definitions of its fields ([`Explain`]), and simpler cases ([`Shrink`]).
//! - [`catalog`]: all these traits, controllers by name ([`Catalog`]), and their valid names.
//! - [`field`], [`capability`], [`picture`]: types that these traits use.
//! - [`software`]: golden models ([`Golden`]), other software that decides in this
//!   process, and decisions that take long.
//! - [`random`]: random numbers from a seed.
//! - [`shard`]: parts of a command's work that together are the whole ([`Shard`]).
//! - [`stones`]: positions, rules and pictures of two players who place stones alternately.
//! - [`tetris`], [`connect4`], [`gomoku`]: the games, defined in the README.md of their folders.
//!
//! A new game adds a folder here, a table to the crate `protocol` and, if it has one, a fast engine
//! to the crate `engine`, on which golden models cannot depend. Code depends only on the traits
//! that it needs.
//!
//! ```
//! use lockstep_games::tetris::{Controller, Setup, Tetris};
//! use lockstep_games::{Golden, Match, Rules};
//!
//! let controller = Controller::load("dellacherie")?;
//! let mut game = Tetris::deal(&Setup::standard(7), 0);
//! for _ in 0..20 {
//!     let decision = Tetris::decide(&controller, &game.position())?;
//!     assert!(game.apply(&decision)?, "twenty pieces fit on any board");
//! }
//! assert_eq!(game.moves(), 20);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Files that other crates' tests share name it so.
#[cfg(test)]
extern crate self as lockstep_games;

#[cfg(test)]
#[path = "../../session/tests/toy/a_hang.rs"]
mod a_hang;
pub mod capability;
pub mod catalog;
pub mod codec;
pub mod connect4;
#[cfg(test)]
mod contract;
pub mod explain;
pub mod field;
pub mod game;
pub mod gomoku;
pub mod picture;
pub mod random;
pub mod shard;
pub mod software;
pub mod stones;
pub mod tetris;
mod text;

pub use capability::{BoardSize, Boards, Capabilities, Requirements, Unsupported};
pub use catalog::{Catalog, LoadError};
pub use codec::{Codec, Playing, Searching, Stream, Tracing, check_codec};
pub use explain::{Explain, Shrink};
pub use field::{Field, Value};
pub use game::ProgramGame;
pub use game::{Batches, NoBatches};
pub use game::{
    Draw, Game, Match, Move, Noun, Outcome, Rules, Run, RunResult, SelfPlay, Sums, Trace, Words,
};
pub use game::{Named, RulesDescription};
pub use picture::Picture;
pub use shard::{Shard, ShardHeader};
pub use software::Golden;
pub use software::{Decider, GoldenModel, Implementation};
pub use software::{Note, SearchControl, SearchProgress, SearchResult, Unwatched, Watch};

/// What a game does not allow: the reason, and the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GameError(pub String);

/// An error of any game.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;
