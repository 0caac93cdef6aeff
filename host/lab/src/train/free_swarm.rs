//! A swarm whose particles do not wait for each other.
//!
//! Each particle is one job: its position, and again its best position, on games of their own. As
//! soon as the result is there, the particle moves on by the swarm's best at that moment. A
//! generation is as many results as there are particles; the jobs in progress at its end count in
//! the next one.

use std::collections::{BTreeMap, VecDeque};

use super::evaluator::{Evaluator, Job, Jobs, Played, mean};
use super::optimiser::Optimiser;
use super::training::{Training, TrainingPlan};
use super::{Evaluation, Stop};

pub struct FreeSwarm<'a, F, E> {
    training: &'a mut Training,
    plan: &'a TrainingPlan,
    /// Called after each generation.
    save: F,
    failed: Result<(), E>,
    /// Particles without a job.
    idle: VecDeque<usize>,
    /// The positions of the particles with a job.
    in_progress: BTreeMap<usize, Vec<Vec<f64>>>,
    /// Positions and results of this generation.
    positions: Vec<Vec<f64>>,
    found: Vec<Evaluation>,
}

impl<'a, E, F: FnMut(&mut Training) -> Result<(), E>> FreeSwarm<'a, F, E> {
    pub fn new(training: &'a mut Training, plan: &'a TrainingPlan, save: F) -> Self {
        Self {
            idle: (0..training.settings.population).collect(),
            training,
            plan,
            save,
            failed: Ok(()),
            in_progress: BTreeMap::new(),
            positions: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Runs generations up to the limit, or until a stop is requested. Results since the last
    /// whole generation are in the optimiser, but not in the history.
    pub fn run(mut self, evaluator: &dyn Evaluator, stop: Stop<'_>) -> Result<(), E> {
        // What a stop leaves undone is done again.
        let _ = evaluator.work(&mut self, stop);
        self.failed
    }
}

impl<E, F: FnMut(&mut Training) -> Result<(), E>> Jobs for FreeSwarm<'_, F, E> {
    fn next(&mut self) -> Option<Job> {
        let Optimiser::Pso(swarm) = &self.training.optimiser else {
            return None;
        };
        if self.training.fulfils(self.plan) {
            return None;
        }
        let id = self.idle.pop_front()?;
        let candidates = swarm.ask_one(id);
        self.in_progress.insert(id, candidates.clone());
        let first = self.training.fresh_game;
        self.training.fresh_game += self.training.settings.games;
        Some(Job {
            id,
            candidates,
            games: first..self.training.fresh_game,
        })
    }

    fn done(&mut self, id: usize, played: Played) -> bool {
        let training = &mut *self.training;
        let (Some(asked), Optimiser::Pso(swarm)) =
            (self.in_progress.remove(&id), &mut training.optimiser)
        else {
            return true;
        };
        if training.history.len() as u64 >= self.plan.generations.unwrap_or(u64::MAX) {
            // Of the generation after the last.
            return true;
        }
        let found: Vec<_> = played.iter().map(|games| mean(games)).collect();
        swarm.tell_one(id, &found);
        training.evaluations += found.len() as u64;
        training.pieces += found.iter().map(|e| e.pieces).sum::<u64>();
        self.positions.extend(asked.into_iter().next());
        self.found.extend(found.first());
        self.idle.push_back(id);
        if self.found.len() < training.settings.population {
            return true;
        }
        training.note(&self.positions, &self.found);
        self.positions.clear();
        self.found.clear();
        self.failed = (self.save)(training);
        self.failed.is_ok()
    }
}
