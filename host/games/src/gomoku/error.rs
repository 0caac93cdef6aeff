//! The errors of Gomoku.

use protocol::layout::gomoku::{COLUMNS, MAX_DEPTH, ROWS};

/// Why a decision, a position or a depth is not allowed.
#[derive(Debug, thiserror::Error)]
pub enum GomokuError {
    /// The game is over.
    #[error("the game is over: a side has five in a row, or the board is full")]
    Over,
    /// The board has no such point.
    #[error("the point is x {x}, y {y}, expected 0 to {} and 0 to {}", COLUMNS - 1, ROWS - 1)]
    NoPoint {
        /// Its column.
        x: usize,
        /// Its row.
        y: usize,
    },
    /// A stone lies on the point.
    #[error("a stone lies on x {x}, y {y}")]
    Taken {
        /// Its column.
        x: usize,
        /// Its row.
        y: usize,
    },
    /// No search has such a depth.
    #[error("the depth is {depth}, expected 1 to {MAX_DEPTH}", depth = .0)]
    Depth(u64),
}
