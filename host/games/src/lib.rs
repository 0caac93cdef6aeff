//! Games: their rules, their golden models, and the traits that the rest of the host uses.
//!
//! Read in this order:
//! - [`game`], [`golden`], [`codec`]: what a game is, in small traits: its types ([`Game`]), its
//!   rules ([`Rules`], [`Match`]), its picture ([`Draw`]), its golden model ([`Golden`]) and its
//!   encoding on the wire ([`Codec`]).
//! - [`explain`]: explaining why two decisions differ, and shrinking the case ([`Explain`],
//!   [`Shrink`]).
//! - [`catalog`]: all of that, and controllers by name ([`Catalog`]).
//! - [`field`], [`capability`], [`picture`], [`terms`]: the types that these traits use.
//! - [`search`]: decisions that take long; [`batches`]: many moves at one request.
//! - [`software`]: implementations that decide in this process.
//! - [`solo`]: programs that play by rules of their own.
//! - [`random`], [`text`]: random numbers from a seed; valid names of controllers.
//! - [`tetris`]: the first game; its definitions are in `tetris/README.md`.
//! - [`connect4`]: the second game, with two seats; its definitions are in `connect4/README.md`.
//!
//! A game adds a folder here, a table to the protocol crate and, if it has one, its fast engine to
//! the crate of engines, which the golden model cannot use. Code names only the traits that it
//! needs.
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
pub mod picture;
pub mod random;
pub mod search;
pub mod software;
pub mod solo;
pub mod terms;
pub mod tetris;
pub mod text;

pub use batches::{Batches, Never, NoBatches};
pub use capability::{BoardSize, Boards, Capabilities, Requirements, Unsupported};
pub use catalog::{Catalog, LoadError};
pub use codec::{Codec, Playing, Searching, Stream, Tracing, check_codec};
pub use explain::{Explain, Shrink};
pub use field::{Field, Value};
pub use game::{
    Draw, Game, Match, Move, Noun, Outcome, Played, Rules, Run, SelfPlay, Sums, Trace, Words,
};
pub use golden::Golden;
pub use picture::Picture;
pub use search::{Found, Note, Progress, Unwatched, Watch, Wish};
pub use software::{Decider, GoldenModel, Implementation};
pub use solo::Solo;
pub use terms::{Named, Terms};

/// An error of any game.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;
