//! `byte_core`, with a window and numbers of its own: a made-up game behind it,
//! and a line whose rate is about to change now and then.

use std::collections::{BTreeSet, VecDeque};

use protocol::Decoder;
use protocol::layout::{PROTOCOL_VERSION, REPLY, link};
use protocol::payload::link::{Info, Stats};
use sim::{Bits, Input, Output};

use crate::core::responder::Message;
use crate::random::{Pace, Random};
use crate::stream::{Sink, Source, garbage};
use crate::{Failure, Trial, cobs, frames};

/// What it is built with, in `rtl/benches.txt`.
const WINDOW: usize = 3;
/// Requests that it remembers.
const REMEMBERED: usize = 16;
/// Cycles from a delimiter to its frame's verdict
const VERDICT: u64 = 2;
/// More cycles than any answer takes.
const PATIENCE: u64 = 5_000;

fn info(build_id: u32) -> Info {
    Info {
        protocol_version: PROTOCOL_VERSION,
        layout_hash: 0x89ab_cdef,
        build_id,
        game: 7,
        columns: 11,
        rows: 21,
        lanes: 2,
        multipliers: 9,
        window: WINDOW as u8,
        clock_hz: 12_345_678,
        capabilities: 0x8000_0001,
    }
}

/// What the made-up game replies: anything that hangs on the request.
fn game_reply(request: u8) -> Vec<u8> {
    (0..request % 7)
        .map(|i| request.wrapping_mul(i + 3))
        .collect()
}

/// Of a set_rate.
fn increment_of(payload: &[u8]) -> u32 {
    payload
        .iter()
        .rev()
        .fold(0, |all, byte| (all << 8) | u32::from(*byte))
}

/// What follows from a byte's having gone in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Nothing,
    Good,
    Reset,
}

struct Core<'a> {
    trial: &'a mut Trial,
    rx: (Input, Input, Input),
    tx: Sink,
    requests: Sink,
    replies: Source,
    bytes: Source,
    rate_busy: Input,
    rate: (Output, Output),
    good: Output,
    bad: Output,
    abort: Output,
    game_reset: Output,
    sending: Output,

    line: VecDeque<(u8, bool, After)>,
    arrivals: Pace,
    /// Whether the line's rate is about to change: it may be whenever one was given,
    /// and before a reply is there
    is_busy: bool,
    /// Whether it stays so
    hold: bool,
    was_given: bool,
    decoder: Decoder,
    come: VecDeque<(u16, Message)>,
    /// Cycles in which a frame is good, and those in which it resets
    good_at: BTreeSet<u64>,
    reset_at: BTreeSet<u64>,
    /// Requests of the game with their slots, and rates, that are still to come
    game: VecDeque<(u8, u64)>,
    rates: VecDeque<u32>,
    next_slot: u64,
    stats: Stats,
    /// Bad frames since power-up, and how many of them were told
    bad_frames: u64,
    told_bad: u64,
    build_id: u32,
    seq: u16,
}

