//! Long work: signals that end it, waiting for it, a thread for it.

pub mod interrupt;
pub mod wait;
pub mod worker;
