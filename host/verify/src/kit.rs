//! The kit of which a game's side of the wire is made.

pub mod loader;
pub mod sender;
pub mod setting;
