//! Measures how one placement changes every feature, without building the resulting board.
//!
//! The portable path uses this code, and the other paths use it to rank near ties exactly. A piece
//! dropped from above has only empty cells above it, so its effect depends on the four rows around
//! it (the window), the column heights, and the depth of the empty cells below it. For placements
//! that fill rows, [`clear`](super::clear) corrects the result.

use lockstep_games::tetris::features::FEATURES;

use super::evaluate::{below, diversity_bit, height};
use super::feature;
use super::limits::PAD;
use super::scale::Formulas;
use super::shape::Shape;
use super::stack::Stack;

/// Properties of a stack that all placements of a decision use.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    /// Rows with a hole.
    pub holed: u32,
    /// Well cells by column, indexed as [`Stack::columns`].
    pub wells: [u32; 16],
    /// Height of a column without a hole; otherwise a number below every row.
    pub sound: [i32; 16],
    /// Diversity bits of all steps between columns up to this one.
    pub steps_before: [u8; 16],
    /// Diversity bits of all steps between columns from this one on.
    pub steps_from: [u8; 16],
    pub tallest: i32,
}

impl Shared {
    /// The properties that the formulas of `F` use; the others stay 0.
    #[inline(always)]
    pub(super) fn new<F: Formulas>(stack: &Stack) -> Shared {
        let mut shared = Shared {
            holed: 0,
            wells: [0; 16],
            sound: [0; 16],
            steps_before: [0; 16],
            steps_from: [0; 16],
            tallest: 0,
        };
        let end = PAD + stack.size.columns();
        for c in PAD..end {
            let (word, h) = (stack.columns[c], stack.heights[c]);
            if F::COVER {
                let holes = !word & below(h);
                shared.holed |= holes;
                shared.sound[c] = if holes == 0 { h } else { -1000 };
            }
            if F::SUMS {
                shared.wells[c] = !word & stack.columns[c - 1] & stack.columns[c + 1];
            }
            if F::SILHOUETTE {
                shared.tallest = shared.tallest.max(h);
            }
        }
        if F::SUMS {
            // steps_before[c]: steps (.., c - 1); steps_from[c]: steps (c, ..).
            for c in PAD + 1..end {
                let step = stack.heights[c - 1] - stack.heights[c];
                shared.steps_before[c] = shared.steps_before[c - 1] | diversity_bit(step) as u8;
            }
            for c in (PAD..end - 1).rev() {
                let step = stack.heights[c] - stack.heights[c + 1];
                shared.steps_from[c] = shared.steps_from[c + 1] | diversity_bit(step) as u8;
            }
        }
        shared
    }
}

/// The measures of a placement, before full rows are removed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub row: i32,
    /// Change of each feature, as if full rows stayed. Landing height, diversity and max height are
    /// the new values instead.
    pub features: [i32; FEATURES],
    /// The window without the piece: bit 16 k + c is row `row` + k, column c - 2.
    pub window: u64,
}

/// Whether the piece `pattern` fills a row of the window.
#[inline(always)]
pub(super) fn fills_row(window: u64, pattern: u64, height: usize) -> bool {
    let empty = !(window | pattern);
    if height <= 2 {
        let empty = empty as u32;
        (empty.wrapping_sub(0x0001_0001) & !empty & 0x8000_8000) != 0
    } else {
        (empty.wrapping_sub(0x0001_0001_0001_0001) & !empty & 0x8000_8000_8000_8000) != 0
    }
}

