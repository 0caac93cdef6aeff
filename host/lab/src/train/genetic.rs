//! A genetic algorithm on directions: tournaments choose parents, intermediate
//! recombination mixes them (Mühlenbein and Schlierkamp-Voosen 1993), and each
//! child inherits and varies the strength of its own mutation (Schwefel).
//!
//! The best survive, but play again in every generation, so that a lucky one does not stay long.

use serde::{Deserialize, Serialize};

use super::optimiser::{Generational, order};
use super::random::Random;
use super::{Evaluation, unit};

/// Individuals in a tournament.
const ENTRANTS: usize = 3;
/// Distance by which a child may lie beyond its parents, relative to their own distance.
const BEYOND: f64 = 0.25;
/// Minimum standard deviation of mutation.
const WEAKEST: f64 = 0.005;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Individual {
    weights: Vec<f64>,
    /// Standard deviation of the mutation of each weight.
    sigma: f64,
}

/// The state of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Genetic {
    /// Begins with the survivors of the last generation.
    population: Vec<Individual>,
    random: Random,
}

impl Genetic {
    /// A search among random directions, or around `start`.
    pub fn new(features: usize, start: Option<&[f64]>, population: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let individual = |i: usize| {
            let away = random.normals(features);
            let (weights, sigma) = match start {
                None => (away, 0.3),
                Some(start) if i == 0 => (start.to_vec(), 0.1),
                Some(start) => {
                    let near = start.iter().zip(&away).map(|(s, a)| s + 0.1 * a);
                    (near.collect(), 0.1)
                }
            };
            Individual {
                weights: unit(&weights),
                sigma,
            }
        };
        Self {
            population: (0..population).map(individual).collect(),
            random,
        }
    }

    fn survivors(&self) -> usize {
        (self.population.len() / 10).max(1)
    }

    /// The winner of a tournament; `order` lists individuals, the best first.
    fn parent(&mut self, order: &[usize]) -> Individual {
        let entrants = (0..ENTRANTS).map(|_| self.random.below(order.len()));
        let winner = entrants.min().unwrap_or(0);
        self.population[order[winner]].clone()
    }

    fn child(&mut self, order: &[usize]) -> Individual {
        let (a, b) = (self.parent(order), self.parent(order));
        let n = a.weights.len();
        let learning = 1.0 / (2.0 * n as f64).sqrt();
        let sigma = (a.sigma * b.sigma).sqrt() * (learning * self.random.normal()).exp();
        let sigma = sigma.max(WEAKEST);
        let mixed = a.weights.iter().zip(&b.weights).map(|(a, b)| {
            let share = self.random.uniform() * (1.0 + 2.0 * BEYOND) - BEYOND;
            a + share * (b - a) + sigma * self.random.normal()
        });
        Individual {
            weights: unit(&mixed.collect::<Vec<_>>()),
            sigma,
        }
    }
}

impl Generational for Genetic {
    fn ask(&mut self) -> Vec<Vec<f64>> {
        self.population.iter().map(|i| i.weights.clone()).collect()
    }

    fn tell(&mut self, _candidates: &[Vec<f64>], found: &[Evaluation]) {
        let order = order(found);
        let survivors = order.iter().take(self.survivors());
        let mut next: Vec<Individual> = survivors.map(|&i| self.population[i].clone()).collect();
        while next.len() < self.population.len() {
            next.push(self.child(&order));
        }
        self.population = next;
    }

    fn finalists(&self) -> Vec<Vec<f64>> {
        let survivors = self.population.iter().take(self.survivors().min(4));
        survivors.map(|i| i.weights.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::functions::minimise;
    use super::*;

    #[test]
    fn genetic_finds_direction() {
        let hidden = unit(&[-1.0, 2.0, 0.5, -3.0, 1.0]);
        let away = |x: &[f64]| -> f64 {
            let difference = x.iter().zip(&hidden).map(|(a, b)| (a - b).powi(2));
            difference.sum::<f64>().sqrt()
        };
        let mut genetic = Genetic::new(5, None, 40, 9);
        let first = genetic.ask();
        assert!(first.iter().all(|x| away(x) > 0.1), "no luck");
        minimise(&mut genetic, away, 80);
        assert!(away(&genetic.finalists()[0]) < 0.01);
    }

    #[test]
    fn genetic_starts_at_given_weights() {
        let start = unit(&[1.0, -2.0, 3.0]);
        let mut genetic = Genetic::new(3, Some(&start), 20, 9);
        let candidates = genetic.ask();
        assert_eq!(candidates[0], start);
        for weights in &candidates {
            let dot: f64 = weights.iter().zip(&start).map(|(a, b)| a * b).sum();
            assert!(dot > 0.8, "{weights:?}");
        }
    }
}
