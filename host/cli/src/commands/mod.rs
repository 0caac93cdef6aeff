//! The subcommands: each its arguments and what they make happen.
//!
//! What several of them share: [`options`] and [`numbers`] read arguments,
//! [`suggest`] names what may have been meant; [`backends`] are opened; [`output`]
//! and [`files`] say where results go; [`interrupt`] and [`wait`] keep the user
//! in charge.

mod backends;
pub mod bench;
pub mod boards;
pub mod completions;
pub mod controllers;
pub mod coverage;
pub mod decide;
pub mod explain;
#[cfg(feature = "sim")]
pub mod faults;
mod files;
pub mod flash;
pub mod info;
pub mod interrupt;
pub mod investigate;
pub mod man;
pub mod numbers;
pub mod options;
mod output;
pub mod play;
pub mod record;
pub mod replay;
mod reports;
#[cfg(feature = "sim")]
pub mod serve;
pub mod signature;
pub mod soak;
pub mod strength;
pub mod suggest;
pub mod train;
mod wait;
mod worker;

use lockstep::report::Totals;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All decisions agreed.
    Agreed,
    /// Some did not.
    Diverged,
    /// The user stopped it.
    Interrupted,
}

impl Outcome {
    fn of(totals: &Totals) -> Self {
        match totals {
            _ if totals.divergences() > 0 => Self::Diverged,
            _ if totals.interrupted => Self::Interrupted,
            _ => Self::Agreed,
        }
    }
}
