//! The boards' top modules, driven at their pins: clock, button, serial line, LEDs, display.

pub mod parts;
mod screen;

use lockstep_flash::Board as Table;
use lockstep_games::tetris::{Piece, Position, golden::best_now};
use protocol::layout::{link, tetris};
use protocol::payload::link::Buttons;
use protocol::rate;

use crate::core::info;
use crate::core::requests::Request;
use crate::core::responder::Responder;
use crate::line::{CLOCK, FrameResult, Serial, bit_time};
use crate::tetris::{any_position, any_weights, extremes, from_rows, linear, position};
use crate::{Failure, Trial, cobs, frames};

/// Parameters of the tops in `sim/build/tops.rs`: build id, and cycles for which an LED stays on.
const BUILD_ID: u32 = 0x89ab_cdef;
const STRETCH: u64 = 3_000;

/// Cycles for which a button has to be pressed, a parameter in the boards' tables.
const STEADY: u64 = 40;

/// The fastest rate of the line, an eighth of the clock.
const FASTEST: u32 = link::MAX_INCREMENT;

/// The LEDs, as bits of `board_leds`.
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
    pins: Pins,
    responder: Responder,
    seq: u16,
    /// LEDs that were lit since the last request.
    lit: u64,
    /// Decisions since the reset, and the lines that they cleared.
    decisions: u64,
    lines: u64,
}

/// The pins, which differ from board to board.
#[derive(Clone)]
struct Pins {
    leds: &'static str,
    /// Whether the LEDs are lit by a low level.
    is_low: bool,
    /// What each LED shows.
    shown: Vec<u32>,
    button: &'static str,
    has_display: bool,
}

impl Pins {
    fn of(trial: &Trial, table: Table) -> Self {
        let numbers = table.word("leds").split(' ');
        let is_low = trial.has("led_no");
        Self {
            leds: if is_low { "led_no" } else { "led_o" },
            is_low,
            shown: numbers.filter_map(|number| number.parse().ok()).collect(),
            button: if trial.has("rst_i") {
                "rst_i"
            } else {
                "rst_ni"
            },
            has_display: trial.has("an_no"),
        }
    }

    fn press(&self, trial: &mut Trial, pressed: bool) {
        trial.put(self.button, pressed == (self.button == "rst_i"));
    }

    /// The lit LEDs, as bits of `board_leds`.
    fn lit(&self, trial: &Trial) -> u64 {
        let pins = trial.get(self.leds) ^ if self.is_low { u64::MAX } else { 0 };
        let leds = self.shown.iter().enumerate();
        leds.fold(0, |lit, (pin, led)| lit | (pins >> pin & 1) << led)
    }

    /// The bits of `board_leds` that an LED shows.
    fn seen(&self, leds: u64) -> u64 {
        let shown = self.shown.iter().fold(0, |shown, led| shown | 1 << led);
        leds & shown
    }
}

