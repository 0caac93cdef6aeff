//! Positions: the board and the piece to place.

use serde::{Deserialize, Serialize};

use super::{Board, Piece, Size};

/// A board and the piece to place.
///
/// In JSON `{"board":[20 numbers],"piece":"T"}`: a number for each row, row 0 first; bit c is
/// column c. `"next":"L"` is the next piece, if it is known; `"size":"10x16"` is the size of a
/// board that is not 10x20. Other members are ignored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Json", into = "Json")]
pub struct Position {
    /// The board before the piece.
    pub board: Board,
    /// The piece to place.
    pub piece: Piece,
    /// The next piece, if it is known.
    pub next: Option<Piece>,
}

/// Maximum number of columns of a position in JSON.
pub const WIDEST: usize = 32;

#[derive(Clone, Serialize, Deserialize)]
#[serde(expecting = "an object with a board and a piece")]
struct Json {
    #[serde(default, skip_serializing_if = "is_standard")]
    size: Size,
    board: Vec<u64>,
    piece: Piece,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next: Option<Piece>,
}

fn is_standard(size: &Size) -> bool {
    *size == Size::STANDARD
}

impl TryFrom<Json> for Position {
    type Error = String;

    fn try_from(json: Json) -> Result<Self, String> {
        let (columns, rows) = (json.size.columns(), json.size.rows());
        if columns > WIDEST {
            return Err(format!(
                "the board has {columns} columns, expected at most {WIDEST}"
            ));
        }
        if json.board.len() != rows {
            let hint = match json.size == Size::STANDARD {
                true => "; another size needs \"size\", such as \"10x16\"",
                false => "",
            };
            return Err(format!(
                "expected {rows} rows of the board, got {}{hint}",
                json.board.len()
            ));
        }
        let board = Board::from_rows(columns, &json.board).map_err(|e| e.to_string())?;
        Ok(Self {
            board,
            piece: json.piece,
            next: json.next,
        })
    }
}

impl From<Position> for Json {
    fn from(position: Position) -> Self {
        let board = &position.board;
        Self {
            // Boards have valid sizes.
            size: Size::new(board.columns(), board.rows()).unwrap_or_default(),
            board: board.to_rows(),
            piece: position.piece,
            next: position.next,
        }
    }
}
