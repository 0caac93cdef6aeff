//! A training on a thread of its own, kept after each generation.

use std::io::{self, IsTerminal as _, Write};
use std::sync::{Arc, Mutex, PoisonError};

use lockstep::Stop;
use lockstep_lab::train::tetris::Games;
use lockstep_lab::train::{End, Plan, Stage, Training};
use rayon::ThreadPool;

use super::super::output::stdout;
use super::super::worker::work;
use super::files::Files;
use crate::views::training::Progress;

/// Goes on with a training until the plan is fulfilled or somebody wants no
/// more; what is kept of it, and how it ended.
pub async fn run(
    training: Training,
    games: Games,
    plan: Plan,
    pool: ThreadPool,
    files: &Files,
    silent: bool,
    stop: &Stop,
) -> (Training, anyhow::Result<End>) {
    let bar = !silent && io::stderr().is_terminal();
    let kept = Arc::new(Mutex::new(training.clone()));
    let play = {
        let (kept, files, stop) = (Arc::clone(&kept), files.clone(), stop.clone());
        move || -> anyhow::Result<End> {
            let mut training = training;
            let lines: Box<dyn Write + Send> = match silent || bar {
                true => Box::new(io::sink()),
                false => stdout(false),
            };
            let mut progress = Progress::new(lines, bar, &training, plan);
            let mut listen = |training: &Training, stage| {
                if stage != Stage::Choosing {
                    files.keep(training)?;
                    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                    kept.clone_from(training);
                }
                Ok::<(), anyhow::Error>(progress.show(training, stage)?)
            };
            let interrupted = || stop.requested();
            let end = training.run(&games, &plan, &pool, &interrupted, &mut listen);
            progress.clear();
            end
        }
    };
    let ended = work(stop, play).await;
    let kept = kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
    // Who was given up was told to end.
    (
        kept,
        ended.and_then(|ended| ended.unwrap_or(Ok(End::Interrupted))),
    )
}
