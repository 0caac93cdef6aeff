//! Collects the coverage of all models that exist during a run.
//!
//! Models are created in many places (links, reopened links, benches), so a run collects for the
//! whole process: each model with counters that is created during the run writes a file of its own
//! when it is dropped.

use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::{SimError, VARIANTS};

/// Timeout for the models of a run to be dropped, each by its thread soon after its link.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The current run.
static RUN: Mutex<Option<Run>> = Mutex::new(None);
/// Notified when a model leaves.
static MODEL_DROPPED: Condvar = Condvar::new();

/// Whether this build's models count coverage.
pub fn counted() -> bool {
    VARIANTS.iter().any(|variant| variant.api.counts())
}

struct Run {
    folder: PathBuf,
    made: u32,
    alive: u32,
    files: Vec<PathBuf>,
    error: Option<SimError>,
}

/// The current run, even after a panic: every change is one step, so the content is valid.
fn current() -> MutexGuard<'static, Option<Run>> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A run that collects coverage until it ends or is dropped.
pub struct CoverageRun(());

impl CoverageRun {
    /// Begins a run whose models write `model-1.dat` and so on into a folder.
    ///
    /// # Errors
    /// When another run exists in this process.
    pub fn begin(folder: &Path) -> Result<Self, SimError> {
        let mut current = current();
        if current.is_some() {
            let why = "another run collects coverage in this process".into();
            let file = folder.into();
            return Err(SimError::Coverage { file, why });
        }
        *current = Some(Run {
            folder: folder.into(),
            made: 0,
            alive: 0,
            files: Vec::new(),
            error: None,
        });
        Ok(Self(()))
    }

    /// Waits until all models of the run are dropped, and returns their files.
    ///
    /// # Errors
    /// When a file could not be written, or a model is not dropped within a minute.
    pub fn end(self) -> Result<Vec<PathBuf>, SimError> {
        let alive = |run: &mut Option<Run>| run.as_ref().is_some_and(|run| run.alive > 0);
        let waited = MODEL_DROPPED.wait_timeout_while(current(), TIMEOUT, alive);
        let run = waited.unwrap_or_else(PoisonError::into_inner).0.take();
        match run {
            Some(run) if run.alive > 0 => Err(SimError::Coverage {
                file: run.folder,
                why: format!("{} models are still in use", run.alive),
            }),
            Some(run) => run.error.map_or(Ok(run.files), Err),
            None => Ok(Vec::new()),
        }
    }
}

impl Drop for CoverageRun {
    fn drop(&mut self) {
        *current() = None;
    }
}

/// Joins the current run, if there is one; returns the coverage file of the model.
pub(crate) fn join() -> Option<PathBuf> {
    let mut current = current();
    let run = current.as_mut()?;
    run.made += 1;
    run.alive += 1;
    Some(run.folder.join(format!("model-{}.dat", run.made)))
}

/// Leaves the run of a model's file, which was written or not.
pub(crate) fn leave(file: PathBuf, written: Result<(), SimError>) {
    let mut current = current();
    let run = current.as_mut();
    if let Some(run) = run.filter(|run| file.starts_with(&run.folder)) {
        match written {
            Ok(()) => run.files.push(file),
            Err(error) => drop(run.error.get_or_insert(error)),
        }
        run.alive -= 1;
        MODEL_DROPPED.notify_all();
    }
}
