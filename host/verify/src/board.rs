//! The boards' top modules, driven at their pins: clock, button, serial line, LEDs, display.

pub mod parts;

use lockstep_games::tetris::Position;
use protocol::layout::{link, tetris};
use protocol::rate;

use crate::core::info;
use crate::core::requests::Request;
use crate::core::responder::Responder;
use crate::line::{CLOCK, FrameResult, Serial, bit_time};
use crate::tetris::{any_position, any_weights, extremes};
use crate::{Failure, Trial, cobs, frames};

/// Parameters of the tops in `rtl/benches.txt`: build id, and cycles for which an LED stays on.
const BUILD_ID: u32 = 0x89ab_cdef;
const STRETCH: u64 = 3_000;

const CLOCK_HZ: u32 = 100_000_000;
/// The fastest rate of the line, 12.5 Mbaud.
const FASTEST: u32 = link::MAX_INCREMENT;

/// LEDs, as bits of `led_o`.
const RX: u64 = 1 << 0;
const TX: u64 = 1 << 1;
const GOOD: u64 = 1 << 2;
const BAD: u64 = 1 << 3;
const DECISION: u64 = 1 << 4;
const CLEARED: u64 = 1 << 5;
const BAD_BEFORE: u64 = 1 << 6;
const ALIVE: u64 = 1 << 7;

struct Board<'a> {
    trial: &'a mut Trial,
    line: Serial,
    has_display: bool,
    responder: Responder,
    seq: u16,
    /// LEDs that were lit since the last request.
    lit: u64,
    /// Decisions since the reset, and the lines that they cleared.
    decisions: u64,
    lines: u64,
}

fn lit_leds(trial: &Trial) -> u64 {
    trial.get("led_o") & 0xff
}

impl<'a> Board<'a> {
    fn new(trial: &'a mut Trial, line: Serial, has_display: bool) -> Self {
        let seq = trial.random.bits() as u16;
        Self {
            trial,
            line,
            has_display,
            responder: Responder::new(info(BUILD_ID, 0, CLOCK_HZ)),
            seq,
            lit: 0,
            decisions: 0,
            lines: 0,
        }
    }

    /// Runs one clock cycle with an idle line.
    fn step(&mut self) -> Result<(), Failure> {
        self.trial.put(self.line.rx, true);
        self.trial.clock()?;
        self.lit |= lit_leds(self.trial);
        Ok(())
    }

    fn idle(&mut self, cycles: u64) -> Result<(), Failure> {
        (0..cycles).try_for_each(|_| self.step())
    }

    /// Sends bytes and receives the frames of an answer of up to `answer` bytes.
    fn talk(&mut self, bytes: &[u8], answer: usize) -> Result<Vec<FrameResult>, Failure> {
        self.lit = 0;
        let lit = &mut self.lit;
        // Longer than any decision and its answer, and a byte of silence.
        let wait = 2_000 + (10 * answer as u64 + 12) * self.line.bit / CLOCK;
        let watch = |trial: &Trial| *lit |= lit_leds(trial);
        self.line.talk(self.trial, bytes, wait, watch)
    }

    fn frame(&mut self, request: &Request) -> Vec<u8> {
        self.seq = self.seq.wrapping_add(1);
        frames::request(self.seq, request.kind, &request.payload)
    }

    /// Sends a request, and compares the answer and the LEDs lit meanwhile.
    fn ask(&mut self, request: &Request, leds: u64) -> Result<(), Failure> {
        self.responder.stats.frames_good += 1;
        let (kind, payload) = self.responder.answer_request(request).message;
        let raw = self.frame(request);
        let answers = self.talk(&cobs::encoded(&raw), payload.len() + 9)?;
        let seq = self.seq;
        if kind == tetris::DECISION.id {
            self.decisions += 1;
            self.lines += u64::from(payload[4]);
        }
        let expected = vec![FrameResult::Good { seq, kind, payload }];
        self.trial.same("the answer", &answers, &expected)?;
        self.trial.same("the LEDs", &self.lit, &leds)?;
        self.quiet(leds)
    }

    /// Checks that the LEDs of events go off, and that the LEDs of states stay on.
    fn quiet(&mut self, leds: u64) -> Result<(), Failure> {
        self.idle(STRETCH)?;
        let states = leds & (ALIVE | BAD_BEFORE);
        self.trial
            .same("the LEDs later", &lit_leds(self.trial), &states)
    }

