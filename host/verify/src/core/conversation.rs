//! A conversation with a core over its byte link, cycle by cycle.

use std::collections::VecDeque;
use std::fmt::Debug;

use protocol::Decoder;
use protocol::layout::{link, tetris};
use sim::{Inputs, Model};

use super::pins::FASTEST;
use super::requests::Request;
use super::responder::{Answer, Message, Responder};
use crate::random::{Pace, Random};
use crate::{Failure, cobs, frames};

/// Timeout of an answer in clock cycles.
pub const TIMEOUT: u64 = 50_000;
/// Clock cycles of the longest run: a core that ignores a cancel would send parts for hours.
pub const LONGEST: u64 = 5_000_000;
const SETTLED: u64 = 1_500;

/// A message without a payload.
pub fn empty(message: protocol::layout::Message) -> Message {
    (message.id, Vec::new())
}

/// A core, its input, and the model of its answers.
pub struct Trial {
    pub model: Model,
    pub random: Random,
    pub responder: Responder,
    pub to_core: VecDeque<u8>,
    /// Cycle in which the last byte was sent.
    pub sent: u64,
    /// The rates of sending and of taking bytes; `None` is always.
    pub arrivals: Option<Pace>,
    pub service: Option<Pace>,
    pub decoder: Decoder,
    /// Replies with their sequence numbers, and the cycle of the first one's first byte.
    pub replies: VecDeque<(u16, Message)>,
    pub first_byte: Option<u64>,
    /// Expected replies to requests sent during a stream.
    pub own: VecDeque<(u16, Message)>,
    pub seq: u16,
    pub uart_rx: bool,
}

impl Trial {
    pub fn differs<T>(&self, what: String) -> Result<T, Failure> {
        let cycle = self.model.cycles();
        Err(Failure::Differs { cycle, what })
    }

    /// Fails unless two values are equal; `what` names them.
    pub fn same<T: PartialEq + Debug>(
        &self,
        what: &str,
        got: &T,
        expected: &T,
    ) -> Result<(), Failure> {
        Failure::unless_same(self.model.cycles(), what, got, expected)
    }

    pub fn wait(&mut self, cycles: u64) -> Result<(), Failure> {
        (0..cycles).try_for_each(|_| self.step())
    }

    /// Runs until all bytes are sent to the core.
    pub fn flush(&mut self) -> Result<(), Failure> {
        while !self.to_core.is_empty() {
            self.step()?;
        }
        Ok(())
    }

    /// Checks that no further reply arrives.
    pub fn silent(&mut self, when: &str) -> Result<(), Failure> {
        self.settle()?;
        let more = self.replies.pop_front();
        self.same(when, &more, &None)
    }

    /// Sends a request; returns its sequence number and the expected answer.
    pub fn sends(&mut self, request: &Request) -> (u16, Answer) {
        let seq = self.send(request);
        (seq, self.responder.answer(request))
    }

    pub fn cancel(&mut self) -> u16 {
        self.send(&Request::of(link::CANCEL))
    }

    pub fn step(&mut self) -> Result<(), Failure> {
        let go = |pace: &mut Option<Pace>, random: &mut Random| {
            pace.as_mut().is_none_or(|pace| pace.go(random))
        };
        let byte = match go(&mut self.arrivals, &mut self.random) {
            true => self.to_core.pop_front(),
            false => None,
        };
        let byte_ready = go(&mut self.service, &mut self.random);
        let now = self.model.cycles();
        if byte.is_some() {
            self.sent = now;
        }
        // Noise at the receive pin must have no effect.
        self.uart_rx ^= self.random.chance(5);
        let inputs = Inputs {
            byte_link: true,
            byte,
            byte_ready,
            baud_inc: FASTEST,
            uart_rx: self.uart_rx,
            ..Inputs::default()
        };
        let outputs = self.model.run(&inputs, 1)?;
        if !outputs.uart_tx {
            return self.differs("a byte leaves by the pin, too".into());
        }
        let Some(byte) = outputs.byte else {
            return Ok(());
        };
        self.first_byte.get_or_insert(now);
        if byte_ready && let Some(frame) = self.decoder.push(byte) {
            let frame = frame.map_err(|e| Failure::Differs {
                cycle: now,
                what: format!("the core sent a malformed frame: {e}"),
            })?;
            let message = (frame.kind, frame.payload.to_vec());
            self.replies.push_back((frame.seq, message));
        }
        Ok(())
    }

