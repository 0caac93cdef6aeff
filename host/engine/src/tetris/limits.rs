//! The largest boards of the engine, and masks of full rows and columns.

use lockstep_games::tetris::board::Size;

/// Maximum number of columns: with two columns of wall on each side they fill a 16-bit row.
pub(super) const MAX_COLUMNS: usize = 12;
/// Maximum number of rows: a column is one 32-bit word.
pub(super) const MAX_ROWS: usize = 32;

/// Columns of wall left of column 0 in a stack's columns, heights and rows.
pub(super) const PAD: usize = 2;

pub(super) const fn fits(size: Size) -> bool {
    size.columns() <= MAX_COLUMNS && size.rows() <= MAX_ROWS
}

/// A row with every cell filled, bit c = column c.
#[inline(always)]
pub(super) const fn full_row(size: Size) -> u16 {
    ((1u32 << size.columns()) - 1) as u16
}

/// A column with every cell filled, bit r = row r.
#[inline(always)]
pub(super) const fn full_column(size: Size) -> u32 {
    ((1u64 << size.rows()) - 1) as u32
}
