//! Explains why two backends differ: the first difference, a small case, a waveform.
//!
//! Modules in reading order:
//!
//! - [`case`](mod@case): a [`Case`] is a controller and the positions requested up to a
//!   divergence; [`CaseFile`] is a case as a file.
//! - [`history`]: keeps the positions of a session, so that its first divergence is a case.
//! - [`runner`]: runs a case on a backend, from power-up on.
//! - [`explain`](mod@explain): compares two backends on a case; a [`Verdict`] is their first
//!   difference.
//! - [`mod@shrink`]: searches for a smaller case with the same verdict.
//! - [`summary`]: a verdict as a sentence.
//! - `waves`: writes a waveform of a case, for simulated cores.
//!
//! Nothing here knows a particular game: a game implements [`Explain`](lockstep_games::Explain)
//! and [`Shrink`](lockstep_games::Shrink).

#[cfg(test)]
#[path = "../../session/tests/toy/a_hang.rs"]
mod a_hang;
pub mod case;
pub mod explain;
pub mod history;
pub mod runner;
pub mod shrink;
pub mod summary;
#[cfg(feature = "sim")]
pub mod waves;

use std::path::PathBuf;

use lockstep::BackendError;

pub use case::{Case, CaseFile};
pub use explain::{Explanation, Symptom, Verdict, WaveTarget, explain};
pub use history::History;
pub use runner::{CaseOutcome, CaseResult, CaseRunner};
pub use shrink::{Explained, Shrunk, shrink};
pub use summary::Summary;

/// Why there is no explanation.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// The user interrupted.
    #[error("interrupted")]
    Interrupted,
    /// A backend could not be opened, or failed other than by a simulated core that stopped.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The golden model refuses the position or the controller.
    #[error("the golden model: {0}")]
    Golden(lockstep_games::BoxError),
    /// A case has no position.
    #[error("a case without a position")]
    Empty,
    /// A file cannot be read or written, or is not a case.
    #[error("{}: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// No waveform can be written.
    #[error("no waveform: {0}")]
    Waves(String),
}
