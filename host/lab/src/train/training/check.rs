//! Whether a training that was kept can have been: its numbers agree with each
//! other, and the optimiser can go on from them.

use crate::train::Method;
use crate::train::optimiser::Optimiser;
use crate::train::sound::{Contradiction, count, ensure, lines, vector};
use crate::train::training::{RECENT, Training};

impl Training {
    /// Whether it can be gone on from.
    ///
    /// # Errors
    /// The first that contradicts another, or that no training comes to.
    pub fn check(&self) -> Result<(), Contradiction> {
        let settings = &self.settings;
        let features = settings.controller_features.indices().len();
        let (population, done) = (settings.population, self.generations());
        for (what, number) in [
            ("evaluations", self.evaluations),
            ("pieces", self.pieces),
            ("fresh_game", self.fresh_game),
        ] {
            count(what, number)?;
        }
        ensure(self.seconds.is_finite() && self.seconds >= 0.0, || {
            format!("seconds: {} is no time", self.seconds)
        })?;
        for (generation, index) in self.history.iter().zip(1..) {
            let what = format!("generation {index}");
            lines(&what, generation.best)?;
            lines(&what, generation.mean)?;
        }
        ensure(self.recent.len() <= RECENT, || {
            format!(
                "recent: {} candidates, not {RECENT} at most",
                self.recent.len()
            )
        })?;
        for recent in &self.recent {
            vector("recent", recent, features)?;
        }
        if let Some(chosen) = &self.chosen {
            vector("chosen", &chosen.weights, features)?;
            lines("chosen", chosen.lines)?;
            count("chosen", chosen.games)?;
        }
        let found = match &self.optimiser {
            Optimiser::Ga(_) => Method::Ga,
            Optimiser::Pso(_) => Method::Pso,
            Optimiser::Cmaes(_) => Method::Cmaes,
        };
        ensure(found == settings.method, || {
            format!("the optimiser is {found}, not {}", settings.method)
        })?;
        let least = done.saturating_mul(population as u64);
        ensure(self.evaluations >= least, || {
            format!(
                "evaluations: {}, but {done} generations of {population} take {least}",
                self.evaluations
            )
        })?;
        let played = done.saturating_mul(settings.games);
        let swarm = found == Method::Pso;
        ensure(swarm || self.fresh_game == played, || {
            format!(
                "fresh_game: {}, but {done} generations play {played} games",
                self.fresh_game
            )
        })?;
        match &self.optimiser {
            Optimiser::Ga(genetic) => genetic.check(features, population),
            Optimiser::Pso(swarm) => swarm.check(features, population, done),
            Optimiser::Cmaes(cma) => cma.check(features, population, done),
        }
    }
}
