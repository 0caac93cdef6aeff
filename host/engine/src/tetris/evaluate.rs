//! Evaluates all features of a board from its column words; [`feature`] defines them.

use super::feature;
use super::limits::{MAX_COLUMNS, full_column};
use lockstep_games::tetris::{FEATURES, Size};

/// The column words of a board: bit r is row r; words after the last column are 0.
pub(super) type Columns = [u32; MAX_COLUMNS];

/// Height of a column word: its topmost filled row + 1.
#[inline(always)]
pub(super) fn height(word: u32) -> i32 {
    32 - word.leading_zeros() as i32
}

/// A mask of the `n` lowest rows, `n <= 32`.
#[inline(always)]
pub(super) fn below(n: i32) -> u32 {
    ((1u64 << n) - 1) as u32
}

/// Cumulative wells of a column given its well cells.
#[inline(always)]
pub(super) fn cumulative_wells(word: u32, wells: u32) -> i32 {
    let (mut cells, mut sum) = (wells, 0);
    while cells != 0 {
        sum += cells.count_ones() as i32;
        cells = cells >> 1 & !word;
    }
    sum
}

/// Well sums of a column given its well cells.
#[inline(always)]
pub(super) fn well_sums(word: u32, wells: u32) -> i32 {
    let (mut cells, mut sum) = (wells, 0);
    while cells != 0 {
        let top = height(cells);
        let floor = height(word & below(top));
        let n = top - floor;
        sum += n * (n + 1) / 2;
        cells &= below(floor);
    }
    sum
}

/// Evaluates the features of a board; the three features of a move stay 0.
pub(super) fn evaluate(columns: &Columns, size: Size) -> [i32; FEATURES] {
    let mut f = [0; FEATURES];
    let full = full_column(size);
    let (mut left, mut holed, mut seen) = (full, 0, 0u32);
    let width = size.columns();
    for c in 0..width {
        let word = columns[c];
        let right = if c + 1 < width { columns[c + 1] } else { full };
        let (h, filled) = (height(word), word.count_ones() as i32);
        let wells = !word & left & right;
        let long = u64::from(word);
        f[feature::ROW_TRANSITIONS] += (left ^ word).count_ones() as i32;
        f[feature::COLUMN_TRANSITIONS] += (long ^ (long << 1 | 1)).count_ones() as i32;
        f[feature::HOLES] += h - filled;
        f[feature::CUMULATIVE_WELLS] += cumulative_wells(word, wells);
        f[feature::WELL_SUMS] += well_sums(word, wells);
        // Every run of filled cells that does not reach the floor is over a hole.
        f[feature::HOLE_DEPTH] += filled - word.trailing_ones() as i32;
        holed |= !word & below(h);
        f[feature::AGGREGATE_HEIGHT] += h;
        f[feature::MAX_HEIGHT] = f[feature::MAX_HEIGHT].max(h);
        if c + 1 < width {
            let step = h - height(right);
            f[feature::BUMPINESS] += step.abs();
            seen |= diversity_bit(step);
        }
        left = word;
    }
    f[feature::ROW_TRANSITIONS] += (left ^ full).count_ones() as i32;
    f[feature::ROWS_WITH_HOLES] = holed.count_ones() as i32;
    f[feature::DIVERSITY] = seen.count_ones() as i32;
    f
}

/// One of the bits 0 to 4 for a height difference of -2 to 2, otherwise 0.
#[inline(always)]
pub(super) const fn diversity_bit(step: i32) -> u32 {
    if -2 <= step && step <= 2 {
        1 << (step + 2)
    } else {
        0
    }
}

/// Removes the rows `full` from every column; the rows above fall.
pub(super) fn remove_rows(columns: &mut Columns, full: u32) {
    let mut left = full;
    while left != 0 {
        let row = height(left) - 1;
        left ^= 1 << row;
        let keep = below(row);
        for word in columns.iter_mut() {
            *word = *word & keep | *word >> 1 & !keep;
        }
    }
}

/// The rows that are filled in every column.
pub(super) fn full_rows(columns: &Columns, size: Size) -> u32 {
    let mut rows = full_column(size);
    for word in &columns[..size.columns()] {
        rows &= word;
    }
    rows
}
