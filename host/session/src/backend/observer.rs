//! How decisions that take long are watched from outside the backend.

use lockstep_games::{Game, SearchProgress};
use tokio::sync::mpsc::UnboundedSender;

use crate::stop::Stop;

/// Progress on a position: the index of the backend, that of the position, how far it is.
pub type Report<G> = (usize, usize, SearchProgress<G>);

/// Takes the progress of decisions, and says when the best so far is enough.
///
/// The default takes none and waits for the end.
#[derive(Debug, Clone)]
pub struct Observer<G: Game> {
    reports: Option<UnboundedSender<Report<G>>>,
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
    /// Progress goes there; once `finish` is requested the best decision so far is the answer.
    pub const fn new(reports: UnboundedSender<Report<G>>, finish: Stop) -> Self {
        Self {
            reports: Some(reports),
            backend: 0,
            finish,
        }
    }

    /// The same for the backend of that index.
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
            // Nobody may want it any more.
            let _ = reports.send((self.backend, position, progress));
        }
    }

    /// When the best decision so far is enough.
    pub const fn finish(&self) -> &Stop {
        &self.finish
    }
}
