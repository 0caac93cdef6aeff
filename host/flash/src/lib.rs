//! What a bitstream is for, and loading it into a board.
//!
//! [`bitstream`] reads from a file which board it is for, which build of the RTL it
//! holds and which layout of the wire that speaks; [`board`] lists the boards;
//! [`loader`] runs openFPGALoader.

pub mod bitstream;
pub mod board;
pub mod loader;

pub use bitstream::{Bitstream, FileError, FormatError};
pub use board::Board;
pub use loader::{Loader, LoaderError, Memory};
