//! CMA-ES: Hansen, The CMA Evolution Strategy: A Tutorial (arXiv 1604.00772),
//! with positive recombination weights and its default parameters.
//!
//! If only the direction of a vector counts, the mean is scaled back to length 1 after each
//! generation, and the step size by the same factor. The search is the same, but the step size
//! becomes an angle. Noise makes that angle shrink too early, so it has a lower limit (Boumaza,
//! EuroGP 2009, on Tetris: normalise, and watch the step size).

use nalgebra::{DMatrix, DVector, SymmetricEigen};
use serde::{Deserialize, Serialize};

use super::optimiser::{Generational, order};
use super::random::Random;
use super::{Evaluation, unit};

/// Least angle, in radians, of a step along the longest axis.
const FLOOR: f64 = 0.02;
/// Share of the past in the smoothed mean.
const SMOOTH: f64 = 0.8;

/// The state of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cma {
    directions: bool,
    population: usize,
    generation: i32,
    mean: DVector<f64>,
    smoothed: DVector<f64>,
    sigma: f64,
    covariance: DMatrix<f64>,
    sigma_path: DVector<f64>,
    covariance_path: DVector<f64>,
    random: Random,
}

/// The eigenvectors of the covariance, and the square roots of its eigenvalues.
struct Axes {
    directions: DMatrix<f64>,
    lengths: DVector<f64>,
}

impl Axes {
    fn of(covariance: &DMatrix<f64>) -> Self {
        let eigen = SymmetricEigen::new(covariance.clone());
        // Rounding may leave a tiny axis just below zero.
        let lengths = eigen.eigenvalues.map(|v| v.max(1e-20).sqrt());
        Self {
            directions: eigen.eigenvectors,
            lengths,
        }
    }

    /// C^(1/2) z.
    fn stretch(&self, z: &DVector<f64>) -> DVector<f64> {
        &self.directions * self.lengths.component_mul(z)
    }

    /// C^(-1/2) y.
    fn whiten(&self, y: &DVector<f64>) -> DVector<f64> {
        let along = self.directions.tr_mul(y);
        &self.directions * along.component_div(&self.lengths)
    }
}

/// The parameters that follow from dimension and population, named as in the
/// tutorial's table 1.
struct Parameters {
    weights: Vec<f64>,
    mu_eff: f64,
    c_sigma: f64,
    d_sigma: f64,
    c_c: f64,
    c_1: f64,
    c_mu: f64,
    /// Expected length of a normal vector.
    chi: f64,
}

impl Parameters {
    fn new(n: f64, population: usize) -> Self {
        let mu = population / 2;
        let raw: Vec<f64> = (1..=mu)
            .map(|i| (population as f64 / 2.0 + 0.5).ln() - (i as f64).ln())
            .collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|w| w / sum).collect();
        let mu_eff = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
        let c_sigma = (mu_eff + 2.0) / (n + mu_eff + 5.0);
        let excess = ((mu_eff - 1.0) / (n + 1.0)).sqrt() - 1.0;
        let c_1 = 2.0 / ((n + 1.3).powi(2) + mu_eff);
        let c_mu = 2.0 * (mu_eff - 2.0 + 1.0 / mu_eff) / ((n + 2.0).powi(2) + mu_eff);
        Self {
            c_sigma,
            d_sigma: 1.0 + 2.0 * excess.max(0.0) + c_sigma,
            c_c: (4.0 + mu_eff / n) / (n + 4.0 + 2.0 * mu_eff / n),
            c_1,
            c_mu: c_mu.min(1.0 - c_1),
            chi: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
            weights,
            mu_eff,
        }
    }
}

impl Cma {
    /// A search around `mean` with step size `sigma`; `directions`: only directions count.
    pub fn new(mean: Vec<f64>, sigma: f64, population: usize, directions: bool, seed: u64) -> Self {
        let n = mean.len();
        let mean = DVector::from_vec(mean);
        Self {
            directions,
            population,
            generation: 0,
            smoothed: mean.clone(),
            mean,
            sigma,
            covariance: DMatrix::identity(n, n),
            sigma_path: DVector::zeros(n),
            covariance_path: DVector::zeros(n),
            random: Random::new(seed),
        }
    }

    fn rescale(&mut self, longest: f64) {
        let length = self.mean.norm();
        if length > 0.0 {
            self.mean /= length;
            self.sigma /= length;
        }
        self.sigma = self.sigma.max(FLOOR / longest);
        self.smoothed = &self.smoothed * SMOOTH + &self.mean * (1.0 - SMOOTH);
    }
}

