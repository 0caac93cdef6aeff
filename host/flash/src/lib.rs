//! Identifies a bitstream and loads it into a board.
//!
//! Read in this order:
//! - [`board`]: the boards.
//! - [`bitstream`]: reads board, build id and layout hash from a bitstream.
//! - [`loader`]: runs openFPGALoader.

pub mod bitstream;
pub mod board;
pub mod loader;

pub use bitstream::{Bitstream, FileError, FormatError};
pub use board::Board;
pub use loader::{Loader, LoaderError, Memory};
