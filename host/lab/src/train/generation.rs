//! Generations: the interface of the optimisers, and the result of a generation.

use serde::{Deserialize, Serialize};

use super::Evaluation;

/// An optimiser that plays generation after generation.
pub trait Generational {
    /// The candidates of the next generation.
    fn ask(&mut self) -> Vec<Vec<f64>>;
    /// Takes the evaluation of each candidate.
    fn tell(&mut self, candidates: &[Vec<f64>], found: &[Evaluation]);
    /// Its answers so far, the most promising first.
    fn finalists(&self) -> Vec<Vec<f64>>;
}

/// Indices of evaluations, the best first.
pub fn order(found: &[Evaluation]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by(|&a, &b| found[b].rank(&found[a]));
    order
}

/// Lines a game of the candidates of one generation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// The best candidate's.
    pub best: f64,
    /// The mean of all.
    pub mean: f64,
}
