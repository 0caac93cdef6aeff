//! Well sums, hole depth, rows with holes and diversity in lanes.

use super::super::feature;
use super::super::shape::Shape;
use super::context::{Context, around};
use super::wells::{below, sums_change};
use super::{Lanes, Plan, Wide, map_lanes};

/// Facts about a stack; see [`Shared`](super::super::measure::Shared). Arrays by
/// piece column as in [`Context`], others by piece width.
pub(super) struct Research<L> {
    /// Rows with a hole.
    holed: L,
    /// Height where the column has no hole, otherwise below every cell.
    sound: [L; 6],
    /// Well cells.
    pub wells: [L; 6],
    /// The column two left of the piece.
    pub far_left: L,
    /// The column two right of the piece.
    pub far_right: [L; 5],
    seen_before: L,
    seen_from: [L; 5],
}

impl<L: Wide> Research<L> {
    #[inline(always)]
    pub(super) fn new<Q: Plan>(token: L::Token, height: L, column: L) -> Research<L> {
        let splat = |v: i32| L::splat(token, v);
        let zero = splat(0);
        let mut research = Research {
            holed: zero,
            sound: [zero; 6],
            wells: [zero; 6],
            far_left: column,
            far_right: [zero; 5],
            seen_before: zero,
            seen_from: [zero; 5],
        };
        if Q::COVER {
            // Walls are all filled and their height is out of range: no holes.
            let holes = column.clear_in(splat(1).shl_by(height) - splat(1));
            let sound = height.select(splat(1).gt(holes.height()), splat(-1000));
            research.holed = splat(holes.union());
            research.sound = around(sound);
        }
        if Q::SUMS {
            let wells = column.clear_in_both(column.up::<1>(), column.down::<1>());
            research.wells = around(wells);
            research.far_right = [
                column,
                column.turn::<4>(),
                column.turn::<5>(),
                column.turn::<6>(),
                column.turn::<7>(),
            ];
            // The step from each column to its right neighbour; out of range at walls.
            let step = splat(1).shl_by(height - height.down::<1>() + splat(2)) & splat(0x1f);
            let (before, from) = scans(step);
            let from = around(from);
            research.seen_before = before;
            research.seen_from = [from[1], from[2], from[3], from[4], from[5]];
        }
        research
    }
}

impl<L: Lanes> Research<L> {
    /// See [`Context::part`].
    #[inline(always)]
    pub(super) fn part<M: Copy>(&self, part: &impl Fn(L) -> M) -> Research<M> {
        Research {
            holed: part(self.holed),
            sound: map_lanes(&self.sound, part),
            wells: map_lanes(&self.wells, part),
            far_left: part(self.far_left),
            far_right: map_lanes(&self.far_right, part),
            seen_before: part(self.seen_before),
            seen_from: map_lanes(&self.seen_from, part),
        }
    }
}

/// Or of all lanes up to and including the lane, and from the lane on.
#[inline(always)]
fn scans<L: Wide>(v: L) -> (L, L) {
    let mut before = v | v.up::<1>();
    before = before | before.up::<2>();
    before = before | before.up::<4>();
    before = before | before.up::<8>();
    let mut from = v | v.down::<1>();
    from = from | from.down::<2>();
    from = from | from.down::<4>();
    from = from | from.down::<8>();
    (before, from)
}

/// Score of the four features, for pieces that land on `row`.
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
            | (shared.seen_before | shared.seen_from[w])
            | cx.splat(shape.steps as i32);
        score = score + cx.times::<Q>(seen.ones_of_bytes(), lane[feature::DIVERSITY]);
        let change = sums_change(cx, shared, shape, row, window);
        score = score + cx.times::<Q>(change, lane[feature::WELL_SUMS]);
    }
    score
}
