//! Boards with one integer for each column, for programs that work on columns.

use crate::tetris::piece;
use crate::tetris::{Board, Cells, Piece, Placement, Score, Size};

/// Maximum number of columns and of rows.
const MAX: (usize, usize) = (16, 31);

/// A board of columns; bit r of a column is row r.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Columns {
    width: usize,
    rows: usize,
    bits: [u32; MAX.0],
}

/// A legal placement, and the board with the piece before full rows are removed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    /// Rotation number.
    pub rotation: usize,
    /// Leftmost column of the piece.
    pub column: usize,
    /// Landing row: the bottom row of the piece.
    pub row: usize,
    /// Height of the piece in this rotation.
    pub piece_height: usize,
    /// The board with the piece.
    pub board: Columns,
}

impl Columns {
    /// An empty board of at most 16 columns and 31 rows.
    pub(super) const fn empty(width: usize, rows: usize) -> Self {
        Self {
            width,
            rows,
            bits: [0; MAX.0],
        }
    }

    /// Whether boards of a size have at most 16 columns and 31 rows.
    pub(super) fn hold(size: Size) -> bool {
        size.columns() <= MAX.0 && size.rows() <= MAX.1
    }

    /// The columns of a board; `None` if it has more than 16 columns or 31 rows.
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

    /// The plain board.
    pub(super) fn to_board(self) -> Board {
        let filled = |column: usize, row: usize| self.bits[column] >> row & 1 == 1;
        Board::from_cells(self.width, self.rows, filled)
    }

    /// The columns, from left to right.
    pub(super) fn columns(&self) -> &[u32] {
        &self.bits[..self.width]
    }

    /// A mask of all rows.
    pub(super) fn all_rows(&self) -> u32 {
        (1 << self.rows) - 1
    }

    /// Replaces a row by a copy of another row, or empties it.
    pub(super) fn overwrite_row(&mut self, row: usize, with: Option<usize>) {
        for bits in &mut self.bits[..self.width] {
            let bit = with.map_or(0, |from| *bits >> from & 1);
            *bits = *bits & !(1 << row) | bit << row;
        }
    }

    /// A mask of the full rows.
    pub(super) fn full_rows(&self) -> u32 {
        self.columns().iter().fold(self.all_rows(), |a, b| a & b)
    }

    /// Removes the full rows and returns their number.
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

    /// Whether a piece inside the board overlaps no filled cell.
    pub(super) fn free(&self, cells: &Cells, column: usize, row: usize) -> bool {
        let filled = |(c, r): &(usize, usize)| self.bits[column + c] >> (row + r) & 1 == 1;
        !cells.iter().any(filled)
    }

    /// Fills the cells of a piece.
    pub(super) fn place(&mut self, cells: &Cells, column: usize, row: usize) {
        for (c, r) in cells {
            self.bits[column + c] |= 1 << (row + r);
        }
    }

    /// The landing row of a piece between the walls; `None` if it would extend above the board.
    fn landing_row(&self, cells: &Cells, column: usize) -> Option<usize> {
        // The lowest row at which a cell lies above the top of its column.
        let lowest = |&(c, r): &(usize, usize)| height(self.bits[column + c]).saturating_sub(r);
        let row = cells.iter().map(lowest).max()?;
        (row + piece::height(cells) <= self.rows).then_some(row)
    }

    /// The legal placements, by rotation in the order given, then by column.
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

/// The first candidate with the highest value; `score` is the score of a value.
pub(super) fn best<T: PartialOrd>(
    valued: impl Iterator<Item = (T, Candidate)>,
    score: fn(T) -> Score,
) -> Option<Placement> {
    let (value, chosen) = valued.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    Some(Placement {
        rotation: chosen.rotation,
        column: chosen.column,
        row: chosen.row,
        rows_cleared: chosen.board.full_rows().count_ones() as usize,
        score: score(value),
    })
}

/// Height of a column: its topmost filled row + 1, or 0.
pub(super) fn height(column: u32) -> usize {
    (u32::BITS - column.leading_zeros()) as usize
}

/// A mask of the cells up to the topmost filled cell of a column.
pub(super) fn below_top(column: u32) -> u32 {
    (1 << height(column)) - 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tetris::golden;

    proptest! {
        /// Placements and resulting boards are as in the golden model.
        #[test]
        fn candidates_agree_with_golden_model(
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
    fn of_too_large_board_is_none() {
        assert!(Columns::of(&Board::new(96, 64)).is_none());
        assert!(Columns::of(&Board::new(10, 32)).is_none());
        assert!(Columns::of(&Board::new(16, 31)).is_some());
    }
}
