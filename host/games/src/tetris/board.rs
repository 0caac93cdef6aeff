//! The board, a grid of any size, and sizes of boards.

use std::fmt;
use std::str::FromStr;

use protocol::layout::tetris::{COLUMNS, ROWS};

use super::Cells;
use super::piece::{height, width};
use crate::{GameError, serde_as_text};

/// A grid of cells. Row 0 is the bottom row, column 0 the left one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    columns: usize,
    rows: usize,
    cells: Vec<bool>,
}

impl Board {
    /// An empty board.
    pub fn new(columns: usize, rows: usize) -> Self {
        Self {
            columns,
            rows,
            cells: vec![false; columns * rows],
        }
    }

    /// An empty board of a size.
    pub fn of_size(size: Size) -> Self {
        Self::new(size.columns(), size.rows())
    }

    /// Whether the board has a size.
    pub fn is_of(&self, size: Size) -> bool {
        (self.columns, self.rows) == (size.columns(), size.rows())
    }

    /// A board from one number for each row, row 0 first; bit c is column c.
    ///
    /// # Errors
    /// When a number sets a bit after the last column.
    pub fn from_rows(columns: usize, rows: &[u64]) -> Result<Self, GameError> {
        for (row, &value) in rows.iter().enumerate() {
            if value >> columns != 0 {
                let max = (1u64 << columns.min(63)) - 1;
                return Err(GameError(format!(
                    "row {row} is {value}, expected at most {max} on a board of {columns} columns"
                )));
            }
        }
        let filled = |column, row: usize| rows[row] >> column & 1 == 1;
        Ok(Self::from_cells(columns, rows.len(), filled))
    }

    /// A board with the cells filled for which `filled` holds, given column and row.
    pub fn from_cells(columns: usize, rows: usize, filled: impl Fn(usize, usize) -> bool) -> Self {
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        Self {
            columns,
            rows,
            cells: cells.map(|(column, row)| filled(column, row)).collect(),
        }
    }

    /// One number for each row, row 0 first; bit c is column c. Columns after 63 are left out.
    pub fn to_rows(&self) -> Vec<u64> {
        let value = |row| {
            (0..self.columns)
                .map(|c| {
                    u64::from(self.filled(c, row))
                        .checked_shl(c as u32)
                        .unwrap_or(0)
                })
                .sum()
        };
        (0..self.rows).map(value).collect()
    }

    /// The cells as on the wire: bit 10 r + c is row r, column c. `None` for a board of another
    /// size than the wire's.
    pub fn wire_bytes(&self) -> Option<[u8; COLUMNS * ROWS / 8]> {
        let mut bytes = [0; COLUMNS * ROWS / 8];
        for bit in (0..self.cells.len()).filter(|bit| self.cells[*bit]) {
            *bytes.get_mut(bit / 8)? |= 1 << (bit % 8);
        }
        self.is_of(Size::STANDARD).then_some(bytes)
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Whether a cell is filled.
    ///
    /// # Panics
    /// When the cell lies outside the board.
    pub fn filled(&self, column: usize, row: usize) -> bool {
        self.cells[row * self.columns + column]
    }

    /// Fills or empties a cell.
    ///
    /// # Panics
    /// When the cell lies outside the board.
    pub fn set(&mut self, column: usize, row: usize, filled: bool) {
        self.cells[row * self.columns + column] = filled;
    }

    /// Height of a column: its topmost filled row + 1, or 0.
    pub fn height(&self, column: usize) -> usize {
        (0..self.rows)
            .rev()
            .find(|&row| self.filled(column, row))
            .map_or(0, |row| row + 1)
    }

    /// Whether every cell of a row is filled.
    pub fn is_full(&self, row: usize) -> bool {
        (0..self.columns).all(|column| self.filled(column, row))
    }

    /// The bottom row of a piece that comes to rest; `None` if the placement is not legal.
    pub fn landing_row(&self, cells: &Cells, column: usize) -> Option<usize> {
        if column + width(cells) > self.columns {
            return None;
        }
        let free = |row: usize| {
            cells
                .iter()
                .all(|&(c, r)| row + r >= self.rows || !self.filled(column + c, row + r))
        };
        // Down from above the board, as long as the next row is free.
        let mut row = self.rows;
        while row > 0 && free(row - 1) {
            row -= 1;
        }
        (row + height(cells) <= self.rows).then_some(row)
    }

    /// Fills the cells of a piece.
    pub fn place(&mut self, cells: &Cells, column: usize, row: usize) {
        for (c, r) in cells {
            self.set(column + c, row + r, true);
        }
    }

    /// Removes the full rows and returns their numbers, the lowest first.
    pub fn clear_full_rows(&mut self) -> Vec<usize> {
        let (full, kept): (Vec<usize>, Vec<usize>) =
            (0..self.rows).partition(|&row| self.is_full(row));
        let mut cells = Vec::with_capacity(self.cells.len());
        for row in kept {
            cells.extend_from_slice(&self.cells[row * self.columns..][..self.columns]);
        }
        cells.resize(self.columns * self.rows, false);
        self.cells = cells;
        full
    }
}

/// Columns and rows of a board, as text `10x20`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    columns: u8,
    rows: u8,
}

