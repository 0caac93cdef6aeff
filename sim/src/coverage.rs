//! What the models of a run have covered, from all of them.
//!
//! Models are made in many places (links, links that are opened again, benches), so that a run
//! gathers for the whole process: each model that counts, and is made while it lasts, leaves a
//! file of its own when it is dropped.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, mem};

use crate::{SimError, VARIANTS};

/// How long the end of a run waits for models that are still there. They are dropped on threads of
/// their own, soon after their link.
const PATIENCE: Duration = Duration::from_secs(60);

/// The run that is gathering.
static RUN: Mutex<Option<Arc<Run>>> = Mutex::new(None);

/// Whether this build's models count.
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

/// What a panic under the lock leaves is as good as before: each change is a single step.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gathers while it is there.
pub struct Gathering(Arc<Run>);

impl Gathering {
    /// From now on models leave their files, `model-1.dat` and so on, in that folder.
    ///
    /// # Errors
    /// [`SimError::Coverage`] when this build's models do not count, another run gathers in this
    /// process, or the folder cannot be written.
    pub fn begin(folder: &Path) -> Result<Self, SimError> {
        let wrong = |why: String| SimError::Coverage {
            file: folder.into(),
            why,
        };
        if !counted() {
            let why = "this build's models do not count what they reach: `make coverage` builds \
                       one whose models do";
            return Err(wrong(why.into()));
        }
        fs::create_dir_all(folder).map_err(|e| wrong(e.to_string()))?;
        let mut current = locked(&RUN);
        if current.is_some() {
            return Err(wrong("another run gathers coverage in this process".into()));
        }
        let run = Arc::new(Run {
            folder: folder.into(),
            state: Mutex::default(),
            left: Condvar::new(),
        });
        *current = Some(run.clone());
        Ok(Self(run))
    }

    /// Waits for the models that are still there, and gives all files.
    ///
    /// # Errors
    /// The first one why a file could not be written; a model that is not dropped.
    pub fn end(self) -> Result<Vec<PathBuf>, SimError> {
        *locked(&RUN) = None;
        let end = Instant::now() + PATIENCE;
        let mut state = self.0.state();
        while state.alive > 0 {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(SimError::Coverage {
                    file: self.0.folder.clone(),
                    why: format!("{} models are still there", state.alive),
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

impl Drop for Gathering {
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

/// A model of a run.
pub(crate) struct Member {
    run: Arc<Run>,
    number: u32,
}

impl Member {
    /// Of the run that is gathering, if there is one.
    pub(crate) fn join() -> Option<Self> {
        let run = locked(&RUN).clone()?;
        let mut state = run.state();
        state.made += 1;
        state.alive += 1;
        let number = state.made;
        drop(state);
        Some(Self { run, number })
    }

    /// Where it leaves what it covered.
    pub(crate) fn file(&self) -> PathBuf {
        self.run.folder.join(format!("model-{}.dat", self.number))
    }

    /// It has, or could not.
    pub(crate) fn leave(self, written: Result<PathBuf, SimError>) {
        let mut state = self.run.state();
        match written {
            Ok(file) => state.files.push(file),
            Err(error) => drop(state.error.get_or_insert(error)),
        }
        // `drop` of this says that it is gone.
        drop(state);
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.run.state().alive -= 1;
        self.run.left.notify_all();
    }
}
