//! The errors of a virtual board.

use std::path::Path;

use sim::SimError;

/// Why a virtual board cannot be opened or has stopped, with the remedy.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BoardError(pub(crate) String);

impl BoardError {
    /// A pseudo-terminal cannot be created.
    pub(crate) fn terminal(why: std::io::Error) -> Self {
        Self(format!("a pseudo-terminal cannot be created: {why}"))
    }

    /// The link to the terminal cannot be created at this path.
    pub(crate) fn link(path: &Path, why: impl std::fmt::Display) -> Self {
        Self(format!("--pty {}: {why}", path.display()))
    }

    /// The model's thread has ended unexpectedly.
    pub(crate) fn died() -> Self {
        Self("the simulated core's thread has died".into())
    }
}

impl From<SimError> for BoardError {
    fn from(error: SimError) -> Self {
        Self(format!("the simulated core: {error}"))
    }
}
