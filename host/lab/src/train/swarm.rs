//! Particle swarm: Kennedy and Eberhart 1995 with an inertia, on directions.
//!
//! Evaluations are noisy: a particle that remembers a lucky one would follow it for ever.
//! Therefore each generation also evaluates each particle's best position again, on the same
//! games. A new position replaces the best only if it beats the best in these games and the mean
//! of all its evaluations. The swarm follows the best with the highest lower bound
//! (`Record::promise`).

use serde::{Deserialize, Serialize};

use super::optimiser::Generational;
use super::random::Random;
use super::{Evaluation, unit};

/// Share of the velocity that is kept. This and the next two: after toddgaunt/hidamari.
const INERTIA: f64 = 0.8;
/// Attraction by the particle's own best.
const OWN: f64 = 0.1;
/// Attraction by the swarm's best.
const SHARED: f64 = 0.2;

/// The evaluations of a best position, summed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Record {
    lines: f64,
    evaluations: u64,
}

impl Record {
    fn add(&mut self, evaluation: &Evaluation) {
        self.lines += evaluation.lines;
        self.evaluations += 1;
    }

    fn mean(&self) -> f64 {
        self.lines / self.evaluations.max(1) as f64
    }

    /// The mean minus its standard error. Line counts are nearly exponentially distributed, so
    /// their standard deviation is about their mean.
    fn promise(&self, games: u64) -> f64 {
        let games = self.evaluations * games;
        self.mean() * (1.0 - 1.0 / (games as f64 + 1.0).sqrt())
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Particle {
    position: Vec<f64>,
    velocity: Vec<f64>,
    best: Vec<f64>,
    record: Record,
}

impl Particle {
    /// Takes the result at its position, and a new one at its best position, if it has one.
    fn learn(&mut self, here: &Evaluation, again: Option<&Evaluation>) {
        let better = match again {
            Some(best) => {
                self.record.add(best);
                here.rank(best).is_gt() && here.lines >= self.record.mean()
            }
            None => true,
        };
        if better {
            self.best.clone_from(&self.position);
            self.record = Record::default();
            self.record.add(here);
        }
    }

    /// Moves on, attracted by its own best position and the swarm's.
    fn advance(&mut self, leader: &[f64], random: &mut Random) {
        for (i, x) in self.position.iter_mut().enumerate() {
            let own = OWN * random.uniform() * (self.best[i] - *x);
            let shared = SHARED * random.uniform() * (leader[i] - *x);
            self.velocity[i] = INERTIA * self.velocity[i] + own + shared;
            *x += self.velocity[i];
        }
    }
}

/// The state of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Swarm {
    particles: Vec<Particle>,
    /// Games of an evaluation.
    games: u64,
    random: Random,
}

impl Swarm {
    /// Particles in random directions, or around `start`; an evaluation is `games` games.
    pub fn new(
        features: usize,
        start: Option<&[f64]>,
        population: usize,
        games: u64,
        seed: u64,
    ) -> Self {
        let mut random = Random::new(seed);
        let particle = |i: usize| {
            let away = unit(&random.normals(features));
            let position = match start {
                None => away,
                Some(start) if i == 0 => start.to_vec(),
                Some(start) => start.iter().zip(away).map(|(s, a)| s + 0.3 * a).collect(),
            };
            Particle {
                velocity: random.normals(features).iter().map(|v| 0.1 * v).collect(),
                best: position.clone(),
                position,
                record: Record::default(),
            }
        };
        Self {
            particles: (0..population).map(particle).collect(),
            games,
            random,
        }
    }

    /// The position of one particle, and its best position if it has one.
    pub fn ask_one(&self, particle: usize) -> Vec<Vec<f64>> {
        let particle = &self.particles[particle];
        let best = (particle.record.evaluations > 0).then(|| particle.best.clone());
        [particle.position.clone()]
            .into_iter()
            .chain(best)
            .collect()
    }

    /// Updates one particle with the evaluations of [`Self::ask_one`], and moves it on.
    pub fn tell_one(&mut self, particle: usize, found: &[Evaluation]) {
        self.particles[particle].learn(&found[0], found.get(1));
        let leader = self.ranking()[0].best.clone();
        self.particles[particle].advance(&leader, &mut self.random);
    }

    /// The particles, the one with the most promising best first.
    fn ranking(&self) -> Vec<&Particle> {
        let promise = |particle: &Particle| particle.record.promise(self.games);
        let mut order: Vec<&Particle> = self.particles.iter().collect();
        order.sort_by(|a, b| promise(b).total_cmp(&promise(a)));
        order
    }
}

impl Generational for Swarm {
    /// The positions, then the best positions of particles that have one.
    fn ask(&mut self) -> Vec<Vec<f64>> {
        let positions = self.particles.iter().map(|p| p.position.clone());
        let known = self.particles.iter().filter(|p| p.record.evaluations > 0);
        positions.chain(known.map(|p| p.best.clone())).collect()
    }

    fn tell(&mut self, _candidates: &[Vec<f64>], found: &[Evaluation]) {
        let (here, again) = found.split_at(self.particles.len());
        for (i, particle) in self.particles.iter_mut().enumerate() {
            particle.learn(&here[i], again.get(i));
        }
        let leader = self.ranking()[0].best.clone();
        for particle in &mut self.particles {
            particle.advance(&leader, &mut self.random);
        }
    }

    fn finalists(&self) -> Vec<Vec<f64>> {
        let first = self.ranking().into_iter().take(6);
        first.map(|particle| particle.best.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::functions::{minimise, sphere};
    use super::*;

    #[test]
    fn swarm_finds_minimum() {
        let away = |x: &[f64]| sphere(&[x[0] - 0.3, x[1] + 0.7, x[2] - 1.2]);
        let mut swarm = Swarm::new(3, None, 30, 1, 2);
        minimise(&mut swarm, away, 150);
        let best = &swarm.finalists()[0];
        assert!(away(best) < 1e-6, "{best:?}");
    }

    #[test]
    fn swarm_replaces_lucky_best() {
        let lines = |lines| Evaluation { lines, pieces: 1 };
        let mut swarm = Swarm::new(2, None, 1, 10, 2);
        swarm.tell(&[], &[lines(900.0)]);
        assert_eq!(swarm.particles[0].record.mean(), 900.0);
        let lucky = swarm.particles[0].best.clone();
        // Its later evaluations are low.
        for _ in 0..8 {
            swarm.tell(&[], &[lines(110.0), lines(100.0)]);
        }
        assert!((swarm.particles[0].record.mean() - 1700.0 / 9.0).abs() < 1e-9);
        assert_eq!(swarm.particles[0].best, lucky);
        swarm.tell(&[], &[lines(200.0), lines(100.0)]);
        assert_ne!(swarm.particles[0].best, lucky);
        assert_eq!(swarm.particles[0].record.mean(), 200.0);
    }
}
