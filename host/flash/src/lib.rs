//! Identifies a bitstream and loads it into a board.
//!
//! Read in this order:
//! - [`board`]: the boards.
//! - [`bitstream`]: reads board, build id and layout hash from a bitstream.
//! - [`loader`]: runs openFPGALoader.

pub mod bitstream;
pub mod board;
pub mod loader;

pub use bitstream::Bitstream;
pub use board::Board;
pub use loader::{Loader, Memory};

/// Why a bitstream was not read or not loaded, with the remedy.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct FlashError(String);
