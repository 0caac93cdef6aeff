//! Sessions of backends: functions that several commands share.
//!
//! [`backends`] opens and configures backends; [`output`] has the options for results, and
//! [`output::Output::end`] ends a session; [`reports`] writes page, test results and annotations;
//! [`investigate`] explains a divergence; [`tui`] shows a session on the whole terminal, [`web`] in
//! browsers, both what [`heard`] keeps of it.

pub mod backends;
mod explanation;
#[cfg(feature = "sim")]
pub mod faults;
mod frames;
pub mod heard;
pub mod investigate;
pub mod output;
mod reports;
pub mod tui;
pub mod web;
