//! Collects the coverage of all models that exist during a run.
//!
//! Models are created in many places (links, reopened links, benches), so a run collects for the
//! whole process: each model with counters that is created during the run writes a file of its own
//! when it is dropped.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, mem};

use crate::{SimError, VARIANTS};

/// Timeout for the models of a run to be dropped, each by its thread soon after its link.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The current run.
static RUN: Mutex<Option<Arc<Run>>> = Mutex::new(None);

/// Whether this build's models count coverage.
pub fn counted() -> bool {
    VARIANTS.iter().any(|variant| variant.api.counts())
}

struct Run {
    folder: PathBuf,
    state: Mutex<State>,
    left: Condvar,
}

#[derive(Default)]
struct State {
    made: u32,
    alive: u32,
    files: Vec<PathBuf>,
    error: Option<SimError>,
}

impl Run {
    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }
}

/// Locks a mutex, even after a panic: every change is one step, so the content is valid.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A run that collects coverage until it ends or is dropped.
pub struct CoverageRun(Arc<Run>);

impl CoverageRun {
    /// Begins a run whose models write `model-1.dat` and so on into a folder.
    ///
    /// # Errors
    /// [`SimError::Coverage`] when this build's models do not count, another run exists in this
    /// process, or the folder cannot be written.
    pub fn begin(folder: &Path) -> Result<Self, SimError> {
        let wrong = |why: String| SimError::Coverage {
            file: folder.into(),
            why,
        };
        if !counted() {
            let why = "the models of this build have no coverage counters; use `make coverage`";
            return Err(wrong(why.into()));
        }
        fs::create_dir_all(folder).map_err(|e| wrong(e.to_string()))?;
        let mut current = locked(&RUN);
        if current.is_some() {
            return Err(wrong(
                "another run collects coverage in this process".into(),
            ));
        }
        let run = Arc::new(Run {
            folder: folder.into(),
            state: Mutex::default(),
            left: Condvar::new(),
        });
        *current = Some(run.clone());
        Ok(Self(run))
    }

    /// Waits until all models of the run are dropped, and returns their files.
    ///
    /// # Errors
    /// When a file could not be written, or a model is not dropped within a minute.
    pub fn end(self) -> Result<Vec<PathBuf>, SimError> {
        *locked(&RUN) = None;
        let end = Instant::now() + TIMEOUT;
        let mut state = self.0.state();
        while state.alive > 0 {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(SimError::Coverage {
                    file: self.0.folder.clone(),
                    why: format!("{} models are still in use", state.alive),
                });
            }
            let waited = self.0.left.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        match state.error.take() {
            Some(error) => Err(error),
            None => Ok(mem::take(&mut state.files)),
        }
    }
}

impl Drop for CoverageRun {
    fn drop(&mut self) {
        let mut current = locked(&RUN);
        if current
            .as_ref()
            .is_some_and(|run| Arc::ptr_eq(run, &self.0))
        {
            *current = None;
        }
    }
}

/// A model's membership in a run.
pub(crate) struct Member {
    run: Arc<Run>,
    number: u32,
}

impl Member {
    /// Joins the current run, if there is one.
    pub(crate) fn join() -> Option<Self> {
        let run = locked(&RUN).clone()?;
        let mut state = run.state();
        state.made += 1;
        state.alive += 1;
        let number = state.made;
        drop(state);
        Some(Self { run, number })
    }

    /// The model's coverage file.
    pub(crate) fn file(&self) -> PathBuf {
        self.run.folder.join(format!("model-{}.dat", self.number))
    }

    /// Leaves the run with the model's file, or the error of writing it.
    pub(crate) fn leave(self, written: Result<PathBuf, SimError>) {
        let mut state = self.run.state();
        match written {
            Ok(file) => state.files.push(file),
            Err(error) => drop(state.error.get_or_insert(error)),
        }
        // Unlocked before `drop` of `self` locks it again.
        drop(state);
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.run.state().alive -= 1;
        self.run.left.notify_all();
    }
}
