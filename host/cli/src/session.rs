//! Sessions of backends: what several commands do with them.
//!
//! [`backends`] opens and configures the named ones; [`output`] has the options for results and
//! [`output::Output::end`] the end of a session; [`reports`] writes page, test results and
//! annotations; [`investigate`] explains a divergence.

pub mod backends;
mod explanation;
#[cfg(feature = "sim")]
pub mod faults;
pub mod investigate;
pub mod output;
mod reports;
