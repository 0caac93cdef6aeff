//! Plays games in lockstep on several backends and compares their decisions.
//!
//! One way through: game → request → backend → answer → compare → events.
//! Nothing here knows a particular game. Read in this order:
//! - [`backend`]: who decides: software in this process, or a core behind the
//!   wire; [`backend::open`] opens them by name.
//! - [`link`]: bytes to a core and back.
//! - [`session`]: asks all backends the same and compares what they answer;
//!   [`solo`]: programs that play by their own rules, told the same way.
//! - [`replay`]: asks recorded decisions again, with several sets of backends at a time.
//! - [`compare`], [`event`]: what can differ, and what a session tells.
//! - [`listeners`], [`stop`]: who is told, and how a session is ended.
//! - [`record`], [`report`]: what is kept, and summed up.
//! - [`text`]: text of others, made safe to show.

pub mod backend;
pub mod compare;
pub mod event;
pub mod link;
pub mod listeners;
pub mod record;
pub mod replay;
pub mod report;
pub mod session;
pub mod solo;
pub mod stop;
pub mod text;

pub use backend::{Answer, Backend, BackendError, BackendRegistry, Identity, Spec};
pub use event::{Event, Header, Round, Sink};
pub use listeners::Listeners;
pub use replay::Replay;
pub use session::{Session, SessionError};
pub use stop::Stop;
