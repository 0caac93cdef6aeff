//! The change of the features by removing full rows.
//!
//! When a full row is removed, its two neighbours meet. If they have no empty cell in a common
//! column, then no hole is uncovered and no well deepens, and the corrections are simple.

use super::evaluate::{Columns, below, diversity_bit, height, remove_rows, well_sums};
use super::feature;
use super::limits::PAD;
use super::scale::Formulas;
use super::shape::Shape;
use super::stack::{ROW, Stack};
use lockstep_games::tetris::features::FEATURES;

/// The rows a placement removes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Removal {
    pub removed: i32,
    /// Number of rows times the piece's cells in them.
    pub eroded: i32,
    /// The rows, bit k = row k of the piece.
    pub full: u32,
    /// Columns of the board in which two rows that meet are both empty.
    pub joined: u16,
}

impl Removal {
    /// The rows that `shape` at column `x` and row `row` fills.
    #[inline(always)]
    pub(super) fn new(stack: &Stack, shape: &Shape, x: usize, row: i32) -> Removal {
        let at = (row as usize & 31) + ROW;
        let filled = |k: usize| stack.rows[at + k] | shape.rows[k] << (x + PAD);
        let (mut removed, mut eroded, mut joined, mut full) = (0, 0, 0, 0);
        let mut under = stack.rows[at - 1];
        for k in 0..shape.height & 7 {
            let own = filled(k & 3);
            if own == u16::MAX {
                removed += 1;
                full |= 1 << k;
                eroded += shape.rows[k & 3].count_ones() as i32;
                let over = if k + 1 < shape.height {
                    filled((k + 1) & 3)
                } else {
                    stack.rows[at + k + 1]
                };
                joined |= !under & !over;
            } else {
                under = own;
            }
        }
        Removal {
            removed,
            eroded: removed * eroded,
            full,
            joined,
        }
    }

    /// The correction of the features measured as if full rows stayed, for the formulas of `F`.
    #[inline(always)]
    pub(super) fn correction<F: Formulas>(
        &self,
        stack: &Stack,
        shape: &Shape,
        x: usize,
        row: i32,
    ) -> [i32; FEATURES] {
        let mut f = [0; FEATURES];
        f[feature::ERODED_CELLS] = self.eroded;
        f[feature::ROWS_CLEARED] = self.removed;
        f[feature::ROW_TRANSITIONS] = 2 * self.removed;
        if F::COVER {
            f[feature::HOLE_DEPTH] = -hanging(stack, shape, x, row);
        }
        if F::SILHOUETTE {
            f[feature::AGGREGATE_HEIGHT] = -self.removed * stack.size.columns() as i32;
            f[feature::MAX_HEIGHT] = -self.removed;
        }
        if self.joined != 0 {
            self.join::<F>(stack, shape, x, row, &mut f);
        }
        f
    }

