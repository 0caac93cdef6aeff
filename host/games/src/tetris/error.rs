//! What Tetris refuses.

use super::controller::ControllerError;
use super::piece::Piece;
use super::size::{Size, SizeError};

/// Why a decision, a position or a controller was refused.
#[derive(Debug, thiserror::Error)]
pub enum TetrisError {
    /// The controller does not play such a board.
    #[error(transparent)]
    Controller(#[from] ControllerError),
    /// No game has such a board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The piece has no such rotation.
    #[error("{piece:?} has no rotation {rotation}")]
    Rotation {
        /// The piece.
        piece: Piece,
        /// The rotation asked for.
        rotation: usize,
    },
    /// The piece does not come to rest there.
    #[error(
        "{piece:?} in rotation {rotation} at column {column} comes to rest {}, not in row {row}",
        rests.map_or("nowhere".into(), |row| format!("in row {row}"))
    )]
    Landing {
        /// The piece.
        piece: Piece,
        /// Its rotation.
        rotation: usize,
        /// Its leftmost column.
        column: usize,
        /// The landing row asked for.
        row: usize,
        /// The row in which it comes to rest, if it does.
        rests: Option<usize>,
    },
    /// Another number of rows is full then.
    #[error(
        "{piece:?} in rotation {rotation} at column {column} clears {cleared} rows, not {said}"
    )]
    Cleared {
        /// The piece.
        piece: Piece,
        /// Its rotation.
        rotation: usize,
        /// Its leftmost column.
        column: usize,
        /// The rows it is said to clear.
        said: usize,
        /// The rows it clears.
        cleared: usize,
    },
    /// The wire has one size of board.
    #[error(
        "the wire carries boards of {}, not {columns}x{rows}; leave it out",
        Size::STANDARD
    )]
    Wire {
        /// Columns of the board.
        columns: usize,
        /// Its rows.
        rows: usize,
    },
    /// A `play` has room for no more.
    #[error("a batch holds 1 to {most} pieces, not {pieces}")]
    Batch {
        /// How many there are.
        pieces: usize,
        /// How many there may be.
        most: usize,
    },
    /// The core does not look ahead.
    #[error("the core decides on one piece, and controller {name} looks {depth} ahead")]
    Depth {
        /// Name of the controller.
        name: String,
        /// How far it looks.
        depth: usize,
    },
    /// Who was asked plays linear controllers.
    #[error("{who} plays linear controllers, and {name} is a program")]
    Program {
        /// Who was asked.
        who: &'static str,
        /// Name of the controller.
        name: String,
    },
}
