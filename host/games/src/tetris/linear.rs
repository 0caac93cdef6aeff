//! Linear controllers: a weight for each feature.

use super::score::UNIT;
use super::{FEATURES, Features, Score, Search};

/// A linear controller, which chooses the placement with the highest weighted sum of features.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linear {
    /// Weights in millionths; that of the landing height is for half a row.
    pub weights: [i32; FEATURES],
    /// Depth and beam.
    pub search: Search,
}

impl Linear {
    /// A controller from published weights by feature number, rounded to millionths.
    ///
    /// Weights that exceed 32 bits are clamped.
    pub fn from_published(weights: &[f64; FEATURES], search: Search) -> Self {
        let mut fixed = [0; FEATURES];
        for (index, weight) in weights.iter().enumerate() {
            fixed[index] = (weight / halves(index) * UNIT as f64).round() as i32;
        }
        Self {
            weights: fixed,
            search,
        }
    }

    /// The weights in the published unit, by feature number.
    pub fn published(&self) -> [f64; FEATURES] {
        let value = |index| f64::from(self.weights[index]) * halves(index) / UNIT as f64;
        std::array::from_fn(value)
    }

    /// The exact weighted sum of the features.
    pub fn score(&self, features: &Features) -> Score {
        let terms = self.weights.iter().zip(features.to_array());
        Score(terms.map(|(&w, f)| i64::from(w) * f).sum())
    }
}

/// Stored units of a feature in one published unit: 2 for the landing height, otherwise 1.
pub const fn halves(index: usize) -> f64 {
    const LANDING_HEIGHT: usize = 0;
    if index == LANDING_HEIGHT { 2.0 } else { 1.0 }
}
