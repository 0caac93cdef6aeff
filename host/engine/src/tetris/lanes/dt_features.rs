//! Scores well sums, hole depth, rows with holes and diversity in lanes.

use super::super::feature;
use super::super::limits::PAD;
use super::super::measure::triangle;
use super::super::shape::Shape;
use super::context::{Context, DtFeatures};
use super::{Lanes, Plan};

/// The score of these features, for pieces that land on `row`.
#[inline(always)]
pub(super) fn score<Q: Plan, L: Lanes>(
    cx: &Context<L>,
    shared: &DtFeatures<L>,
    shape: &Shape,
    row: L,
    window: &[L; 2],
) -> L {
    let w = shape.width;
    let one = cx.splat(1);
    let lane = &cx.scale.lane;
    let mut score = cx.splat(0);
    if Q::COVER {
        let mut covered = cx.splat(0);
        let at_row = one.shl_by(row);
        for i in 0..w {
            let bottom = cx.splat(shape.bottom[i]);
            let cells = shape.top[i] - shape.bottom[i];
            let hangs = (row + bottom).gt(shared.sound[i + 1]);
            score = score.add_if(
                hangs,
                cx.splat(lane[feature::HOLE_DEPTH].wrapping_mul(cells)),
            );
            let under = at_row.shl_by(bottom) - one;
            covered = covered | below(one, cx.heights[i + 1]).clear_in(under);
        }
        let rows = shared.holed.clear_in(covered).ones();
        score = score + cx.times::<Q>(rows, lane[feature::ROWS_WITH_HOLES]);
    }
    if Q::SUMS {
        let first = row + cx.splat(shape.top[0] - 2);
        let last = row + cx.splat(shape.top[w - 1] + 2);
        let steps = one.shl_by(cx.heights[0] - first) | one.shl_by(last - cx.heights[w + 1]);
        let seen = (steps & cx.splat(0x1f))
            | (shared.steps_before | shared.steps_from[w])
            | cx.splat(shape.steps as i32);
        score = score + cx.times::<Q>(seen.ones_of_bytes(), lane[feature::DIVERSITY]);
        let change = sums_change(cx, shared, shape, row, window);
        score = score + cx.times::<Q>(change, lane[feature::WELL_SUMS]);
    }
    score
}

/// A mask of the `n` lowest bits; of all bits for `n` above 31.
#[inline(always)]
pub(super) fn below<L: Lanes>(one: L, n: L) -> L {
    one.shl_by(n) - one
}

/// n (n + 1) of each lane, which is twice the triangular number; 0 for negative lanes.
#[inline(always)]
fn twice_triangle<L: Lanes>(cx: &Context<L>, n: L) -> L {
    let n = n.max(cx.splat(0));
    // Heights are below 33: the product of two 16-bit numbers is exact.
    n.mul_small(n + cx.splat(1))
}

/// Twice the increase of the well sums in columns whose cells `new` become well cells.
///
/// `wells` are the well cells of the columns; each new one lies above the old ones of its run.
#[inline(always)]
fn twice_gain<L: Lanes>(cx: &Context<L>, word: L, wells: L, mut new: L) -> L {
    let one = cx.splat(1);
    let mut sum = cx.splat(0);
    while new.any() {
        let top = new.height();
        let under = below(one, top);
        let floor = (word & under).height();
        let old = (wells & under).height();
        // Without a new cell, top and old are 0 and nothing is added.
        sum = sum + twice_triangle(cx, top - floor) - twice_triangle(cx, old - floor);
        new = new & below(one, floor);
    }
    sum
}

/// The change of the well sums by pieces that land on `row`; `window` is the kernel's.
///
/// The cases are as in [`measure`](super::super::measure).
#[inline(always)]
pub(super) fn sums_change<L: Lanes>(
    cx: &Context<L>,
    shared: &DtFeatures<L>,
    shape: &Shape,
    row: L,
    window: &[L; 2],
) -> L {
    let (w, h) = (shape.width, shape.height);
    let one = cx.splat(1);
    let cells = |i: usize| shape.columns[i] as i32;
    let zero = cx.splat(0);

    let (word, wells) = (cx.columns[0], shared.wells[0]);
    let new = word.clear_in_both(shared.far_left, cx.splat(cells(0)).shl_by(row));
    let mut sum = twice_gain(cx, word, wells, new);
    let (word, wells) = (cx.columns[w + 1], shared.wells[w + 1]);
    let new = word.clear_in_both(shared.far_right[w], cx.splat(cells(w - 1)).shl_by(row));
    sum = sum + twice_gain(cx, word, wells, new);

    for i in 0..w {
        let (word, wells) = (cx.columns[i + 1], shared.wells[i + 1]);
        let closed = shape.closed_under[i];
        if closed != 0 {
            let mut left = cx.columns[i];
            if i > 0 {
                left = left | cx.splat(cells(i - 1)).shl_by(row);
            }
            let mut right = cx.columns[i + 2];
            if i + 1 < w {
                right = right | cx.splat(cells(i + 1)).shl_by(row);
            }
            let new = word.clear_in_both(left, right) & cx.splat(closed as i32).shl_by(row);
            sum = sum + twice_gain(cx, word, wells, new);
        }
        if shape.takes_wells[i] {
            let (floor, top) = (cx.heights[i + 1], wells.height());
            let under = below(one, row + cx.splat(shape.bottom[i]));
            let under = (wells & under).height();
            sum = sum + twice_triangle(cx, under - floor) - twice_triangle(cx, top - floor);
            if w == 1 {
                // The well continues above the piece.
                sum = sum + twice_triangle(cx, top - row - cx.splat(h as i32));
            }
        }
        let mut above = zero;
        for k in 0..h {
            let side = shape.rests_on[i][k];
            if side != 0 {
                let bit = 16 * (k % 2) + (PAD + i).wrapping_add_signed(side as isize);
                let filled = window[k / 2].has(cx.splat((1u32 << bit) as i32));
                let n = triangle(k as i32 - shape.top[i] + 1);
                above = cx.splat(2 * n).select(filled, above);
            }
        }
        sum = sum + above;
    }
    sum.half()
}
