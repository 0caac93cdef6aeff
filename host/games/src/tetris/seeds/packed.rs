//! A board of one integer a column, for programs that look at columns.

use crate::tetris::board::Board;
use crate::tetris::piece::{self, Cells, Piece};
use crate::tetris::size::Size;

/// Most columns and rows of a packed board.
const MAX: (usize, usize) = (16, 31);

/// A board; bit r of a column is its row r.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Columns {
    width: usize,
    rows: usize,
    bits: [u32; MAX.0],
}

/// A candidate: where a piece comes to rest and the board with it, full rows
/// still there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    /// Rotation number.
    pub rotation: usize,
    /// Leftmost column of the piece.
    pub column: usize,
    /// Landing row: the piece's bottom row.
    pub row: usize,
    /// Height of the piece in that rotation.
    pub piece_height: usize,
    /// The board with the piece in it.
    pub board: Columns,
}

impl Columns {
    /// An empty board; at most 16 columns and 31 rows.
    pub(super) const fn empty(width: usize, rows: usize) -> Self {
        Self {
            width,
            rows,
            bits: [0; MAX.0],
        }
    }

    /// Whether a board of that size is small enough: at most 16 columns and 31
    /// rows.
    pub(super) fn hold(size: Size) -> bool {
        size.columns() <= MAX.0 && size.rows() <= MAX.1
    }

    /// The board, when it is small enough: at most 16 columns and 31 rows.
    pub(super) fn of(board: &Board) -> Option<Self> {
        let (width, rows) = (board.columns(), board.rows());
        if width > MAX.0 || rows > MAX.1 {
            return None;
        }
        let mut bits = [0; MAX.0];
        for (column, bits) in bits.iter_mut().enumerate().take(width) {
            *bits = (0..rows)
                .map(|row| u32::from(board.filled(column, row)) << row)
                .sum();
        }
        Some(Self { width, rows, bits })
    }

    /// As a plain board.
    pub(super) fn to_board(self) -> Board {
        let mut board = Board::new(self.width, self.rows);
        for (column, bits) in self.columns().iter().enumerate() {
            for row in 0..self.rows {
                board.set(column, row, bits >> row & 1 == 1);
            }
        }
        board
    }

    /// Its columns, left to right.
    pub(super) fn columns(&self) -> &[u32] {
        &self.bits[..self.width]
    }

    /// A bit for every row.
    pub(super) fn all_rows(&self) -> u32 {
        (1 << self.rows) - 1
    }

    /// Fills a row's bits with those of another row, or empties it.
    pub(super) fn overwrite_row(&mut self, row: usize, with: Option<usize>) {
        for bits in &mut self.bits[..self.width] {
            let bit = with.map_or(0, |from| *bits >> from & 1);
            *bits = *bits & !(1 << row) | bit << row;
        }
    }

    /// The rows in which every cell is filled, as bits.
    pub(super) fn full_rows(&self) -> u32 {
        self.columns().iter().fold(self.all_rows(), |a, b| a & b)
    }

    /// Removes the full rows and returns how many they were.
    pub(super) fn clear_full_rows(&mut self) -> usize {
        let full = self.full_rows();
        for row in (0..self.rows).rev().filter(|row| full >> row & 1 == 1) {
            let below = (1 << row) - 1;
            for bits in &mut self.bits[..self.width] {
                *bits = *bits & below | *bits >> 1 & !below;
            }
        }
        full.count_ones() as usize
    }

    /// Whether a piece with its lower left corner at that column and row, inside
    /// the board, overlaps no filled cell.
    pub(super) fn free(&self, cells: &Cells, column: usize, row: usize) -> bool {
        let filled = |(c, r): &(usize, usize)| self.bits[column + c] >> (row + r) & 1 == 1;
        !cells.iter().any(filled)
    }

    /// Fills a resting piece's cells.
    pub(super) fn place(&mut self, cells: &Cells, column: usize, row: usize) {
        for (c, r) in cells {
            self.bits[column + c] |= 1 << (row + r);
        }
    }

    /// Landing row of a piece dropped from above, `None` when some of it would
    /// lie above the board. The piece fits between the walls.
    fn landing_row(&self, cells: &Cells, column: usize) -> Option<usize> {
        // The lowest row at which each cell lies above its column's top.
        let lowest = |&(c, r): &(usize, usize)| height(self.bits[column + c]).saturating_sub(r);
        let row = cells.iter().map(lowest).max()?;
        (row + piece::height(cells) <= self.rows).then_some(row)
    }

    /// Every legal placement, rotations in the order given, then columns from
    /// the left.
    pub(super) fn candidates(
        self,
        piece: Piece,
        rotations: &[usize],
    ) -> impl Iterator<Item = Candidate> {
        rotations.iter().flat_map(move |&rotation| {
            let cells = &piece.rotations()[rotation];
            let columns = 0..(self.width + 1).saturating_sub(piece::width(cells));
            columns.filter_map(move |column| {
                let row = self.landing_row(cells, column)?;
                let mut board = self;
                board.place(cells, column, row);
                Some(Candidate {
                    rotation,
                    column,
                    row,
                    piece_height: piece::height(cells),
                    board,
                })
            })
        })
    }
}

/// Height of a column: its topmost filled row + 1, 0 when empty.
pub(super) fn height(column: u32) -> usize {
    (u32::BITS - column.leading_zeros()) as usize
}

/// Bits of the cells that lie below a filled cell of the column.
pub(super) fn below_top(column: u32) -> u32 {
    (1 << height(column)) - 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tetris::golden;

    proptest! {
        /// Landing rows, placed boards and cleared boards are those of the
        /// golden model, for every legal placement and no other.
        #[test]
        fn packed_boards_agree_with_plain_ones(
            rows in prop::collection::vec(0u64..1024, 12),
            full in prop::collection::vec(any::<bool>(), 12),
            number in 0u8..7,
        ) {
            let mut rows: Vec<u64> = rows
                .iter()
                .zip(full)
                .map(|(row, full)| if full { 1023 } else { *row })
                .collect();
            rows.resize(16, 0);
            let board = Board::from_rows(10, &rows).unwrap();
            let packed = Columns::of(&board).unwrap();
            prop_assert_eq!(packed.to_board(), board.clone());

            let piece = Piece::from_number(number).unwrap();
            let order: Vec<usize> = (0..piece.rotations().len()).collect();
            let ours: Vec<_> = packed
                .candidates(piece, &order)
                .map(|mut c| {
                    let cleared = c.board.clear_full_rows();
                    (c.rotation, c.column, c.row, cleared as i64, c.board.to_board())
                })
                .collect();
            let golden: Vec<_> = golden::placements(&board, piece)
                .map(|c| (c.rotation, c.column, c.row, c.features.rows_cleared, c.after))
                .collect();
            prop_assert_eq!(ours, golden);
        }
    }

    #[test]
    fn a_board_too_large_is_refused() {
        assert!(Columns::of(&Board::new(96, 64)).is_none());
        assert!(Columns::of(&Board::new(10, 32)).is_none());
        assert!(Columns::of(&Board::new(16, 31)).is_some());
    }
}