impl Generational for Cma {
    fn ask(&mut self) -> Vec<Vec<f64>> {
        let axes = Axes::of(&self.covariance);
        let n = self.mean.len();
        let sample = |_| {
            let z = DVector::from_vec(self.random.normals(n));
            let x = &self.mean + axes.stretch(&z) * self.sigma;
            x.as_slice().to_vec()
        };
        (0..self.population).map(sample).collect()
    }

    fn tell(&mut self, candidates: &[Vec<f64>], found: &[Evaluation]) {
        self.generation += 1;
        let n = self.mean.len() as f64;
        let p = Parameters::new(n, self.population);
        let axes = Axes::of(&self.covariance);
        let step = |&i: &usize| {
            let x = DVector::from_column_slice(&candidates[i]);
            (x - &self.mean) / self.sigma
        };
        let steps: Vec<DVector<f64>> = order(found)
            .iter()
            .take(p.weights.len())
            .map(step)
            .collect();
        let mut mean_step = DVector::zeros(self.mean.len());
        let mut spread = DMatrix::zeros(self.mean.len(), self.mean.len());
        for (weight, step) in p.weights.iter().zip(&steps) {
            mean_step += step * *weight;
            spread += step * step.transpose() * *weight;
        }

        self.sigma_path = &self.sigma_path * (1.0 - p.c_sigma)
            + axes.whiten(&mean_step) * (p.c_sigma * (2.0 - p.c_sigma) * p.mu_eff).sqrt();
        let path = self.sigma_path.norm();
        let settled = (1.0 - (1.0 - p.c_sigma).powi(2 * self.generation)).sqrt();
        // While sigma still grows quickly, the path does not update the covariance.
        let stalled = path / settled >= (1.4 + 2.0 / (n + 1.0)) * p.chi;
        self.covariance_path *= 1.0 - p.c_c;
        let missing = if stalled {
            p.c_c * (2.0 - p.c_c)
        } else {
            self.covariance_path += &mean_step * (p.c_c * (2.0 - p.c_c) * p.mu_eff).sqrt();
            0.0
        };
        let elongation = &self.covariance_path * self.covariance_path.transpose();
        self.covariance = &self.covariance * (1.0 + p.c_1 * missing - p.c_1 - p.c_mu)
            + elongation * p.c_1
            + spread * p.c_mu;

        self.mean += mean_step * self.sigma;
        self.sigma *= ((p.c_sigma / p.d_sigma) * (path / p.chi - 1.0))
            .min(1.0)
            .exp();
        if self.directions {
            self.rescale(axes.lengths.max());
        } else {
            self.smoothed.copy_from(&self.mean);
        }
    }

    /// The mean, and its average over the last generations: both less noisy than a candidate.
    fn finalists(&self) -> Vec<Vec<f64>> {
        let mut finalists = vec![self.mean.as_slice().to_vec()];
        if self.directions {
            finalists.push(unit(self.smoothed.as_slice()));
        }
        finalists
    }
}

#[cfg(test)]
mod tests {
    use super::super::functions::{ellipsoid, minimise, rosenbrock, sphere};
    use super::*;

    /// Some axes of the ellipsoid are a thousand times as long as others, which only the covariance
    /// can learn.
    #[test]
    fn cma_finds_minimum_of_functions() {
        let functions: [fn(&[f64]) -> f64; 3] = [sphere, ellipsoid, rosenbrock];
        for (function, generations) in functions.into_iter().zip([200, 500, 900]) {
            let start = vec![3.0, -2.0, 1.5, 0.5, -1.0, 2.5, -3.0, 1.0];
            let mut cma = Cma::new(start, 1.0, 12, false, 5);
            minimise(&mut cma, function, generations);
            assert!(function(&cma.finalists()[0]) < 1e-12, "{generations}");
        }
    }

    /// The function depends on the angle to a hidden direction alone.
    #[test]
    fn cma_finds_direction() {
        let hidden = unit(&[-1.0, 2.0, 0.5, -3.0, 1.0]);
        let away = |x: &[f64]| -> f64 {
            let x = unit(x);
            let dot: f64 = x.iter().zip(&hidden).map(|(a, b)| a * b).sum();
            1.0 - dot
        };
        let mut cma = Cma::new(vec![0.0; 5], 1.0, 16, true, 3);
        minimise(&mut cma, away, 150);
        assert!((cma.mean.norm() - 1.0).abs() < 1e-9);
        assert!(cma.sigma * Axes::of(&cma.covariance).lengths.max() > FLOOR / 4.0);
        for finalist in cma.finalists() {
            assert!(away(&finalist) < 1e-3, "{finalist:?}");
        }
    }
}
