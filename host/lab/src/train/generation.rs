//! The interface of the optimisers, and the result of a generation.

use serde::{Deserialize, Serialize};

use super::Evaluation;

/// An optimiser that evaluates a generation of candidates at a time (ask and tell).
pub trait Generational {
    /// Returns the candidates of the next generation.
    fn ask(&mut self) -> Vec<Vec<f64>>;
    /// Updates the search with the evaluation of each candidate of the last [`Self::ask`].
    fn tell(&mut self, candidates: &[Vec<f64>], found: &[Evaluation]);
    /// Returns the best weights so far, the most promising first.
    fn finalists(&self) -> Vec<Vec<f64>>;
}

/// Indices of evaluations, the best first.
pub fn order(found: &[Evaluation]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by(|&a, &b| found[b].rank(&found[a]));
    order
}

/// Lines a game in one generation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Lines of the best candidate.
    pub best: f64,
    /// Mean lines of all candidates.
    pub mean: f64,
}
