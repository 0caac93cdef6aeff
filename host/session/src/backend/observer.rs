//! Watches decisions that take long.

use lockstep_games::{Game, SearchProgress};
use tokio::sync::mpsc::UnboundedSender;

use crate::stop::Stop;

/// Progress on a decision: index of the backend, index of the position, and the progress.
pub type ProgressReport<G> = (usize, usize, SearchProgress<G>);

/// Receives the progress of decisions, and can request the best decision so far.
///
/// The default drops progress and waits for the end of each decision.
#[derive(Debug, Clone)]
pub struct Observer<G: Game> {
    reports: Option<UnboundedSender<ProgressReport<G>>>,
    backend: usize,
    finish: Stop,
}

impl<G: Game> Default for Observer<G> {
    fn default() -> Self {
        Self {
            reports: None,
            backend: 0,
            finish: Stop::never(),
        }
    }
}

impl<G: Game> Observer<G> {
    /// Sends progress to `reports`; once `finish` is requested, the best decision so far is the
    /// answer.
    pub const fn new(reports: UnboundedSender<ProgressReport<G>>, finish: Stop) -> Self {
        Self {
            reports: Some(reports),
            backend: 0,
            finish,
        }
    }

    /// The same observer for the backend with that index.
    #[must_use]
    pub fn of(&self, backend: usize) -> Self {
        Self {
            backend,
            ..self.clone()
        }
    }

    /// Reports the progress made on a position.
    pub fn progress(&self, position: usize, progress: SearchProgress<G>) {
        if let Some(reports) = &self.reports {
            // The receiver may have been dropped.
            let _ = reports.send((self.backend, position, progress));
        }
    }

    /// Requested when the best decision so far should be the answer.
    pub const fn finish(&self) -> &Stop {
        &self.finish
    }
}