impl Core<'_> {
    fn step(&mut self) -> Result<(), Failure> {
        let trial = &mut *self.trial;
        let now = trial.bench.cycles();
        let (valid, data, err) = self.rx;
        let byte = match self.arrivals.go(&mut trial.random) {
            true => self.line.pop_front(),
            false => None,
        };
        trial.bench.put(valid, byte.is_some());
        match byte {
            Some((byte, bad, _)) => {
                trial.bench.put(data, byte);
                trial.bench.put(err, bad);
            }
            None => {
                garbage(&mut trial.bench, data, &mut trial.random);
                garbage(&mut trial.bench, err, &mut trial.random);
            }
        }
        let stays = self.is_busy || self.was_given;
        self.is_busy = self.hold || stays && trial.random.chance(90);
        trial.bench.put(self.rate_busy, self.is_busy);
        self.tx.drive(&mut trial.bench, &mut trial.random);
        self.requests.drive(&mut trial.bench, &mut trial.random);
        self.replies.drive(&mut trial.bench, &mut trial.random);
        self.bytes.drive(&mut trial.bench, &mut trial.random);
        trial.bench.settle()?;

        let is = |trial: &Trial, output| trial.bench.get(output) == 1;
        trial.same("good_o", &is(trial, self.good), &self.good_at.remove(&now))?;
        self.told_bad += trial.bench.get(self.bad);
        let resets = self.reset_at.remove(&now);
        trial.same("rate_abort_o", &is(trial, self.abort), &resets)?;
        trial.same("game_rst_no", &is(trial, self.game_reset), &!resets)?;
        if self.tx.offered(&trial.bench).is_some() {
            trial.same("sending_o", &is(trial, self.sending), &true)?;
        }
        self.was_given = is(trial, self.rate.0);
        if self.was_given {
            trial.same("rate_busy_i while a rate is given", &self.is_busy, &false)?;
            let rate = trial.bench.get(self.rate.1) as u32;
            trial.same("rate_inc_o", &Some(rate), &self.rates.pop_front())?;
        }
        if let Some(byte) = self.tx.take(&trial.bench)
            && let Some(frame) = self.decoder.push(byte[0].to_u64() as u8)
        {
            match frame {
                Ok(frame) => {
                    let message = (frame.kind, frame.payload.to_vec());
                    self.come.push_back((frame.seq, message));
                }
                Err(e) => return trial.differs(format!("it sent what is no frame: {e}")),
            }
        }
        self.replies.take(&trial.bench);
        self.bytes.take(&trial.bench);
        if let Some(request) = self.requests.take(&trial.bench) {
            let [kind, slot] = [0, 1].map(|i: usize| request[i].to_u64());
            trial.same(
                "the game's request",
                &Some((kind as u8, slot)),
                &self.game.pop_front(),
            )?;
            let payload = game_reply(kind as u8);
            let header = vec![Bits::from(kind as u8 | REPLY), payload.is_empty().into()];
            self.replies.push(header);
            for (i, byte) in payload.iter().enumerate() {
                self.bytes
                    .push(vec![(*byte).into(), (i + 1 == payload.len()).into()]);
            }
        }
        match byte {
            Some((.., After::Good)) => drop(self.good_at.insert(now + VERDICT)),
            Some((.., After::Reset)) => {
                self.good_at.insert(now + VERDICT);
                self.reset_at.insert(now + VERDICT + 1);
            }
            _ => {}
        }
        trial.bench.clock()?;
        Ok(())
    }

    fn random(&mut self) -> &mut Random {
        &mut self.trial.random
    }

    /// Sends a request: its number and payload; and the answer, if it finds a place.
    fn send(&mut self, alone: bool) -> (u8, Vec<u8>, (u16, Message)) {
        self.seq = self.seq.wrapping_add(1);
        let kinds: &[u8] = match alone {
            true => &[
                link::RESET.id,
                link::STATS.id,
                link::INFO.id,
                link::SET_RATE.id,
            ],
            false => &[
                link::INFO.id,
                link::PING.id,
                link::SET_RATE.id,
                6,
                0x10,
                0x7e,
            ],
        };
        let mut kind = self.random().choice(kinds);
        if !alone && self.random().chance(30) {
            // A reply to 0x7f would be an error.
            kind = self.random().between(6, 0xff) as u8;
            kind ^= u8::from(kind == 0x7f);
        }
        let mut payload = Vec::new();
        if kind == link::PING.id {
            payload = self.random().bytes(8);
        } else if kind == link::SET_RATE.id {
            let increment = self.random().bits() as u32 >> self.random().below(32);
            payload = increment.to_le_bytes().to_vec();
        }
        if self.random().chance(5) {
            payload.push(self.random().byte());
        }
        let is_reset = kind == link::RESET.id && payload.is_empty();
        let [low, high] = self.seq.to_le_bytes();
        let after = if is_reset { After::Reset } else { After::Good };
        self.wire(&frames::raw([low, high, kind], &payload), after);
        self.stats.frames_good += 1;
        if is_reset {
            self.stats = Stats::default();
        }
        let answer = self.answer(kind, &payload);
        let refused = |code| (link::ERROR.id, vec![code, kind]);
        let message = answer.map_or_else(refused, |payload| (kind | REPLY, payload));
        (kind, payload, (self.seq, message))
    }

    fn wire(&mut self, raw: &[u8], after: After) {
        let mut bytes = cobs::encoded(raw);
        bytes.pop();
        self.line
            .extend(bytes.into_iter().map(|byte| (byte, false, After::Nothing)));
        self.line.push_back((0, false, after));
    }

    /// A reply's payload, or the number of the refusal.
    fn answer(&mut self, kind: u8, payload: &[u8]) -> Result<Vec<u8>, u8> {
        let length = match kind {
            _ if kind == link::PING.id => 8,
            _ if kind == link::SET_RATE.id => 4,
            // The game's requests have lengths of 0, as they are by default.
            0 | 0x80.. => return Err(link::UNKNOWN_TYPE.number),
            _ => 0,
        };
        if payload.len() != length {
            return Err(link::BAD_LENGTH.number);
        }
        if kind == link::SET_RATE.id {
            let limits = link::MIN_INCREMENT..=link::MAX_INCREMENT;
            let good = limits.contains(&increment_of(payload));
            return good.then(Vec::new).ok_or(link::BAD_RATE.number);
        }
        Ok(match kind {
            _ if kind == link::PING.id => payload.to_vec(),
            _ if kind == link::INFO.id => info(self.build_id).encode().as_ref().to_vec(),
            _ if kind == link::STATS.id => self.stats.encode().as_ref().to_vec(),
            _ if kind == link::RESET.id => Vec::new(),
            _ => game_reply(kind),
        })
    }

    /// Some requests, which all come before the first reply leaves unless it is one alone.
    fn round(&mut self) -> Result<(), Failure> {
        self.arrivals = Pace::default();
        if self.random().chance(20) {
            let after = After::Nothing;
            self.line.extend([(1, true, after), (0, false, after)]);
            self.stats.malformed += 1;
            self.bad_frames += 1;
        }
        if self.random().chance(20) {
            let mut raw = frames::raw([0; 3], &[]);
            raw[0] ^= 1 << self.random().below(8);
            self.wire(&raw, After::Nothing);
            self.stats.bad_crc += 1;
            self.bad_frames += 1;
        }
        let alone = self.random().chance(50);
        let count = match alone {
            true => 1,
            false => self.random().between(1, 20) as usize,
        };
        (self.hold, self.is_busy) = (!alone, self.random().chance(50));
        let mut expected = Vec::new();
        for place in 0..count {
            let (kind, payload, (seq, message)) = self.send(alone);
            if place < WINDOW {
                if message.0 == link::SET_RATE_REPLY.id {
                    self.rates.push_back(increment_of(&payload));
                }
                if (6..0x80).contains(&kind) && message.0 != link::ERROR.id {
                    self.game.push_back((kind, self.next_slot));
                }
                self.next_slot = (self.next_slot + 1) % WINDOW as u64;
                expected.push((seq, message));
            } else {
                self.stats.overrun += 1;
                self.bad_frames += 1;
                if place < REMEMBERED {
                    expected.push((seq, (link::ERROR.id, vec![link::BUSY.number, kind])));
                }
            }
        }
        while !self.line.is_empty() {
            self.step()?;
        }
        for _ in 0..self.random().below(20) {
            self.step()?;
        }
        self.hold = false;
        for expected in expected {
            let end = self.trial.bench.cycles() + PATIENCE;
            while self.come.is_empty() && self.trial.bench.cycles() < end {
                self.step()?;
            }
            self.trial
                .same("the reply", &self.come.pop_front(), &Some(expected))?;
        }
        let (told, bad) = (&self.told_bad, &self.bad_frames);
        self.trial.same("cycles of bad_o", told, bad)?;
        self.trial.same("rates not given", &self.rates.len(), &0)
    }
}

