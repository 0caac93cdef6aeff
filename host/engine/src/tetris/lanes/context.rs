//! What the rotations of one decision share.

use super::super::feature;
use super::super::scale::Scale;
use super::{Lanes, Plan, Wide, map_lanes};

/// A stack and a controller in lanes. Arrays by piece column start at the column
/// left of the piece: element i + 1 belongs to piece column i.
pub(super) struct Context<'a, L: Lanes> {
    pub token: L::Token,
    pub scale: &'a Scale,
    /// Rows of the board.
    pub size_rows: i32,
    pub rows: &'a L::Rows,
    /// 0, 1, .. : the placement's column.
    pub ramp: L,
    pub heights: [L; 6],
    pub columns: [L; 6],
    /// Part of the score that comes from the heights under a piece, by its width.
    pub ground: [L; 5],
    pub research: Option<Research<L>>,
}

/// Lane i of element j is lane i + j + 1 of `v`: the columns around a placement,
/// `v` starting two columns left of the board. Cyclic, so that places too far
/// right see walls.
#[inline(always)]
pub(super) fn around<L: Wide>(v: L) -> [L; 6] {
    [
        v.turn::<1>(),
        v.turn::<2>(),
        v.turn::<3>(),
        v.turn::<4>(),
        v.turn::<5>(),
        v.turn::<6>(),
    ]
}

/// A product with a weight, the short way if the plan allows it.
#[inline(always)]
pub(super) fn times<Q: Plan, L: Lanes>(token: L::Token, v: L, weight: i32) -> L {
    if Q::SMALL {
        v.mul_small(L::splat(token, weight & 0xffff))
    } else {
        v.mul(L::splat(token, weight))
    }
}

impl<'a, L: Wide> Context<'a, L> {
    /// Prepares a board: `height` and `column` are a stack's arrays.
    #[inline(always)]
    pub(super) fn new<Q: Plan>(
        token: L::Token,
        scale: &'a Scale,
        size_rows: i32,
        rows: &'a L::Rows,
        height: L,
        column: L,
    ) -> Context<'a, L> {
        let heights = around(height);
        // The piece covers the heights: the higher they are, the fewer holes.
        let weight = scale.lane[feature::HOLES].wrapping_neg();
        let two = heights[1] + heights[2];
        let three = two + heights[3];
        let four = three + heights[4];
        Context {
            token,
            scale,
            size_rows,
            rows,
            ramp: L::ramp(token),
            heights,
            columns: around(column),
            ground: [
                height,
                times::<Q, L>(token, heights[1], weight),
                times::<Q, L>(token, two, weight),
                times::<Q, L>(token, three, weight),
                times::<Q, L>(token, four, weight),
            ],
            research: if Q::RESEARCH {
                Some(Research::new::<Q>(token, height, column))
            } else {
                None
            },
        }
    }
}

impl<'a, L: Lanes> Context<'a, L> {
    /// The same with fewer lanes, as `part` takes them.
    #[inline(always)]
    pub(super) fn part<Q, M>(&self, part: impl Fn(L) -> M) -> Context<'a, M>
    where
        Q: Plan,
        M: Lanes<Token = L::Token, Rows = L::Rows>,
    {
        Context {
            token: self.token,
            scale: self.scale,
            size_rows: self.size_rows,
            rows: self.rows,
            ramp: part(self.ramp),
            heights: map_lanes(&self.heights, &part),
            columns: map_lanes(&self.columns, &part),
            ground: map_lanes(&self.ground, &part),
            research: match &self.research {
                Some(research) if Q::RESEARCH => Some(research.part(&part)),
                _ => None,
            },
        }
    }

    /// The same value in every lane.
    #[inline(always)]
    pub(super) fn splat(&self, value: i32) -> L {
        L::splat(self.token, value)
    }

    /// A product with a weight.
    #[inline(always)]
    pub(super) fn times<Q: Plan>(&self, v: L, weight: i32) -> L {
        times::<Q, L>(self.token, v, weight)
    }
}

/// Facts about a stack; see [`Shared`](super::super::measure::Shared). Arrays by
/// piece column as in [`Context`], others by piece width.
pub(super) struct Research<L> {
    /// Rows with a hole.
    pub holed: L,
    /// Height where the column has no hole, otherwise below every cell.
    pub sound: [L; 6],
    /// Well cells.
    pub wells: [L; 6],
    /// The column two left of the piece.
    pub far_left: L,
    /// The column two right of the piece.
    pub far_right: [L; 5],
    pub seen_before: L,
    pub seen_from: [L; 5],
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
