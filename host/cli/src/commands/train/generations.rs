//! A training on a thread of its own, saved after each generation.

use std::io::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Context as _;
use indicatif::HumanCount;
use lockstep::Stop;
use lockstep_lab::journal::Journal;
use lockstep_lab::train::evaluator::{Evaluator, Threads};
use lockstep_lab::train::tetris::Games;
use lockstep_lab::train::{self, Stage, Training, TrainingEnd, TrainingPlan};
use rayon::ThreadPool;

use super::files::Files;
use super::workers::Hub;
use crate::output::{bar, is_drawn, stdout};
use crate::run::worker::work;

/// A training, and the files to which it is saved.
pub struct SavedTraining {
    pub journal: Journal,
    pub training: Training,
    pub files: Files,
}

impl SavedTraining {
    fn keep(&mut self, training: &Training) -> anyhow::Result<()> {
        self.journal.replace(training)?;
        self.training.clone_from(training);
        self.files.write_results(training)
    }
}

/// Continues a training run up to its limit, or until the user interrupts.
///
/// The games are played by the pool, or by the workers of a hub. Returns the training as it was last
/// saved, and how it ended.
pub async fn run(
    kept: SavedTraining,
    (games, pool, hub): (Games, ThreadPool, Option<Hub>),
    plan: TrainingPlan,
    silent: bool,
    stop: &Stop,
) -> anyhow::Result<(Training, anyhow::Result<TrainingEnd>)> {
    let bar = bar(None, "{spinner} {elapsed}  {wide_msg}", is_drawn(silent));
    let mut training = kept.training.clone();
    let kept = Arc::new(Mutex::new(Some(kept)));
    let play = {
        let (kept, stop, bar) = (Arc::clone(&kept), stop.clone(), bar.clone());
        let mut out = stdout(silent || is_drawn(silent));
        move || -> anyhow::Result<TrainingEnd> {
            let mut listen = |training: &Training, stage| {
                if stage != Stage::Choosing {
                    let mut kept = locked(&kept);
                    kept.as_mut()
                        .context("internal error: the run has ended")?
                        .keep(training)?;
                }
                if let Some(text) = progress(training, &plan, stage) {
                    writeln!(out, "  {text}")?;
                    out.flush()?;
                    bar.set_message(text);
                }
                anyhow::Ok(())
            };
            let interrupted = || stop.requested();
            let evaluate =
                &|weights: &[f64], game, stop: train::Stop<'_>| games.evaluate(weights, game, stop);
            let threads = Threads {
                fitness: evaluate,
                pool: &pool,
            };
            let evaluator: &dyn Evaluator = match &hub {
                Some(hub) => hub,
                None => &threads,
            };
            training.run(evaluator, &plan, &interrupted, &mut listen)
        }
    };
    // A worker that was given up was interrupted.
    let ended = work(stop, play).await;
    bar.finish_and_clear();
    let ended = ended.and_then(|ended| ended.unwrap_or(Ok(TrainingEnd::Interrupted)));
    // Also unlocks the journal, which a worker that was given up still shares.
    let kept = locked(&kept)
        .take()
        .context("internal error: the training run is gone")?;
    Ok((kept.training, ended))
}

fn locked(kept: &Mutex<Option<SavedTraining>>) -> MutexGuard<'_, Option<SavedTraining>> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The progress of a training run after one of its stages; `None` if all is reported at the end.
fn progress(training: &Training, plan: &TrainingPlan, stage: Stage) -> Option<String> {
    let last = training.history.last().copied().unwrap_or_default();
    let of = plan.generations.map(|n| format!(" of {}", HumanCount(n)));
    match stage {
        Stage::Generation => Some(format!(
            "generation {}{}: best {:.1}, mean {:.1} lines; {} evaluations",
            HumanCount(training.generations()),
            of.unwrap_or_default(),
            last.best,
            last.mean,
            HumanCount(training.evaluations)
        )),
        Stage::Choosing => Some("choosing among the best on fresh games".into()),
        Stage::Chosen => None,
    }
}
