//! Feature numbers: places in the arrays of weights and features, those of
//! `protocol::layout::tetris::WEIGHT_FIELDS`.

/// Twice the landing height: `2 * row + (piece height - 1)`.
pub(super) const LANDING_HEIGHT: usize = 0;
/// Rows removed times the piece's cells in them.
pub(super) const ERODED_CELLS: usize = 1;
/// Rows removed.
pub(super) const ROWS_CLEARED: usize = 2;
/// Changes between neighbouring cells of a row, walls filled, all rows.
pub(super) const ROW_TRANSITIONS: usize = 3;
/// Changes between neighbouring cells of a column, floor filled, sky empty.
pub(super) const COLUMN_TRANSITIONS: usize = 4;
/// Empty cells with a filled cell above them in the column.
pub(super) const HOLES: usize = 5;
/// For each well cell, 1 + the empty cells directly below it.
pub(super) const CUMULATIVE_WELLS: usize = 6;
/// For each vertical run with a well cell, n(n+1)/2 from the topmost one down.
pub(super) const WELL_SUMS: usize = 7;
/// Filled cells in unbroken runs directly above a hole.
pub(super) const HOLE_DEPTH: usize = 8;
/// Rows with at least one hole.
pub(super) const ROWS_WITH_HOLES: usize = 9;
/// How many of -2..=2 occur among the differences of adjacent heights.
pub(super) const DIVERSITY: usize = 10;
/// Sum of column heights.
pub(super) const AGGREGATE_HEIGHT: usize = 11;
/// Sum of absolute differences of adjacent heights.
pub(super) const BUMPINESS: usize = 12;
/// Height of the tallest column.
pub(super) const MAX_HEIGHT: usize = 13;

// The numbers are those of the wire.
const _: () = {
    use protocol::layout::tetris::WEIGHT_FIELDS;
    const fn is(number: usize, name: &str) {
        let (a, b) = (WEIGHT_FIELDS[number].name.as_bytes(), name.as_bytes());
        assert!(a.len() == b.len());
        let mut i = 0;
        while i < a.len() {
            assert!(a[i] == b[i]);
            i += 1;
        }
    }
    assert!(WEIGHT_FIELDS.len() == MAX_HEIGHT + 1);
    is(LANDING_HEIGHT, "landing_height");
    is(ERODED_CELLS, "eroded_cells");
    is(ROWS_CLEARED, "rows_cleared");
    is(ROW_TRANSITIONS, "row_transitions");
    is(COLUMN_TRANSITIONS, "column_transitions");
    is(HOLES, "holes");
    is(CUMULATIVE_WELLS, "cumulative_wells");
    is(WELL_SUMS, "well_sums");
    is(HOLE_DEPTH, "hole_depth");
    is(ROWS_WITH_HOLES, "rows_with_holes");
    is(DIVERSITY, "diversity");
    is(AGGREGATE_HEIGHT, "aggregate_height");
    is(BUMPINESS, "bumpiness");
    is(MAX_HEIGHT, "max_height");
};
