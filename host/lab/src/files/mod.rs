//! Files that outlive a run of the program.
//!
//! - [`write`](mod@write): files that are always whole, and what a name leads to.
//! - [`lock`]: one run at a time.
//! - [`header`]: what a file is, of which version, and in what two differ.

pub mod header;
pub mod lock;
pub mod write;
