//! Indices of the features in arrays of weights and features, in the order of [`WEIGHT_FIELDS`].

use protocol::layout::tetris::WEIGHT_FIELDS;

/// The index of a feature, computed at compile time.
const fn number(name: &str) -> usize {
    let mut i = 0;
    while !WEIGHT_FIELDS[i]
        .name
        .as_bytes()
        .eq_ignore_ascii_case(name.as_bytes())
    {
        i += 1;
    }
    i
}

/// Twice the landing height: `2 * row + (piece height - 1)`.
pub(super) const LANDING_HEIGHT: usize = number("landing_height");
/// Rows removed times the piece's cells in them.
pub(super) const ERODED_CELLS: usize = number("eroded_cells");
/// Rows removed.
pub(super) const ROWS_CLEARED: usize = number("rows_cleared");
/// Changes between neighbouring cells of a row, walls filled, all rows.
pub(super) const ROW_TRANSITIONS: usize = number("row_transitions");
/// Changes between neighbouring cells of a column, floor filled, sky empty.
pub(super) const COLUMN_TRANSITIONS: usize = number("column_transitions");
/// Empty cells with a filled cell above them in the column.
pub(super) const HOLES: usize = number("holes");
/// For each well cell, 1 + the empty cells directly below it.
pub(super) const CUMULATIVE_WELLS: usize = number("cumulative_wells");
/// For each vertical run with a well cell, n(n+1)/2 from the topmost one down.
pub(super) const WELL_SUMS: usize = number("well_sums");
/// Filled cells in unbroken runs directly above a hole.
pub(super) const HOLE_DEPTH: usize = number("hole_depth");
/// Rows with at least one hole.
pub(super) const ROWS_WITH_HOLES: usize = number("rows_with_holes");
/// How many of -2..=2 occur among the differences of adjacent heights.
pub(super) const DIVERSITY: usize = number("diversity");
/// Sum of column heights.
pub(super) const AGGREGATE_HEIGHT: usize = number("aggregate_height");
/// Sum of absolute differences of adjacent heights.
pub(super) const BUMPINESS: usize = number("bumpiness");
/// Height of the tallest column.
pub(super) const MAX_HEIGHT: usize = number("max_height");
