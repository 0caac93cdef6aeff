//! The values that all rotations of a decision share.

use super::super::feature;
use super::super::scale::Scale;
use super::{Lanes, Plan, Wide, map_lanes};

/// A stack and a controller in lanes.
///
/// Arrays by piece column start at the column left of the piece: element i + 1 is piece column i.
pub(super) struct Context<'a, L: Lanes> {
    pub token: L::Token,
    pub scale: &'a Scale,
    pub size_rows: i32,
    pub rows: &'a L::Rows,
    /// The column of each placement: 0, 1, 2 and so on.
    pub ramp: L,
    pub heights: [L; 6],
    pub columns: [L; 6],
    /// The part of the score that depends on the heights under a piece, by the piece's width.
    pub ground: [L; 5],
    pub dt_features: Option<DtFeatures<L>>,
}

/// The columns around each placement: lane i of element j is lane i + j + 1 of `v`, cyclic.
///
/// `v` starts two columns left of the board; placements too far right get columns of wall.
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

/// The product with a weight, by the faster instruction if the plan allows it.
#[inline(always)]
pub(super) fn times<Q: Plan, L: Lanes>(token: L::Token, v: L, weight: i32) -> L {
    if Q::SMALL {
        v.mul_small(L::splat(token, weight & 0xffff))
    } else {
        v.mul(L::splat(token, weight))
    }
}

impl<'a, L: Wide> Context<'a, L> {
    /// Prepares a board; `height` and `column` are the arrays of a stack.
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
        // The higher the columns under the piece, the fewer holes it makes.
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
            dt_features: if Q::DT_FEATURES {
                Some(DtFeatures::new::<Q>(token, height, column))
            } else {
                None
            },
        }
    }
}

impl<'a, L: Lanes> Context<'a, L> {
    /// The context of some of the lanes, which `part` selects.
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
            dt_features: match &self.dt_features {
                Some(dt_features) if Q::DT_FEATURES => Some(dt_features.part(&part)),
                _ => None,
            },
        }
    }

    #[inline(always)]
    pub(super) fn splat(&self, value: i32) -> L {
        L::splat(self.token, value)
    }

    #[inline(always)]
    pub(super) fn times<Q: Plan>(&self, v: L, weight: i32) -> L {
        times::<Q, L>(self.token, v, weight)
    }
}

/// [`Shared`](super::super::measure::Shared) in lanes.
///
/// Arrays of six are indexed by piece column as in [`Context`], arrays of five by piece width.
pub(super) struct DtFeatures<L> {
    /// Rows with a hole.
    pub holed: L,
    /// Height of a column without a hole; otherwise a number below every row.
    pub sound: [L; 6],
    pub wells: [L; 6],
    /// The column two left of the piece.
    pub far_left: L,
    /// The column two right of the piece.
    pub far_right: [L; 5],
    pub steps_before: L,
    pub steps_from: [L; 5],
}

impl<L: Wide> DtFeatures<L> {
    #[inline(always)]
    pub(super) fn new<Q: Plan>(token: L::Token, height: L, column: L) -> DtFeatures<L> {
        let splat = |v: i32| L::splat(token, v);
        let zero = splat(0);
        let mut dt_features = DtFeatures {
            holed: zero,
            sound: [zero; 6],
            wells: [zero; 6],
            far_left: column,
            far_right: [zero; 5],
            steps_before: zero,
            steps_from: [zero; 5],
        };
        if Q::COVER {
            // Walls have no holes: they are filled, and their height is out of range.
            let holes = column.clear_in(splat(1).shl_by(height) - splat(1));
            let sound = height.select(splat(1).gt(holes.height()), splat(-1000));
            dt_features.holed = splat(holes.union());
            dt_features.sound = around(sound);
        }
        if Q::SUMS {
            let wells = column.clear_in_both(column.up::<1>(), column.down::<1>());
            dt_features.wells = around(wells);
            dt_features.far_right = [
                column,
                column.turn::<4>(),
                column.turn::<5>(),
                column.turn::<6>(),
                column.turn::<7>(),
            ];
            // The diversity bit of the step to the right neighbour; none at walls.
            let step = splat(1).shl_by(height - height.down::<1>() + splat(2)) & splat(0x1f);
            let (before, from) = scans(step);
            let from = around(from);
            dt_features.steps_before = before;
            dt_features.steps_from = [from[1], from[2], from[3], from[4], from[5]];
        }
        dt_features
    }
}

impl<L: Lanes> DtFeatures<L> {
    /// As [`Context::part`].
    #[inline(always)]
    pub(super) fn part<M: Copy>(&self, part: &impl Fn(L) -> M) -> DtFeatures<M> {
        DtFeatures {
            holed: part(self.holed),
            sound: map_lanes(&self.sound, part),
            wells: map_lanes(&self.wells, part),
            far_left: part(self.far_left),
            far_right: map_lanes(&self.far_right, part),
            steps_before: part(self.steps_before),
            steps_from: map_lanes(&self.steps_from, part),
        }
    }
}

/// For each lane, the bitwise or of the lanes up to it, and of the lanes from it on.
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
