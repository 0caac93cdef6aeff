//! Counts of a virtual board.

use protocol::Decoder;
use protocol::layout::GAMES;
use serde::Serialize;

use crate::{LineFaultCounts, Progress};

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

/// Counts the frames and decisions that a core sends.
pub(crate) struct Counter {
    decoder: Decoder,
    /// Type of the message with a decision.
    decision: Option<u8>,
    frames: u64,
    decisions: u64,
}

impl Counter {
    /// A counter for a core of the game with this name.
    pub(crate) fn new(game: &str) -> Self {
        let game = GAMES.iter().find(|known| known.name == game);
        Self {
            decoder: Decoder::new(),
            decision: game.map(|game| game.decision.id),
            frames: 0,
            decisions: 0,
        }
    }

    /// Counts the frames that end in these bytes.
    pub(crate) fn see(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if let Some(Ok(frame)) = self.decoder.push(byte) {
                self.frames += 1;
                self.decisions += u64::from(Some(frame.kind) == self.decision);
            }
        }
    }

    /// Adds this counter's frames and decisions, the model's cycles and the faults to `counted`.
    pub(crate) fn complete(
        &self,
        counted: Served,
        model: Progress,
        faults: LineFaultCounts,
    ) -> Served {
        Served {
            frames: self.frames,
            decisions: self.decisions,
            framing_errors: model.framing_errors,
            cycles: model.cycles,
            faults,
            ..counted
        }
    }
}