/// # Errors
/// What differs first.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let bench = &trial.bench;
    let build_id = bench.input("build_id_i")?;
    let request = ["game_req_msg_o", "game_req_slot_o"];
    let reply = ["game_reply_msg_i", "game_reply_empty_i"];
    let byte = ["game_byte_data_i", "game_byte_last_i"];
    let mut core = Core {
        rx: (
            bench.input("rx_valid_i")?,
            bench.input("rx_data_i")?,
            bench.input("rx_err_i")?,
        ),
        tx: Sink::new(bench, "tx_valid_o", "tx_ready_i", &["tx_data_o"])?,
        requests: Sink::new(bench, "game_req_valid_o", "game_req_ready_i", &request)?,
        replies: Source::new(bench, "game_reply_valid_i", "game_reply_ready_o", &reply)?,
        bytes: Source::new(bench, "game_byte_valid_i", "game_byte_ready_o", &byte)?,
        rate_busy: bench.input("rate_busy_i")?,
        rate: (bench.output("rate_valid_o")?, bench.output("rate_inc_o")?),
        good: bench.output("good_o")?,
        bad: bench.output("bad_o")?,
        abort: bench.output("rate_abort_o")?,
        game_reset: bench.output("game_rst_no")?,
        sending: bench.output("sending_o")?,
        line: VecDeque::new(),
        arrivals: Pace::default(),
        is_busy: false,
        hold: false,
        was_given: false,
        decoder: Decoder::new(),
        come: VecDeque::new(),
        good_at: BTreeSet::new(),
        reset_at: BTreeSet::new(),
        game: VecDeque::new(),
        rates: VecDeque::new(),
        next_slot: 0,
        stats: Stats::default(),
        bad_frames: 0,
        told_bad: 0,
        build_id: trial.random.bits() as u32,
        seq: trial.random.bits() as u16,
        trial,
    };
    core.trial.bench.put(build_id, core.build_id);
    // What hangs on the reset's register comes out of it a cycle later.
    core.trial.bench.clock()?;
    for _ in 0..40 {
        core.round()?;
    }
    Ok(())
}
