//! Errors of backends.

use lockstep_games::{BoxError, Unsupported};
use protocol::payload::PayloadError;

use crate::link::LinkError;
use crate::text::ForeignText;

/// The error of a backend that cannot be opened, or fails.
#[derive(Debug, thiserror::Error)]
#[error("backend {name}: {kind}")]
pub struct BackendError {
    /// Name of the backend.
    pub name: ForeignText,
    /// What happened.
    pub kind: BackendErrorKind,
}

/// Why a backend fails.
#[derive(Debug, thiserror::Error)]
pub enum BackendErrorKind {
    /// It cannot be opened.
    #[error("not available: {0}")]
    Unavailable(String),
    /// Its core plays another game.
    #[error(
        "the core plays {plays}, expected {expected}; leave this backend out, or play {plays} with \
         it (`lockstep play --game {plays}`)"
    )]
    Game {
        /// The core's game.
        plays: &'static str,
        /// The game of the session.
        expected: &'static str,
    },
    /// It has no controller yet.
    #[error("a controller must be set before it decides")]
    NotConfigured,
    /// The link failed.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// A stream lost frames each time it was requested.
    #[error(
        "the stream that answers {request} was incomplete {times} times in a row; the last time {why}"
    )]
    Broken {
        /// Name of the request's message.
        request: &'static str,
        /// Number of incomplete streams in a row.
        times: u32,
        /// What was missing the last time.
        why: String,
    },
    /// The core refused a request.
    #[error("the core refused {request}: {code}")]
    Refused {
        /// Name of the request's message.
        request: &'static str,
        /// The core's reason.
        code: protocol::ErrorCode,
    },
    /// The payload of a reply is invalid.
    #[error(transparent)]
    Payload(#[from] PayloadError),
    /// It lacks a capability that the request needs.
    #[error(transparent)]
    Unable(#[from] Unsupported),
    /// It cannot decide the position.
    #[error(transparent)]
    Position(BoxError),
    /// It cannot play by the controller.
    #[error(transparent)]
    Unplayable(BoxError),
    /// It failed in another way: why, with the remedy.
    #[error("{0}")]
    Failed(String),
}

impl BackendErrorKind {
    /// The error of a backend whose thread has ended.
    pub fn died() -> Self {
        Self::Failed("its thread has died".into())
    }

    /// The error of the backend of that name.
    pub fn of(self, name: impl Into<ForeignText>) -> BackendError {
        BackendError {
            name: name.into(),
            kind: self,
        }
    }
}
