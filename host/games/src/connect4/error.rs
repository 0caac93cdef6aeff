//! The errors of Connect Four.

use protocol::layout::connect4::{COLUMNS, ROWS};

/// Why a decision, a position or a depth is not allowed.
#[derive(Debug, thiserror::Error)]
pub enum Connect4Error {
    /// The game is over.
    #[error("the game is over: a side has four in a row, or the board is full")]
    Over,
    /// The board has no such column.
    #[error("the column is {column}, expected 0 to {}", COLUMNS - 1, column = .0)]
    NoColumn(usize),
    /// The column is full.
    #[error("column {0} is full")]
    Full(usize),
    /// No search has such a depth.
    #[error("the depth is {depth}, expected 1 to {}", COLUMNS * ROWS, depth = .0)]
    Depth(u64),
}
