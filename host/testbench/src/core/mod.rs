//! The whole core behind its UART, against a plain model of its end of the wire:
//! requests of every kind with fields over their whole range, gaps between the
//! bytes and a line that does not take them, more requests than there are places,
//! resets at any time.

mod requests;
pub mod responder;

use std::collections::VecDeque;

use protocol::Decoder;
use protocol::layout::{PROTOCOL_VERSION, WINDOW, link, tetris};
use protocol::payload::link::Info;
use sim::{Inputs, Model, Start, Variant};

use self::requests::{Request, any_request};
use self::responder::{Message, Responder};
use crate::random::{Pace, Random};
use crate::{Failure, cobs, frames};

/// Requests that a core remembers, those it will refuse as busy included.
const REMEMBERED: usize = 16;
/// More cycles than any answer takes.
const PATIENCE: u64 = 20_000;
/// Cycles after which a core that was left alone has done all it can.
const SETTLED: u64 = 1_500;

/// A core, what goes to it, and what it should answer.
struct Trial {
    model: Model,
    random: Random,
    responder: Responder,
    to_core: VecDeque<u8>,
    /// Cycle in which the last byte went in
    sent: u64,
    /// How often a byte goes in, and how often one is taken; `None` is always.
    arrivals: Option<Pace>,
    service: Option<Pace>,
    decoder: Decoder,
    /// Replies with their sequence numbers, and the cycle of the first one's first byte
    replies: VecDeque<(u16, Message)>,
    first_byte: Option<u64>,
    seq: u16,
}

/// Runs it once, with a seeded fault or none.
///
/// # Errors
/// What it found first.
pub fn run(fault: Option<&str>, seed: u64) -> Result<(), Failure> {
    let variant = sim::variant("tetris", fault);
    let variant = variant.ok_or_else(|| sim::SimError::NoFault {
        name: fault.unwrap_or_default().into(),
    })?;
    let mut random = Random::new(seed);
    let start = Start {
        power_up: random.power_up(),
        ..Start::of(variant)
    };
    let mut trial = Trial {
        model: Model::started(variant, start)?,
        responder: Responder::new(info(variant)),
        to_core: VecDeque::new(),
        sent: 0,
        arrivals: None,
        service: None,
        decoder: Decoder::new(),
        replies: VecDeque::new(),
        first_byte: None,
        seq: random.bits() as u16,
        random,
    };
    for _ in 0..12 {
        trial.one_by_one(30)?;
        trial.crowd()?;
        trial.reset_within_a_request()?;
        if trial.random.chance(30) {
            trial.button()?;
        }
    }
    Ok(())
}

fn info(variant: &Variant) -> Info {
    Info {
        protocol_version: PROTOCOL_VERSION,
        layout_hash: tetris::GAME.layout_hash(),
        build_id: variant.build_id,
        game: tetris::GAME.number,
        columns: 10,
        rows: 20,
        lanes: variant.lanes,
        multipliers: 4,
        window: WINDOW,
        clock_hz: variant.clock_hz,
        capabilities: 1 << link::EXACT_CYCLES.bit,
    }
}

impl Trial {
    fn differs(&self, what: String) -> Failure {
        let cycle = self.model.cycles();
        Failure::Differs { cycle, what }
    }

    /// A clock cycle.
    fn step(&mut self) -> Result<(), Failure> {
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
        let inputs = Inputs {
            byte_link: true,
            byte,
            byte_ready,
            ..Inputs::default()
        };
        let Some(byte) = self.model.run(&inputs, 1)?.byte else {
            return Ok(());
        };
        self.first_byte.get_or_insert(now);
        if byte_ready && let Some(frame) = self.decoder.push(byte) {
            let frame = frame.map_err(|e| Failure::Differs {
                cycle: now,
                what: format!("the core sent what is no frame: {e}"),
            })?;
            let message = (frame.kind, frame.payload.to_vec());
            self.replies.push_back((frame.seq, message));
        }
        Ok(())
    }

    fn send(&mut self, request: &Request) -> u16 {
        self.seq = self
            .seq
            .wrapping_add(self.random.choice(&[1, 1, 0x100, 0x5a5a]));
        let [low, high] = self.seq.to_le_bytes();
        let raw = frames::raw([low, high, request.kind], &request.payload);
        self.to_core.extend(cobs::encoded(&raw));
        self.responder.stats.frames_good = self.responder.stats.frames_good.saturating_add(1);
        self.seq
    }

    /// The next reply; waits for it.
    fn receive(&mut self) -> Result<(u16, Message), Failure> {
        let end = self.model.cycles() + PATIENCE;
        while self.replies.is_empty() && self.model.cycles() < end {
            self.step()?;
        }
        let reply = self.replies.pop_front();
        reply.ok_or_else(|| self.differs("a request is not answered".into()))
    }

    fn expect(&mut self, seq: u16, message: &Message) -> Result<(), Failure> {
        let reply = self.receive()?;
        if (reply.0, &reply.1) == (seq, message) {
            return Ok(());
        }
        let expected = (seq, message);
        Err(self.differs(format!(
            "the reply is {reply:02x?}, expected {expected:02x?}"
        )))
    }

    /// Runs until nothing more comes.
    fn settle(&mut self) -> Result<(), Failure> {
        let mut quiet = 0;
        while quiet < SETTLED {
            let before = (self.to_core.len(), self.replies.len());
            self.step()?;
            let busy = before != (self.to_core.len(), self.replies.len());
            quiet = if busy { 0 } else { quiet + 1 };
        }
        Ok(())
    }

