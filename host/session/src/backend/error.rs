//! Why a backend cannot be had or cannot go on.

use lockstep_games::{BoxError, Lack};
use protocol::frame::PayloadTooLong;
use protocol::payload::PayloadError;

use crate::link::{LinkError, PortErrorKind};

/// Why the backend of that name cannot be had or cannot go on.
#[derive(Debug)]
pub struct BackendError {
    /// Name of the backend.
    pub name: String,
    /// What happened.
    pub kind: BackendErrorKind,
}

impl std::fmt::Display for BackendError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "backend {}: {}", self.name, self.kind)
    }
}

impl std::error::Error for BackendError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.kind.source()
    }
}

/// What keeps a backend from going on.
#[derive(Debug, thiserror::Error)]
pub enum BackendErrorKind {
    /// It cannot be opened.
    #[error("not available: {0}")]
    Unavailable(String),
    /// It was asked before it had a controller.
    #[error("it was asked to decide before it was given a controller")]
    NotConfigured,
    /// The port it is named by cannot be opened.
    #[error(transparent)]
    Port(PortErrorKind),
    /// The link failed.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The core refused a request.
    #[error("the core refused {request}: {code}")]
    Refused {
        /// Name of the request's message.
        request: &'static str,
        /// The core's reason.
        code: protocol::ErrorCode,
    },
    /// The core answered something else than was asked.
    #[error("the core answered {request} with message {kind:#04x}")]
    WrongReply {
        /// Name of the request's message.
        request: &'static str,
        /// Number of the answer's message.
        kind: u8,
    },
    /// The payload of an answer is not that of its message.
    #[error(transparent)]
    Payload(#[from] PayloadError),
    /// A request is longer than a frame takes.
    #[error("the request {request} does not fit into a frame: {why}")]
    TooLong {
        /// Name of the request's message.
        request: &'static str,
        /// By how much.
        why: PayloadTooLong,
    },
    /// It lacks what the position asks for.
    #[error(transparent)]
    Unable(#[from] Lack),
    /// It does not decide such a position.
    #[error(transparent)]
    Position(BoxError),
    /// It cannot play as the controller does.
    #[error(transparent)]
    Unplayable(BoxError),
    /// The controller read back is not the one that was set.
    #[error("it gives back another controller than it was given")]
    ReadBack,
    /// Its thread has ended.
    #[error("its thread has died")]
    Died,
}

impl BackendErrorKind {
    /// The error of the backend of that name.
    pub fn of(self, name: &str) -> BackendError {
        BackendError {
            name: name.into(),
            kind: self,
        }
    }
}
