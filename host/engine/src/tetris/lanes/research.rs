//! Scores well sums, hole depth, rows with holes and diversity in lanes.

use super::super::feature;
use super::super::shape::Shape;
use super::context::{Context, Research};
use super::wells::{below, sums_change};
use super::{Lanes, Plan};

/// The score of these features, for pieces that land on `row`.
#[inline(always)]
pub(super) fn score<Q: Plan, L: Lanes>(
    cx: &Context<L>,
    shared: &Research<L>,
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