    fn paces(&mut self) {
        let pace = |random: &mut Random| random.chance(60).then(Pace::default);
        self.arrivals = pace(&mut self.random);
        self.service = pace(&mut self.random);
    }

    /// Requests one after the other, sometimes something that is no frame between.
    fn one_by_one(&mut self, count: u32) -> Result<(), Failure> {
        for _ in 0..count {
            self.paces();
            if self.random.chance(10) {
                self.nonsense();
            }
            let request = any_request(&mut self.random);
            let is_reset = request.is_reset();
            let seq = self.send(&request);
            if is_reset {
                self.responder.reset();
            }
            let answer = self.responder.answer(request.kind, &request.payload);
            self.first_byte = None;
            self.expect(seq, &answer.message)?;
            if self.service.is_none() {
                let first = self.first_byte.unwrap_or(0);
                // The first byte is offered in the cycle after those.
                let latency = first - self.sent;
                if latency != answer.latency {
                    let expected = answer.latency;
                    return Err(self.differs(format!(
                        "{request:02x?} is answered after {latency} cycles, expected {expected}"
                    )));
                }
            }
        }
        Ok(())
    }

    /// Bytes that are no frame, ended; counted and not answered.
    fn nonsense(&mut self) {
        let length = self.random.between(1, 10);
        let mut raw = frames::sealed(self.random.bytes(length));
        if self.random.chance(50) && raw.len() >= 7 {
            raw[0] ^= 1;
            self.to_core.extend(cobs::encoded(&raw));
            self.responder.stats.bad_crc += 1;
        } else {
            let mut wire = cobs::encoded(&raw);
            // A group that reaches past the end
            wire.remove(1);
            let short = cobs::decoded(&wire[..wire.len() - 1]).is_some();
            self.to_core.extend(wire);
            self.responder.stats.malformed += 1;
            if short {
                // It does not: a frame too short, or one whose CRC is wrong.
                let stats = &mut self.responder.stats;
                let long = raw.len() > 7;
                stats.malformed -= u32::from(long);
                stats.bad_crc += u32::from(long);
            }
        }
    }

    /// More requests than there are places, while no reply leaves.
    fn crowd(&mut self) -> Result<(), Failure> {
        self.settle()?;
        self.arrivals = None;
        // The first one is served, its reply waits in the transmitter.
        let (first, behind) = (Request::of(link::INFO), self.random.between(1, 24) as usize);
        let mut expected = Vec::new();
        let seq = self.send(&first);
        let answer = self.responder.answer(first.kind, &first.payload);
        expected.push((seq, answer.message));
        self.service = Some(Pace::never());
        self.settle()?;
        let mut requests = Vec::new();
        for place in 0..behind {
            let request = loop {
                let request = any_request(&mut self.random);
                // Statistics move while the crowd comes.
                if !request.is_reset() && request.kind != link::STATS.id {
                    break request;
                }
            };
            let seq = self.send(&request);
            let has_place = place < usize::from(WINDOW);
            self.responder.stats.overrun += u32::from(!has_place);
            if place < REMEMBERED {
                requests.push((seq, request, has_place));
            }
        }
        self.settle()?;
        self.service = self.random.chance(50).then(Pace::default);
        for (seq, request, has_place) in requests {
            let message = match has_place {
                true => {
                    self.responder
                        .answer(request.kind, &request.payload)
                        .message
                }
                false => (link::ERROR.id, vec![link::BUSY.number, request.kind]),
            };
            expected.push((seq, message));
        }
        for (seq, message) in expected {
            self.expect(seq, &message)?;
        }
        Ok(())
    }

    /// A reset while a request is served, in any cycle of it: of that one there is
    /// the whole reply or none.
    fn reset_within_a_request(&mut self) -> Result<(), Failure> {
        self.settle()?;
        self.paces();
        let request = any_request(&mut self.random);
        let seq = self.send(&request);
        let answer = self.responder.answer(request.kind, &request.payload);
        let until = self.model.cycles() + self.random.below(answer.latency + 150);
        while self.model.cycles() < until {
            self.step()?;
        }
        let reset = Request::of(link::RESET);
        let reset_seq = self.send(&reset);
        self.responder.reset();
        let reply = self.receive()?;
        if reply.0 == seq && reply.1 == answer.message {
            self.expect(reset_seq, &(link::RESET_REPLY.id, Vec::new()))?;
        } else if reply != (reset_seq, (link::RESET_REPLY.id, Vec::new())) {
            return Err(self.differs(format!("a reset is answered by {reply:02x?}")));
        }
        self.settle()?;
        match self.replies.pop_front() {
            None => Ok(()),
            Some(more) => Err(self.differs(format!("behind a reset there is {more:02x?}"))),
        }
    }

    /// The reset pin, at any time.
    fn button(&mut self) -> Result<(), Failure> {
        self.paces();
        let request = any_request(&mut self.random);
        self.send(&request);
        for _ in 0..self.random.below(400) {
            self.step()?;
        }
        let inputs = Inputs {
            rst_ni: false,
            byte_link: true,
            ..Inputs::default()
        };
        for _ in 0..self.random.between(2, 5) {
            self.model.run(&inputs, 1)?;
        }
        self.to_core.clear();
        self.replies.clear();
        self.decoder = Decoder::new();
        self.responder.reset();
        self.service = None;
        self.settle()?;
        match self.replies.pop_front() {
            None => Ok(()),
            Some(more) => Err(self.differs(format!("after its reset pin it sends {more:02x?}"))),
        }
    }
}
