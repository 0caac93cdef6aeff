//! How much of the RTL, and of what can be asked of it, a run has reached.
//!
//! - [`bins`] are functional: counted on the host's side, from what is asked and answered;
//!   [`space`] says which there are and why some are impossible; [`watch`] reads them off a link.
//! - [`directed`] makes positions that fill all of them that a position can fill; `stimulus` asks
//!   them, and all else, of a core whose model counts what it reaches (feature `coverage`).
//! - [`data`] is what models counted, [`waivers`] what cannot be reached and why, [`report`] all of
//!   it together ([`bits`] what changed), [`document`] that as text.

pub mod bins;
pub mod bits;
pub mod data;
pub mod directed;
pub mod document;
mod measure;
pub mod report;
pub mod space;
#[cfg(feature = "coverage")]
mod stimulus;
pub mod waivers;
pub mod watch;

pub use measure::{Effort, MeasureError, measure};
