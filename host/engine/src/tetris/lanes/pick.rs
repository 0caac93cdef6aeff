//! Chooses the best placement of a piece from the scores of its rotations.

use super::super::clear::Removal;
use super::super::feature;
use super::super::measure::Shared;
use super::super::scalar::{self, Choice};
use super::super::scale::Formulas;
use super::super::scale::Scale;
use super::super::shape::{ROTATIONS, SHAPES, shape};
use super::super::stack::{ROW, Stack};
use super::context::Context;
use super::kernel::{Rotation, rotation};
use super::{Lanes, Plan, Wide};
use lockstep_games::tetris::piece::Piece;

/// The score of a lane without a candidate: less than every score.
const NONE: i32 = i32::MIN / 2;

/// The placements of a piece, stored one by one.
pub(in super::super) struct Places {
    /// Legal placements that fill rows: bit 16 × rotation + column.
    fills: u64,
    /// Bottom rows by rotation and column.
    rows: [[i32; 16]; 4],
    /// Scores by rotation and column, as if full rows stayed until [`clear`] corrects them.
    scores: [[i32; 16]; 4],
}

impl Places {
    #[inline(always)]
    fn new() -> Places {
        Places {
            fills: 0,
            rows: [[0; 16]; 4],
            scores: [[0; 16]; 4],
        }
    }
}

/// A stack prepared for decisions on any piece.
pub(in super::super) struct View<'a, L: Wide> {
    token: L::Token,
    stack: &'a Stack,
    scale: &'a Scale,
    /// The values that rotations share, by register.
    parts: L::Each<Context<'a, L::Part>>,
}

impl<'a, L: Wide> View<'a, L> {
    /// The rows of a stack, for [`View::new`].
    #[inline(always)]
    pub(in super::super) fn rows(token: L::Token, stack: &Stack) -> Option<L::Rows> {
        Some(L::rows(token, stack.rows[ROW..].first_chunk()?))
    }

    /// Prepares `stack`, whose rows are `rows`.
    #[inline(always)]
    pub(in super::super) fn new<Q: Plan>(
        token: L::Token,
        stack: &'a Stack,
        scale: &'a Scale,
        rows: &'a L::Rows,
    ) -> View<'a, L> {
        let height = L::load(token, &stack.heights);
        let column = L::load(token, &stack.columns);
        let size_rows = stack.size.rows() as i32;
        let cx = Context::<L>::new::<Q>(token, scale, size_rows, rows, height, column);
        View {
            token,
            stack,
            scale,
            parts: L::each(
                cx.part::<Q, _>(L::first_part),
                cx.part::<Q, _>(L::last_part),
            ),
        }
    }
}

/// The best legal placement of piece `P`, if there is one.
///
/// `clear` calls the function [`clear`], which the caller compiles once for all pieces.
#[inline(always)]
pub(in super::super) fn choose<Q: Plan, L: Wide, const P: usize>(
    view: &View<L>,
    clear: impl Fn(&Stack, &Scale, Piece, &mut Places) -> i32,
) -> Option<Choice> {
    let mut places = Places::new();
    let lanes = score::<Q, L, P>(view, &mut places);
    pick::<Q, L>(view, const { Piece::ALL[P] }, lanes, &mut places, clear)
}

/// [`choose`] for all pieces in one function.
#[inline(always)]
pub(in super::super) fn choose_any<Q: Plan, L: Wide>(
    view: &View<L>,
    piece: Piece,
) -> Option<Choice> {
    let mut places = Places::new();
    let lanes = match piece {
        Piece::I => score::<Q, L, 0>(view, &mut places),
        Piece::O => score::<Q, L, 1>(view, &mut places),
        Piece::T => score::<Q, L, 2>(view, &mut places),
        Piece::S => score::<Q, L, 3>(view, &mut places),
        Piece::Z => score::<Q, L, 4>(view, &mut places),
        Piece::J => score::<Q, L, 5>(view, &mut places),
        Piece::L => score::<Q, L, 6>(view, &mut places),
    };
    pick::<Q, L>(view, piece, lanes, &mut places, clear::<Q::Formulas>)
}

/// Scores the rotations of piece `P`; lanes that are not legal or fill a row are [`NONE`].
#[inline(always)]
fn score<Q: Plan, L: Wide, const P: usize>(view: &View<L>, places: &mut Places) -> [L; 4] {
    let mut lanes = [L::splat(view.token, NONE); 4];
    let parts = view.parts.as_ref();
    macro_rules! score {
        ($r:literal) => {
            if $r < ROTATIONS[P] {
                let mut filling = 0;
                if Q::NARROW && SHAPES[P][$r].width >= 3 {
                    let cx = parts[0].part::<Q, _>(L::narrow);
                    let r = rotation::<Q, L::Narrow, P, $r>(&cx);
                    r.row.store(&mut places.rows[$r]);
                    r.score.store(&mut places.scores[$r]);
                    lanes[$r] = lanes[$r].with_low(r.ranked(cx.splat(NONE)));
                    filling |= L::Narrow::bits(r.fills & r.legal);
                } else {
                    let none = parts[0].splat(NONE);
                    let (mut rows, mut scores, mut ranked) = ([none; 2], [none; 2], [none; 2]);
                    for (i, cx) in parts.iter().enumerate() {
                        let r = rotation::<Q, L::Part, P, $r>(cx);
                        (rows[i], scores[i], ranked[i]) = (r.row, r.score, r.ranked(none));
                        filling |= L::Part::bits(r.fills & r.legal) << (8 * i);
                    }
                    L::of_parts(rows).store(&mut places.rows[$r]);
                    L::of_parts(scores).store(&mut places.scores[$r]);
                    lanes[$r] = L::of_parts(ranked);
                }
                places.fills |= u64::from(filling) << (16 * $r);
            }
        };
    }
    score!(0);
    score!(1);
    score!(2);
    score!(3);
    lanes
}

