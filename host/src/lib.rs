//! Plays games in lockstep on several backends and compares their decisions.
//!
//! One way through: game → request → backend → answer → compare → events.
//! Read in this order:
//! - [`games`]: what a game is; Tetris with its golden model.
//! - [`backend`]: who decides: the golden model, or a core behind the wire.
//! - [`session`]: asks all backends the same and compares what they answer.
//! - [`own_game`]: the seeds' programs by their own rules, which no backend can
//!   be asked.
//! - [`compare`], [`event`]: what can differ, and what a session tells.
//! - [`speed`], [`signature`]: how fast decisions come, and a long game's moves
//!   in one number.
//! - [`record`], [`report`]: listeners that keep it, show it, sum it up.
//!
//! Beside it, without backends: [`strength`], how well a controller plays, and
//! [`train`], weights from games.

pub mod backend;
pub mod compare;
pub mod event;
#[cfg(feature = "faults")]
pub mod faults;
pub mod games;
pub mod own_game;
pub mod record;
pub mod report;
pub mod session;
pub mod signature;
pub mod speed;
pub mod strength;
pub mod train;
