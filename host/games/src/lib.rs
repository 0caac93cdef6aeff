//! Games: their rules, their golden models, and the traits that the rest of the host uses.
//!
//! Read in this order:
//! - [`game`]: the types of a game ([`Game`]), its rules ([`Rules`], [`Match`]) and its picture
//!   ([`Draw`]).
//! - [`golden`]: its golden model ([`Golden`]).
//! - [`codec`]: its encoding on the wire ([`Codec`]).
//! - [`explain`]: definitions of its fields ([`Explain`]), and simpler cases ([`Shrink`]).
//! - [`catalog`]: all these traits, and controllers by name ([`Catalog`]).
//! - [`field`], [`capability`], [`picture`], [`rules_description`]: types that these traits use.
//! - [`search`]: decisions that take long.
//! - [`batches`]: many moves at one request.
//! - [`software`]: implementations that decide in this process.
//! - [`program_game`]: games of programs with rules of their own.
//! - [`random`], [`text`]: random numbers from a seed; valid names of controllers.
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

pub mod batches;
pub mod capability;
pub mod catalog;
pub mod codec;
pub mod connect4;
#[cfg(test)]
mod contract;
pub mod explain;
pub mod field;
pub mod game;
pub mod golden;
pub mod gomoku;
pub mod picture;
pub mod program_game;
pub mod random;
pub mod rules_description;
pub mod search;
pub mod software;
pub mod tetris;
pub mod text;

pub use batches::{Batches, NoBatches};
pub use capability::{BoardSize, Boards, Capabilities, Requirements, Unsupported};
pub use catalog::{Catalog, LoadError};
pub use codec::{Codec, Playing, Searching, Stream, Tracing, check_codec};
pub use explain::{Explain, Shrink};
pub use field::{Field, Value};
pub use game::{
    Draw, Game, Match, Move, Noun, Outcome, Rules, Run, RunResult, SelfPlay, Sums, Trace, Words,
};
pub use golden::Golden;
pub use picture::Picture;
pub use program_game::ProgramGame;
pub use rules_description::{Named, RulesDescription};
pub use search::{Note, SearchControl, SearchProgress, SearchResult, Unwatched, Watch};
pub use software::{Decider, GoldenModel, Implementation};

/// An error of any game.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;
