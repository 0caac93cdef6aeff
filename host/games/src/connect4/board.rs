//! The board and its stones.

use protocol::layout::connect4::{COLUMNS, ROWS};

use super::Stone;

/// The columns in the order of the search; among equal values the first column is chosen.
pub const ORDER: [usize; COLUMNS] = [3, 2, 4, 1, 5, 0, 6];

/// A board on which no stone lies above an empty cell. Row 0 is the bottom row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Board {
    cells: [[Option<Stone>; ROWS]; COLUMNS],
}

/// The directions in which four stones make a row, as steps of column and row.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

impl Board {
    /// The stone in a cell; `None` if the cell is empty or outside the board.
    pub fn stone(&self, column: usize, row: usize) -> Option<Stone> {
        *self.cells.get(column)?.get(row)?
    }

    /// Number of stones in a column, which is also the row of the next stone.
    pub fn height(&self, column: usize) -> usize {
        let cells = self.cells.get(column).into_iter().flatten();
        cells.filter(|cell| cell.is_some()).count()
    }

    /// Whether a stone can be dropped in a column.
    pub fn has_room(&self, column: usize) -> bool {
        column < COLUMNS && self.height(column) < ROWS
    }

    /// Drops a stone and returns its row; `None` if the column is full or does not exist.
    pub fn drop(&mut self, column: usize, stone: Stone) -> Option<usize> {
        let row = self.height(column);
        *self.cells.get_mut(column)?.get_mut(row)? = Some(stone);
        Some(row)
    }

    /// Removes the top stone of a column.
    pub fn take(&mut self, column: usize) {
        let top = self.height(column).checked_sub(1);
        if let Some(top) = top {
            self.cells[column][top] = None;
        }
    }

    /// Whether the stone in a cell is one of four in a row.
    pub fn makes_four(&self, column: usize, row: usize) -> bool {
        let Some(stone) = self.stone(column, row) else {
            return false;
        };
        // Number of consecutive stones of the same side in one direction, without the first.
        let run = |right: isize, up: isize| {
            let cell = |n: isize| {
                let column = column.checked_add_signed(n * right)?;
                self.stone(column, row.checked_add_signed(n * up)?)
            };
            (1..).take_while(|n| cell(*n) == Some(stone)).count()
        };
        let line = |(right, up): (isize, isize)| run(right, up) + run(-right, -up) + 1;
        DIRECTIONS.into_iter().any(|direction| line(direction) >= 4)
    }

    /// Number of stones.
    pub fn stones(&self) -> usize {
        (0..COLUMNS).map(|column| self.height(column)).sum()
    }

    /// Number of stones of a side.
    pub fn stones_of(&self, side: Stone) -> usize {
        let cells = self.cells.iter().flatten();
        cells.filter(|cell| **cell == Some(side)).count()
    }

    /// Whether no cell is empty.
    pub fn is_full(&self) -> bool {
        self.stones() == COLUMNS * ROWS
    }

    /// Whether the game is over: a side has four in a row, or the board is full.
    pub fn is_over(&self) -> bool {
        let mut cells = (0..COLUMNS).flat_map(|c| (0..ROWS).map(move |r| (c, r)));
        self.is_full() || cells.any(|(column, row)| self.makes_four(column, row))
    }

    /// The stones of a side as one byte for each column; bit r is row r.
    pub fn bytes(&self, side: Stone) -> [u8; COLUMNS] {
        self.cells.map(|column| {
            let rows = column.iter().enumerate();
            let own = rows.filter(|(_, cell)| **cell == Some(side));
            own.fold(0, |byte, (row, _)| byte | 1 << row)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Red, Yellow};
    use super::*;

    fn board(columns: [&str; COLUMNS]) -> Board {
        let mut board = Board::default();
        for (column, stones) in columns.into_iter().enumerate() {
            for stone in stones.chars() {
                let stone = if stone == 'Y' { Yellow } else { Red };
                assert!(board.drop(column, stone).is_some());
            }
        }
        board
    }

    #[test]
    fn board_four_in_any_direction_is_over() {
        for (columns, four) in [
            (["", "", "", "", "", "", ""], None),
            (["YYYRRR", "", "", "", "", "", ""], None),
            (["RRYYYY", "", "", "", "", "", ""], Some((0, 4))),
            (["", "", "", "Y", "Y", "Y", "Y"], Some((6, 0))),
            (["Y", "Y", "Y", "", "Y", "Y", "Y"], None),
            (["Y", "RY", "RRY", "RYRY", "", "", ""], Some((1, 1))),
            (["", "", "", "RYRY", "RRY", "RY", "Y"], Some((4, 2))),
            (["RRRYYY", "RRRYY", "Y", "", "", "", "R"], None),
            (["Y", "Y", "Y", "R", "Y", "", ""], None),
        ] {
            let board = board(columns);
            assert_eq!(board.is_over(), four.is_some(), "{columns:?}");
            if let Some((column, row)) = four {
                assert!(board.makes_four(column, row), "{columns:?}");
            }
        }
    }

    #[test]
    fn board_full_column_takes_no_stone() {
        let mut board = board(["YRYRYR", "", "", "", "", "", ""]);
        assert!(!board.has_room(0) && board.has_room(1) && !board.has_room(COLUMNS));
        let before = board;
        assert_eq!(board.drop(0, Red), None);
        assert_eq!(board.drop(COLUMNS, Red), None);
        assert_eq!(board, before);
        assert_eq!(board.bytes(Yellow)[0], 0b01_0101);
        board.take(0);
        assert_eq!((board.height(0), board.stones()), (5, 5));
        board.take(1);
        assert_eq!(board.stones(), 5);
    }
}