    /// Adds the changes in the columns in which empty cells meet.
    ///
    /// Wells deepen by the empty cells below. When the topmost cell of a column is removed, the
    /// empty cells under it become open.
    #[inline(never)]
    fn join<F: Formulas>(
        &self,
        stack: &Stack,
        shape: &Shape,
        x: usize,
        row: i32,
        f: &mut [i32; FEATURES],
    ) {
        let with_piece = |c: usize| {
            let i = c.wrapping_sub(x + PAD);
            let cells = if i < shape.width { shape.columns[i] } else { 0 };
            stack.columns[c & 15] | cells << (row & 31)
        };
        let mut uncovered = 0;
        let mut columns = self.joined;
        while columns != 0 {
            let c = columns.trailing_zeros() as usize;
            columns &= columns - 1;
            let mut word = with_piece(c);
            let mut wells = !word & with_piece(c - 1) & with_piece(c + 1);
            if F::SUMS {
                f[feature::WELL_SUMS] -= well_sums(word, wells);
            }
            let mut full = self.full;
            while full != 0 {
                // From the top row down, so that removed rows do not move the others.
                let k = row + height(full) - 1;
                full &= below(height(full) - 1);
                let (under, over) = (word & below(k), u64::from(word) >> (k + 1));
                let open_below = k - height(under);
                let above = u64::from(wells) >> (k + 1);
                // Well cells in the empty run that ends on row k.
                let run = over & over.wrapping_neg();
                let run = run.wrapping_sub(1) & above;
                f[feature::CUMULATIVE_WELLS] += open_below * run.count_ones() as i32;
                f[feature::COLUMN_TRANSITIONS] -= 2 * i32::from(open_below > 0 && over & 1 == 0);
                if over == 0 {
                    uncovered += open_below;
                }
                word = under | (over << k) as u32;
                wells = wells & below(k) | (above << k) as u32;
            }
            if F::SUMS {
                f[feature::WELL_SUMS] += well_sums(word, wells);
            }
        }
        f[feature::HOLES] -= uncovered;
        if uncovered == 0 {
            return;
        }
        if F::COVER {
            f[feature::ROWS_WITH_HOLES] = self.holed_change(stack, shape, x, row);
        }
        if F::SUMS || F::SILHOUETTE {
            // The heights changed by different amounts: count the features again.
            let width = stack.size.columns();
            let mut words: Columns = Default::default();
            for (c, word) in words[..width].iter_mut().enumerate() {
                *word = with_piece(c + PAD);
            }
            let before = Silhouette::of(&words, width);
            remove_rows(&mut words, self.full << row);
            let after = Silhouette::of(&words, width);
            f[feature::DIVERSITY] = after.diversity - before.diversity;
            f[feature::AGGREGATE_HEIGHT] = after.aggregate - before.aggregate;
            f[feature::BUMPINESS] = after.bumpiness - before.bumpiness;
            f[feature::MAX_HEIGHT] = after.tallest - before.tallest;
        }
    }

    /// The change of the number of rows with holes when the removed rows no longer cover cells.
    fn holed_change(&self, stack: &Stack, shape: &Shape, x: usize, row: i32) -> i32 {
        let (mut cover, mut cover_left, mut change) = (0, 0, 0);
        for r in (0..stack.size.rows()).rev() {
            let k = r.wrapping_sub(row as usize);
            let cells = if k < 4 { shape.rows[k] } else { 0 };
            let own = stack.rows[r + ROW] | cells << (x + PAD);
            change -= i32::from(!own & cover != 0);
            change += i32::from(!own & cover_left != 0);
            cover |= own;
            if own != u16::MAX {
                cover_left |= own;
            }
        }
        change
    }
}

/// The features that depend on column heights alone.
struct Silhouette {
    diversity: i32,
    aggregate: i32,
    bumpiness: i32,
    tallest: i32,
}

impl Silhouette {
    fn of(words: &Columns, width: usize) -> Silhouette {
        let mut seen = 0;
        let mut s = Silhouette {
            diversity: 0,
            aggregate: 0,
            bumpiness: 0,
            tallest: 0,
        };
        for c in 0..width {
            let h = height(words[c]);
            s.aggregate += h;
            s.tallest = s.tallest.max(h);
            if c > 0 {
                let step = height(words[c - 1]) - h;
                seen |= diversity_bit(step);
                s.bumpiness += step.abs();
            }
        }
        s.diversity = seen.count_ones() as i32;
        s
    }
}

/// Removed cells with an empty cell anywhere below them. Inlined, so that the caller's instructions
/// count the bits.
#[inline(always)]
fn hanging(stack: &Stack, shape: &Shape, x: usize, landing: i32) -> i32 {
    let mut solid = u16::MAX;
    let at = (landing as usize & 31) + ROW;
    for &row in &stack.rows[ROW..at] {
        solid &= row;
    }
    let mut sum = 0;
    for k in 0..shape.height {
        let row = stack.rows[at + k] | shape.rows[k] << (x + PAD);
        if row == u16::MAX {
            sum += solid.count_zeros() as i32;
        }
        solid &= row;
    }
    sum
}
