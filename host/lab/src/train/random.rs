//! Random numbers whose generator is part of a checkpoint.

use rand_distr::{Distribution as _, StandardNormal, StandardUniform};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng as _;
use serde::{Deserialize, Serialize};

/// A generator with all its state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A generator of its own; 2¹²⁸ numbers lie between the two.
    pub fn fork(&mut self) -> Self {
        let forked = self.clone();
        self.0.jump();
        forked
    }

    /// From 0 to below 1.
    pub fn uniform(&mut self) -> f64 {
        StandardUniform.sample(&mut self.0)
    }

    /// Of mean 0 and variance 1.
    pub fn normal(&mut self) -> f64 {
        StandardNormal.sample(&mut self.0)
    }

    /// A whole number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.uniform() * n as f64) as usize).min(n.saturating_sub(1))
    }

    /// As many normal numbers.
    pub fn normals(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.normal()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_generator_goes_on_with_the_same_numbers() {
        let mut random = Random::new(7);
        random.normals(10);
        let text = serde_json::to_string(&random).unwrap();
        let mut restored: Random = serde_json::from_str(&text).unwrap();
        assert_eq!(random.normals(20), restored.normals(20));
        assert_ne!(random.fork().normals(5), random.normals(5));
    }
}
