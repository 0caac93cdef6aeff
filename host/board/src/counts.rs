//! Counts of a virtual board.

use serde::Serialize;

use crate::LineFaultCounts;

/// Counts since a board was opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Served {
    /// Clients that connected, or sent a byte to the terminal.
    pub clients: u64,
    /// Bytes from clients.
    pub received: u64,
    /// Bytes to clients.
    pub sent: u64,
    /// Complete frames from the core to a client.
    pub frames: u64,
    /// Decisions among these frames.
    pub decisions: u64,
    /// Bytes from the core without a stop bit, as the ends of the line had different rates.
    pub framing_errors: u64,
    /// Clock cycles simulated.
    pub cycles: u64,
    /// Line faults by kind.
    pub faults: LineFaultCounts,
}