impl Size {
    /// 10 columns and 20 rows: the size of research and of the wire.
    pub const STANDARD: Self = Self {
        columns: COLUMNS as u8,
        rows: ROWS as u8,
    };

    /// Minimum number of columns and of rows: an I fits in both rotations.
    pub const MIN: usize = 4;

    /// Maximum number of columns and of rows.
    pub const MAX: usize = 128;

    /// A size of `columns` columns and `rows` rows.
    ///
    /// # Errors
    /// When one of them is not 4 to 128.
    pub fn new(columns: usize, rows: usize) -> Result<Self, GameError> {
        if !Self::allowed(columns, rows) {
            let (min, max) = (Self::MIN, Self::MAX);
            return Err(GameError(format!(
                "the board is {columns}x{rows}, expected {min}x{min} to {max}x{max}"
            )));
        }
        Ok(Self::known(columns, rows))
    }

    const fn allowed(columns: usize, rows: usize) -> bool {
        columns >= Self::MIN && columns <= Self::MAX && rows >= Self::MIN && rows <= Self::MAX
    }

    /// A size that is checked at compile time.
    pub(super) const fn known(columns: usize, rows: usize) -> Self {
        assert!(Self::allowed(columns, rows));
        Self {
            columns: columns as u8,
            rows: rows as u8,
        }
    }

    /// Number of columns.
    #[inline]
    pub const fn columns(self) -> usize {
        self.columns as usize
    }

    /// Number of rows.
    #[inline]
    pub const fn rows(self) -> usize {
        self.rows as usize
    }
}

impl Default for Size {
    fn default() -> Self {
        Self::STANDARD
    }
}

impl FromStr for Size {
    type Err = GameError;

    fn from_str(text: &str) -> Result<Self, GameError> {
        let numbers = text.split_once(['x', '×']);
        let numbers = numbers.and_then(|(c, r)| Some((c.parse().ok()?, r.parse().ok()?)));
        let (columns, rows) = numbers.ok_or_else(|| {
            let expected = "expected columns x rows, such as 10x20";
            GameError(format!("'{text}' is not a board size, {expected}"))
        })?;
        Self::new(columns, rows)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}x{}", self.columns, self.rows))
    }
}

serde_as_text!(Size);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_parses_columns_by_rows() {
        let size: Size = "12x22".parse().unwrap();
        assert_eq!((size.columns(), size.rows()), (12, 22));
        assert_eq!(size.to_string(), "12x22");
        assert_eq!(Size::STANDARD.to_string(), "10x20");
    }

    #[test]
    fn size_invalid_text_errs() {
        let error = |text: &str| text.parse::<Size>().unwrap_err().to_string();
        assert!(error("10").contains("'10' is not a board size"));
        assert!(error("10x").contains("such as 10x20"));
        assert!(error("3x20").contains("the board is 3x20, expected 4x4"));
        assert!(error("10x129").contains("to 128x128"));
    }
}
