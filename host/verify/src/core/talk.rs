//! A conversation with a core, frame by frame, in which anything can be sent.

use protocol::layout::{ErrorCode, GameTable, Message, PART, REPLY, link};
use protocol::payload::link::Refusal;
use protocol::{Decoder, Frame};
use sim::{Depth, Port, Start, Variant};

use crate::coverage::Watch;
use crate::{Failure, cobs, frames};

/// More clock cycles than an answer takes at the pins.
const TIMEOUT: u64 = 2_000_000;

/// Clock cycles for which the reset button is held.
const RESET: u64 = 100;

/// A core, and what passes.
pub(crate) struct Talk {
    /// The core's byte stream, for bytes that are no frame.
    pub port: Port,
    watch: Watch,
    decoder: Decoder,
    seq: u16,
}

/// A reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reply {
    /// Its request's.
    pub seq: u16,
    /// Number of its message.
    pub kind: u8,
    /// Its payload.
    pub payload: Vec<u8>,
}

impl Reply {
    fn of(frame: Frame<'_>) -> Self {
        Self {
            seq: frame.seq,
            kind: frame.kind,
            payload: frame.payload.to_vec(),
        }
    }

    /// Whether it is that message.
    pub fn is(&self, message: &Message) -> bool {
        self.kind == message.id
    }
}

impl Talk {
    /// With a core that was just powered up, its registers as that seed has them before its reset.
    pub fn open(
        core: &'static Variant,
        game: &'static GameTable,
        depth: Depth,
        power_up: u32,
    ) -> Result<Self, Failure> {
        let start = Start {
            power_up,
            ..Start::of(core)
        };
        Ok(Self {
            port: Port::open_started(core, depth, start)?,
            watch: Watch::new(game),
            decoder: Decoder::new(),
            seq: 0,
        })
    }

    /// Ends the core: what was read.
    pub fn end(self) -> Watch {
        self.watch
    }

    /// A failure.
    pub fn differs<T>(&self, what: String) -> Result<T, Failure> {
        let cycle = self.port.cycles();
        Err(Failure::Differs { cycle, what })
    }

    /// A failure unless both are the same.
    pub fn same<T: PartialEq + std::fmt::Debug>(
        &self,
        what: &str,
        got: &T,
        expected: &T,
    ) -> Result<(), Failure> {
        match got == expected {
            true => Ok(()),
            false => self.differs(format!("{what} is {got:x?}, expected {expected:x?}")),
        }
    }

    fn unexpected<T>(&self, kind: u8, reply: &Reply, expected: &str) -> Result<T, Failure> {
        self.differs(format!(
            "request {kind:#04x} is answered by {reply:02x?}, expected {expected}"
        ))
    }

    /// Bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.watch.sent(bytes);
        self.port.send(bytes);
    }

    /// A frame of any message and payload; its sequence number.
    pub fn send(&mut self, kind: u8, payload: &[u8]) -> u16 {
        self.seq = self.seq.wrapping_add(1);
        self.bytes(&cobs::encoded(&frames::request(self.seq, kind, payload)));
        self.seq
    }

    /// The next reply.
    pub fn receive(&mut self) -> Result<Reply, Failure> {
        loop {
            let byte = match self.port.receive(TIMEOUT) {
                Ok(byte) => byte,
                Err(e) => return self.differs(format!("behind request {}: {e}", self.seq)),
            };
            self.watch.received(&[byte]);
            match self.decoder.push(byte) {
                None => {}
                Some(Ok(frame)) => return Ok(Reply::of(frame)),
                Some(Err(e)) => {
                    let what = e.to_string();
                    return self.differs(what);
                }
            }
        }
    }

    /// The next reply that is no part of a stream.
    pub fn receive_end(&mut self) -> Result<Reply, Failure> {
        loop {
            let reply = self.receive()?;
            if reply.kind & (REPLY | PART) != REPLY | PART || reply.is(&link::ERROR) {
                return Ok(reply);
            }
        }
    }

    /// The reply to a request that is sent alone.
    pub fn ask(&mut self, kind: u8, payload: &[u8]) -> Result<Reply, Failure> {
        let seq = self.send(kind, payload);
        let reply = self.receive()?;
        match reply.seq == seq {
            true => Ok(reply),
            false => self.unexpected(kind, &reply, "its own sequence number"),
        }
    }

    /// A request that is served by the message with that number.
    pub fn served(&mut self, kind: u8, payload: &[u8], by: u8) -> Result<Reply, Failure> {
        let reply = self.ask(kind, payload)?;
        match reply.kind == by {
            true => Ok(reply),
            false => self.unexpected(kind, &reply, &format!("message {by:#04x}")),
        }
    }

    /// A request that is refused with that code.
    pub fn refused(&mut self, kind: u8, payload: &[u8], code: ErrorCode) -> Result<(), Failure> {
        let reply = self.ask(kind, payload)?;
        let refusal = Refusal {
            code,
            request: kind,
        };
        match reply.is(&link::ERROR) && reply.payload == refusal.encode().as_ref() {
            true => Ok(()),
            false => self.unexpected(kind, &reply, code.name),
        }
    }

    /// A press of the reset button, which clears all settings.
    pub fn reset_button(&mut self) -> Result<(), Failure> {
        self.port.reset();
        self.watch.forget();
        self.decoder = Decoder::new();
        // While it lasts nothing is received.
        Ok(self.port.advance(RESET)?)
    }
}
