//! The wall and the pieces of the program [`super::led`].

use crate::tetris::piece::{height, width};
use crate::tetris::{Board, Cells, Piece};

/// The rotations in the order in which the program tries them and turns pieces.
pub(super) fn rotation_order(piece: Piece) -> &'static [usize] {
    match piece {
        Piece::I => &[1, 0],
        Piece::O => &[0],
        Piece::S | Piece::Z => &[0, 1],
        Piece::T | Piece::J => &[0, 1, 2, 3],
        Piece::L => &[0, 3, 2, 1],
    }
}

/// The column where a piece appears in a game with the middle column `middle`.
pub(super) fn home(piece: Piece, middle: usize) -> usize {
    match piece {
        Piece::I => middle.saturating_sub(2),
        Piece::O => middle,
        _ => middle.saturating_sub(1),
    }
}

/// The wall: rows from the top; bit c is column c.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wall {
    pub columns: usize,
    pub rows: Vec<u128>,
}

/// The place of a piece: rotation, leftmost column and topmost row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub rotation: usize,
    pub x: usize,
    pub y: usize,
}

impl Place {
    pub(super) fn cells(self, piece: Piece) -> &'static Cells {
        &piece.rotations()[self.rotation]
    }
}

impl Wall {
    /// The wall of a board; `None` if it has more than 128 columns.
    pub(super) fn of(board: &Board) -> Option<Self> {
        let (columns, height) = (board.columns(), board.rows());
        let cells = |row| (0..columns).map(move |c| u128::from(board.filled(c, row)) << c);
        (columns <= 128).then(|| Self {
            columns,
            rows: (0..height).rev().map(|row| cells(row).sum()).collect(),
        })
    }

    pub(super) fn to_board(&self) -> Board {
        let rows = self.rows.len();
        Board::from_cells(self.columns, rows, |column, row| {
            self.rows[rows - 1 - row] >> column & 1 == 1
        })
    }

    /// The cells of a piece: row from the top, and bit of the column.
    fn bits(piece: Piece, place: Place) -> impl Iterator<Item = (usize, u128)> {
        let cells = place.cells(piece);
        let bottom = place.y + height(cells) - 1;
        cells
            .iter()
            .map(move |(c, r)| (bottom - r, 1 << (place.x + c)))
    }

    /// Whether a piece lies inside the wall and overlaps no filled cell.
    pub(super) fn free(&self, piece: Piece, place: Place) -> bool {
        let cells = place.cells(piece);
        place.x + width(cells) <= self.columns
            && place.y + height(cells) <= self.rows.len()
            && Self::bits(piece, place).all(|(row, bit)| self.rows[row] & bit == 0)
    }

    pub(super) fn place(&mut self, piece: Piece, place: Place) {
        for (row, bit) in Self::bits(piece, place) {
            self.rows[row] |= bit;
        }
    }

    pub(super) fn is_full(&self, row: usize) -> bool {
        self.rows[row].count_ones() as usize == self.columns
    }

    /// Removes a row; the rows above it move down.
    pub(super) fn remove(&mut self, row: usize) {
        self.rows.remove(row);
        self.rows.insert(0, 0);
    }

    /// Lowers a piece as long as the next row is free, without a check of its first place.
    pub(super) fn drop(&self, piece: Piece, mut place: Place) -> Place {
        loop {
            let lower = Place {
                y: place.y + 1,
                ..place
            };
            if !self.free(piece, lower) {
                return place;
            }
            place = lower;
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A wall of 6 columns and 8 rows, from rows counted from the bottom.
    pub(in super::super) fn wall(rows: &[u64]) -> Wall {
        let mut rows = rows.to_vec();
        rows.resize(8, 0);
        Wall::of(&Board::from_rows(6, &rows).unwrap()).unwrap()
    }
}
