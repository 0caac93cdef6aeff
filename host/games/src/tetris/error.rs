//! The errors of Tetris.

use super::controller::ControllerError;
use super::piece::Piece;
use super::size::{Size, SizeError};

/// Why a decision, a position or a controller is not allowed.
#[derive(Debug, thiserror::Error)]
pub enum TetrisError {
    /// The controller does not support the board.
    #[error(transparent)]
    Controller(#[from] ControllerError),
    /// There is no board of that size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The piece has no such rotation.
    #[error("{piece:?} has no rotation {rotation}")]
    Rotation {
        /// The piece.
        piece: Piece,
        /// The rotation of the decision.
        rotation: usize,
    },
    /// The piece does not come to rest in that row.
    #[error(
        "{piece:?} in rotation {rotation} at column {column}: the row is {row}, expected {}",
        expected.map_or("no placement, as none is legal there".into(), |row| row.to_string())
    )]
    Landing {
        /// The piece.
        piece: Piece,
        /// Its rotation.
        rotation: usize,
        /// Its leftmost column.
        column: usize,
        /// The landing row of the decision.
        row: usize,
        /// The row in which the piece comes to rest, if the placement is legal.
        expected: Option<usize>,
    },
    /// The placement clears another number of rows.
    #[error(
        "{piece:?} in rotation {rotation} at column {column}: rows_cleared is {cleared}, expected \
         {expected}"
    )]
    Cleared {
        /// The piece.
        piece: Piece,
        /// Its rotation.
        rotation: usize,
        /// Its leftmost column.
        column: usize,
        /// The cleared rows of the decision.
        cleared: usize,
        /// The rows that the placement clears.
        expected: usize,
    },
    /// The wire carries one size of boards.
    #[error(
        "the board is {columns}x{rows}, but the wire carries boards of {}; leave this backend out",
        Size::STANDARD
    )]
    Wire {
        /// Columns of the board.
        columns: usize,
        /// Rows of the board.
        rows: usize,
    },
    /// The run has no pieces or too many.
    #[error("the batch has {pieces} pieces, expected 1 to {max}")]
    Batch {
        /// Number of pieces.
        pieces: usize,
        /// Maximum number of pieces.
        max: usize,
    },
    /// The core does not look ahead.
    #[error(
        "controller {name} has depth {depth}, but the core has no lookahead; leave this backend out"
    )]
    Depth {
        /// Name of the controller.
        name: String,
        /// The depth of the controller.
        depth: usize,
    },
    /// The core or the engine does not support programs.
    #[error("{who} plays linear controllers, but {name} is a program; leave this backend out")]
    Program {
        /// The core or the engine.
        who: &'static str,
        /// Name of the controller.
        name: String,
    },
}
