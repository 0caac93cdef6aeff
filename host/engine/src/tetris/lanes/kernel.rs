//! Scores all placements of one rotation at once.
//!
//! The formulas are as in [`measure`](super::super::measure), with lane masks for bits of the
//! window.

use super::super::feature;
use super::super::limits::PAD;
use super::super::shape::{SHAPES, Shape};
use super::context::Context;
use super::dt_features::below;
use super::{Lanes, Plan, dt_features};

/// The placements of one rotation.
#[derive(Clone, Copy)]
pub(super) struct Rotation<L: Lanes> {
    /// Bottom rows.
    pub row: L,
    /// Changes of the score as if full rows stayed, in units of `Scale::lane`.
    pub score: L,
    /// Whether the piece lies inside the board.
    pub legal: L::Mask,
    /// Whether it fills a row; undefined if not legal.
    pub fills: L::Mask,
}

/// The four rows around each placement, shifted to its column.
///
/// Row k and window column c are at bit c + 16 (k % 2) of element k / 2.
struct Window<L>([L; 2]);

/// The bit of piece column `i` and row `k` in its element of the window.
const fn bit(i: isize, k: usize) -> i32 {
    (1u32 << (16 * (k % 2) + (i + PAD as isize) as usize)) as i32
}

/// Scores the placements of rotation `R` of piece `P`.
#[inline(always)]
pub(super) fn rotation<Q: Plan, L: Lanes, const P: usize, const R: usize>(
    cx: &Context<L>,
) -> Rotation<L> {
    let shape = const { &SHAPES[P][R] };
    let (w, h) = (shape.width, shape.height);
    let (pattern, edges) = (shape.pattern, shape.edges);

    // Lanes too far right have the landing row of a wall's height and are not legal.
    let last = w - 1;
    let rest = [
        row_under(cx, shape, 0),
        row_under(cx, shape, last.min(1)),
        row_under(cx, shape, last.min(2)),
        row_under(cx, shape, last),
    ];
    let mut row = rest[0];
    for &other in &rest[1..w] {
        row = row.max(other);
    }
    let legal = cx.splat(cx.size_rows - h as i32 + 1).gt(row);

    let low = L::row_pair(cx.rows, row);
    let mut fills = (low | cx.splat(pattern as i32).shl_by(cx.ramp)).full_half();
    let low = low.shr_by(cx.ramp);
    let mut window = Window([low, low]);
    let mut beside = low & cx.splat(edges as i32);
    if h > 2 {
        let high = L::row_pair(cx.rows, row + cx.splat(2));
        fills = fills | (high | cx.splat((pattern >> 32) as i32).shl_by(cx.ramp)).full_half();
        let high = high.shr_by(cx.ramp);
        window.0[1] = high;
        beside = beside | (high & cx.splat((edges >> 32) as i32)).shl::<8>();
    }
    let beside = if h > 2 {
        beside.ones()
    } else {
        beside.ones_of_bytes()
    };

    let lane = &cx.scale.lane;
    // Each row that the piece rests higher adds to the landing height, and a hole under each
    // column.
    let fall = (lane[feature::LANDING_HEIGHT].wrapping_mul(2))
        .wrapping_add(lane[feature::HOLES].wrapping_mul(w as i32));
    let constant = (lane[feature::LANDING_HEIGHT].wrapping_mul(h as i32 - 1))
        .wrapping_add(lane[feature::ROW_TRANSITIONS].wrapping_mul(shape.edge_count()))
        .wrapping_add(lane[feature::HOLES].wrapping_mul(shape.bottom.iter().sum::<i32>()));
    let mut score = cx.ground[w] + cx.times::<Q>(row, fall) + cx.splat(constant);
    let filled_edge = lane[feature::ROW_TRANSITIONS].wrapping_mul(-2);
    score = score + cx.times::<Q>(beside, filled_edge);
    let gap = cx.splat(lane[feature::COLUMN_TRANSITIONS].wrapping_mul(2));
    if w == 2 {
        // At least one column touches the stack.
        score = score.add_if(rest[0].differs(rest[1]), gap);
    } else if w > 2 {
        for rest in &rest[..w] {
            score = score.add_if(row.gt(*rest), gap);
        }
    }
    if Q::CUMULATIVE {
        let wells = cumulative_change::<L, P, R>(cx, &window, row);
        score = score + cx.times::<Q>(wells, lane[feature::CUMULATIVE_WELLS]);
    }
    if Q::DT_FEATURES
        && let Some(shared) = &cx.dt_features
    {
        score = score + dt_features::score::<Q, L>(cx, shared, shape, row, &window.0);
    }
    Rotation {
        row,
        score,
        legal,
        fills,
    }
}

