//! Test functions and settings for the optimisers' tests.

use super::Evaluation;
use super::optimiser::Generational;
use super::settings::{Method, Settings};

pub fn sphere(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

pub fn ellipsoid(x: &[f64]) -> f64 {
    let last = (x.len() - 1) as f64;
    let term = |(i, x): (usize, &f64)| 1e6_f64.powf(i as f64 / last) * x * x;
    x.iter().enumerate().map(term).sum()
}

pub fn rosenbrock(x: &[f64]) -> f64 {
    let term = |p: &[f64]| 100.0 * (p[1] - p[0] * p[0]).powi(2) + (1.0 - p[0]).powi(2);
    x.windows(2).map(term).sum()
}

/// Minimises a function with an optimiser.
pub fn minimise(
    optimiser: &mut impl Generational,
    function: impl Fn(&[f64]) -> f64,
    generations: u32,
) {
    for _ in 0..generations {
        let candidates = optimiser.ask();
        let found = candidates.iter().map(|x| Evaluation {
            lines: -function(x),
            pieces: 1,
        });
        let found: Vec<_> = found.collect();
        optimiser.tell(&candidates, &found);
    }
}

/// Settings with this number of features, at most 4.
pub fn settings(method: Method, features: usize) -> Settings {
    let names = ["landing_height", "holes", "row_transitions", "bumpiness"];
    Settings {
        method,
        controller_features: names[..features].join(",").parse().unwrap(),
        board: "10x10".parse().unwrap(),
        games: 5,
        max_pieces: 1000,
        population: 10,
        seed: 1,
        start: None,
    }
}
