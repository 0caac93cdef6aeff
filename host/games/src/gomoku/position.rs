//! Positions: the board and the side to move.

use protocol::layout::gomoku::{COLUMNS, ROWS};
use serde::{Deserialize, Serialize};

use super::board::{Board, SEATS, Stone};
use super::error::GomokuError;

/// A board and the side to move.
///
/// In JSON the board is a list of 15 rows, row 0 first, and `B` and `W` are stones:
/// `{"board":["...............",...],"to_move":"black"}`. Other members are ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Json", into = "Json")]
pub struct Position {
    /// The stones.
    pub board: Board,
    /// The side to move.
    pub to_move: Stone,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(expecting = "an object with a board and to_move")]
struct Json {
    board: Vec<String>,
    to_move: String,
}

impl TryFrom<Json> for Position {
    type Error = String;

    fn try_from(json: Json) -> Result<Self, String> {
        if json.board.len() != ROWS {
            let rows = json.board.len();
            return Err(format!("expected {ROWS} rows of the board, got {rows}"));
        }
        let mut board = Board::default();
        for (y, line) in json.board.iter().enumerate() {
            put_row(&mut board, y, line).map_err(|why| format!("row {y}, {line:?}: {why}"))?;
        }
        if board.is_over() {
            return Err(GomokuError::Over.to_string());
        }
        let side = |side: &Stone| SEATS[side.seat()] == json.to_move;
        let to_move = [Stone::Black, Stone::White].into_iter().find(side);
        let to_move = to_move.ok_or_else(|| {
            let expected = SEATS.join(" or ");
            format!("to_move is {:?}, expected {expected}", json.to_move)
        })?;
        Ok(Self { board, to_move })
    }
}

/// Puts the stones of a row.
fn put_row(board: &mut Board, y: usize, line: &str) -> Result<(), String> {
    let length = line.chars().count();
    if length != COLUMNS {
        return Err(format!("{length} points, expected {COLUMNS}"));
    }
    for (x, sign) in line.chars().enumerate() {
        let stone = match sign {
            '.' => continue,
            'B' => Stone::Black,
            'W' => Stone::White,
            other => return Err(format!("the point is {other:?}, expected B, W or .")),
        };
        board.put(y * COLUMNS + x, stone);
    }
    Ok(())
}

/// The character of a point.
pub const fn sign(stone: Option<Stone>) -> char {
    match stone {
        None => '.',
        Some(Stone::Black) => 'B',
        Some(Stone::White) => 'W',
    }
}

impl From<Position> for Json {
    fn from(Position { board, to_move }: Position) -> Self {
        let sign = |point| sign(board.stone(point));
        let line = |y| (0..COLUMNS).map(|x| sign(y * COLUMNS + x)).collect();
        Self {
            board: (0..ROWS).map(line).collect(),
            to_move: SEATS[to_move.seat()].into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "...............";

    #[test]
    fn position_json_round_trips() {
        let mut rows = [EMPTY; ROWS];
        rows[0] = ".B.............";
        rows[14] = "..............W";
        let text = serde_json::json!({"board": rows, "to_move": "white"}).to_string();
        let position: Position = serde_json::from_str(&text).expect("a position");
        assert_eq!(position.board.stone(1), Some(Stone::Black));
        assert_eq!(position.board.stone(224), Some(Stone::White));
        assert_eq!(
            (position.board.stones(), position.to_move),
            (2, Stone::White)
        );
        assert_eq!(serde_json::to_string(&position).expect("JSON"), text);
    }

    #[test]
    fn position_bad_row_errs() {
        let with = |y: usize, line: &'static str| {
            let mut board = [EMPTY; ROWS].to_vec();
            board[y] = line;
            board
        };
        let empty = with(0, EMPTY);
        let to_move = "to_move is \"Black\", expected black or white";
        let length = "row 0, \"..............\": 14 points, expected 15";
        let sign = "row 13, \"......b........\": the point is 'b', expected B, W or .";
        let over = "the game is over: a side has five in a row, or the board is full";
        let rows = "expected 15 rows of the board, got 14";
        for (board, seat, why) in [
            (with(0, ".............."), "black", length),
            (with(13, "......b........"), "black", sign),
            (empty[1..].to_vec(), "black", rows),
            (empty, "Black", to_move),
            (with(7, "...WWWWW......."), "black", over),
        ] {
            let json = serde_json::json!({"board": board, "to_move": seat});
            let error = serde_json::from_value::<Position>(json).expect_err("refused");
            assert_eq!(error.to_string(), why);
        }
    }
}
