//! Plays games in lockstep on several backends and compares their decisions.
//!
//! One way through: game → position → backend → answer → compare → events. Nothing here knows a
//! particular game. Read in this order:
//! - [`backend`]: software in this process, programs, and cores behind the wire;
//!   [`backend::open`] opens them by name.
//! - [`link`]: bytes to a core and back; serial ports, the list of virtual boards, and faults on a
//!   line.
//! - [`session`]: sends each position to all backends and compares their answers;
//!   [`programs`]: programs that play by their own rules.
//! - [`replay`]: replays records, with several sets of backends at a time.
//! - [`compare`], [`event`]: differences, and the events of a session.
//! - [`listeners`], [`pace`], [`stop`]: receivers of events, the pauses and the end of a session.
//! - [`record`]: recording; [`report`]: totals and agreement (pages are in `lockstep-report`).
//! - [`text`]: escapes text for a terminal.

#[cfg(test)]
#[path = "../tests/toy/a_hang.rs"]
mod a_hang;
pub mod backend;
pub mod compare;
pub mod event;
pub mod link;
pub mod listeners;
pub mod pace;
pub mod programs;
pub mod record;
pub mod replay;
pub mod report;
pub mod session;
pub mod stop;
pub mod text;

pub use backend::{Answer, Backend, BackendError, BackendRegistry, Identity, Spec};
pub use event::{Event, Header, Round, Sink};
pub use listeners::Listeners;
pub use pace::Pace;
pub use replay::Replay;
pub use session::{Session, SessionError};
pub use stop::Stop;
