//! Evaluates placements in full.
//!
//! Used for the score of a decision, and for boards that already hold full rows, on which the
//! incremental formulas are not valid.

use lockstep_games::tetris::linear::float_score;
use lockstep_games::tetris::linear::halves;
use lockstep_games::tetris::{Board, FEATURES, Linear, Piece, Placement, Score, Size};

use super::core::EngineError;
use super::evaluate::{Columns, evaluate, full_rows, height, remove_rows};
use super::feature;
use super::game::EngineGame;
use super::limits::fits;
use super::shape::{ROTATIONS, SHAPES, Shape, shape};

/// The result of a placement.
pub(super) struct Placed {
    pub features: [i32; FEATURES],
    pub removed: i32,
    pub after: Columns,
}

/// Rotation, column and bottom row of a piece.
pub(super) type Place = (usize, usize, i32);

/// The best placement on any board, also on one with full rows; slow.
pub(super) fn decide(
    linear: &Linear,
    size: Size,
    columns: &Columns,
    piece: Piece,
) -> Option<Placement> {
    let scored = |features: &[i32; FEATURES]| score(&linear.weights, features);
    let (place, placed, score) = best(size, columns, piece, scored)?;
    Some(placement(place, &placed, score))
}

/// The first placement with the highest score.
pub(super) fn best<T: PartialOrd>(
    size: Size,
    columns: &Columns,
    piece: Piece,
    score: impl Fn(&[i32; FEATURES]) -> T,
) -> Option<(Place, Placed, T)> {
    let scored = placements(columns, size, piece).map(|(rotation, x, row)| {
        let placed = evaluate_move(columns, size, shape(piece, rotation), x, row);
        let score = score(&placed.features);
        ((rotation, x, row), placed, score)
    });
    scored.reduce(|best, next| if next.2 > best.2 { next } else { best })
}

/// A placement with its score in millionths.
pub(super) fn placement(place: Place, placed: &Placed, score: i64) -> Placement {
    let (rotation, column, row) = place;
    Placement {
        rotation,
        column,
        row: row as usize,
        rows_cleared: placed.removed as usize,
        score: Score(score),
    }
}

/// The legal placements in order: rotation, column, bottom row.
pub(super) fn placements(
    columns: &Columns,
    size: Size,
    piece: Piece,
) -> impl Iterator<Item = Place> {
    (0..ROTATIONS[piece as usize]).flat_map(move |rotation| {
        let shape = &SHAPES[piece as usize][rotation];
        (0..=size.columns() - shape.width).filter_map(move |x| {
            let row = (0..shape.width)
                .map(|i| height(columns[x + i]) - shape.bottom[i])
                .fold(0, i32::max);
            let legal = row + shape.height as i32 <= size.rows() as i32;
            legal.then_some((rotation, x, row))
        })
    })
}

/// The column words of a board that is within the limits.
pub(super) fn columns(board: &Board) -> Columns {
    let mut columns: Columns = Default::default();
    for (c, word) in columns.iter_mut().enumerate().take(board.columns()) {
        for r in 0..board.rows() {
            *word |= u32::from(board.filled(c, r)) << r;
        }
    }
    columns
}

/// Carries out a placement and evaluates all features.
pub(super) fn evaluate_move(
    columns: &Columns,
    size: Size,
    shape: &Shape,
    x: usize,
    row: i32,
) -> Placed {
    let mut after = *columns;
    let cells = |i: usize| shape.columns[i] << row;
    for i in 0..shape.width {
        after[x + i] |= cells(i);
    }
    let full = full_rows(&after, size);
    let eroded: u32 = (0..shape.width)
        .map(|i| (full & cells(i)).count_ones())
        .sum();
    let removed = full.count_ones() as i32;
    remove_rows(&mut after, full);
    let mut features = evaluate(&after, size);
    features[feature::LANDING_HEIGHT] = 2 * row + shape.height as i32 - 1;
    features[feature::ERODED_CELLS] = removed * eroded as i32;
    features[feature::ROWS_CLEARED] = removed;
    Placed {
        features,
        removed,
        after,
    }
}

/// The weighted sum in millionths, exact; it cannot overflow.
pub(super) fn score(weights: &[i32; FEATURES], features: &[i32; FEATURES]) -> i64 {
    let terms = weights.iter().zip(features);
    terms.map(|(w, v)| i64::from(*w) * i64::from(*v)).sum()
}

/// A linear controller in double precision, which evaluates every placement in full.
#[derive(Clone, Debug)]
pub struct Float {
    /// Weights for one stored unit of a feature; the landing height is stored in half rows.
    weights: [f64; FEATURES],
    size: Size,
}

impl Float {
    /// A controller for boards of `size`, from the published weights by feature number.
    ///
    /// # Errors
    /// When the board is too large.
    pub fn new(published: [f64; FEATURES], size: Size) -> Result<Float, EngineError> {
        let weights = std::array::from_fn(|index| published[index] / halves(index));
        match fits(size) {
            true => Ok(Float { weights, size }),
            false => Err(EngineError::Size(size)),
        }
    }

    /// Plays up to `pieces` pieces of `game`; see [`Engine::play`](super::Engine::play).
    pub fn play(&self, game: &mut EngineGame, pieces: u64) -> bool {
        game.play(pieces, |game, piece| {
            let score = |features: &[i32; FEATURES]| float_score(&self.weights, features);
            let best = best(self.size, &game.stack.column_words(), piece, score);
            best.map(|(place, ..)| place)
        })
    }
}
