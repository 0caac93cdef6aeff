//! From "they differ" to "here is why".
//!
//! - [`case`](mod@case): what was asked, up to the position that is answered otherwise: a
//!   [`Case`], which is also a file. [`history`]: keeps what a session asks, so that there is
//!   one when it is needed.
//! - [`ask`]: has a backend answer a case from the beginning, and tell what it weighs.
//! - [`explain`](mod@explain): the first field of the first thing weighed in which two of them
//!   differ, or that they weigh the same and only the answer is another: a [`Verdict`].
//! - [`shrink`](mod@shrink): the smallest case that still has the same verdict.
//! - `waves`: a waveform of it, from the simulation. [`words`]: all of it in sentences.
//!
//! Nothing here knows a particular game; what it has to know it is told by
//! [`Explain`](lockstep_games::Explain) and [`Shrink`](lockstep_games::Shrink).

pub mod ask;
pub mod case;
pub mod explain;
pub mod history;
pub mod shrink;
#[cfg(feature = "sim")]
pub mod waves;
pub mod words;

use std::io;
use std::path::PathBuf;

use lockstep::BackendError;

pub use ask::{Asker, Said, Told};
pub use case::{Case, CaseFile};
pub use explain::{Explanation, Sought, Symptom, Verdict, explain};
pub use history::History;
pub use shrink::{Shrunk, shrink};
pub use words::Words;

/// Why there is no explanation.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// The user wanted no more.
    #[error("interrupted")]
    Interrupted,
    /// A backend failed that was not to be explained, or in a way that a decision cannot.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The golden model does not play so.
    #[error("the golden model: {0}")]
    Golden(lockstep_games::BoxError),
    /// A case asks for nothing.
    #[error("a case without a request")]
    Empty,
    /// A file cannot be read or written.
    #[error("{}: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// A file is not a case.
    #[error("{}: not a case: {why}", path.display())]
    NoCase {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A waveform cannot be had.
    #[error("no waveform: {0}")]
    Waves(String),
}
