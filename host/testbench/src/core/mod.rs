//! The whole core behind its UART, against a plain model of its end of the wire:
//! requests of every kind with fields over their whole range, gaps between the
//! bytes and a line that does not take them, more requests than there are places,
//! resets at any time. Behind the UART, but for a short time at its pins.

pub mod behind;
mod requests;
pub mod responder;

use std::collections::VecDeque;

use protocol::Decoder;
use protocol::layout::{PROTOCOL_VERSION, WINDOW, link, tetris};
use protocol::payload::link::Info;
use sim::{Depth, Inputs, Model, Port, SimError, Start, Variant};

use self::requests::{Request, any_request};
use self::responder::{Message, Responder};
use crate::random::{Pace, Random};
use crate::tetris::extremes;
use crate::{Failure, cobs, frames};

/// Requests that a core remembers, those it will refuse as busy included.
const REMEMBERED: usize = 16;
/// More cycles than any answer takes.
const PATIENCE: u64 = 20_000;
/// Increment of eight clock cycles a bit.
const FASTEST: u32 = link::MAX_INCREMENT;
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
    /// Noise at the pin
    uart_rx: bool,
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
        uart_rx: true,
        random,
    };
    for _ in 0..12 {
        trial.one_by_one(30)?;
        let behind = trial.random.between(1, 24);
        trial.crowd(behind)?;
        trial.reset_within_a_request()?;
        if trial.random.chance(30) {
            trial.button()?;
        }
    }
    for (position, weights) in extremes(&mut trial.random) {
        trial.ask(&Request::set_weights(&weights))?;
        let piece = position.piece.number();
        trial.ask(&Request::decide(&position, piece, tetris::NO_PIECE))?;
    }
    trial.resets_in_a_row()?;
    // More than eight bits of statistics hold
    (0..600).for_each(|_| trial.nonsense());
    trial.crowd(300)?;
    beside_the_pins(variant)?;
    at_the_pins(variant, &mut trial.random)
}

/// Lines of a rate that changes, both ends of it at once, and pings right behind.
fn at_the_pins(variant: &'static Variant, random: &mut Random) -> Result<(), Failure> {
    const BASE: u32 = 3_000_000;
    let differs = |port: &Port, what: String| {
        let cycle = port.cycles();
        Err(Failure::Differs { cycle, what })
    };
    let frame_to = |port: &mut Port, seq: u8, kind: u8, payload: &[u8]| {
        port.send(&cobs::encoded(&frames::raw([seq, 0, kind], payload)));
    };
    // The reply's payload
    let reply_from = |port: &mut Port| -> Result<Vec<u8>, SimError> {
        let mut decoder = Decoder::new();
        loop {
            if let Some(frame) = decoder.push(port.receive(PATIENCE)?) {
                return Ok(
                    frame.map_or_else(|_| b"damaged".to_vec(), |frame| frame.payload.to_vec())
                );
            }
        }
    };
    let skew_ppm = random.choice(&[0, -15_000, 15_000]);
    let depth = Depth::Pins {
        baud: BASE,
        skew_ppm,
    };
    let start = Start {
        power_up: random.power_up(),
        ..Start::of(variant)
    };
    let mut port = Port::open_started(variant, depth, start)?;
    port.send(&[0]);
    for (seq, baud) in [12_500_000, 1_000_000, 6_250_000, BASE]
        .into_iter()
        .enumerate()
    {
        let increment = protocol::rate::increment(baud, variant.clock_hz).unwrap_or(0);
        let seq = seq as u8;
        frame_to(&mut port, seq, link::SET_RATE.id, &increment.to_le_bytes());
        let payload = reply_from(&mut port)?;
        if !payload.is_empty() {
            return differs(&port, format!("set_rate is answered by {payload:02x?}"));
        }
        port.set_rate(baud)?;
        for _ in 0..3 {
            let nonce = random.bytes(8);
            frame_to(&mut port, seq, link::PING.id, &nonce);
            let payload = reply_from(&mut port)?;
            if payload != nonce {
                return differs(
                    &port,
                    format!("at {baud} baud {nonce:02x?} is {payload:02x?}"),
                );
            }
        }
    }
    Ok(())
}

/// At its pins a core has nothing to say behind them.
fn beside_the_pins(variant: &'static Variant) -> Result<(), Failure> {
    let mut model = Model::new(variant)?;
    let mut inputs = Inputs {
        baud_inc: FASTEST,
        ..Inputs::default()
    };
    let mut bits = vec![true; 2];
    for byte in cobs::encoded(&frames::raw([1, 0, link::STATS.id], &[])) {
        bits.push(false);
        bits.extend((0..8).map(|k| byte >> k & 1 == 1));
        bits.push(true);
    }
    bits.extend([true; 40]);
    for bit in bits {
        inputs.uart_rx = bit;
        for _ in 0..8 {
            if model.run(&inputs, 1)?.byte.is_some() {
                let cycle = model.cycles();
                let what = "a byte comes beside the pins".into();
                return Err(Failure::Differs { cycle, what });
            }
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
        // Whatever is on the line, the pins are left alone.
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
            return Err(self.differs("a byte leaves by the pin, too".into()));
        }
        let Some(byte) = outputs.byte else {
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
    fn crowd(&mut self, behind: u64) -> Result<(), Failure> {
        self.settle()?;
        self.arrivals = None;
        // The first one is served, its reply waits in the transmitter.
        let (first, behind) = (Request::of(link::INFO), behind as usize);
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
        self.ask(&Request::of(link::STATS))
    }

    /// A request by itself.
    fn ask(&mut self, request: &Request) -> Result<(), Failure> {
        let seq = self.send(request);
        let answer = self.responder.answer(request.kind, &request.payload);
        self.expect(seq, &answer.message)
    }

    /// Two requests and a reset in each of the cycles behind them: there are the
    /// replies that left before it, and its own.
    fn resets_in_a_row(&mut self) -> Result<(), Failure> {
        self.settle()?;
        (self.arrivals, self.service) = (None, None);
        for delay in 0..80 {
            let mut before = VecDeque::new();
            let second = self
                .random
                .choice(&[link::INFO, link::PING, link::SET_RATE]);
            for (message, payload) in [(link::INFO, Vec::new()), (second, vec![1; second.bytes()])]
            {
                let request = Request {
                    kind: message.id,
                    payload,
                };
                let seq = self.send(&request);
                let answer = self.responder.answer(request.kind, &request.payload);
                before.push_back((seq, answer.message));
            }
            while !self.to_core.is_empty() {
                self.step()?;
            }
            for _ in 0..delay {
                self.step()?;
            }
            let seq = self.send(&Request::of(link::RESET));
            self.responder.reset();
            loop {
                let (got, message) = self.receive()?;
                if got == seq {
                    if message != (link::RESET_REPLY.id, Vec::new()) {
                        return Err(self.differs(format!("a reset is answered by {message:02x?}")));
                    }
                    break;
                }
                let expected = before.pop_front();
                if Some(&(got, message.clone())) != expected.as_ref() {
                    let what = format!("{message:02x?} before a reset, expected {expected:02x?}");
                    return Err(self.differs(what));
                }
            }
        }
        self.settle()?;
        match self.replies.pop_front() {
            None => Ok(()),
            Some(more) => Err(self.differs(format!("behind resets there is {more:02x?}"))),
        }
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
