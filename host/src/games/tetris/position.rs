//! A position: the board and the piece to place.

use protocol::layout::{TETRIS_COLUMNS, TETRIS_ROWS};
use serde::{Deserialize, Serialize};

use super::board::Board;
use super::piece::Piece;

/// What is asked. In JSON `{"board":[20 numbers],"piece":"T"}`, row 0 first,
/// bit c = column c; other members are ignored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Json", into = "Json")]
pub struct Position {
    /// The board before the piece.
    pub board: Board,
    /// The piece to place.
    pub piece: Piece,
    /// The piece after it, when it is known.
    pub next: Option<Piece>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(expecting = "an object with a board and a piece")]
struct Json {
    board: Vec<u64>,
    piece: Piece,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next: Option<Piece>,
}

impl TryFrom<Json> for Position {
    type Error = String;

    fn try_from(json: Json) -> Result<Self, String> {
        if json.board.len() != TETRIS_ROWS {
            return Err(format!(
                "board has {} rows, expected {TETRIS_ROWS}",
                json.board.len()
            ));
        }
        let board = Board::from_rows(TETRIS_COLUMNS, &json.board).map_err(|e| e.to_string())?;
        Ok(Self {
            board,
            piece: json.piece,
            next: json.next,
        })
    }
}

impl From<Position> for Json {
    fn from(position: Position) -> Self {
        Self {
            board: position.board.to_rows(),
            piece: position.piece,
            next: position.next,
        }
    }
}
