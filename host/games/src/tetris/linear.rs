//! Linear controllers: weights by feature.

use super::features::{FEATURES, Features};
use super::score::{Score, UNIT};
use super::search::Search;

/// A linear rule: the placement with the highest weighted sum of features is
/// chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linear {
    /// Weights in millionths; that of the landing height is per half row.
    pub weights: [i32; FEATURES],
    /// How far it looks.
    pub search: Search,
}

impl Linear {
    /// A rule from weights as published, by feature number: each the nearest
    /// number of millionths, those beyond 32 bits the last there is.
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

    /// The weights as they would be published, by feature number.
    pub fn published(&self) -> [f64; FEATURES] {
        let value = |index| f64::from(self.weights[index]) * halves(index) / UNIT as f64;
        std::array::from_fn(value)
    }

    /// Weighted sum of the features, exact.
    pub fn score(&self, features: &Features) -> Score {
        let terms = self.weights.iter().zip(features.to_array());
        Score(terms.map(|(&w, f)| i64::from(w) * f).sum())
    }
}

/// Units of a feature in one of its published unit: the landing height alone is
/// carried doubled, and its weight is per half row.
pub const fn halves(index: usize) -> f64 {
    const LANDING_HEIGHT: usize = 0;
    if index == LANDING_HEIGHT { 2.0 } else { 1.0 }
}
