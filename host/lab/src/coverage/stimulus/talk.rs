//! A conversation with a core, frame by frame, in which anything can be sent.

use protocol::layout::{ErrorCode, Message, link};
use protocol::payload::link::Refusal;
use protocol::{Decoder, Frame, frame};
use sim::{Depth, Port, Variant};

use super::StimulusError;
use crate::coverage::watch::{Seen, Watch};

/// More clock cycles than an answer takes at the pins.
const PATIENCE: u64 = 2_000_000;

/// A core and what passes.
pub struct Talk {
    /// The core's byte stream, for what is no frame.
    pub port: Port,
    watch: Watch,
    decoder: Decoder,
    seq: u16,
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
    /// With a core that was just powered up.
    ///
    /// # Errors
    /// When there is none.
    pub fn open(core: &'static Variant, depth: Depth) -> Result<Self, StimulusError> {
        Ok(Self {
            port: Port::open(core, depth)?,
            watch: Watch::default(),
            decoder: Decoder::new(),
            seq: 0,
        })
    }

    /// Ends the core.
    pub fn end(self) -> Seen {
        self.watch.end()
    }

    /// Bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.watch.sent(bytes);
        self.port.send(bytes);
    }

    /// A frame of any message and payload; its sequence number.
    ///
    /// # Errors
    /// When the payload is too long for a frame.
    pub fn send(&mut self, kind: u8, payload: &[u8]) -> Result<u16, StimulusError> {
        self.seq = self.seq.wrapping_add(1);
        let seq = self.seq;
        let wire = frame::encode(&Frame { seq, kind, payload });
        let wire = wire.map_err(|error| StimulusError::Answer(error.to_string()))?;
        self.bytes(wire.as_ref());
        Ok(seq)
    }

    /// The next reply.
    ///
    /// # Errors
    /// When none comes, or what comes is no frame.
    pub fn receive(&mut self) -> Result<Reply, StimulusError> {
        loop {
            let byte = self.port.receive(PATIENCE)?;
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

    /// The reply to a request that is sent alone.
    ///
    /// # Errors
    /// When another one comes, or none.
    pub fn ask(&mut self, kind: u8, payload: &[u8]) -> Result<Reply, StimulusError> {
        let seq = self.send(kind, payload)?;
        let reply = self.receive()?;
        match reply.seq == seq {
            true => Ok(reply),
            false => Err(unexpected(kind, &reply, "its own sequence number")),
        }
    }

    /// A request that is served by that message.
    ///
    /// # Errors
    /// When it is not.
    pub fn served(&mut self, kind: u8, payload: &[u8], by: &Message) -> Result<Reply, StimulusError> {
        let reply = self.ask(kind, payload)?;
        match reply.is(by) {
            true => Ok(reply),
            false => Err(unexpected(kind, &reply, by.name)),
        }
    }

    /// A request that is refused with that code.
    ///
    /// # Errors
    /// When it is not.
    pub fn refused(&mut self, kind: u8, payload: &[u8], code: ErrorCode) -> Result<(), StimulusError> {
        let reply = self.ask(kind, payload)?;
        let refusal = Refusal { code, request: kind };
        match reply.is(&link::ERROR) && reply.payload == refusal.encode().as_ref() {
            true => Ok(()),
            false => Err(unexpected(kind, &reply, code.name)),
        }
    }

    /// The core loses all it was told.
    pub fn reset_button(&mut self) {
        self.port.reset();
        self.watch.forget();
        self.decoder = Decoder::new();
    }
}

/// An answer that is not the one it has to be.
pub fn unexpected(kind: u8, reply: &Reply, expected: &str) -> StimulusError {
    StimulusError::Answer(format!(
        "request {kind:#04x} is answered by {reply:02x?}, expected {expected}"
    ))
}