impl<L: Lanes> Rotation<L> {
    /// The scores, with `none` for placements that are not legal or fill a row.
    #[inline(always)]
    fn ranked(&self, none: L) -> L {
        none.select(self.fills, self.score.select(self.legal, none))
    }
}

#[inline(always)]
fn pick<Q: Plan, L: Wide>(
    view: &View<L>,
    piece: Piece,
    lanes: [L; 4],
    places: &mut Places,
    clear: impl Fn(&Stack, &Scale, Piece, &mut Places) -> i32,
) -> Option<Choice> {
    let (stack, scale, fills) = (view.stack, view.scale, places.fills);
    let splat = |v: i32| L::splat(view.token, v);
    let [a, b, c, d] = lanes;
    let mut top = a.max(b).max(c.max(d)).largest();
    if fills != 0 {
        let highest = clear(stack, scale, piece, places);
        top = splat(top.first().max(highest));
    }
    let lowest = top - splat(scale.margin + 1);
    let mut close = u64::from(L::bits(a.gt(lowest)))
        | u64::from(L::bits(b.gt(lowest))) << 16
        | u64::from(L::bits(c.gt(lowest))) << 32
        | u64::from(L::bits(d.gt(lowest))) << 48;
    if fills != 0 {
        let lowest = lowest.first();
        for order in Orders(fills) {
            let (r, x) = split(order);
            close |= u64::from(places.scores[r][x] > lowest) << order;
        }
    }
    if top.first() == NONE {
        return None;
    }
    if !Q::SMALL && scale.margin != 0 && close & (close - 1) != 0 {
        return Some(best_exact::<Q::Formulas>(
            stack,
            scale,
            piece,
            close,
            fills,
            &places.rows,
        ));
    }
    Some(choice(close.trailing_zeros() as usize, fills, &places.rows))
}

/// Rotation and column of the candidate with index `order`.
#[inline(always)]
const fn split(order: usize) -> (usize, usize) {
    ((order / 16) & 3, order % 16)
}

/// Iterates over the set bits of a word, lowest first.
struct Orders(u64);

impl Iterator for Orders {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let order = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(order)
    }
}

/// The candidate with index `order`.
#[inline(always)]
fn choice(order: usize, fills: u64, rows: &[[i32; 16]; 4]) -> Choice {
    let (rotation, column) = split(order);
    Choice {
        rotation,
        column,
        row: rows[rotation][column],
        fills: fills >> order & 1 != 0,
    }
}

/// The first of the close candidates with the highest exact score.
#[inline(never)]
fn best_exact<F: Formulas>(
    stack: &Stack,
    scale: &Scale,
    piece: Piece,
    close: u64,
    fills: u64,
    rows: &[[i32; 16]; 4],
) -> Choice {
    let shared = Shared::new::<F>(stack);
    let mut best = (
        i64::MIN,
        choice(close.trailing_zeros() as usize, fills, rows),
    );
    for order in Orders(close) {
        let next = choice(order, fills, rows);
        let score = scalar::exact::<F>(stack, &shared, scale, piece, next);
        if score > best.0 {
            best = (score, next);
        }
    }
    best.1
}

/// Corrects the scores of the placements that fill rows, and returns the highest.
#[inline(always)]
pub(in super::super) fn clear<F: Formulas>(
    stack: &Stack,
    scale: &Scale,
    piece: Piece,
    places: &mut Places,
) -> i32 {
    let used = if F::COVER || F::SUMS {
        feature::AGGREGATE_HEIGHT
    } else {
        feature::WELL_SUMS
    };
    let mut highest = NONE;
    for order in Orders(places.fills) {
        let (r, x) = split(order);
        let (shape, row) = (shape(piece, r), places.rows[r][x]);
        let removal = Removal::new(stack, shape, x, row);
        let features = removal.correction::<F>(stack, shape, x, row);
        let mut sum = places.scores[r][x];
        for (weight, value) in scale.lane[..used].iter().zip(features) {
            sum = sum.wrapping_add(weight.wrapping_mul(value));
        }
        places.scores[r][x] = sum;
        highest = highest.max(sum);
    }
    highest
}
