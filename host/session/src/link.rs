//! Bytes to a core and back, whatever lies between.
//!
//! [`sim`] is a simulated core; [`serial`] and [`tcp`] are boards (both over `stream.rs`).
//! [`ports`] lists and selects serial ports, [`probe`] asks one for its core and [`survey`]
//! several; [`error`]: why one cannot be opened; [`latency`]: the latency timer of a port.
//! [`registry`] lists virtual boards. [`faulty`] wraps any link with seeded [`faults`].

pub mod error;
pub mod faults;
pub mod faulty;
pub mod latency;
pub mod ports;
pub mod probe;
pub mod registry;
pub mod serial;
#[cfg(feature = "sim")]
pub mod sim;
mod stream;
pub mod survey;
pub mod tcp;

use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt as _};
use serde::Serialize;

pub use error::{PortError, PortErrorKind};

/// A byte stream to a core.
///
/// Every future may be dropped before it is ready. A dropped `receive` loses no
/// byte: what had come is given to the next one. A dropped `send` may have sent
/// some of its bytes; the frame they belong to is then damaged, which its
/// receiver notices. A dropped `reopen` leaves the link closed.
pub trait Link: Send {
    /// What it is, in one line.
    fn describe(&self) -> String;

    /// Sends all bytes.
    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), LinkError>>;

    /// Waits for at least one byte, but not longer than `within`, which passes in
    /// the link's own time: simulated time where the core is simulated.
    fn receive(&mut self, within: Duration) -> BoxFuture<'_, Result<Bytes, LinkError>>;

    /// Opens it again after [`LinkError::Closed`]. Bytes on their way are lost.
    fn reopen(&mut self) -> BoxFuture<'_, Result<(), LinkError>>;

    /// Its statistics.
    fn statistics(&self) -> LinkStatistics;

    /// Rate of the line in baud; `None` where it is not this end's to set.
    fn rate(&self) -> Option<u32> {
        None
    }

    /// Runs the line at another rate from now on. What was sent before leaves at
    /// the old one; bytes on their way here may be damaged.
    ///
    /// The default refuses: it is for links that have no [`Self::rate`].
    fn set_rate(&mut self, baud: u32) -> BoxFuture<'_, Result<(), LinkError>> {
        async move { Err(LinkError::Rate(baud)) }.boxed()
    }
}

/// Traffic of a link since it was first opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LinkStatistics {
    /// Bytes sent.
    pub sent: u64,
    /// Bytes received.
    pub received: u64,
    /// How often it was opened again.
    pub reopened: u64,
    /// Clock cycles that a simulated core has run since it was powered up; `None` of any
    /// other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulated_cycles: Option<u64>,
}

impl LinkStatistics {
    /// Adds those of another link.
    pub fn add(&mut self, other: &Self) {
        self.sent += other.sent;
        self.received += other.received;
        self.reopened += other.reopened;
        self.simulated_cycles = match (self.simulated_cycles, other.simulated_cycles) {
            (Some(mine), Some(theirs)) => Some(mine + theirs),
            (mine, theirs) => mine.or(theirs),
        };
    }
}

/// Why no bytes come.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// Nothing came in time; asking again may help.
    #[error("no answer: {0}")]
    Silent(String),
    /// The link is gone; opening it again may help.
    #[error("{0}")]
    Closed(String),
    /// It cannot be opened, first or again. An unplugged device may be back later.
    #[error(transparent)]
    Open(#[from] PortError),
    /// This end cannot run the line at that rate.
    #[error("the line cannot be run at {0} baud from here")]
    Rate(u32),
}
