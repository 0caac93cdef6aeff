//! CMA-ES: Hansen, The CMA Evolution Strategy: A Tutorial (arXiv 1604.00772),
//! with positive recombination weights and its default parameters.
//!
//! If only the direction of a vector counts, the mean is scaled back to length 1 after each
//! generation, and the step size by the same factor. The search is the same, but the step size
//! becomes an angle. Noise makes that angle shrink too early, so it has a lower limit (Boumaza,
//! EuroGP 2009, on Tetris: normalise, and watch the step size).

use serde::{Deserialize, Serialize};

use super::optimiser::{Generational, order};
use super::random::Random;
use super::{Evaluation, unit};

/// Minimum angle, in radians, of a step along the longest axis.
const FLOOR: f64 = 0.02;
/// Share of the past in the smoothed mean.
const SMOOTH: f64 = 0.8;

/// Maximum number of rounds of rotations; fewer than ten suffice for dozens of axes.
const ROUNDS: usize = 50;

/// A square matrix by rows.
type Matrix = Vec<Vec<f64>>;

/// The state of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cma {
    directions: bool,
    population: usize,
    generation: i32,
    mean: Vec<f64>,
    smoothed: Vec<f64>,
    sigma: f64,
    covariance: Matrix,
    sigma_path: Vec<f64>,
    covariance_path: Vec<f64>,
    random: Random,
}

/// The eigenvectors of the covariance, each of length 1, and the square roots of its eigenvalues.
struct Axes {
    directions: Matrix,
    lengths: Vec<f64>,
}

impl Axes {
    /// Jacobi's method (Golub and Van Loan, Matrix Computations, section 8.5): a rotation in the
    /// plane of two axes makes their entry of the matrix zero; repeated until all are negligible.
    fn of(covariance: &Matrix) -> Self {
        let n = covariance.len();
        let mut c = covariance.clone();
        let mut directions = identity(n);
        for _ in 0..ROUNDS {
            let mut has_rotated = false;
            for p in 0..n {
                for q in p + 1..n {
                    let negligible = f64::EPSILON * (c[p][p] * c[q][q]).abs().sqrt();
                    if c[p][q].abs() <= negligible {
                        continue;
                    }
                    has_rotated = true;
                    let ratio = (c[q][q] - c[p][p]) / (2.0 * c[p][q]);
                    let tan = ratio.signum() / (ratio.abs() + ratio.hypot(1.0));
                    let cos = 1.0 / tan.hypot(1.0);
                    let rotated = |a: f64, b: f64| (cos * (a - tan * b), cos * (tan * a + b));
                    for row in &mut c {
                        (row[p], row[q]) = rotated(row[p], row[q]);
                    }
                    for rows in [&mut c, &mut directions] {
                        let (above, below) = rows.split_at_mut(q);
                        for (a, b) in above[p].iter_mut().zip(&mut below[0]) {
                            (*a, *b) = rotated(*a, *b);
                        }
                    }
                }
            }
            if !has_rotated {
                break;
            }
        }
        // Rounding may leave a tiny axis just below zero.
        let length = |i: usize| c[i][i].max(1e-20).sqrt();
        Self {
            directions,
            lengths: (0..n).map(length).collect(),
        }
    }

    /// C^(1/2) z, up to a rotation of z.
    fn stretch(&self, z: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; z.len()];
        for ((direction, length), z) in self.directions.iter().zip(&self.lengths).zip(z) {
            add(&mut sum, z * length, direction);
        }
        sum
    }

    /// C^(-1/2) y.
    fn whiten(&self, y: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; y.len()];
        for (direction, length) in self.directions.iter().zip(&self.lengths) {
            add(&mut sum, dot(direction, y) / length, direction);
        }
        sum
    }

    fn longest(&self) -> f64 {
        self.lengths.iter().copied().fold(0.0, f64::max)
    }
}

fn identity(n: usize) -> Matrix {
    let row = |i| (0..n).map(|j| f64::from(i == j)).collect();
    (0..n).map(row).collect()
}

/// Adds a multiple of a vector to another.
fn add(sum: &mut [f64], factor: f64, vector: &[f64]) {
    sum.iter_mut()
        .zip(vector)
        .for_each(|(s, v)| *s += factor * v);
}

fn scale(vector: &mut [f64], factor: f64) {
    vector.iter_mut().for_each(|v| *v *= factor);
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
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
        Self {
            directions,
            population,
            generation: 0,
            smoothed: mean.clone(),
            mean,
            sigma,
            covariance: identity(n),
            sigma_path: vec![0.0; n],
            covariance_path: vec![0.0; n],
            random: Random::new(seed),
        }
    }

    fn rescale(&mut self, longest: f64) {
        let length = norm(&self.mean);
        if length > 0.0 {
            scale(&mut self.mean, 1.0 / length);
            self.sigma /= length;
        }
        self.sigma = self.sigma.max(FLOOR / longest);
        scale(&mut self.smoothed, SMOOTH);
        add(&mut self.smoothed, 1.0 - SMOOTH, &self.mean);
    }
}

