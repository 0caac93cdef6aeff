//! Listeners that show a session or sum it up.

pub mod terminal;
pub mod totals;
pub mod training;
pub mod watch;
