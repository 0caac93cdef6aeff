//! Prepares the weights of a controller for a board size and for 32-bit lanes.
//!
//! Placements are ranked by the *change* of the score by the move. Divided by the greatest common
//! divisor of the weights, that change often fits 31 bits, and lane arithmetic is exact. Otherwise
//! the weights are also divided by a power of two and rounded. Then every placement whose rounded
//! score is within `margin` of the best one may be the best, and those placements are ranked
//! exactly in 64 bits.

use lockstep_games::tetris::{FEATURES, Size};

use super::feature;

/// The prepared weights of a controller.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    /// Greatest common divisor of the weights, at least 1.
    pub divisor: i64,
    /// The weights divided by `divisor`.
    pub exact: [i64; FEATURES],
    /// The rounded weights for 32-bit lanes.
    pub lane: [i32; FEATURES],
    /// How far the lane score of the best placement may be below the highest lane score.
    pub margin: i32,
    /// Whether lane scores are exact and the magnitudes of lane weights are below 2¹².
    pub small: bool,
    /// The features with weights.
    pub set: Set,
}

/// Bound of lane scores, so that sums and differences fit 32 bits.
const LANE_LIMIT: i64 = 1 << 29;

/// The largest change of each feature by a placement; for diversity and max height, the largest
/// value.
fn bounds(size: Size) -> [i64; FEATURES] {
    let (columns, rows) = (size.columns() as i64, size.rows() as i64);
    let cells = columns * rows;
    let triangle = rows * (rows + 1) / 2;
    let mut b = [0; FEATURES];
    b[feature::LANDING_HEIGHT] = 2 * rows + 3;
    b[feature::ERODED_CELLS] = 16;
    b[feature::ROWS_CLEARED] = 4;
    // At most ten edges of cells, and two for each empty row that is added at the top.
    b[feature::ROW_TRANSITIONS] = 10 + 8;
    // Two for each of four gaps. Removed rows join others in at most two places, as four rows
    // have room for two runs: two for each column there.
    b[feature::COLUMN_TRANSITIONS] = 8 + 4 * columns;
    b[feature::HOLES] = cells;
    // Well cells of a row are never adjacent.
    b[feature::CUMULATIVE_WELLS] = (columns + 1) / 2 * triangle;
    b[feature::WELL_SUMS] = columns * triangle;
    b[feature::HOLE_DEPTH] = cells;
    b[feature::ROWS_WITH_HOLES] = rows;
    b[feature::DIVERSITY] = 5;
    b[feature::AGGREGATE_HEIGHT] = cells;
    b[feature::BUMPINESS] = cells;
    b[feature::MAX_HEIGHT] = rows;
    b
}

impl Scale {
    pub(super) fn new(weights: &[i32; FEATURES], size: Size) -> Scale {
        let divisor = weights.iter().fold(0, |g, &w| gcd(g, i64::from(w).abs()));
        let divisor = divisor.max(1);
        let exact = weights.map(|w| i64::from(w) / divisor);
        let bounds = bounds(size);
        let reach: i64 = exact.iter().zip(&bounds).map(|(w, b)| w.abs() * b).sum();
        let used: i64 = (exact.iter().zip(&bounds))
            .filter(|(w, _)| **w != 0)
            .map(|(_, b)| b)
            .sum();
        let mut shift = 0;
        while (reach >> shift) + used >= LANE_LIMIT {
            shift += 1;
        }
        let half = (1i64 << shift) / 2;
        let lane = exact.map(|w| ((w + half) >> shift) as i32);
        // Each rounded weight has an error of at most 1/2, so a score of at most used / 2, and the
        // difference of two scores of at most `used`.
        let margin = if shift == 0 { 0 } else { used as i32 };
        let uses = |features: &[usize]| features.iter().any(|&i| exact[i] != 0);
        let cover = uses(&[feature::HOLE_DEPTH, feature::ROWS_WITH_HOLES]);
        let sums = uses(&[feature::WELL_SUMS, feature::DIVERSITY]);
        let set = if exact[feature::AGGREGATE_HEIGHT..].iter().any(|&w| w != 0) {
            Set::All
        } else {
            match (uses(&[feature::CUMULATIVE_WELLS]), cover, sums) {
                (_, false, false) => Set::Core,
                (_, true, false) => Set::Covered,
                (false, _, true) => Set::Summed,
                (true, _, true) => Set::DtFeatures,
            }
        };
        Scale {
            divisor,
            exact,
            lane,
            margin,
            small: margin == 0 && lane.iter().all(|w| w.abs() < 1 << 12),
            set,
        }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The features that are evaluated beside landing height, transitions and holes.
pub(super) trait Formulas {
    /// Cumulative wells.
    const CUMULATIVE: bool;
    /// Hole depth and rows with holes.
    const COVER: bool;
    /// Well sums and diversity.
    const SUMS: bool;
    /// Aggregate height, bumpiness and max height.
    const SILHOUETTE: bool;
}

macro_rules! formulas {
    ($($(#[$doc:meta])* $name:ident: $cumulative:literal $cover:literal $sums:literal $silhouette:literal;)*) => {
        $(
            $(#[$doc])*
            pub(super) struct $name;

            impl Formulas for $name {
                const CUMULATIVE: bool = $cumulative;
                const COVER: bool = $cover;
                const SUMS: bool = $sums;
                const SILHOUETTE: bool = $silhouette;
            }
        )*
    };
}

formulas! {
    /// The features of Dellacherie's controller and of El-Tetris.
    Core: true false false false;
    /// The features of BCTS.
    Covered: true true false false;
    /// The features of DT-10 and DT-20.
    Summed: false true true false;
    /// The features of all controllers above.
    DtFeatures: true true true false;
    /// All features.
    All: true true true true;
}

/// The smallest of these sets that has all features of a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    Core,
    Covered,
    Summed,
    DtFeatures,
    All,
}
