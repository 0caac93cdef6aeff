//! What passed.

use protocol::Decoder;
use protocol::layout::GAMES;
use serde::Serialize;

use crate::{LineStruck, Progress};

/// What passed since a board was opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Served {
    /// Clients that connected, or sent something to the terminal.
    pub clients: u64,
    /// Bytes that clients sent.
    pub received: u64,
    /// Bytes that were sent to clients.
    pub sent: u64,
    /// Whole frames that the core sent to a client.
    pub frames: u64,
    /// Decisions among them.
    pub decisions: u64,
    /// Bytes from the core that came without a stop bit, since the ends of the line
    /// had different rates.
    pub framing_errors: u64,
    /// Clock cycles simulated.
    pub cycles: u64,
    /// Faults that struck.
    pub faults: LineStruck,
}

/// Counts what a core sends.
pub(crate) struct Counter {
    decoder: Decoder,
    /// Number of the message that is a decision.
    decision: Option<u8>,
    frames: u64,
    decisions: u64,
}

impl Counter {
    /// Of a core that plays the game of that name.
    pub(crate) fn new(game: &str) -> Self {
        let game = GAMES.iter().find(|known| known.name == game);
        Self {
            decoder: Decoder::new(),
            decision: game.map(|game| game.decision.id),
            frames: 0,
            decisions: 0,
        }
    }

    /// Takes what the core sent.
    pub(crate) fn see(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if let Some(Ok(frame)) = self.decoder.push(byte) {
                self.frames += 1;
                self.decisions += u64::from(Some(frame.kind) == self.decision);
            }
        }
    }

    /// Puts its counts, those of the model and the faults that struck into the
    /// others.
    pub(crate) fn complete(&self, counted: Served, model: Progress, faults: LineStruck) -> Served {
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