impl<'a> Board<'a> {
    fn new(trial: &'a mut Trial, line: Serial, table: Table, clock_hz: u32) -> Self {
        let seq = trial.random.bits() as u16;
        let pins = Pins::of(trial, table);
        Self {
            trial,
            line,
            pins,
            responder: Responder::new(info(BUILD_ID, 0, clock_hz)),
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
        self.lit |= self.pins.lit(self.trial);
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
        let pins = self.pins.clone();
        let watch = |trial: &Trial| *lit |= pins.lit(trial);
        self.line.talk(self.trial, bytes, wait, watch)
    }

    fn frame(&mut self, request: &Request) -> Vec<u8> {
        self.seq = self.seq.wrapping_add(1);
        frames::request(self.seq, request.kind, &request.payload)
    }

    /// Sends a request, and compares the answer and the LEDs lit meanwhile.
    fn ask(&mut self, request: &Request, leds: u64) -> Result<(), Failure> {
        self.exchange(request)?;
        self.same_leds("the LEDs", self.lit, leds)?;
        self.quiet(leds)
    }

    /// Sends a request, and compares the answer.
    fn exchange(&mut self, request: &Request) -> Result<(), Failure> {
        self.responder.stats.frames_good += 1;
        let (kind, payload) = self.responder.answer(request).message;
        let raw = self.frame(request);
        let answers = self.talk(&cobs::encoded(&raw), payload.len() + 9)?;
        let seq = self.seq;
        if kind == tetris::DECISION.id {
            self.decisions += 1;
            self.lines += u64::from(payload[4]);
        }
        let expected = vec![FrameResult::Good { seq, kind, payload }];
        self.trial.same("the answer", &answers, &expected)
    }

    /// Checks that the LEDs of events go off, and that the LEDs of states stay on.
    fn quiet(&mut self, leds: u64) -> Result<(), Failure> {
        self.idle(STRETCH)?;
        let states = leds & (ALIVE | BAD_BEFORE);
        self.same_leds("the LEDs later", self.pins.lit(self.trial), states)
    }

    /// Compares lit LEDs with those that should be, as bits of `board_leds`.
    fn same_leds(&self, what: &str, lit: u64, expected: u64) -> Result<(), Failure> {
        self.trial.same(what, &lit, &self.pins.seen(expected))
    }

    /// Checks that the reset ends after exactly `cycles` cycles: before, all LEDs are off;
    /// afterwards only one is on, and nothing is sent.
    fn wakes(&mut self, cycles: u64) -> Result<(), Failure> {
        for cycle in 1..=cycles + STRETCH {
            self.step()?;
            let leds = if cycle >= cycles { ALIVE } else { 0 };
            let what = format!("the LEDs {cycle} cycles after the reset");
            self.same_leds(&what, self.pins.lit(self.trial), leds)?;
        }
        self.trial.expect(self.line.tx, true)
    }

    /// Presses the button for less than a clock cycle, between two edges.
    fn press(&mut self) -> Result<(), Failure> {
        self.pins.press(self.trial, true);
        self.trial.settle()?;
        self.pins.press(self.trial, false);
        self.trial.settle()?;
        self.responder.reset();
        self.responder.buttons = Buttons::default();
        (self.decisions, self.lines) = (0, 0);
        // In this cycle, the logic is not yet in reset.
        self.wakes(AWAKE)
    }

    /// Presses buttons, with bounces, and asks how often.
    fn press_buttons(&mut self, count: usize) -> Result<(), Failure> {
        for round in 0..count {
            let pressed = match round {
                // All at once, and each alone.
                0 => (1 << count) - 1,
                _ => 1 << (round - 1),
            };
            for (level, cycles) in [
                (pressed, STEADY - 1),
                (0, 1),
                (pressed, STEADY),
                (0, STEADY),
            ] {
                self.trial.put("button_i", level);
                self.idle(cycles)?;
            }
            for (button, presses) in self.responder.buttons.presses.iter_mut().enumerate() {
                *presses += u8::from(pressed >> button & 1 == 1);
            }
        }
        self.ask(&Request::of(link::BUTTONS), ALIVE | RX | TX | GOOD)
    }

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
            let answer = self.responder.answer(&request);
            let cleared = if answer.message.1[4] > 0 { CLEARED } else { 0 };
            self.ask(&request, usual | DECISION | cleared)?;
            self.shows()?;
        }
        Ok(())
    }

    /// Plays a whole game by the landing height alone, which ends after some hundred pieces.
    fn game(&mut self) -> Result<(), Failure> {
        let mut weights = [0; 14];
        weights[0] = -1;
        self.exchange(&Request::set_weights(&weights))?;
        let mut board = from_rows(&[0; 20]);
        loop {
            let piece = self.trial.random.choice(&Piece::ALL);
            self.exchange(&of(&position(board.clone(), piece)))?;
            let Some((landing, _)) = best_now(&board, piece, &linear(&weights)) else {
                return self.quiet(ALIVE);
            };
            board = landing.after;
        }
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
            self.trial.holds("only parts before", parts)?;
            let usual = ALIVE | RX | TX | GOOD;
            self.same_leds("the LEDs of a trace", self.lit, usual)?;
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
            self.same_leds("the LEDs of no frame", self.lit, bad)?;
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
        self.trial.holds("some are refused", refused > 0)?;
        self.trial
            .same("answers to a crowd", &answers.len(), &CROWD)?;
        let crowded = bad | TX | GOOD;
        self.same_leds("the LEDs of a crowd", self.lit, crowded)?;
        self.quiet(crowded)
    }

    /// Checks the lines on the display and the decisions on the upper LEDs, if the board has them.
    fn shows(&mut self) -> Result<(), Failure> {
        if !self.pins.has_display {
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

/// Maximum number of parts of a trace that may wait in the core.
const WAITING: usize = 8;

fn of(position: &Position) -> Request {
    Request::decide(position, position.piece.number(), tetris::NO_PIECE)
}

/// A board, by its table. One with a display, which counts rows, traces; the others play a game.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let tables = Table::ALL.iter();
    let table = tables.copied().find(|table| table.top() == trial.name());
    let table = table.ok_or_else(|| sim::SimError::Unknown {
        what: "board",
        name: trial.name().into(),
        remedy: "the folders of rtl/top/ with a board.txt are boards".into(),
    })?;
    let mhz = |word| table.word(word).parse().unwrap_or(0);
    let (oscillator, clock): (u32, u32) = (mhz("oscillator"), mhz("clock"));
    let clock_hz = clock * 1_000_000;
    let mut given = table.word("bench").split_whitespace();
    let baud = given.find_map(|word| word.strip_prefix("-GBaud=")?.parse().ok());
    let baud = baud.unwrap_or(link::BASE_BAUD);
    let line = Serial {
        rx: "uart_rx_i",
        tx: "uart_tx_o",
        bit: bit_time(rate::increment(baud, clock_hz).unwrap_or(0)),
    };
    let buttons = table.word("buttons").split_whitespace().count();
    if buttons > 0 {
        trial.put("button_i", 0u64);
    }
    let mut board = Board::new(trial, line, table, clock_hz);
    if buttons > 0 {
        board.responder.info.capabilities |= 1 << link::HAS_BUTTONS.bit;
    }
    // A board with another clock than its oscillator waits for its PLL.
    let locks = if oscillator == clock { 0 } else { LOCK - RESET };
    board.wakes(locks + AWAKE)?;
    board.idle(20)?;
    board.shows()?;
    if baud == link::BASE_BAUD {
        board.raise_rate()?;
    }
    let ping = Request::new(link::PING, board.trial.random.bytes(8));
    board.ask(&ping, ALIVE | RX | TX | GOOD)?;
    board.ask(&Request::of(link::INFO), ALIVE | RX | TX | GOOD)?;
    board.press_buttons(buttons)?;
    board.decide(0)?;
    // A position in which rows are cleared.
    let clearing = extremes(&mut board.trial.random).into_iter().nth(4);
    match clearing.filter(|_| board.pins.has_display) {
        Some((position, _)) => board.trace(&position)?,
        None => board.game()?,
    }
    board.damage()?;
    board.press()?;
    screen::check(board.trial, table)?;
    if baud == link::BASE_BAUD {
        return Ok(());
    }
    board.shows()?;
    // Weights, statistics and presses are cleared.
    board.ask(&Request::of(link::BUTTONS), ALIVE | RX | TX | GOOD)?;
    board.ask(&Request::of(tetris::GET_WEIGHTS), ALIVE | RX | TX | GOOD)?;
    board.ask(&Request::of(link::STATS), ALIVE | RX | TX | GOOD)
}
