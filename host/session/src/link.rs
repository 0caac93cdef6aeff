//! Carries bytes to a core and back.
//!
//! - [`sim`]: a simulated core; [`serial`] and [`tcp`]: boards (both over `stream.rs`);
//!   [`labgrid`]: a board that several users share
//! - [`ports`]: lists and selects serial ports; [`error`]: why one cannot be opened; [`latency`]: its
//!   latency timer; [`registry`]: virtual boards
//! - [`probe`]: requests the `info` of a core; [`survey`]: probes several ports
//! - [`faults`]: seeded faults of a stream of bytes; [`listen`]: an address to listen on

pub mod error;
pub mod faults;
pub mod labgrid;
pub mod latency;
pub mod listen;
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

use async_trait::async_trait;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

pub use error::PortError;

/// A byte stream to a core.
///
/// Every future may be dropped before it is ready. A dropped `receive` loses no byte: the next call
/// returns what had come. A dropped `send` may have sent some of its bytes; the receiver detects the
/// damaged frame. A dropped `reopen` leaves the link closed.
#[async_trait]
pub trait Link: Send {
    /// Describes the link in one line.
    fn describe(&self) -> String;

    /// Sends all bytes.
    async fn send(&mut self, bytes: &[u8]) -> Result<(), LinkError>;

    /// Waits for at least one byte, but no longer than `within` in the link's own time, which is
    /// simulated time for a simulated core.
    async fn receive(&mut self, within: Duration) -> Result<Bytes, LinkError>;

    /// Opens the link again after [`LinkError::Closed`]. Bytes on their way are lost.
    async fn reopen(&mut self) -> Result<(), LinkError>;

    /// Returns the traffic since the link was first opened.
    fn statistics(&self) -> LinkStatistics;

    /// Returns the rate of the line in baud; `None` if this end cannot set it.
    fn rate(&self) -> Option<u32> {
        None
    }

    /// Sets the rate of the line. Bytes sent before leave at the old rate; bytes on their way to this
    /// end may be damaged.
    ///
    /// The default refuses, for links without [`Self::rate`].
    async fn set_rate(&mut self, baud: u32) -> Result<(), LinkError> {
        Err(LinkError::Rate(baud))
    }
}

/// Traffic of a link since it was first opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkStatistics {
    /// Bytes sent.
    pub sent: u64,
    /// Bytes received.
    pub received: u64,
    /// Number of times it was opened again.
    pub reopened: u64,
    /// Clock cycles of a simulated core since power-up; `None` for other links.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulated_cycles: Option<u64>,
}

impl LinkStatistics {
    /// Adds the traffic of another link.
    pub fn add(&mut self, other: &Self) {
        self.sent += other.sent;
        self.received += other.received;
        self.reopened += other.reopened;
        self.simulated_cycles = match (self.simulated_cycles, other.simulated_cycles) {
            (Some(mine), Some(theirs)) => Some(mine + theirs),
            (mine, theirs) => mine.or(theirs),
        };
    }

    /// The counts since earlier statistics of the same link.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        // A core that was powered up again counts from 0.
        let cycles = |now: u64| {
            now.checked_sub(before.simulated_cycles.unwrap_or(0))
                .unwrap_or(now)
        };
        Self {
            sent: self.sent - before.sent,
            received: self.received - before.received,
            reopened: self.reopened - before.reopened,
            simulated_cycles: self.simulated_cycles.map(cycles),
        }
    }
}

/// The error of a link.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// Nothing came in time; sending again may help.
    #[error("no answer: {0}")]
    Silent(String),
    /// The link is closed; opening it again may help.
    #[error("{0}")]
    Closed(String),
    /// The link cannot be opened, now or at the beginning. An unplugged device may be back later.
    #[error(transparent)]
    Open(#[from] PortError),
    /// This end cannot run the line at that rate.
    #[error("this machine cannot set the line to {0} baud")]
    Rate(u32),
}
