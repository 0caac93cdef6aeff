//! Positions: the board and the side to move.

use protocol::layout::connect4::{COLUMNS, ROWS};
use serde::{Deserialize, Serialize};

use super::board::{SEATS, over};
use super::{Board, Stone};

/// A board and the side to move.
///
/// In JSON the board is a list of rows, the topmost first; `Y` and `R` are stones, `.` is an empty
/// cell: `{"board":[".......",".......",".......",".......","...R...","..YY..."],"to_move":"red"}`.
/// Other members are ignored.
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
        for (row, line) in json.board.iter().rev().enumerate() {
            drop_row(&mut board, row, line)
                .map_err(|why| format!("row {row} from the bottom, {line:?}: {why}"))?;
        }
        if board.is_over() {
            return Err(over().to_string());
        }
        let side = |side: &Stone| SEATS[side.seat()] == json.to_move;
        let to_move = [Stone::Yellow, Stone::Red].into_iter().find(side);
        let to_move = to_move.ok_or_else(|| {
            let expected = SEATS.join(" or ");
            format!("to_move is {:?}, expected {expected}", json.to_move)
        })?;
        Ok(Self { board, to_move })
    }
}

/// Drops the stones of a row onto the stones below.
fn drop_row(board: &mut Board, row: usize, line: &str) -> Result<(), String> {
    let length = line.chars().count();
    if length != COLUMNS {
        return Err(format!("{length} cells, expected {COLUMNS}"));
    }
    for (column, sign) in line.chars().enumerate() {
        let stone = match sign {
            '.' => continue,
            'Y' => Stone::Yellow,
            'R' => Stone::Red,
            other => return Err(format!("the cell is {other:?}, expected Y, R or .")),
        };
        if board.drop(column, stone) != Some(row) {
            return Err(format!(
                "the stone in column {column} has an empty cell below it"
            ));
        }
    }
    Ok(())
}

/// The character of a cell.
pub const fn sign(cell: Option<Stone>) -> char {
    match cell {
        None => '.',
        Some(Stone::Yellow) => 'Y',
        Some(Stone::Red) => 'R',
    }
}

impl From<Position> for Json {
    fn from(Position { board, to_move }: Position) -> Self {
        let line = |row| (0..COLUMNS).map(|c| sign(board.stone(c, row))).collect();
        Self {
            board: (0..ROWS).rev().map(line).collect(),
            to_move: SEATS[to_move.seat()].into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_json_round_trips() {
        let text = concat!(
            r#"{"board":[".......",".......",".......",".......","...R...","..YY..."],"#,
            r#""to_move":"red"}"#
        );
        let position: Position = serde_json::from_str(text).expect("a position");
        assert_eq!(position.board.stone(3, 1), Some(Stone::Red));
        assert_eq!((position.board.stones(), position.to_move), (3, Stone::Red));
        assert_eq!(serde_json::to_string(&position).expect("JSON"), text);
    }

    #[test]
    fn position_bad_row_errs() {
        let with = |row: usize, line: &str| {
            let mut board = vec!["......."; 6];
            board[5 - row] = line;
            serde_json::json!({"board": board, "to_move": "yellow"})
        };
        let json =
            |rows, to_move| serde_json::json!({"board": vec!["......."; rows], "to_move": to_move});
        let errors = [
            with(0, "......"),
            with(5, "........"),
            with(0, "..x...."),
            with(0, "..y...."),
            with(2, "....R.."),
            json(5, "yellow"),
            json(0, "yellow"),
            json(6, "Red"),
        ];
        let expected = [
            r#"row 0 from the bottom, "......": 6 cells, expected 7"#,
            r#"row 5 from the bottom, "........": 8 cells, expected 7"#,
            r#"row 0 from the bottom, "..x....": the cell is 'x', expected Y, R or ."#,
            r#"row 0 from the bottom, "..y....": the cell is 'y', expected Y, R or ."#,
            r#"row 2 from the bottom, "....R..": the stone in column 4 has an empty cell below it"#,
            "expected 6 rows of the board, got 5",
            "expected 6 rows of the board, got 0",
            r#"to_move is "Red", expected yellow or red"#,
        ];
        let error = |json| serde_json::from_value::<Position>(json).expect_err("refused");
        assert_eq!(errors.map(|json| error(json).to_string()), expected);
    }
}