/// Measures `shape` at column `x`, for the formulas of `F`.
///
/// Inlined, so that a constant shape makes all conditions on its cells constant.
#[inline(always)]
pub(super) fn measure<F: Formulas>(
    stack: &Stack,
    shared: &Shared,
    shape: &Shape,
    x: usize,
) -> Measured {
    let (w, h) = (shape.width, shape.height);
    let row = stack.landing(shape, x);
    let full_window = stack.window(row);
    let window = full_window >> x;
    let height_at = |i: usize| stack.heights[(x + i + PAD) & 15];

    let mut f = [0; FEATURES];
    f[feature::LANDING_HEIGHT] = 2 * row + h as i32 - 1;
    let beside = (window & shape.edges).count_ones() as i32;
    f[feature::ROW_TRANSITIONS] = shape.edge_count() - 2 * beside;
    for i in 0..w {
        let gap = row + shape.bottom[i] - height_at(i);
        f[feature::HOLES] += gap;
        f[feature::COLUMN_TRANSITIONS] += 2 * i32::from(gap > 0);
    }
    if F::CUMULATIVE {
        f[feature::CUMULATIVE_WELLS] = cumulative_change(stack, shape, x, row, window);
    }
    if F::COVER {
        let mut covered = 0u32;
        for i in 0..w {
            let bottom = row + shape.bottom[i];
            if bottom > shared.sound[(x + i + PAD) & 15] {
                f[feature::HOLE_DEPTH] += shape.top[i] - shape.bottom[i];
            }
            covered |= below(bottom & 31) & !below(height_at(i) & 63);
        }
        f[feature::ROWS_WITH_HOLES] = (covered & !shared.holed).count_ones() as i32;
    }
    if F::SUMS {
        f[feature::WELL_SUMS] = sums_change(stack, &shared.wells, shape, x, row);
        let first = row + shape.top[0];
        let last = row + shape.top[w - 1];
        let seen = u32::from(shared.steps_before[(x + PAD - 1) & 15])
            | u32::from(shared.steps_from[(x + w + PAD) & 15])
            | diversity_bit(stack.heights[(x + PAD - 1) & 15] - first)
            | diversity_bit(last - height_at(w))
            | shape.steps;
        f[feature::DIVERSITY] = seen.count_ones() as i32;
    }
    if F::SILHOUETTE {
        for i in 0..w {
            f[feature::AGGREGATE_HEIGHT] += row + shape.top[i] - height_at(i);
        }
        let after = |i: isize| {
            if (0..w as isize).contains(&i) {
                row + shape.top[i as usize]
            } else {
                stack.heights[((x + PAD) as isize + i) as usize & 15]
            }
        };
        let before = |i: isize| stack.heights[((x + PAD) as isize + i) as usize & 15];
        let first = isize::from(x == 0);
        let last = w as isize - isize::from(x + w == stack.size.columns());
        for i in first..=last {
            f[feature::BUMPINESS] +=
                (after(i - 1) - after(i)).abs() - (before(i - 1) - before(i)).abs();
        }
        f[feature::MAX_HEIGHT] = shared.tallest.max(row + h as i32);
    }
    Measured {
        row,
        features: f,
        window: full_window,
    }
}

/// The change of the cumulative wells.
///
/// Well cells appear beside the piece, and under columns whose neighbours it fills; where the piece
/// enters a well, well cells disappear.
#[inline(always)]
fn cumulative_change(stack: &Stack, shape: &Shape, x: usize, row: i32, window: u64) -> i32 {
    let (w, h) = (shape.width, shape.height);
    // Window cell of piece column i, row k: all ones if filled, otherwise 0.
    let filled =
        |i: isize, k: usize| -((window >> (16 * k as isize + i + PAD as isize) & 1) as i32);
    let mut sum = 0;
    for (side, away, edge) in [(-1, -2, 0), (w as isize, w as isize + 1, w - 1)] {
        let mut depth = run_below(stack, x, row, side);
        for k in 0..h {
            depth += 1;
            if shape.has(edge as isize, k) {
                sum += !filled(side, k) & filled(away, k) & depth;
            }
            depth &= !filled(side, k);
        }
    }
    for i in 0..w {
        let at = i as isize;
        let fall = row - stack.heights[(x + i + PAD) & 15] + 1;
        let (bottom, top) = (shape.bottom[i] as usize, shape.top[i] as usize);
        let mut depth = run_below(stack, x, row, at);
        for k in 0..h {
            let (left, right) = (shape.has(at - 1, k), shape.has(at + 1, k));
            // With the piece in place; where it is, the column was empty before.
            let new = if left { -1 } else { filled(at - 1, k) }
                & if right { -1 } else { filled(at + 1, k) };
            if k < bottom {
                depth += 1;
                if left || right {
                    sum += !filled(at, k) & new & depth;
                }
                depth &= !filled(at, k);
            } else if k < top {
                if !shape.open(at - 1, k) && !shape.open(at + 1, k) {
                    sum -= filled(at - 1, k) & filled(at + 1, k) & (fall + k as i32);
                }
            } else if (left || !shape.open(at - 1, k)) && (right || !shape.open(at + 1, k)) {
                sum += new & (k - top + 1) as i32;
            }
        }
    }
    if w == 1 {
        // Only this piece can enter a well and leave well cells above itself.
        let sides = stack.columns[(x + PAD - 1) & 15] & stack.columns[(x + PAD + 1) & 15];
        let above = (u64::from(sides) >> (row + h as i32)).count_ones() as i32;
        sum -= h as i32 * above;
    }
    sum
}

