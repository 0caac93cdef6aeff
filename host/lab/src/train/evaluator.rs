//! Evaluates candidates: their games are played by threads of this process, or by workers elsewhere.

use std::ops::Range;
use std::sync::mpsc::channel;

use rayon::ThreadPool;
use serde::{Deserialize, Serialize};

use super::{Evaluation, Fitness, Stop};

/// Games for a worker: each candidate plays all of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Its number, which the result repeats.
    pub id: usize,
    /// The weights of each candidate, in the units of a controller's file.
    pub candidates: Vec<Vec<f64>>,
    /// Numbers of the games.
    pub games: Range<u64>,
}

impl Job {
    /// Plays the games; `None` when stopped.
    pub fn play(&self, fitness: &Fitness<'_>, stop: Stop<'_>) -> Option<Played> {
        let candidate = |weights: &Vec<f64>| {
            let game = |game| (!stop()).then(|| fitness(weights, game, stop)).flatten();
            self.games.clone().map(game).collect()
        };
        self.candidates.iter().map(candidate).collect()
    }
}

/// For each candidate the result of each game.
pub type Played = Vec<Vec<Evaluation>>;

/// Gives out jobs, and takes their results in the order in which they end.
pub trait Jobs {
    /// The next job; `None` if there is none at present.
    fn next(&mut self) -> Option<Job>;
    /// Takes a result; `false` ends the evaluation.
    fn done(&mut self, id: usize, played: Played) -> bool;
}

/// Runs jobs.
pub trait Evaluator: Sync {
    /// Runs jobs until there are no more and none is in progress; `None` when stopped.
    fn work(&self, jobs: &mut dyn Jobs, stop: Stop<'_>) -> Option<()>;

    /// Number of games of a candidate that make up a job.
    fn games_at_once(&self) -> u64;
}

/// Threads of this process.
pub struct Threads<'a> {
    /// Plays a game.
    pub fitness: &'a Fitness<'a>,
    /// The threads.
    pub pool: &'a ThreadPool,
}

impl Evaluator for Threads<'_> {
    fn work(&self, jobs: &mut dyn Jobs, stop: Stop<'_>) -> Option<()> {
        let (send, results) = channel();
        let mut in_progress = 0;
        let mut goes_on = true;
        self.pool.in_place_scope(|scope| {
            loop {
                while goes_on
                    && in_progress < self.pool.current_num_threads()
                    && let Some(job) = jobs.next()
                {
                    let send = send.clone();
                    in_progress += 1;
                    scope.spawn(move |_| {
                        // The receiver waits for every job.
                        let _ = send.send((job.id, job.play(self.fitness, stop)));
                    });
                }
                if in_progress == 0 {
                    return;
                }
                if let Ok((id, played)) = results.recv() {
                    in_progress -= 1;
                    goes_on = match played {
                        Some(played) => goes_on && jobs.done(id, played),
                        None => false,
                    };
                }
            }
        });
        (!stop()).then_some(())
    }

    fn games_at_once(&self) -> u64 {
        1
    }
}

/// The jobs of one generation: blocks of games of each candidate.
struct Batch {
    jobs: Vec<Job>,
    /// Jobs given out.
    given: usize,
    played: Vec<Option<Played>>,
}

impl Jobs for Batch {
    fn next(&mut self) -> Option<Job> {
        let job = self.jobs.get(self.given).cloned();
        self.given += usize::from(job.is_some());
        job
    }

    fn done(&mut self, id: usize, played: Played) -> bool {
        self.played[id] = Some(played);
        true
    }
}

/// Evaluates all candidates on the same games; `None` when stopped.
///
/// Candidates are divided into jobs, so that none with long games delays the others. The result
/// depends neither on the number of workers nor on their order.
pub fn evaluate(
    evaluator: &dyn Evaluator,
    candidates: &[Vec<f64>],
    games: Range<u64>,
    stop: Stop<'_>,
) -> Option<Vec<Evaluation>> {
    let size = evaluator.games_at_once().max(1);
    let mut jobs = Vec::new();
    for candidate in candidates {
        for first in games.clone().step_by(size as usize) {
            jobs.push(Job {
                id: jobs.len(),
                candidates: vec![candidate.clone()],
                games: first..games.end.min(first + size),
            });
        }
    }
    let mut batch = Batch {
        played: vec![None; jobs.len()],
        jobs,
        given: 0,
    };
    evaluator.work(&mut batch, stop)?;
    let played = batch.played.into_iter().collect::<Option<Vec<_>>>()?;
    let played: Vec<_> = played.into_iter().flatten().flatten().collect();
    let each = (games.end - games.start).max(1) as usize;
    Some(played.chunks(each).map(mean).collect())
}

/// The mean of the results of some games.
pub fn mean(played: &[Evaluation]) -> Evaluation {
    Evaluation {
        lines: played.iter().map(|e| e.lines).sum::<f64>() / played.len() as f64,
        pieces: played.iter().map(|e| e.pieces).sum(),
    }
}
