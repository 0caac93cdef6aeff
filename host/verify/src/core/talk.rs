//! A conversation with a core, frame by frame, in which any bytes can be sent.

use protocol::layout::{ErrorCode, GameTable, Message, PART, REPLY, link};
use protocol::{Decoder, Frame};
use sim::{Depth, Port, Start, Variant};

use super::conversation::LONGEST;
use crate::coverage::Watch;
use crate::{Failure, cobs, frames};

/// Timeout of an answer at the pins, in clock cycles.
const TIMEOUT: u64 = 2_000_000;

/// Clock cycles of a press of the reset button.
const RESET: u64 = 100;

/// A conversation with a core, which counts the bins of the core's wire.
pub(crate) struct Talk {
    /// The core's byte stream.
    pub port: Port,
    watch: Watch,
    decoder: Decoder,
    seq: u16,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reply {
    pub seq: u16,
    pub kind: u8,
    pub payload: Vec<u8>,
}

impl Reply {
    pub fn is(&self, message: &Message) -> bool {
        self.kind == message.id
    }
}

impl Talk {
    /// Powers up a core with registers from the seed `power_up`.
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

    /// Ends the conversation; returns the bins of the wire.
    pub fn end(self) -> Watch {
        self.watch
    }

    /// Fails with a description of the difference.
    pub fn differs<T>(&self, what: String) -> Result<T, Failure> {
        let cycle = self.port.cycles();
        Err(Failure::Differs { cycle, what })
    }

    /// Fails unless two values are equal; `what` names them.
    pub fn same<T: PartialEq + std::fmt::Debug>(
        &self,
        what: &str,
        got: &T,
        expected: &T,
    ) -> Result<(), Failure> {
        Failure::unless_same(self.port.cycles(), what, got, expected)
    }

    fn unexpected<T>(&self, kind: u8, reply: &Reply, expected: &str) -> Result<T, Failure> {
        self.differs(format!(
            "request {kind:#04x} is answered by {reply:02x?}, expected {expected}"
        ))
    }

    /// Sends bytes unchanged.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.watch.sent(bytes);
        self.port.send(bytes);
    }

    /// Sends a frame and returns its sequence number.
    pub fn send(&mut self, kind: u8, payload: &[u8]) -> u16 {
        self.seq = self.seq.wrapping_add(1);
        self.bytes(&cobs::encoded(&frames::request(self.seq, kind, payload)));
        self.seq
    }

    pub fn receive(&mut self) -> Result<Reply, Failure> {
        if self.port.cycles() > LONGEST {
            return self.differs("the replies do not end".into());
        }
        loop {
            let byte = match self.port.receive(TIMEOUT) {
                Ok(byte) => byte,
                Err(e) => return self.differs(format!("after request {}: {e}", self.seq)),
            };
            self.watch.received(&[byte]);
            match self.decoder.push(byte) {
                None => {}
                Some(Ok(Frame { seq, kind, payload })) => {
                    let payload = payload.to_vec();
                    return Ok(Reply { seq, kind, payload });
                }
                Some(Err(e)) => {
                    let what = e.to_string();
                    return self.differs(what);
                }
            }
        }
    }

    /// Receives the next reply that is not a part of a stream.
    pub fn receive_end(&mut self) -> Result<Reply, Failure> {
        loop {
            let reply = self.receive()?;
            if reply.kind & (REPLY | PART) != REPLY | PART || reply.is(&link::ERROR) {
                return Ok(reply);
            }
        }
    }

    /// Sends a request and receives its reply.
    pub fn ask(&mut self, kind: u8, payload: &[u8]) -> Result<Reply, Failure> {
        let seq = self.send(kind, payload);
        let reply = self.receive()?;
        match reply.seq == seq {
            true => Ok(reply),
            false => self.unexpected(kind, &reply, "its own sequence number"),
        }
    }

    /// Sends a request and expects its reply.
    pub fn served(&mut self, kind: u8, payload: &[u8]) -> Result<Reply, Failure> {
        let reply = self.ask(kind, payload)?;
        match reply.kind == kind | REPLY {
            true => Ok(reply),
            false => self.unexpected(kind, &reply, "its own reply"),
        }
    }

    /// Sends a request and expects a refusal with `code`.
    pub fn refused(&mut self, kind: u8, payload: &[u8], code: ErrorCode) -> Result<(), Failure> {
        let reply = self.ask(kind, payload)?;
        match reply.is(&link::ERROR) && reply.payload == [code.number, kind] {
            true => Ok(()),
            false => self.unexpected(kind, &reply, code.name),
        }
    }

    /// Presses the reset button, which clears all settings.
    pub fn reset_button(&mut self) -> Result<(), Failure> {
        self.port.reset();
        self.watch.forget();
        self.decoder = Decoder::new();
        // Nothing is received during the reset.
        Ok(self.port.advance(RESET)?)
    }
}
