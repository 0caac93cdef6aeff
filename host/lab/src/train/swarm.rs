//! Asynchronous particle swarm: Kennedy and Eberhart 1995 with an inertia, and
//! the swarm of toddgaunt/hidamari, in which a thread that is done takes the
//! particle that has moved least and nobody waits for the others.
//!
//! Games are noisy, and a particle that remembers one lucky evaluation would
//! follow it for ever. So each time a particle moves, its best is played again
//! beside it, on the same games, and all games that a best has played count: it
//! is replaced only by what beats both its mean and its play in these games, and
//! the swarm follows the best of which most is known (`Record::promise`).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::generation::Generation;
use super::random::Random;
use super::{Evaluation, unit};

/// Share of the velocity that stays; after hidamari, as the next two.
const INERTIA: f64 = 0.8;
/// Pull of the particle's own best.
const OWN: f64 = 0.1;
/// Pull of the swarm's best.
const SHARED: f64 = 0.2;

/// All games that one best has played.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Record {
    lines: f64,
    games: u64,
}

impl Record {
    fn add(&mut self, evaluation: &Evaluation, games: u64) {
        self.lines += evaluation.lines * games as f64;
        self.games += games;
    }

    fn mean(&self) -> f64 {
        self.lines / self.games.max(1) as f64
    }

    /// The mean less its standard error. Games end at random, so their lengths
    /// deviate by about their mean.
    fn promise(&self) -> f64 {
        self.mean() * (1.0 - 1.0 / (self.games as f64 + 1.0).sqrt())
    }
}

/// One particle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Particle {
    position: Vec<f64>,
    velocity: Vec<f64>,
    best: Vec<f64>,
    record: Record,
    moves: u64,
    random: Random,
}

/// The state of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Swarm {
    particles: Vec<Particle>,
    /// Moves of all particles.
    moves: u64,
    /// The moves since the last generation was full.
    since: Generation,
    /// Particles that some thread plays. A checkpoint forgets them: they are as
    /// they were before their move, which is then made again.
    #[serde(skip)]
    away: BTreeSet<usize>,
}

/// One particle's move, taken by a thread.
pub struct Move {
    index: usize,
    particle: Particle,
}

impl Move {
    /// What is to be played: the new position, then the particle's best, if it
    /// has any.
    pub fn candidates(&self) -> Vec<Vec<f64>> {
        let mut candidates = vec![self.particle.position.clone()];
        if self.particle.record.games > 0 {
            candidates.push(self.particle.best.clone());
        }
        candidates
    }

    /// How often the particle has moved. Its games are chosen by that.
    pub fn number(&self) -> u64 {
        self.particle.moves
    }

    fn learn(&mut self, evaluations: &[Evaluation], games: u64) {
        let particle = &mut self.particle;
        particle.moves += 1;
        let Some(here) = evaluations.first() else {
            return;
        };
        let better = match evaluations.get(1) {
            Some(best) => {
                particle.record.add(best, games);
                here.rank(best).is_gt() && here.lines >= particle.record.mean()
            }
            None => true,
        };
        if better {
            particle.best.clone_from(&particle.position);
            particle.record = Record::default();
            particle.record.add(here, games);
        }
    }
}

impl Swarm {
    /// Particles in random directions, or around `start`.
    pub fn new(features: usize, start: Option<&[f64]>, population: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let particle = |i: usize| {
            let mut random = random.fork();
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
                moves: 0,
                random,
            }
        };
        Self {
            particles: (0..population).map(particle).collect(),
            moves: 0,
            since: Generation::default(),
            away: BTreeSet::new(),
        }
    }

    /// Moves the particle that has moved least, of those nobody plays. `None`
    /// when all are being played.
    pub fn take(&mut self) -> Option<Move> {
        let here = (0..self.particles.len()).filter(|i| !self.away.contains(i));
        let index = here.min_by_key(|&i| (self.particles[i].moves, i))?;
        self.away.insert(index);
        let mut particle = self.particles[index].clone();
        if particle.moves > 0 {
            let leader = &self.particles[self.leader()].best;
            let Particle {
                position,
                velocity,
                best,
                random,
                ..
            } = &mut particle;
            for (i, x) in position.iter_mut().enumerate() {
                let own = OWN * random.uniform() * (best[i] - *x);
                let shared = SHARED * random.uniform() * (leader[i] - *x);
                velocity[i] = INERTIA * velocity[i] + own + shared;
                *x += velocity[i];
            }
        }
        Some(Move { index, particle })
    }

    /// Puts a played particle back; a full generation when it completes one.
    pub fn put(
        &mut self,
        mut taken: Move,
        evaluations: &[Evaluation],
        games: u64,
    ) -> Option<Generation> {
        taken.learn(evaluations, games);
        self.away.remove(&taken.index);
        self.particles[taken.index] = taken.particle;
        self.moves += 1;
        let lines = evaluations.first().map_or(0.0, |e| e.lines);
        self.since.best = self.since.best.max(lines);
        self.since.mean += lines / self.particles.len() as f64;
        let full = self.moves.is_multiple_of(self.particles.len() as u64);
        full.then(|| std::mem::take(&mut self.since))
    }

    /// Forgets who is being played, when nobody plays any more.
    pub fn forget(&mut self) {
        self.away.clear();
    }

    fn leader(&self) -> usize {
        self.ranking()[0]
    }

    /// The particles, the one whose best is most promising first.
    fn ranking(&self) -> Vec<usize> {
        let promise = |&i: &usize| self.particles[i].record.promise();
        let mut order: Vec<usize> = (0..self.particles.len()).collect();
        order.sort_by(|a, b| promise(b).total_cmp(&promise(a)));
        order
    }

    /// The most promising bests.
    pub fn finalists(&self) -> Vec<Vec<f64>> {
        let first = self.ranking().into_iter().take(6);
        first.map(|i| self.particles[i].best.clone()).collect()
    }
}

#[cfg(test)]
mod tests;