/// Number of consecutive empty cells directly below `row` in piece column `i`.
#[inline(always)]
fn run_below(stack: &Stack, x: usize, row: i32, i: isize) -> i32 {
    let word = stack.columns[((x + PAD) as isize + i) as usize & 15];
    row - height(word & below(row & 31))
}

/// 1 + 2 + .. + n.
#[inline(always)]
pub(super) const fn triangle(n: i32) -> i32 {
    n * (n + 1) / 2
}

/// The increase of the well sums in a column whose cells `new` become well cells.
///
/// `wells` are the column's well cells; each new one lies above the old ones of its run.
#[inline(always)]
fn gain(word: u32, wells: u32, mut new: u32) -> i32 {
    let mut sum = 0;
    while new != 0 {
        let top = height(new);
        let floor = height(word & below(top));
        let old = height(wells & below(top));
        sum += triangle(top - floor) - triangle((old - floor).max(0));
        new &= below(floor);
    }
    sum
}

/// The change of the well sums by `shape` at column `x` and row `row`.
///
/// A run of empty cells counts from its topmost well cell. So three changes matter: a new well cell
/// above all others of its run, beside or under the piece; well cells that the piece fills or
/// covers; and new well cells on top of the piece. `wells` is indexed as [`Stack::columns`].
#[inline(always)]
pub(super) fn sums_change(
    stack: &Stack,
    wells: &[u32; 16],
    shape: &Shape,
    x: usize,
    row: i32,
) -> i32 {
    let (w, h) = (shape.width, shape.height);
    let shift = row & 31;
    let place = |i: isize| ((x + PAD) as isize + i) as usize & 15;
    let word = |i: isize| stack.columns[place(i)];
    let mut sum = 0;
    for (side, away, edge) in [(-1, -2, 0), (w as isize, w as isize + 1, w - 1)] {
        let new = !word(side) & word(away) & shape.columns[edge] << shift;
        sum += gain(word(side), wells[place(side)], new);
    }
    for i in 0..w {
        let at = i as isize;
        let closed = shape.closed_under[i];
        if closed != 0 {
            let with_piece = |j: isize| {
                if j >= 0 && j < w as isize {
                    word(j) | shape.columns[j as usize] << shift
                } else {
                    word(j)
                }
            };
            let new = !word(at) & with_piece(at - 1) & with_piece(at + 1) & closed << shift;
            sum += gain(word(at), wells[place(at)], new);
        }
        if shape.takes_wells[i] {
            let (floor, own) = (stack.heights[place(at)], wells[place(at)]);
            let before = (height(own) - floor).max(0);
            let under = height(own & below(row + shape.bottom[i])) - floor;
            sum += triangle(under.max(0)) - triangle(before);
            if w == 1 {
                // The well continues above the piece.
                sum += triangle((height(own) - row - h as i32).max(0));
            }
        }
        let mut top = 0;
        for k in 0..h {
            let side = shape.rests_on[i][k];
            if side != 0 && word(at + side as isize) >> (shift + k as i32) & 1 != 0 {
                top = triangle(k as i32 - shape.top[i] + 1);
            }
        }
        sum += top;
    }
    sum
}
