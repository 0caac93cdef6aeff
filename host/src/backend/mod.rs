//! Who decides: the golden model, the fast engine, or a core behind the wire.
//!
//! [`spec`] opens a backend by its name on the command line; [`software`] is
//! the golden model or the engine; [`wire`] speaks the protocol over a
//! [`link`], which is all that differs between a simulated core and a board.

pub mod link;
pub mod software;
pub mod spec;
pub mod wire;

use futures::future::BoxFuture;
use protocol::ErrorCode;
use protocol::frame::PayloadTooLong;
use protocol::payload::PayloadError;
use protocol::payload::link::{Info, Stats};

use crate::games::Game;
use link::LinkError;

pub use spec::Spec;

/// What a backend is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Name on the command line.
    pub name: String,
    /// What it is, in one line.
    pub description: String,
    /// What its core says of itself; `None` for software.
    pub core: Option<Info>,
    /// Whether it uses the next piece when that is known; of software its
    /// controller decides.
    pub lookahead: bool,
}

impl Identity {
    /// Build id of its RTL in hexadecimal; `None` for software.
    pub fn build_id(&self) -> Option<String> {
        self.core.map(|info| format!("{:08x}", info.build_id))
    }
}

/// A backend's answer to one position.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<G: Game> {
    /// What it decided.
    pub decision: G::Decision,
    /// Clock cycles its core took; `None` for software.
    pub cycles: Option<u32>,
}

/// Something that decides.
///
/// Futures are polled side by side, so a backend that works elsewhere (on a
/// thread, on a board) works at the same time as the others.
pub trait Backend<G: Game>: Send {
    /// What it is.
    fn identity(&self) -> &Identity;

    /// Hands over the controller. To be called before the first decision.
    fn configure<'a>(
        &'a mut self,
        controller: &'a G::Controller,
    ) -> BoxFuture<'a, Result<(), BackendError>>;

    /// Decides each position; one answer each, in their order. A backend may
    /// work on several at a time.
    fn decide<'a>(
        &'a mut self,
        positions: &'a [G::Position],
    ) -> BoxFuture<'a, Result<Vec<Answer<G>>, BackendError>>;

    /// What the other end's receiver counted; `None` for software.
    fn stats(&mut self) -> BoxFuture<'_, Result<Option<Stats>, BackendError>>;
}

/// Why a backend cannot be had or cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum BackendError {
    /// It cannot be opened.
    #[error("backend {name} is not available: {why}")]
    Unavailable {
        /// Name on the command line.
        name: String,
        /// Why, and what helps.
        why: String,
    },
    /// It was asked before it had a controller.
    #[error("backend {name} was asked to decide before it was given a controller")]
    NotConfigured {
        /// Name on the command line.
        name: String,
    },
    /// The link failed.
    #[error("backend {name}: {why}")]
    Link {
        /// Name on the command line.
        name: String,
        /// What happened.
        why: LinkError,
    },
    /// The core refused a request.
    #[error("backend {name} refused {request}: {code}")]
    Refused {
        /// Name on the command line.
        name: String,
        /// Name of the request's message.
        request: &'static str,
        /// The core's reason.
        code: ErrorCode,
    },
    /// The core answered something else than was asked.
    #[error("backend {name} answered {request} with message {kind:#04x}")]
    WrongReply {
        /// Name on the command line.
        name: String,
        /// Name of the request's message.
        request: &'static str,
        /// Number of the answer's message.
        kind: u8,
    },
    /// The payload of an answer is not that of its message.
    #[error("backend {name}: {why}")]
    Payload {
        /// Name on the command line.
        name: String,
        /// What is wrong with it.
        why: PayloadError,
    },
    /// A request does not fit in a frame.
    #[error("backend {name}: {request} was not sent: {why}")]
    Oversized {
        /// Name on the command line.
        name: String,
        /// Name of the request's message.
        request: &'static str,
        /// How long it is and how long it may be.
        why: PayloadTooLong,
    },
    /// It was asked with a known next piece.
    #[error("backend {name} has no lookahead with this controller: leave the next piece out")]
    NoLookahead {
        /// Name on the command line.
        name: String,
    },
    /// The wire cannot carry the position.
    #[error("backend {name}: {why}")]
    Position {
        /// Name on the command line.
        name: String,
        /// Why.
        why: String,
    },
    /// It cannot play as the controller does.
    #[error("backend {name}: {why}")]
    Unplayable {
        /// Name on the command line.
        name: String,
        /// Why.
        why: String,
    },
    /// The controller read back is not the one that was set.
    #[error("backend {name} gives back other weights than it was given")]
    Controller {
        /// Name on the command line.
        name: String,
    },
}
