//! A conversation with a core, frame by frame, in which anything can be sent.

use protocol::layout::{ErrorCode, Game, Message, PART, REPLY, link};
use protocol::payload::link::Refusal;
use protocol::{Decoder, Frame, frame};
use sim::{Depth, Port, Start, Variant};

use super::StimulusError;
use crate::coverage::watch::Watch;

/// More clock cycles than an answer takes at the pins.
const PATIENCE: u64 = 2_000_000;

/// More clock cycles than the reset button is held.
const RESET: u64 = 100;

/// A core and what passes.
pub struct Talk {
    /// The core's byte stream, for what is no frame.
    pub port: Port,
    watch: Watch,
    decoder: Decoder,
    last: Last,
}

/// What was asked last.
#[derive(Debug, Clone, Copy, Default)]
struct Last {
    seq: u16,
    kind: u8,
}

/// A reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Its request's.
    pub seq: u16,
    /// Number of its message.
    pub kind: u8,
    /// Its payload.
    pub payload: Vec<u8>,
}

impl Reply {
    /// Whether it is that message.
    pub fn is(&self, message: &Message) -> bool {
        self.kind == message.id
    }
}

impl Talk {
    /// With a core that was just powered up, its registers as that seed has them before its reset.
    pub fn open(
        core: &'static Variant,
        game: &'static Game,
        depth: Depth,
        power_up: u32,
    ) -> Result<Self, StimulusError> {
        let start = Start {
            power_up,
            ..Start::of(core)
        };
        Ok(Self {
            port: Port::open_started(core, depth, start)?,
            watch: Watch::new(game),
            decoder: Decoder::new(),
            last: Last::default(),
        })
    }

    /// Ends the core.
    pub fn end(self) -> Watch {
        self.watch
    }

    /// Bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.watch.sent(bytes);
        self.port.send(bytes);
    }

    /// A frame of any message and payload; its sequence number.
    pub fn send(&mut self, kind: u8, payload: &[u8]) -> Result<u16, StimulusError> {
        let seq = self.last.seq.wrapping_add(1);
        self.last = Last { seq, kind };
        let wire = frame::encode(&Frame { seq, kind, payload });
        let wire = wire.map_err(|error| StimulusError::Answer(error.to_string()))?;
        self.bytes(wire.as_ref());
        Ok(seq)
    }

    /// The next reply.
    pub fn receive(&mut self) -> Result<Reply, StimulusError> {
        loop {
            let byte = self.port.receive(PATIENCE).map_err(|error| {
                let Last { seq, kind } = self.last;
                let cycle = self.port.cycles();
                StimulusError::Answer(format!(
                    "cycle {cycle}, the last request {kind:#04x} with number {seq}: {error}"
                ))
            })?;
            self.watch.received(&[byte]);
            if let Some(frame) = self.decoder.push(byte) {
                let frame = frame.map_err(|e| StimulusError::Answer(e.to_string()))?;
                return Ok(Reply {
                    seq: frame.seq,
                    kind: frame.kind,
                    payload: frame.payload.to_vec(),
                });
            }
        }
    }

    /// The next reply that is no part of a stream.
    pub fn receive_end(&mut self) -> Result<Reply, StimulusError> {
        loop {
            let reply = self.receive()?;
            if reply.kind & (REPLY | PART) != REPLY | PART || reply.is(&link::ERROR) {
                return Ok(reply);
            }
        }
    }

    /// The reply to a request that is sent alone.
    pub fn ask(&mut self, kind: u8, payload: &[u8]) -> Result<Reply, StimulusError> {
        let seq = self.send(kind, payload)?;
        let reply = self.receive()?;
        match reply.seq == seq {
            true => Ok(reply),
            false => Err(unexpected(kind, &reply, "its own sequence number")),
        }
    }

    /// A request that is served by that message.
    pub fn served(
        &mut self,
        kind: u8,
        payload: &[u8],
        by: &Message,
    ) -> Result<Reply, StimulusError> {
        let reply = self.ask(kind, payload)?;
        match reply.is(by) {
            true => Ok(reply),
            false => Err(unexpected(kind, &reply, by.name)),
        }
    }

    /// A request that is refused with that code.
    pub fn refused(
        &mut self,
        kind: u8,
        payload: &[u8],
        code: ErrorCode,
    ) -> Result<(), StimulusError> {
        let reply = self.ask(kind, payload)?;
        let refusal = Refusal {
            code,
            request: kind,
        };
        match reply.is(&link::ERROR) && reply.payload == refusal.encode().as_ref() {
            true => Ok(()),
            false => Err(unexpected(kind, &reply, code.name)),
        }
    }

    /// The core loses all it was told.
    pub fn reset_button(&mut self) -> Result<(), StimulusError> {
        self.port.reset();
        self.watch.forget();
        self.decoder = Decoder::new();
        // While it lasts nothing is received.
        Ok(self.port.advance(RESET)?)
    }
}

/// An answer that is not the one it has to be.
pub fn unexpected(kind: u8, reply: &Reply, expected: &str) -> StimulusError {
    StimulusError::Answer(format!(
        "request {kind:#04x} is answered by {reply:02x?}, expected {expected}"
    ))
}