    pub fn send(&mut self, request: &Request) -> u16 {
        self.seq = self
            .seq
            .wrapping_add(self.random.choice(&[1, 1, 0x100, 0x5a5a]));
        let raw = frames::request(self.seq, request.kind, &request.payload);
        self.to_core.extend(cobs::encoded(&raw));
        self.responder.stats.frames_good = self.responder.stats.frames_good.saturating_add(1);
        self.seq
    }

    /// Waits for the next reply, and skips expected replies to requests sent during a stream.
    pub fn receive(&mut self) -> Result<(u16, Message), Failure> {
        let end = self.model.cycles() + TIMEOUT;
        if self.model.cycles() > LONGEST {
            return self.differs("the replies do not end".into());
        }
        loop {
            match self.replies.pop_front() {
                Some(reply) if self.own.front() == Some(&reply) => drop(self.own.pop_front()),
                Some(reply) => return Ok(reply),
                None if self.model.cycles() > end => {
                    return self.differs("a request is not answered".into());
                }
                None => self.step()?,
            }
        }
    }

    pub fn expect(&mut self, seq: u16, message: &Message) -> Result<(), Failure> {
        let reply = self.receive()?;
        self.same("the reply", &reply, &(seq, message.clone()))
    }

    /// Runs until the core is idle.
    pub fn settle(&mut self) -> Result<(), Failure> {
        let mut quiet = 0;
        while quiet < SETTLED {
            let before = (self.to_core.len(), self.replies.len());
            self.step()?;
            let busy = before != (self.to_core.len(), self.replies.len());
            quiet = if busy { 0 } else { quiet + 1 };
        }
        while self.own.front().is_some() && self.own.front() == self.replies.front() {
            self.own.pop_front();
            self.replies.pop_front();
        }
        self.same("the missing reply", &self.own.front(), &None)
    }

    pub fn paces(&mut self) {
        let pace = |random: &mut Random| random.chance(60).then(Pace::default);
        self.arrivals = pace(&mut self.random);
        self.service = pace(&mut self.random);
    }

    /// Receives and compares the whole answer to a request; a stream gets the credit it needs. With
    /// `alone`, other requests are sometimes sent between its parts.
    pub fn answered(&mut self, seq: u16, answer: &Answer, alone: bool) -> Result<(), Failure> {
        for (part, count) in answer.parts.iter().zip(1usize..) {
            let reply = self.receive()?;
            self.same("the part", &reply, &(seq, part.clone()))?;
            if count.is_multiple_of(link::STREAM_CREDIT.into()) {
                let credit = empty(link::CREDIT_REPLY);
                let sent = self.send(&Request::of(link::CREDIT));
                self.own.push_back((sent, credit));
                if alone && self.own.len() < 3 && self.random.chance(30) {
                    // The link answers or refuses it.
                    let kind = self
                        .random
                        .choice(&[link::PING, link::CANCEL, tetris::DECIDE]);
                    let length = match kind.id == link::PING.id {
                        true => 8,
                        false => 1,
                    };
                    let request = Request::new(kind, self.random.bytes(length));
                    let answer = self.responder.answer(&request);
                    let sent = self.send(&request);
                    self.own.push_back((sent, answer.message));
                }
            }
        }
        let reply = self.receive()?;
        self.is_end(&reply, seq, answer)?;
        // The remaining replies to other requests.
        match alone && !self.own.is_empty() {
            true => self.settle(),
            false => Ok(()),
        }
    }

    /// Checks the reply that ends an answer. The cycles in the last bytes of a trace may be more
    /// than expected.
    pub fn is_end(&self, reply: &(u16, Message), seq: u16, answer: &Answer) -> Result<(), Failure> {
        let expected = (seq, answer.message.clone());
        let split = |(_, (_, payload)): &(u16, Message)| {
            let (rest, cycles) = payload.split_last_chunk()?;
            Some((rest.to_vec(), u32::from_le_bytes(*cycles)))
        };
        if answer.message.0 == tetris::TRACED.id
            && let (Some((rest, cycles)), Some((_, least))) = (split(reply), split(&expected))
            && (least..least + TIMEOUT as u32).contains(&cycles)
        {
            let exact = [&rest[..], &least.to_le_bytes()].concat();
            return self.same("the end", &(reply.0, (reply.1.0, exact)), &expected);
        }
        self.same("the end", reply, &expected)
    }

    /// Sends a request and compares its answer.
    pub fn ask(&mut self, request: &Request) -> Result<(), Failure> {
        let seq = self.send(request);
        let answer = self.responder.answer(request);
        self.answered(seq, &answer, true)
    }
}
