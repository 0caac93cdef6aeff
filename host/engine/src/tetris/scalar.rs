//! The portable path: measures one placement after the other.

use super::clear::Removal;
use super::feature;
use super::measure::{Measured, Shared, fills_row, measure};
use super::scale::Formulas;
use super::scale::Scale;
use super::shape::{ROTATIONS, SHAPES, Shape, shape};
use super::stack::Stack;
use lockstep_games::tetris::{FEATURES, Piece};

/// The placement chosen by a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub rotation: usize,
    pub column: usize,
    pub row: i32,
    /// Whether it may fill rows.
    pub fills: bool,
}

/// The best candidate so far.
struct Best {
    /// The score times [`ORDER`], plus a number that is higher for an earlier candidate.
    ///
    /// So one comparison keeps the first of equal scores.
    key: i64,
    row: i32,
}

/// The number of candidates that a key can distinguish.
const ORDER: i64 = 64;

/// The best legal placement of `piece`, if there is one.
pub(super) fn choose<F: Formulas>(stack: &Stack, scale: &Scale, piece: Piece) -> Option<Choice> {
    match piece {
        Piece::I => piece_choose::<F, 0>(stack, scale),
        Piece::O => piece_choose::<F, 1>(stack, scale),
        Piece::T => piece_choose::<F, 2>(stack, scale),
        Piece::S => piece_choose::<F, 3>(stack, scale),
        Piece::Z => piece_choose::<F, 4>(stack, scale),
        Piece::J => piece_choose::<F, 5>(stack, scale),
        Piece::L => piece_choose::<F, 6>(stack, scale),
    }
}

/// [`choose`] for piece number `P`; small functions take less time to compile.
#[inline(never)]
fn piece_choose<F: Formulas, const P: usize>(stack: &Stack, scale: &Scale) -> Option<Choice> {
    let shared = Shared::new::<F>(stack);
    let mut best = Best {
        key: i64::MIN,
        row: 0,
    };
    rotation::<F, P, 0>(stack, &shared, scale, &mut best);
    if ROTATIONS[P] > 1 {
        rotation::<F, P, 1>(stack, &shared, scale, &mut best);
    }
    if ROTATIONS[P] > 2 {
        rotation::<F, P, 2>(stack, &shared, scale, &mut best);
        rotation::<F, P, 3>(stack, &shared, scale, &mut best);
    }
    if best.key == i64::MIN {
        return None;
    }
    let order = (ORDER - 1 - best.key.rem_euclid(ORDER)) as usize;
    Some(Choice {
        rotation: order / 16,
        column: order % 16,
        row: best.row,
        // Checked when it is placed.
        fills: true,
    })
}

#[inline(always)]
fn rotation<F: Formulas, const P: usize, const R: usize>(
    stack: &Stack,
    shared: &Shared,
    scale: &Scale,
    best: &mut Best,
) {
    let shape = const { &SHAPES[P][R] };
    let lowest = stack.size.rows() as i32 - shape.height as i32;
    for x in 0..=stack.size.columns() - shape.width {
        if stack.landing(shape, x) > lowest {
            continue;
        }
        let measured = measure::<F>(stack, shared, shape, x);
        let score = if fills_row(measured.window, shape.pattern << x, shape.height) {
            cleared_score::<F>(stack, scale, shape, x, measured)
        } else {
            kept_score::<F>(scale, &measured.features)
        };
        let key = score * ORDER + (ORDER - 1 - (R * 16 + x) as i64);
        best.row = if key > best.key {
            measured.row
        } else {
            best.row
        };
        best.key = best.key.max(key);
    }
}

/// The exact change of the score by one placement, in units of [`Scale::divisor`].
#[inline(never)]
pub(super) fn exact<F: Formulas>(
    stack: &Stack,
    shared: &Shared,
    scale: &Scale,
    piece: Piece,
    choice: Choice,
) -> i64 {
    let shape = shape(piece, choice.rotation);
    let measured = measure_any::<F>(stack, shared, piece, choice.rotation, choice.column);
    match choice.fills {
        true => cleared_score::<F>(stack, scale, shape, choice.column, measured),
        false => dot(scale, &measured.features),
    }
}

/// [`measure`] for a rotation that is known at run time only.
fn measure_any<F: Formulas>(
    stack: &Stack,
    shared: &Shared,
    piece: Piece,
    rotation: usize,
    x: usize,
) -> Measured {
    macro_rules! by_rotation {
        ($p:literal: $($r:literal)*) => {
            match rotation {
                $($r => measure::<F>(stack, shared, const { &SHAPES[$p][$r] }, x),)*
                _ => measure::<F>(stack, shared, const { &SHAPES[$p][0] }, x),
            }
        };
    }
    match piece {
        Piece::I => by_rotation!(0: 1),
        Piece::O => by_rotation!(1:),
        Piece::T => by_rotation!(2: 1 2 3),
        Piece::S => by_rotation!(3: 1),
        Piece::Z => by_rotation!(4: 1),
        Piece::J => by_rotation!(5: 1 2 3),
        Piece::L => by_rotation!(6: 1 2 3),
    }
}

fn dot(scale: &Scale, features: &[i32; FEATURES]) -> i64 {
    let mut sum = 0;
    for (weight, value) in scale.exact.iter().zip(features) {
        sum += weight * i64::from(*value);
    }
    sum
}

/// The change of the score by a placement that may fill rows.
#[inline(never)]
fn cleared_score<F: Formulas>(
    stack: &Stack,
    scale: &Scale,
    shape: &Shape,
    x: usize,
    mut measured: Measured,
) -> i64 {
    let row = measured.row;
    let removal = Removal::new(stack, shape, x, row);
    if removal.removed > 0 {
        let correction = removal.correction::<F>(stack, shape, x, row);
        for (to, by) in measured.features.iter_mut().zip(correction) {
            *to += by;
        }
    }
    dot(scale, &measured.features)
}

/// The change of the score by a placement that fills no row, over the features of `F` only.
#[inline(always)]
fn kept_score<F: Formulas>(scale: &Scale, features: &[i32; FEATURES]) -> i64 {
    let term = |i: usize| scale.exact[i] * i64::from(features[i]);
    let mut sum = term(feature::LANDING_HEIGHT)
        + term(feature::ROW_TRANSITIONS)
        + term(feature::COLUMN_TRANSITIONS)
        + term(feature::HOLES);
    if F::CUMULATIVE {
        sum += term(feature::CUMULATIVE_WELLS);
    }
    if F::COVER {
        sum += term(feature::HOLE_DEPTH) + term(feature::ROWS_WITH_HOLES);
    }
    if F::SUMS {
        sum += term(feature::WELL_SUMS) + term(feature::DIVERSITY);
    }
    if F::SILHOUETTE {
        sum +=
            term(feature::AGGREGATE_HEIGHT) + term(feature::BUMPINESS) + term(feature::MAX_HEIGHT);
    }
    sum
}
