//! What Connect Four refuses.

use protocol::layout::connect4::{COLUMNS, ROWS};

/// Why a decision, a position or a depth was refused.
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
    #[error("a depth is 1 to {}, not {depth}", COLUMNS * ROWS, depth = .0)]
    Depth(u64),
}
