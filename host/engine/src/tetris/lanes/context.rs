//! What the rotations of one decision share.

use super::super::feature;
use super::super::scale::Scale;
use super::research::Research;
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
