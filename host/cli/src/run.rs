//! Long work: signals that interrupt it, waiting for it, and a thread for it.

pub mod interrupt;
pub mod wait;
pub mod worker;
