//! The subcommands, a module each: arguments, execution, and the view of the result.

pub mod bench;
pub mod boards;
pub mod challenge;
pub mod completions;
pub mod controllers;
pub mod coverage;
pub mod decide;
pub mod explain;
#[cfg(feature = "sim")]
pub mod faults;
pub mod flash;
pub mod gomocup;
pub mod info;
pub mod man;
pub mod matches;
pub mod merge;
pub mod play;
pub mod record;
pub mod replay;
#[cfg(feature = "sim")]
pub mod serve;
pub mod signature;
pub mod soak;
pub mod strength;
pub mod train;
pub mod view;
