//! Errors of backends.

use lockstep_games::{BoxError, Unsupported};
use protocol::frame::PayloadTooLong;
use protocol::payload::PayloadError;
use protocol::payload::link::Info;

use super::exec::ExecError;
use crate::link::{LinkError, PortErrorKind};
use crate::text::ForeignText;

/// The error of a backend that cannot be opened or cannot go on.
#[derive(Debug)]
pub struct BackendError {
    /// Name of the backend.
    pub name: ForeignText,
    /// What happened.
    pub kind: BackendErrorKind,
}

impl std::fmt::Display for BackendError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "backend {}: {}", self.name, self.kind)
    }
}

impl std::error::Error for BackendError {}

/// What keeps a backend from going on.
#[derive(Debug, thiserror::Error)]
pub enum BackendErrorKind {
    /// It cannot be opened.
    #[error("not available: {0}")]
    Unavailable(String),
    /// Its core plays another game.
    #[error("the core plays {plays}, expected {expected}: name that game (--game {plays})")]
    Game {
        /// The core's game.
        plays: &'static str,
        /// The game of the session.
        expected: &'static str,
    },
    /// It has no controller yet.
    #[error("a controller must be set before it decides")]
    NotConfigured,
    /// Its port cannot be opened.
    #[error(transparent)]
    Port(PortErrorKind),
    /// The link failed.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// Nothing comes from its port or address.
    #[error("{}", silence(place, *base))]
    Mute {
        /// The port or address.
        place: String,
        /// Rate of the requests in baud, if it can be set.
        base: Option<u32>,
    },
    /// Replies come, but only after their requests were sent again.
    #[error(
        "{place} answers too late: replies came, but each after its timeout. A \
         virtual board needs a less busy machine; on a network, the way to the board may be slow"
    )]
    Late {
        /// The port or address.
        place: String,
    },
    /// Bytes come, but no frames.
    #[error("{}", garbage(place, *base, *bytes))]
    Garbled {
        /// The port or address.
        place: String,
        /// Rate of the requests in baud, if it can be set.
        base: Option<u32>,
        /// Bytes that came.
        bytes: u64,
    },
    /// The line failed in mid-session and did not recover.
    #[error(
        "the line failed ({first}) and did not recover within {} s; last error: {last}. The \
         decisions until then are kept", waited.as_secs()
    )]
    Lost {
        /// How it failed.
        first: String,
        /// Time limit of the recovery.
        waited: std::time::Duration,
        /// The error of the last try.
        last: String,
    },
    /// The core that answers now is another one than at the beginning of the session.
    #[error(
        "the core came back as another one: RTL build {now:08x}, it was {before:08x} when the \
         session began; begin a new session to compare this one",
        now = now.build_id, before = before.build_id
    )]
    Changed {
        /// The `info` at the beginning of the session.
        before: Box<Info>,
        /// The present `info`.
        now: Box<Info>,
    },
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
    /// A stream does not end.
    #[error("the core goes on with {request} {how}: reset the core, or correct its design")]
    Endless {
        /// Name of the request's message.
        request: &'static str,
        /// What should have ended it.
        how: &'static str,
    },
    /// The core refused a request.
    #[error("the core refused {request}: {code}")]
    Refused {
        /// Name of the request's message.
        request: &'static str,
        /// The core's reason.
        code: protocol::ErrorCode,
    },
    /// The core's refusal names another request.
    #[error("the core answered {request} with the refusal of message {other:#04x}")]
    OtherRefused {
        /// Name of the request's message.
        request: &'static str,
        /// Number of the message in the refusal.
        other: u8,
    },
    /// The core sent another reply than the one to the request.
    #[error("the core answered {request} with message {kind:#04x}")]
    WrongReply {
        /// Name of the request's message.
        request: &'static str,
        /// Number of the answer's message.
        kind: u8,
    },
    /// The payload of a reply is invalid.
    #[error(transparent)]
    Payload(#[from] PayloadError),
    /// A request is longer than a frame takes.
    #[error("the request {request} does not fit into a frame: {why}")]
    TooLong {
        /// Name of the request's message.
        request: &'static str,
        /// The length.
        why: PayloadTooLong,
    },
    /// It lacks a capability that the request needs.
    #[error(transparent)]
    Unable(#[from] Unsupported),
    /// It cannot decide the position.
    #[error(transparent)]
    Position(BoxError),
    /// It cannot play by the controller.
    #[error(transparent)]
    Unplayable(BoxError),
    /// The controller read back is not the one that was set.
    #[error("the controller read back differs from the one that was set")]
    ReadBack,
    /// Its program failed.
    #[error(transparent)]
    Exec(#[from] ExecError),
    /// Its thread has ended.
    #[error("its thread has died")]
    Died,
}

fn silence(place: &str, base: Option<u32>) -> String {
    let rate = match base {
        Some(base) => format!(
            " A core that begins at another rate than {base} baud is reached with the option \
             start=RATE."
        ),
        None => String::new(),
    };
    format!(
        "nothing answers on {place}. Is the board on, is its bitstream loaded, and is this the \
         port its core is at? Boards with two ports often have it at the second.{rate}"
    )
}

fn garbage(place: &str, base: Option<u32>, bytes: u64) -> String {
    let rate = base.map_or(String::new(), |base| {
        format!(
            ", or a core that begins at another rate than {base} baud, which is reached with the \
             option start=RATE"
        )
    });
    format!(
        "{place} answers, but with no frame of this protocol (it sent {bytes} bytes): it is \
         another device{rate}"
    )
}

impl BackendErrorKind {
    /// The error of the backend of that name.
    pub fn of(self, name: impl Into<ForeignText>) -> BackendError {
        BackendError {
            name: name.into(),
            kind: self,
        }
    }
}
