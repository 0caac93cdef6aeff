//! A training on a thread of its own, saved after each generation.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Context as _;
use lockstep::Stop;
use lockstep_lab::journal::Journal;
use lockstep_lab::train::tetris::Games;
use lockstep_lab::train::{Stage, Training, TrainingEnd, TrainingPlan};
use rayon::ThreadPool;

use super::files::Files;
use super::view::Progress;
use crate::output::{is_drawn, stdout};
use crate::run::worker::work;

/// A training, and the files to which it is saved.
pub struct Kept {
    pub journal: Journal,
    pub training: Training,
    pub files: Files,
}

impl Kept {
    fn keep(&mut self, training: &Training) -> anyhow::Result<()> {
        self.journal.replace(training)?;
        self.training.clone_from(training);
        self.files.write_results(training)
    }
}

/// Continues a training until the plan is fulfilled or the user interrupts.
///
/// Returns the training as it was last saved, and how it ended.
pub async fn run(
    kept: Kept,
    games: Games,
    plan: TrainingPlan,
    pool: ThreadPool,
    silent: bool,
    stop: &Stop,
) -> (Training, anyhow::Result<TrainingEnd>) {
    let bar = is_drawn(silent);
    let mut training = kept.training.clone();
    let begun = kept.training.clone();
    let kept = Arc::new(Mutex::new(Some(kept)));
    let play = {
        let (kept, stop) = (Arc::clone(&kept), stop.clone());
        move || -> anyhow::Result<TrainingEnd> {
            let mut progress = Progress::new(stdout(silent || bar), bar, &training, plan);
            let mut listen = |training: &Training, stage| {
                if stage != Stage::Choosing {
                    let mut kept = locked(&kept);
                    kept.as_mut().context("the run has ended")?.keep(training)?;
                }
                Ok::<(), anyhow::Error>(progress.show(training, stage)?)
            };
            let interrupted = || stop.requested();
            let end = training.run(&games, &plan, &pool, &interrupted, &mut listen);
            progress.clear();
            end
        }
    };
    // A worker that was given up was interrupted.
    let ended = work(stop, play).await;
    let ended = ended.and_then(|ended| ended.unwrap_or(Ok(TrainingEnd::Interrupted)));
    // Also unlocks the journal, which a worker that was given up still shares.
    let kept = locked(&kept).take();
    (kept.map_or(begun, |kept| kept.training), ended)
}

fn locked(kept: &Mutex<Option<Kept>>) -> MutexGuard<'_, Option<Kept>> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}
