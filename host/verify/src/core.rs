//! The bench of the whole Tetris core behind its UART, against a plain model of its end of the
//! wire.
//!
//! Requests of every kind with fields over their whole range, gaps between bytes, a stalled line,
//! more requests than the queue holds, and resets at any time; then a short time at the pins.
//! Read in this order: `requests`, `responder` and `played` (the expected answers), `conversation`,
//! `streams`, `limits`, `pins`. For any game: `talk` with `refusals` and `line`. `byte_core` is the
//! bench of `byte_core`.

pub mod byte_core;
mod conversation;
mod limits;
pub(crate) mod line;
mod pins;
pub(crate) mod played;
pub(crate) mod refusals;
pub(crate) mod requests;
pub mod responder;
mod streams;
pub(crate) mod talk;

use std::collections::VecDeque;

use protocol::Decoder;
use protocol::layout::{PROTOCOL_VERSION, WINDOW, link, tetris};
use protocol::payload::link::Info;
use sim::{Inputs, Model, Start, Variant};

use self::conversation::{Trial, empty};
use self::pins::beside_the_pins;
use self::requests::{Request, any_request, refused};
use self::responder::{Message, Responder};
use crate::random::{Pace, Random};
use crate::tetris::extremes;
use crate::{Failure, cobs, core_variant, frames};

/// Capacity of the core's queue, including requests that it will refuse as busy.
const QUEUE_CAPACITY: usize = 16;

const CAPABILITIES: u32 = 1 << link::EXACT_CYCLES.bit
    | 1 << link::TRACE.bit
    | 1 << link::PLAY.bit
    | 1 << link::SELF_PLAY.bit;

pub fn run(fault: Option<&str>, seed: u64) -> Result<(), Failure> {
    of(core_variant("tetris", fault)?, seed)
}

pub fn with_lanes(fault: Option<&str>, seed: u64) -> Result<(), Failure> {
    let mut variants = sim::variants().iter().filter(|v| v.core == "lanes");
    let variant = variants.find(|v| v.fault == fault);
    of(
        variant.ok_or_else(|| sim::no_fault(fault.unwrap_or("")))?,
        seed,
    )
}

fn of(variant: &'static Variant, seed: u64) -> Result<(), Failure> {
    let mut random = Random::new(seed);
    let start = Start {
        power_up: random.power_up(),
        ..Start::of(variant)
    };
    let lanes = variant.parameter("Lanes").unwrap_or(0) as u8;
    let info = info(variant.build_id, lanes, variant.clock_hz);
    let mut trial = Trial {
        model: Model::started(variant, start)?,
        responder: Responder::new(info),
        to_core: VecDeque::new(),
        sent: 0,
        arrivals: None,
        service: None,
        decoder: Decoder::new(),
        replies: VecDeque::new(),
        first_byte: None,
        own: VecDeque::new(),
        seq: random.bits() as u16,
        uart_rx: true,
        random,
    };
    for _ in 0..12 {
        trial.one_by_one(30)?;
        let behind = trial.random.between(1, 24);
        trial.crowd(behind)?;
        trial.reset_within_a_request()?;
        // Without weights.
        for _ in 0..3 {
            let request = refused(&mut trial.random, lanes);
            trial.ask(&request)?;
        }
        trial.traces()?;
        if trial.random.chance(50) {
            trial.plays()?;
        }
        if trial.random.chance(30) {
            trial.button()?;
        }
    }
    for (position, weights) in extremes(&mut trial.random) {
        trial.ask(&Request::set_weights(&weights))?;
        let piece = position.piece.number();
        trial.ask(&Request::decide(&position, piece, tetris::NO_PIECE))?;
    }
    trial.long_play()?;
    trial.limits()?;
    trial.resets_in_a_row()?;
    // More than eight bits can count.
    (0..600).for_each(|_| trial.garbage());
    trial.crowd(300)?;
    beside_the_pins(variant)?;
    let skew_ppm = trial.random.choice(&[0, -15_000, 15_000]);
    line::changes(variant, &tetris::GAME, skew_ppm, trial.random.power_up()).map(drop)
}

pub(crate) fn info(build_id: u32, lanes: u8, clock_hz: u32) -> Info {
    Info {
        protocol_version: PROTOCOL_VERSION,
        layout_hash: tetris::GAME.layout_hash(),
        build_id,
        game: tetris::GAME.number,
        columns: tetris::COLUMNS as u8,
        rows: tetris::ROWS as u8,
        lanes,
        multipliers: if lanes == 0 { 4 } else { 12 },
        window: WINDOW,
        clock_hz,
        capabilities: CAPABILITIES | u32::from(lanes > 0) << link::LOOKAHEAD.bit,
    }
}

impl Trial {
    fn any_request(&mut self) -> Request {
        any_request(&mut self.random, self.responder.info.lanes)
    }

    fn self_play(&mut self, pieces: u32, spacing: u32) -> Request {
        let lanes = self.responder.info.lanes;
        Request::self_play(&mut self.random, lanes, pieces, spacing)
    }