    /// Checks that the reset ends after exactly `cycles` cycles: before, all LEDs are off;
    /// afterwards only one is on, and nothing is sent.
    fn wakes(&mut self, cycles: u64) -> Result<(), Failure> {
        for cycle in 1..=cycles + STRETCH {
            self.step()?;
            let leds = if cycle >= cycles { ALIVE } else { 0 };
            let what = format!("the LEDs {cycle} cycles after the reset");
            self.trial.same(&what, &lit_leds(self.trial), &leds)?;
        }
        self.trial.expect(self.line.tx, true)
    }

    /// Presses the button for less than a clock cycle, between two edges.
    fn press(&mut self) -> Result<(), Failure> {
        self.trial.put("rst_ni", false);
        self.trial.settle()?;
        self.trial.put("rst_ni", true);
        self.trial.settle()?;
        self.responder.reset();
        (self.decisions, self.lines) = (0, 0);
        // In this cycle, the logic is not yet in reset.
        self.wakes(AWAKE)
    }

    /// Changes to the fastest rate.
    fn raise_rate(&mut self) -> Result<(), Failure> {
        self.ask(&Request::set_rate(FASTEST), ALIVE | RX | TX | GOOD)?;
        self.line.bit = bit_time(FASTEST);
        Ok(())
    }

    /// Requests decisions, some of which clear rows, and checks the display after each.
    fn decide(&mut self, state: u64) -> Result<(), Failure> {
        let usual = state | ALIVE | RX | TX | GOOD;
        let drawn = std::array::from_fn::<_, 3, _>(|_| {
            let random = &mut self.trial.random;
            (any_position(random), any_weights(random))
        });
        let clearing = extremes(&mut self.trial.random).into_iter().skip(4);
        for (position, weights) in drawn.into_iter().chain(clearing) {
            self.ask(&Request::set_weights(&weights), usual)?;
            let request = of(&position);
            let answer = self.responder.answer_request(&request);
            let cleared = if answer.message.1[4] > 0 { CLEARED } else { 0 };
            self.ask(&request, usual | DECISION | cleared)?;
            self.shows()?;
        }
        Ok(())
    }

    /// A trace does not count as a decision; a cancel ends it, as it has no credit.
    fn trace(&mut self, position: &Position) -> Result<(), Failure> {
        let request = Request::trace(position);
        let ended = [tetris::TRACED.id, link::CANCEL_REPLY.id];
        let parts = vec![tetris::PLACEMENT.id; link::STREAM_CREDIT.into()];
        let cancel = Request::of(link::CANCEL);
        for (request, last) in [(request, parts), (cancel, ended.to_vec())] {
            let raw = self.frame(&request);
            let answers = self.talk(&cobs::encoded(&raw), 60 * (last.len() + WAITING))?;
            let kinds = answers.iter().map(|answer| match answer {
                FrameResult::Good { kind, .. } => *kind,
                _ => 0,
            });
            let kinds: Vec<u8> = kinds.collect();
            // Waiting parts are sent first.
            let skipped = kinds.len().saturating_sub(last.len());
            self.trial
                .same("of a trace", &kinds[skipped..].to_vec(), &last)?;
            let parts = kinds[..skipped].iter().all(|k| *k == tetris::PLACEMENT.id);
            self.trial.same("only parts before", &parts, &true)?;
            let usual = ALIVE | RX | TX | GOOD;
            self.trial.same("the LEDs of a trace", &self.lit, &usual)?;
            self.quiet(usual)?;
            self.responder.stats.frames_good += 1;
        }
        self.shows()
    }

