//! The best placement of a piece from the scores of its rotations.

use super::super::clear::Removal;
use super::super::feature;
use super::super::scalar::{self, Choice};
use super::super::scale::Scale;
use super::super::shape::{ROTATIONS, SHAPES, Shape, shape};
use super::super::stack::{ROW, Stack};
use super::context::Context;
use super::kernel::rotation;
use super::{Lanes, Plan, Wide};
use lockstep_games::tetris::piece::Piece;

/// Score of a lane that holds no candidate: below every score in use.
const NONE: i32 = i32::MIN / 2;

/// Scores of all placements of a piece.
struct Scored<L> {
    /// By rotation; [`NONE`] where not legal or where a row is filled.
    lanes: [L; 4],
    /// Legal placements that fill rows, by order: 16 rotation + column.
    fills: u64,
    /// Bottom rows by rotation and column.
    rows: [[i32; 16]; 4],
    /// Scores by rotation and column as if full rows stayed.
    kept: [[i32; 16]; 4],
}

/// The best legal placement of `piece`, `None` without one.
#[inline(always)]
pub(in super::super) fn choose<Q: Plan, L: Wide>(
    token: L::Token,
    stack: &Stack,
    scale: &Scale,
    piece: Piece,
) -> Option<Choice> {
    let height = L::load(token, &stack.heights);
    let column = L::load_bits(token, &stack.columns);
    let rows = L::rows(token, stack.rows[ROW..].first_chunk()?);
    let size_rows = stack.size.rows() as i32;
    let cx = Context::<L>::new::<Q>(token, scale, size_rows, &rows, height, column);
    let mut scored = Scored {
        lanes: [cx.splat(NONE); 4],
        fills: 0,
        rows: [[0; 16]; 4],
        kept: [[0; 16]; 4],
    };
    match piece {
        Piece::I => score::<Q, L, 0>(&cx, &mut scored),
        Piece::O => score::<Q, L, 1>(&cx, &mut scored),
        Piece::T => score::<Q, L, 2>(&cx, &mut scored),
        Piece::S => score::<Q, L, 3>(&cx, &mut scored),
        Piece::Z => score::<Q, L, 4>(&cx, &mut scored),
        Piece::J => score::<Q, L, 5>(&cx, &mut scored),
        Piece::L => score::<Q, L, 6>(&cx, &mut scored),
    }
    pick::<Q, L>(&cx, stack, piece, &mut scored)
}

/// Scores the rotations of piece `P`.
#[inline(always)]
fn score<Q: Plan, L: Wide, const P: usize>(cx: &Context<L>, scored: &mut Scored<L>) {
    let narrow = cx.narrow();
    macro_rules! score {
        ($r:literal) => {
            if $r < ROTATIONS[P] {
                let filling;
                if Q::NARROW && SHAPES[P][$r].width >= 3 {
                    let r = rotation::<Q, L::Narrow, P, $r>(&narrow);
                    r.row.store(&mut scored.rows[$r]);
                    r.score.store(&mut scored.kept[$r]);
                    let none = narrow.splat(NONE);
                    let legal = r.score.select(r.legal, none);
                    let low = none.select(r.fills, legal);
                    scored.lanes[$r] = cx.splat(NONE).with_low(low);
                    filling = L::Narrow::bits(r.fills & r.legal);
                } else {
                    let r = rotation::<Q, L, P, $r>(cx);
                    r.row.store(&mut scored.rows[$r]);
                    r.score.store(&mut scored.kept[$r]);
                    let none = cx.splat(NONE);
                    let legal = r.score.select(r.legal, none);
                    scored.lanes[$r] = none.select(r.fills, legal);
                    filling = L::bits(r.fills & r.legal);
                }
                scored.fills |= u64::from(filling) << (16 * $r);
            }
        };
    }
    score!(0);
    score!(1);
    score!(2);
    score!(3);
}

/// The best of the scored placements.
#[inline(always)]
fn pick<Q: Plan, L: Wide>(
    cx: &Context<L>,
    stack: &Stack,
    piece: Piece,
    scored: &mut Scored<L>,
) -> Option<Choice> {
    let (scale, fills) = (cx.scale, scored.fills);
    let [a, b, c, d] = scored.lanes;
    let mut top = a.max(b).max(c.max(d)).largest();
    if fills != 0 {
        let mut highest = top.first();
        for order in Orders(fills) {
            let (r, x) = split(order);
            let (row, kept) = (scored.rows[r][x], scored.kept[r][x]);
            let score = cleared_score::<Q>(stack, scale, shape(piece, r), x, row, kept);
            scored.kept[r][x] = score;
            highest = highest.max(score);
        }
        top = cx.splat(highest);
    }
    let lowest = top - cx.splat(scale.margin + 1);
    let mut close = u64::from(L::bits(a.gt(lowest)))
        | u64::from(L::bits(b.gt(lowest))) << 16
        | u64::from(L::bits(c.gt(lowest))) << 32
        | u64::from(L::bits(d.gt(lowest))) << 48;
    if fills != 0 {
        let lowest = lowest.first();
        for order in Orders(fills) {
            let (r, x) = split(order);
            close |= u64::from(scored.kept[r][x] > lowest) << order;
        }
    }
    if top.first() == NONE {
        return None;
    }
    if !Q::SMALL && scale.margin != 0 && close & (close - 1) != 0 {
        return Some(judge::<Q>(stack, scale, piece, close, fills, &scored.rows));
    }
    Some(choice(close.trailing_zeros() as usize, fills, &scored.rows))
}

/// Rotation and column of a place in the order of candidates.
#[inline(always)]
const fn split(order: usize) -> (usize, usize) {
    ((order / 16) & 3, order % 16)
}

/// The set bits of a word, lowest first.
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

/// The candidate with place `order` in the order of candidates.
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

/// The first best of the close candidates, by exact scores.
#[inline(never)]
fn judge<Q: Plan>(
    stack: &Stack,
    scale: &Scale,
    piece: Piece,
    close: u64,
    fills: u64,
    rows: &[[i32; 16]; 4],
) -> Choice {
    let mut best = (
        i64::MIN,
        choice(close.trailing_zeros() as usize, fills, rows),
    );
    for order in Orders(close) {
        let next = choice(order, fills, rows);
        let score = scalar::exact::<Q>(stack, scale, piece, next);
        if score > best.0 {
            best = (score, next);
        }
    }
    best.1
}

/// Score of a placement that fills rows, from its score as if they stayed.
#[inline(always)]
fn cleared_score<Q: Plan>(
    stack: &Stack,
    scale: &Scale,
    shape: &Shape,
    x: usize,
    row: i32,
    kept: i32,
) -> i32 {
    let removal = Removal::new(stack, shape, x, row);
    let features = removal.correction::<Q>(stack, shape, x, row);
    let used = if Q::COVER || Q::SUMS {
        feature::AGGREGATE_HEIGHT
    } else {
        feature::WELL_SUMS
    };
    let mut sum = kept;
    for (weight, value) in scale.lane[..used].iter().zip(features) {
        sum = sum.wrapping_add(weight.wrapping_mul(value));
    }
    sum
}