    /// Sends single requests, sometimes with garbage between them.
    fn one_by_one(&mut self, count: u32) -> Result<(), Failure> {
        for _ in 0..count {
            self.paces();
            if self.random.chance(10) {
                self.garbage();
            }
            let request = self.any_request();
            let is_reset = request.is_reset();
            let seq = self.send(&request);
            if is_reset {
                self.responder.reset();
            }
            let answer = self.responder.answer(&request);
            self.first_byte = None;
            self.answered(seq, &answer, true)?;
            if self.service.is_none() && !answer.stream {
                let first = self.first_byte.unwrap_or(0);
                // The first byte is offered in the next cycle.
                let what = format!("the latency of {request:02x?}");
                self.same(&what, &(first - self.sent), &answer.latency)?;
            }
        }
        Ok(())
    }

    /// Sends garbage with a delimiter, which is counted and not answered.
    fn garbage(&mut self) {
        let length = self.random.between(1, 10);
        let mut raw = frames::with_crc(self.random.bytes(length));
        if self.random.chance(50) && raw.len() >= 7 {
            raw[0] ^= 1;
            self.to_core.extend(cobs::encoded(&raw));
            self.responder.stats.bad_crc += 1;
        } else {
            let mut wire = cobs::encoded(&raw);
            // A group that reaches past the end.
            wire.remove(1);
            let short = cobs::decoded(&wire[..wire.len() - 1]).is_some();
            self.to_core.extend(wire);
            self.responder.stats.malformed += 1;
            if short {
                // It does not after all: the frame is too short, or its CRC is wrong.
                let stats = &mut self.responder.stats;
                let long = raw.len() > 7;
                stats.malformed -= u32::from(long);
                stats.bad_crc += u32::from(long);
            }
        }
    }

    /// Sends more requests than the window allows while no reply is taken.
    fn crowd(&mut self, behind: u64) -> Result<(), Failure> {
        self.settle()?;
        self.arrivals = None;
        // The first request is served; its reply waits in the transmitter.
        let (first, behind) = (Request::of(link::INFO), behind as usize);
        let mut expected = Vec::new();
        let (seq, answer) = self.sends(&first);
        expected.push((seq, answer.message));
        self.service = Some(Pace::of(0));
        self.settle()?;
        let mut requests = Vec::new();
        for place in 0..behind {
            let request = loop {
                let request = self.any_request();
                // Not `stats`, which changes meanwhile, nor streams, which need credit; and no
                // request of the game first, which would free its slot.
                let streams = [tetris::TRACE, tetris::PLAY, tetris::SELF_PLAY];
                let moves = streams.map(|stream| stream.id).contains(&request.kind)
                    || request.kind == link::STATS.id;
                if !request.is_reset() && !moves && (place > 0 || request.kind < 0x10) {
                    break request;
                }
            };
            let seq = self.send(&request);
            let has_place = place < usize::from(WINDOW);
            self.responder.stats.overrun += u32::from(!has_place);
            if place < QUEUE_CAPACITY {
                requests.push((seq, request, has_place));
            }
        }
        self.settle()?;
        self.service = self.random.chance(50).then(Pace::default);
        for (seq, request, has_place) in requests {
            let message = match has_place {
                true => self.responder.answer(&request).message,
                false => (link::ERROR.id, vec![link::BUSY.number, request.kind]),
            };
            expected.push((seq, message));
        }
        for (seq, message) in expected {
            self.expect(seq, &message)?;
        }
        self.ask(&Request::of(link::STATS))
    }

    /// Sends two requests, then a reset 0 to 79 clock cycles later.
    ///
    /// The replies that were sent before the reset must be complete, and the reset must be
    /// answered.
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
                let (seq, answer) = self.sends(&Request::new(message, payload));
                before.push_back((seq, answer.message));
            }
            self.flush()?;
            self.wait(delay)?;
            let seq = self.send(&Request::of(link::RESET));
            self.responder.reset();
            loop {
                let (got, message) = self.receive()?;
                if got == seq {
                    self.same("the reply to a reset", &message, &empty(link::RESET_REPLY))?;
                    break;
                }
                let expected = before.pop_front();
                self.same("the reply before a reset", &Some((got, message)), &expected)?;
            }
        }
        self.silent("a reply after resets")
    }

    /// Resets in any cycle of serving a request, whose reply is then complete or missing.
    fn reset_within_a_request(&mut self) -> Result<(), Failure> {
        self.settle()?;
        self.paces();
        let request = self.any_request();
        let (seq, answer) = self.sends(&request);
        let cycles = self.random.below(answer.latency + 150);
        self.wait(cycles)?;
        let reset = Request::of(link::RESET);
        let reset_seq = self.send(&reset);
        self.responder.reset();
        let mut reply = self.receive()?;
        for part in &answer.parts {
            if reply != (seq, part.clone()) {
                break;
            }
            reply = self.receive()?;
        }
        let is_reset = |(got, message): &(u16, Message)| {
            (*got, message) == (reset_seq, &empty(link::RESET_REPLY))
        };
        if !is_reset(&reply) {
            match answer.parts.is_empty() {
                true => self.same("the reply", &reply, &(seq, answer.message.clone()))?,
                false => self.is_end(&reply, seq, &answer)?,
            }
            self.expect(reset_seq, &empty(link::RESET_REPLY))?;
        }
        self.silent("a reply after a reset")
    }

    /// Uses the reset pin at any time.
    fn button(&mut self) -> Result<(), Failure> {
        self.paces();
        let request = self.any_request();
        self.send(&request);
        let cycles = self.random.below(400);
        self.wait(cycles)?;
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
        self.own.clear();
        self.decoder = Decoder::new();
        self.responder.reset();
        self.service = None;
        self.silent("a reply after its reset pin")
    }
}
