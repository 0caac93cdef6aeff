//! What the optimisers have in common.

use serde::{Deserialize, Serialize};

use super::cma::Cma;
use super::genetic::Genetic;
use super::settings::{Method, Settings};
use super::swarm::Swarm;
use super::unit;

/// An optimiser that plays generation after generation.
pub trait Generational {
    /// The candidates of the next generation.
    fn ask(&mut self) -> Vec<Vec<f64>>;
    /// How they did: their indices, the best first.
    fn tell(&mut self, candidates: &[Vec<f64>], order: &[usize]);
    /// What it would answer now, the likeliest first.
    fn finalists(&self) -> Vec<Vec<f64>>;
}

/// An optimiser with all its state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Optimiser {
    /// Genetic algorithm.
    Ga(Genetic),
    /// Particle swarm.
    Pso(Swarm),
    /// CMA-ES.
    Cmaes(Cma),
}

impl Optimiser {
    /// The optimiser of a training before its first games.
    pub fn new(settings: &Settings) -> Self {
        let features = settings.controller_features.indices().len();
        let (population, seed) = (settings.population, settings.seed);
        let start = settings.start.as_deref();
        match settings.method {
            Method::Ga => Self::Ga(Genetic::new(features, start, population, seed)),
            Method::Pso => Self::Pso(Swarm::new(features, start, population, seed)),
            Method::Cmaes => {
                // Around nothing, steps of any size are random directions.
                let sigma = if start.is_some() { 0.2 } else { 1.0 };
                let mean = start.map_or_else(|| vec![0.0; features], unit);
                Self::Cmaes(Cma::new(mean, sigma, population, true, seed))
            }
        }
    }

    /// What it would answer now, the likeliest first.
    pub fn finalists(&self) -> Vec<Vec<f64>> {
        match self {
            Self::Ga(genetic) => genetic.finalists(),
            Self::Pso(swarm) => swarm.finalists(),
            Self::Cmaes(cma) => cma.finalists(),
        }
    }
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