/// The row on which piece column `i` alone would come to rest.
#[inline(always)]
fn row_under<L: Lanes>(cx: &Context<L>, shape: &Shape, i: usize) -> L {
    let height = cx.heights[i + 1];
    match shape.bottom[i] {
        0 => height,
        b => height - cx.splat(b),
    }
}

/// Number of consecutive empty cells below the landing row in piece column `i`, plus 1.
///
/// `under` is a mask of the rows below the landing row.
#[inline(always)]
fn depth_at<L: Lanes>(cx: &Context<L>, row: L, under: L, i: isize) -> L {
    row - (cx.columns[(i + 1) as usize] & under).height31() + cx.splat(1)
}

#[inline(always)]
fn cumulative_change<L: Lanes, const P: usize, const R: usize>(
    cx: &Context<L>,
    window: &Window<L>,
    row: L,
) -> L {
    let shape = const { &SHAPES[P][R] };
    let (w, h) = (shape.width, shape.height);
    let one = cx.splat(1);
    let own = &window.0;
    // The empty cells whose left or right neighbour is filled.
    let left_filled = [
        own[0].clear_in(own[0].shl::<1>()),
        own[1].clear_in(own[1].shl::<1>()),
    ];
    let right_filled = [
        own[0].clear_in(own[0].shr::<1>()),
        own[1].clear_in(own[1].shr::<1>()),
    ];
    let under = below(one, row);
    let mut sum = cx.splat(0);

    let mut depth = depth_at(cx, row, under, -1);
    for k in 0..h {
        if shape.has(0, k) {
            sum = sum.add_if(left_filled[k / 2].has(cx.splat(bit(-1, k))), depth);
        }
        depth = one.add_if(own[k / 2].lacks(cx.splat(bit(-1, k))), depth);
    }
    let right = w as isize;
    let mut depth = depth_at(cx, row, under, right);
    for k in 0..h {
        if shape.has(right - 1, k) {
            sum = sum.add_if(right_filled[k / 2].has(cx.splat(bit(right, k))), depth);
        }
        depth = one.add_if(own[k / 2].lacks(cx.splat(bit(right, k))), depth);
    }

    for i in 0..w {
        let at = i as isize;
        let (bottom, top) = (shape.bottom[i] as usize, shape.top[i] as usize);
        let mut depth = depth_at(cx, row, under, at);
        for k in 0..h {
            let (left, right) = (shape.has(at - 1, k), shape.has(at + 1, k));
            let here = cx.splat(bit(at, k));
            if k < bottom {
                match (left, right) {
                    (true, true) => sum = sum.add_if(own[k / 2].lacks(here), depth),
                    (true, false) => sum = sum.add_if(right_filled[k / 2].has(here), depth),
                    (false, true) => sum = sum.add_if(left_filled[k / 2].has(here), depth),
                    (false, false) => {}
                }
                depth = one.add_if(own[k / 2].lacks(here), depth);
            } else if k < top {
                if !shape.open(at - 1, k) && !shape.open(at + 1, k) {
                    // A well cell that the piece fills.
                    let well = left_filled[k / 2].has(here) & right_filled[k / 2].has(here);
                    let taken = cx.splat(-1 - k as i32) + cx.heights[i + 1] - row;
                    sum = sum.add_if(well, taken);
                }
            } else {
                let gained = cx.splat((k - top + 1) as i32);
                match (left, right) {
                    (true, true) => sum = sum + gained,
                    (true, false) if !shape.open(at + 1, k) => {
                        sum = sum.add_if(own[k / 2].has(cx.splat(bit(at + 1, k))), gained);
                    }
                    (false, true) if !shape.open(at - 1, k) => {
                        sum = sum.add_if(own[k / 2].has(cx.splat(bit(at - 1, k))), gained);
                    }
                    _ => {}
                }
            }
        }
    }
    if w == 1 {
        // Only this piece can enter a well and leave well cells above itself.
        let sides = cx.columns[0] & cx.columns[2];
        let above = sides.shr_by(row + cx.splat(h as i32)).ones();
        sum = sum - above.shl::<2>();
    }
    sum
}
