//! The interface of the three optimisers, one type for them, and the result of a generation.

use serde::{Deserialize, Serialize};

use super::cma::Cma;
use super::genetic::Genetic;
use super::settings::{Method, Settings};
use super::swarm::Swarm;
use super::{Evaluation, unit};

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
    /// The optimiser of a training run before its first games.
    pub fn new(settings: &Settings) -> Self {
        let features = settings.controller_features.indices().len();
        let (population, seed) = (settings.population, settings.seed);
        let start = settings.start.as_deref();
        match settings.method {
            Method::Ga => Self::Ga(Genetic::new(features, start, population, seed)),
            Method::Pso | Method::Apso => Self::Pso(Swarm::new(
                features,
                start,
                population,
                settings.games,
                seed,
            )),
            Method::Cmaes => {
                // Around the zero vector, a step of any size is a random direction.
                let sigma = if start.is_some() { 0.2 } else { 1.0 };
                let mean = start.map_or_else(|| vec![0.0; features], unit);
                Self::Cmaes(Cma::new(mean, sigma, population, true, seed))
            }
        }
    }

    /// The optimiser as the common interface.
    pub fn generational(&mut self) -> &mut dyn Generational {
        match self {
            Self::Ga(genetic) => genetic,
            Self::Pso(swarm) => swarm,
            Self::Cmaes(cma) => cma,
        }
    }

    /// The best weights so far, the most promising first.
    pub fn finalists(&self) -> Vec<Vec<f64>> {
        match self {
            Self::Ga(genetic) => genetic.finalists(),
            Self::Pso(swarm) => swarm.finalists(),
            Self::Cmaes(cma) => cma.finalists(),
        }
    }
}

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
