//! Generations: what optimisers that play one after another have in common, and
//! how one did.

use serde::{Deserialize, Serialize};

/// An optimiser that plays generation after generation.
pub trait Generational {
    /// The candidates of the next generation.
    fn ask(&mut self) -> Vec<Vec<f64>>;
    /// How they did: their indices, the best first.
    fn tell(&mut self, candidates: &[Vec<f64>], order: &[usize]);
    /// What it would answer now, the likeliest first.
    fn finalists(&self) -> Vec<Vec<f64>>;
}

/// Lines a game of the candidates of one generation; of a swarm, of as many
/// moves as it has particles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// The best candidate's.
    pub best: f64,
    /// The mean of all.
    pub mean: f64,
}
