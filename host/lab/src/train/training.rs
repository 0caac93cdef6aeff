//! One training: its state, its generations and the choice at its end.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::evaluator::{Evaluator, evaluate};
use super::finals::{self, Chosen};
use super::free_swarm::FreeSwarm;
use super::optimiser::Optimiser;
use super::optimiser::{Generation, order};
use super::settings::{Method, Settings};
use super::{Evaluation, Stop, unit};

/// Number of last generations whose best candidates are finalists.
const RECENT: usize = 6;

/// The whole state of a training run, from which it can resume.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// Its settings.
    pub settings: Settings,
    /// The final weights; `None` before the choice at the end.
    pub chosen: Option<Chosen>,
    /// Evaluations so far.
    pub evaluations: u64,
    /// Pieces played so far.
    pub pieces: u64,
    /// Time so far, over all runs of the program.
    pub seconds: f64,
    /// Number of the first game that is not played yet.
    pub fresh_game: u64,
    /// The results of all generations so far.
    pub history: Vec<Generation>,
    recent: VecDeque<Vec<f64>>,
    pub(super) optimiser: Optimiser,
}

/// When a training run ends.
#[derive(Debug, Clone, Copy)]
pub struct TrainingPlan {
    /// Number of generations.
    pub generations: Option<u64>,
    /// Time of the generations, including earlier runs; the choice at the end takes longer.
    pub time: Option<Duration>,
}

/// A stage of a training run, at which its listener is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// A generation is complete.
    Generation,
    /// All generations are complete, and the choice begins.
    Choosing,
    /// The weights are chosen.
    Chosen,
}

/// Called at each stage of a training run.
pub type Listener<'a, E> = dyn FnMut(&Training, Stage) -> Result<(), E> + Send + 'a;

/// How training ended in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrainingEnd {
    /// The plan is fulfilled and the weights are chosen.
    Finished,
    /// It was stopped.
    Interrupted,
}

impl Training {
    /// A training before its first game.
    pub fn new(settings: Settings) -> Self {
        Self {
            optimiser: Optimiser::new(&settings),
            chosen: None,
            evaluations: 0,
            pieces: 0,
            seconds: 0.0,
            fresh_game: 0,
            history: Vec::new(),
            recent: VecDeque::new(),
            settings,
        }
    }

    /// Generations so far.
    pub fn generations(&self) -> u64 {
        self.history.len() as u64
    }

    /// Whether the limit of generations or of time is reached.
    pub fn fulfils(&self, plan: &TrainingPlan) -> bool {
        plan.generations.is_some_and(|n| self.generations() >= n)
            || plan.time.is_some_and(|t| self.seconds >= t.as_secs_f64())
    }

    /// The best weights so far: the chosen ones, or else the optimiser's first finalist.
    pub fn weights(&self) -> Vec<f64> {
        let chosen = self.chosen.as_ref().map(|c| c.weights.clone());
        chosen.unwrap_or_else(|| self.optimiser.finalists().swap_remove(0))
    }

    /// Runs generations up to the limit of generations or minutes, then chooses the weights.
    ///
    /// `evaluator` plays the games.
    ///
    /// # Errors
    /// When `listen` fails, which ends the training.
    pub fn run<E: Send>(
        &mut self,
        evaluator: &dyn Evaluator,
        plan: &TrainingPlan,
        interrupted: Stop<'_>,
        listen: &mut Listener<'_, E>,
    ) -> Result<TrainingEnd, E> {
        if self.chosen.is_some() && self.fulfils(plan) {
            return Ok(TrainingEnd::Finished);
        }
        self.chosen = None;
        let (earlier, begun) = (self.seconds, Instant::now());
        let seconds = || earlier + begun.elapsed().as_secs_f64();
        let late = || plan.time.is_some_and(|t| seconds() >= t.as_secs_f64());
        let stop = || interrupted() || late();
        while !self.fulfils(plan) && !stop() {
            if self.settings.method == Method::Apso {
                let save = |training: &mut Self| {
                    training.seconds = seconds();
                    listen(training, Stage::Generation)
                };
                FreeSwarm::new(self, plan, save).run(evaluator, &stop)?;
            } else if self.generation(evaluator, &stop).is_some() {
                self.seconds = seconds();
                listen(self, Stage::Generation)?;
            }
        }
        if interrupted() {
            return Ok(TrainingEnd::Interrupted);
        }
        listen(self, Stage::Choosing)?;
        let finalists = self.optimiser.finalists().into_iter();
        let finalists = finalists.chain(self.recent.iter().rev().cloned()).collect();
        let (first, games) = (self.fresh_game, self.settings.games);
        let chosen = finals::choose(evaluator, finalists, first, games, interrupted);
        if chosen.is_none() {
            return Ok(TrainingEnd::Interrupted);
        }
        self.chosen = chosen;
        self.seconds = seconds();
        listen(self, Stage::Chosen)?;
        Ok(TrainingEnd::Finished)
    }

    /// Runs one generation; if it is stopped, the state does not change.
    fn generation(&mut self, evaluator: &dyn Evaluator, stop: Stop<'_>) -> Option<()> {
        let mut next = self.optimiser.clone();
        let candidates = next.generational().ask();
        let games = self.fresh_game..self.fresh_game + self.settings.games;
        let found = evaluate(evaluator, &candidates, games.clone(), stop)?;
        next.generational().tell(&candidates, &found);
        self.optimiser = next;
        self.fresh_game = games.end;
        self.evaluations += found.len() as u64;
        self.pieces += found.iter().map(|e| e.pieces).sum::<u64>();
        // The swarm's best positions, evaluated again, do not belong to this generation.
        let found = &found[..self.settings.population.min(found.len())];
        self.note(&candidates, found);
        Some(())
    }

    /// Notes a generation in the history, and its best candidate.
    pub(super) fn note(&mut self, candidates: &[Vec<f64>], found: &[Evaluation]) {
        let sum: f64 = found.iter().map(|e| e.lines).sum();
        let best = order(found)[0];
        self.history.push(Generation {
            best: found[best].lines,
            mean: sum / found.len() as f64,
        });
        let best = unit(&candidates[best]);
        self.recent.retain(|known| *known != best);
        self.recent.push_back(best);
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
    }
}

#[cfg(test)]
mod tests;
