//! The board as the fast paths use it: rows with walls, columns and heights.

use super::evaluate::{below, height};
use super::limits::{MAX_COLUMNS, PAD, full_row};
use super::shape::Shape;
use lockstep_games::tetris::{Board, Size};

/// Index of row 0 in [`Stack::rows`]: the start of a cache line.
pub(super) const ROW: usize = 32;
/// Minimum height of a wall: far above all heights of columns.
const WALL_HEIGHT: i32 = 1000;

/// A board without full rows, updated move by move.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Stack {
    /// Row r at index r + [`ROW`], column c at bit c + [`PAD`]; walls are filled. The floor is at
    /// index [`ROW`] - 1; rows above the board are empty.
    pub rows: [u16; 96],
    /// Column c at index c + [`PAD`], bit r = row r; walls have every bit set.
    pub columns: [u32; 16],
    /// Heights, indexed as `columns`; walls are at least [`WALL_HEIGHT`] high, and differ.
    pub heights: [i32; 16],
    /// All ones in the columns that are walls.
    pub wall_columns: [u32; 16],
    /// Heights of the walls, 0 elsewhere.
    pub wall_heights: [i32; 16],
    /// Size of the board.
    pub size: Size,
}

impl Stack {
    /// An empty board.
    pub(super) fn empty(size: Size) -> Stack {
        let mut stack = Stack {
            rows: [walls(size); 96],
            columns: [u32::MAX; 16],
            heights: std::array::from_fn(|i| WALL_HEIGHT + 100 * i as i32),
            wall_columns: [u32::MAX; 16],
            wall_heights: std::array::from_fn(|i| WALL_HEIGHT + 100 * i as i32),
            size,
        };
        stack.rows[ROW - 1] = u16::MAX;
        let columns = PAD..PAD + size.columns();
        stack.columns[columns.clone()].fill(0);
        stack.wall_columns[columns.clone()].fill(0);
        stack.heights[columns.clone()].fill(0);
        stack.wall_heights[columns].fill(0);
        stack
    }

    /// The stack of a board of `size`; `None` if the board has a full row.
    pub(super) fn from_board(board: &Board, size: Size) -> Option<Stack> {
        let columns = super::brute::columns(board);
        let full = super::evaluate::full_rows(&columns, size);
        (full == 0).then(|| Stack::from_columns(size, &columns[..size.columns()]))
    }

    /// The stack with these columns, bit r = row r, without a full row.
    pub(super) fn from_columns(size: Size, columns: &[u32]) -> Stack {
        let mut stack = Stack::empty(size);
        for (c, &word) in columns.iter().enumerate() {
            stack.columns[c + PAD] = word;
            stack.heights[c + PAD] = height(word);
            let mut left = word;
            while left != 0 {
                stack.rows[ROW + left.trailing_zeros() as usize] |= 1 << (c + PAD);
                left &= left - 1;
            }
        }
        stack
    }

    /// Replaces the board by one of the same size with these rows, bit c = column c; rows above the
    /// board are ignored. Returns whether one is full; `None` if one has a cell right of the board.
    ///
    /// `columns` is [`columns`], or does the same faster.
    #[inline(always)]
    pub(super) fn load(
        &mut self,
        rows: &[u16; 32],
        columns: impl FnOnce(&[u16; 32]) -> [u32; 16],
    ) -> Option<bool> {
        let (walls, board) = (walls(self.size), full_row(self.size));
        let (mut outside, mut has_full_row) = (0, false);
        let mut walled = *rows;
        for (r, word) in walled.iter_mut().enumerate() {
            *word = if r < self.size.rows() { *word } else { 0 };
            outside |= *word & !board;
            *word = *word << PAD | walls;
            has_full_row |= *word == u16::MAX;
        }
        self.rows[ROW..ROW + 32].copy_from_slice(&walled);
        self.columns = columns(&walled);
        for c in PAD..PAD + self.size.columns() {
            self.heights[c] = height(self.columns[c]);
        }
        (outside == 0).then_some(has_full_row)
    }

    /// Four rows from `row` up, 16 bits each.
    #[inline(always)]
    pub(super) fn window(&self, row: i32) -> u64 {
        let at = (row as usize & 31) + ROW;
        let rows: [u16; 4] = [
            self.rows[at],
            self.rows[at + 1],
            self.rows[at + 2],
            self.rows[at + 3],
        ];
        u64::from(rows[0])
            | u64::from(rows[1]) << 16
            | u64::from(rows[2]) << 32
            | u64::from(rows[3]) << 48
    }

    /// Row on which `shape` comes to rest at column `x`.
    #[inline(always)]
    pub(super) fn landing(&self, shape: &Shape, x: usize) -> i32 {
        let mut row = 0;
        for i in 0..shape.width {
            row = row.max(self.heights[(x + i + PAD) & 15] - shape.bottom[i]);
        }
        row
    }

    /// Adds `shape` at column `x` and row `row`, removes full rows and returns their number.
    #[inline(always)]
    pub(super) fn place(&mut self, shape: &Shape, x: usize, row: i32) -> u32 {
        let mut full = 0;
        for k in 0..4 {
            let at = (row as usize & 31) + ROW + k;
            self.rows[at] |= shape.rows[k] << (x + PAD);
            full |= u32::from(self.rows[at] == u16::MAX) << k;
        }
        for i in 0..4 {
            // Columns right of the piece get no cells; their height does not change.
            let at = (x + i + PAD) & 15;
            self.columns[at] |= shape.columns[i] << (row & 31);
            self.heights[at] = if i < shape.width {
                row + shape.top[i]
            } else {
                self.heights[at]
            };
        }
        if full != 0 {
            self.remove(full, row);
        }
        full.count_ones()
    }

    /// Removes the rows `row + k` for the bits k of `full`.
    fn remove(&mut self, full: u32, row: i32) {
        let (start, end) = (row as usize + ROW, self.size.rows() + ROW);
        let mut to = start;
        for from in start..end {
            self.rows[to] = self.rows[from];
            to += usize::from(self.rows[from] != u16::MAX);
        }
        self.rows[to..end].fill(walls(self.size));
        let mut left = full << row;
        while left != 0 {
            let keep = below(height(left) - 1);
            left &= keep;
            for word in &mut self.columns[PAD..PAD + MAX_COLUMNS] {
                *word = *word & keep | *word >> 1 & !keep;
            }
        }
        for c in PAD..PAD + MAX_COLUMNS {
            if c < PAD + self.size.columns() {
                self.heights[c] = height(self.columns[c]);
            } else {
                self.columns[c] = u32::MAX;
            }
        }
    }
}

/// The columns of 32 rows: bit r of column c is bit c of row r.
#[inline(always)]
pub(super) fn columns(rows: &[u16; 32]) -> [u32; 16] {
    // Two squares side by side: rows 0 to 15 in the low halves, the others in the high halves.
    let mut words: [u32; 16] =
        std::array::from_fn(|r| u32::from(rows[r]) | u32::from(rows[r + 16]) << 16);
    for (side, low) in [
        (8, 0x00ff_00ff),
        (4, 0x0f0f_0f0f),
        (2, 0x3333_3333),
        (1, 0x5555_5555),
    ] {
        // In each square of twice this side, swaps the upper right quarter with the lower left one.
        for upper in (0..16).filter(|row| row & side == 0) {
            let lower = upper + side;
            let differ = (words[upper] >> side ^ words[lower]) & low;
            words[lower] ^= differ;
            words[upper] ^= differ << side;
        }
    }
    words
}

/// An empty row with its walls.
pub(super) fn walls(size: Size) -> u16 {
    !(full_row(size) << PAD)
}