impl Generational for Cma {
    fn ask(&mut self) -> Vec<Vec<f64>> {
        let axes = Axes::of(&self.covariance);
        let n = self.mean.len();
        let sample = |_| {
            let mut x = self.mean.clone();
            add(&mut x, self.sigma, &axes.stretch(&self.random.normals(n)));
            x
        };
        (0..self.population).map(sample).collect()
    }

    fn tell(&mut self, candidates: &[Vec<f64>], found: &[Evaluation]) {
        self.generation += 1;
        let n = self.mean.len() as f64;
        let p = Parameters::new(n, self.population);
        let axes = Axes::of(&self.covariance);
        let step = |&i: &usize| {
            let mut step = candidates[i].clone();
            add(&mut step, -1.0, &self.mean);
            scale(&mut step, 1.0 / self.sigma);
            step
        };
        let steps: Matrix = order(found)
            .iter()
            .take(p.weights.len())
            .map(step)
            .collect();
        let mut mean_step = vec![0.0; self.mean.len()];
        for (weight, step) in p.weights.iter().zip(&steps) {
            add(&mut mean_step, *weight, step);
        }

        let gain = (p.c_sigma * (2.0 - p.c_sigma) * p.mu_eff).sqrt();
        scale(&mut self.sigma_path, 1.0 - p.c_sigma);
        add(&mut self.sigma_path, gain, &axes.whiten(&mean_step));
        let path = norm(&self.sigma_path);
        let settled = (1.0 - (1.0 - p.c_sigma).powi(2 * self.generation)).sqrt();
        // While sigma still grows quickly, the path does not update the covariance.
        let stalled = path / settled >= (1.4 + 2.0 / (n + 1.0)) * p.chi;
        scale(&mut self.covariance_path, 1.0 - p.c_c);
        let missing = if stalled {
            p.c_c * (2.0 - p.c_c)
        } else {
            let gain = (p.c_c * (2.0 - p.c_c) * p.mu_eff).sqrt();
            add(&mut self.covariance_path, gain, &mean_step);
            0.0
        };
        for (i, row) in self.covariance.iter_mut().enumerate() {
            scale(row, 1.0 + p.c_1 * missing - p.c_1 - p.c_mu);
            add(row, p.c_1 * self.covariance_path[i], &self.covariance_path);
            for (weight, step) in p.weights.iter().zip(&steps) {
                add(row, p.c_mu * weight * step[i], step);
            }
        }

        add(&mut self.mean, self.sigma, &mean_step);
        self.sigma *= ((p.c_sigma / p.d_sigma) * (path / p.chi - 1.0))
            .min(1.0)
            .exp();
        if self.directions {
            self.rescale(axes.longest());
        } else {
            self.smoothed.clone_from(&self.mean);
        }
    }

    /// The mean, and its average over the last generations: both less noisy than a candidate.
    fn finalists(&self) -> Vec<Vec<f64>> {
        let mut finalists = vec![self.mean.clone()];
        if self.directions {
            finalists.push(unit(&self.smoothed));
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

    /// The axes give the covariance again, and whitening undoes stretching except for a rotation.
    #[test]
    fn axes_are_those_of_the_covariance() {
        let c = vec![
            vec![4.0, 1.0, -2.0],
            vec![1.0, 3.0, 0.5],
            vec![-2.0, 0.5, 2.0],
        ];
        let axes = Axes::of(&c);
        for (i, row) in c.iter().enumerate() {
            let mut unit = vec![0.0; 3];
            unit[i] = 1.0;
            // Entry j is e_j C e_i.
            let mut product = vec![0.0; 3];
            for (direction, length) in axes.directions.iter().zip(&axes.lengths) {
                add(&mut product, length * length * direction[i], direction);
            }
            add(&mut product, -1.0, row);
            assert!(norm(&product) < 1e-12, "{i}: {product:?}");
            let whitened = axes.whiten(&axes.stretch(&unit));
            assert!((norm(&whitened) - 1.0).abs() < 1e-12, "{i}: {whitened:?}");
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
        assert!((norm(&cma.mean) - 1.0).abs() < 1e-9);
        assert!(cma.sigma * Axes::of(&cma.covariance).longest() > FLOOR / 4.0);
        for finalist in cma.finalists() {
            assert!(away(&finalist) < 1e-3, "{finalist:?}");
        }
    }
}
