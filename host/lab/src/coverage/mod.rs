//! How much of the RTL, and of what can be asked of it, a run has reached.
//!
//! - [`bins`] are functional: counted on the host's side, from what is asked and answered;
//!   [`space`] says which there are and why some are impossible; [`watch`] reads them off a link.
//! - [`directed`] makes positions that fill all of them that a position can fill.

pub mod bins;
pub mod directed;
pub mod space;
pub mod watch;
