//! Plays games in lockstep on several backends and compares their decisions.
//!
//! One way through: game → request → backend → answer → compare → events.
//! Read in this order:
//! - [`games`]: what a game is; Tetris with its golden model.
//! - [`backend`]: who decides: the golden model, or a core behind the wire.
//! - [`session`]: asks all backends the same and compares what they answer.
//! - [`compare`], [`event`]: what can differ, and what a session tells.
//! - [`record`], [`report`]: listeners that keep it, show it, sum it up.
//! - [`train`]: weights from games; beside the sessions, needs none of them.

pub mod backend;
pub mod compare;
pub mod event;
#[cfg(feature = "faults")]
pub mod faults;
pub mod games;
pub mod record;
pub mod report;
pub mod session;
pub mod train;
