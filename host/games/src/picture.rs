//! Pictures: a position as a grid of cells with colours and marks.
//!
//! A view, such as a terminal or a web page, draws a picture without knowing the game.

use serde::Serialize;

/// A grid of cells, the topmost row first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Picture {
    columns: usize,
    cells: Vec<Cell>,
    /// Whether row 0 is the lowest row instead of the topmost.
    pub bottom_up: bool,
    /// Notes of one line each, such as the next piece or the side to move.
    pub notes: Vec<String>,
}

/// A cell of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// The character for a text view, one column wide.
    pub sign: char,
    /// The colour.
    pub colour: Colour,
    /// Whether the decision concerns this cell.
    pub marked: bool,
}

impl Cell {
    /// An empty cell.
    pub const EMPTY: Self = Self::new('.', Colour::Empty);

    /// A cell that is not marked.
    pub const fn new(sign: char, colour: Colour) -> Self {
        Self {
            sign,
            colour,
            marked: false,
        }
    }
}

/// A colour, by name for views with few colours, or as RGB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Colour {
    Empty,
    Grey,
    Cyan,
    Yellow,
    Purple,
    Green,
    Red,
    Blue,
    Orange,
    Black,
    White,
}

impl Colour {
    /// Red, green and blue, 0 to 255 each.
    pub const fn rgb(self) -> [u8; 3] {
        match self {
            Self::Empty => [24, 24, 28],
            Self::Grey => [128, 128, 136],
            Self::Cyan => [0, 188, 212],
            Self::Yellow => [240, 196, 25],
            Self::Purple => [156, 80, 200],
            Self::Green => [76, 175, 80],
            Self::Red => [229, 57, 53],
            Self::Blue => [48, 99, 235],
            Self::Orange => [245, 130, 32],
            Self::Black => [0, 0, 0],
            Self::White => [255, 255, 255],
        }
    }
}

impl Picture {
    /// A picture of empty cells.
    pub fn empty(columns: usize, rows: usize) -> Self {
        Self {
            columns,
            cells: vec![Cell::EMPTY; columns * rows],
            bottom_up: false,
            notes: Vec::new(),
        }
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.cells.len().checked_div(self.columns).unwrap_or(0)
    }

    /// The rows of cells, the topmost first.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &[Cell]> + ExactSizeIterator {
        self.cells.chunks_exact(self.columns.max(1))
    }

    /// The cell at a column and a row of the game; `None` outside the picture.
    pub fn cell(&mut self, column: usize, row: usize) -> Option<&mut Cell> {
        let rows = self.rows();
        if column >= self.columns || row >= rows {
            return None;
        }
        let line = if self.bottom_up { rows - 1 - row } else { row };
        self.cells.get_mut(line * self.columns + column)
    }

    /// The row of the game that is shown in a line; the topmost line is line 0.
    pub fn row_of_line(&self, line: usize) -> usize {
        match self.bottom_up {
            true => (self.rows().saturating_sub(1)).saturating_sub(line),
            false => line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_differ() {
        use Colour::{Black, Blue, Cyan, Empty, Green, Grey, Orange, Purple, Red, White, Yellow};
        let all = [
            Empty, Grey, Cyan, Yellow, Purple, Green, Red, Blue, Orange, Black, White,
        ];
        let different: std::collections::BTreeSet<_> = all.iter().map(|c| c.rgb()).collect();
        assert_eq!(different.len(), all.len());
    }

    #[test]
    fn picture_bottom_up_reverses_rows() {
        for (bottom_up, line) in [(false, 0), (true, 2)] {
            let mut picture = Picture::empty(4, 3);
            picture.bottom_up = bottom_up;
            if let Some(cell) = picture.cell(1, 0) {
                cell.sign = 'x';
            }
            let found: Vec<usize> = (0..3)
                .filter(|&l| picture.lines().nth(l).is_some_and(|row| row[1].sign == 'x'))
                .collect();
            assert_eq!(found, [line]);
            let rows = [0, 1, 2].map(|line| picture.row_of_line(line));
            assert_eq!(rows, if bottom_up { [2, 1, 0] } else { [0, 1, 2] });
            assert!(picture.cell(4, 0).is_none() && picture.cell(0, 3).is_none());
        }
    }
}
