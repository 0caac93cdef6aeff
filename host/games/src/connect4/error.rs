//! What Connect Four refuses.

use std::io;
use std::path::PathBuf;

use protocol::layout::connect4::COLUMNS;

use super::controller::{MAX_DEPTH, PRESETS};

/// Why a decision, a position or a controller was refused.
#[derive(Debug, thiserror::Error)]
pub enum Connect4Error {
    /// There is nothing to decide.
    #[error("the game is over: a side has four in a row, or the board is full")]
    Over,
    /// The board has no such column.
    #[error("there is no column {column}; they are 0 to {}", COLUMNS - 1, column = .0)]
    NoColumn(usize),
    /// No stone can be dropped there.
    #[error("column {0} is full")]
    Full(usize),
    /// No search looks so far.
    #[error("a depth is 1 to {MAX_DEPTH}, not {0}")]
    Depth(u64),
    /// Neither a preset nor a file.
    #[error(
        "no controller is called '{name}' and there is no such file; the presets are {}",
        PRESETS.map(|(name, _)| name).join(", ")
    )]
    Unknown {
        /// The name given.
        name: String,
    },
    /// The file cannot be read.
    #[error("controller {path}: {why}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// The file is not a controller.
    #[error("controller {path}: {why}", path = path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// What was expected and what came.
        why: String,
    },
}