    /// Sends a malformed frame, one with a wrong CRC, and more requests than the queue holds.
    fn damage(&mut self) -> Result<(), Failure> {
        let bad = ALIVE | RX | BAD | BAD_BEFORE;
        let mut raw = self.frame(&Request::of(link::INFO));
        raw[3] ^= 1 << self.trial.random.below(8);
        for bytes in [vec![9, 1, 0], cobs::encoded(&raw)] {
            let answers = self.talk(&bytes, 0)?;
            self.trial.same("answers to no frame", &answers, &vec![])?;
            self.trial.same("the LEDs of no frame", &self.lit, &bad)?;
            self.quiet(bad)?;
        }
        // A reply is three times as long as its request.
        const CROWD: usize = 12;
        let mut bytes = Vec::new();
        for _ in 0..CROWD {
            let raw = self.frame(&Request::of(link::INFO));
            bytes.extend(cobs::encoded(&raw));
        }
        let answers = self.talk(&bytes, 33 * CROWD)?;
        let refused = answers
            .iter()
            .filter(|answer| matches!(answer, FrameResult::Good { kind, .. } if *kind == link::ERROR.id))
            .count();
        self.trial.same("some are refused", &(refused > 0), &true)?;
        self.trial
            .same("answers to a crowd", &answers.len(), &CROWD)?;
        let crowded = bad | TX | GOOD;
        self.trial
            .same("the LEDs of a crowd", &self.lit, &crowded)?;
        self.quiet(crowded)
    }

    /// Checks the lines on the display and the decisions on the upper LEDs, if the board has them.
    fn shows(&mut self) -> Result<(), Failure> {
        if !self.has_display {
            return Ok(());
        }
        let mut digits = [None; 8];
        // All digits once, each for three cycles.
        for _ in 0..24 {
            self.step()?;
            let lit = !self.trial.get("an_no") & 0xff;
            if lit.is_power_of_two() {
                digits[lit.trailing_zeros() as usize] = parts::shown(self.trial.get("seg_no"));
            } else {
                self.trial.same("lit digits", &lit, &0)?;
            }
            self.trial.expect("dp_no", 1)?;
        }
        let number: Vec<u64> = digits.iter().rev().copied().flatten().collect();
        let lines = self.lines.to_string().into_bytes();
        let expected: Vec<u64> = lines.iter().map(|byte| u64::from(byte - b'0')).collect();
        self.trial.same("the display", &number, &expected)?;
        let counted = self.trial.get("led_o") >> 8;
        self.trial
            .same("the upper LEDs", &counted, &(self.decisions % 256))
    }
}

/// Cycles from the end of a reset to its LED: four stages of the synchroniser and a register.
const AWAKE: u64 = 5;
/// Cycles from power-up until the model of the PLL locks; a bench's reset takes the first of them.
const LOCK: u64 = 20;
const RESET: u64 = 8;

/// Most parts of a trace that may wait in the core.
const WAITING: usize = 8;

fn of(position: &Position) -> Request {
    Request::decide(position, position.piece.number(), tetris::NO_PIECE)
}

/// The Nexys4, whose base rate here is the fastest one.
pub fn nexys4(trial: &mut Trial) -> Result<(), Failure> {
    let line = Serial {
        rx: "uart_rx_i",
        tx: "uart_tx_o",
        bit: bit_time(FASTEST),
    };
    let mut board = Board::new(trial, line, true);
    board.wakes(AWAKE)?;
    board.idle(20)?;
    board.shows()?;
    board.ask(&Request::of(link::INFO), ALIVE | RX | TX | GOOD)?;
    board.decide(0)?;
    // A position in which rows are cleared.
    let clearing = extremes(&mut board.trial.random).into_iter().nth(4);
    clearing.map_or(Ok(()), |(position, _)| board.trace(&position))?;
    board.damage()?;
    board.press()?;
    board.idle(20)?;
    board.shows()?;
    // Weights and statistics are cleared.
    board.ask(&Request::of(tetris::GET_WEIGHTS), ALIVE | RX | TX | GOOD)?;
    board.ask(&Request::of(link::STATS), ALIVE | RX | TX | GOOD)
}

/// The ULX3S, with the base rate of a board at first.
pub fn ulx3s(trial: &mut Trial) -> Result<(), Failure> {
    let line = Serial {
        rx: "ftdi_txd_i",
        tx: "ftdi_rxd_o",
        bit: bit_time(rate::increment(link::BASE_BAUD, CLOCK_HZ).unwrap_or(0)),
    };
    let mut board = Board::new(trial, line, false);
    board.wakes(LOCK - RESET + AWAKE)?;
    board.idle(20)?;
    board.raise_rate()?;
    let ping = Request::new(link::PING, board.trial.random.bytes(8));
    board.ask(&ping, ALIVE | RX | TX | GOOD)?;
    board.ask(&Request::of(link::INFO), ALIVE | RX | TX | GOOD)?;
    board.decide(0)?;
    board.damage()?;
    board.press()
}
