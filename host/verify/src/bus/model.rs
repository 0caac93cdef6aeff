//! The model of `tetris_axil` in each clock cycle, by docs/bus.md and the module's header.

use lockstep_games::tetris::golden::best_now;
use lockstep_games::tetris::timing::Core;
use lockstep_games::tetris::{Piece, Position};

use crate::tetris::{from_rows, linear, position};

const ROWS: usize = 20;
const MULTIPLIERS: u8 = 4;
const ID: u32 = 0x4c53_0101;

/// The weights of El-Tetris, which the module has after a reset.
const EL_TETRIS: [i32; 14] = [
    -2_250_079, 0, 3_418_127, -3_217_888, -9_348_695, -7_899_265, -3_385_597, 0, 0, 0, 0, 0, 0, 0,
];

/// The pieces in the numbering of the ECE532 design.
const SEED_PIECES: [Piece; 7] = [
    Piece::I,
    Piece::L,
    Piece::J,
    Piece::S,
    Piece::Z,
    Piece::O,
    Piece::T,
];

/// The transfers of a cycle on each channel: write address, data and strobes, read address, and
/// whether the responses are taken.
#[derive(Debug)]
pub struct Events {
    pub aw: Option<u32>,
    pub w: Option<(u32, u8)>,
    pub ar: Option<u32>,
    pub b: bool,
    pub r: bool,
}

#[derive(Debug, Clone, Default)]
enum Decision {
    #[default]
    None,
    /// The rows read so far.
    Reading(Piece, Vec<u64>),
    /// Done after this number of further cycles.
    Deciding(u64, Answer),
    Done(Answer),
}

/// The contents of the registers with a decision.
#[derive(Debug, Clone, Copy, Default)]
struct Answer {
    result: u32,
    score: i64,
    cycles: u32,
}

/// The state of a start that was written but not accepted yet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Start {
    #[default]
    None,
    /// The piece is requested from the memory in this cycle.
    Asks,
    /// The piece has arrived, as this word.
    Checks(u32),
}

#[derive(Debug, Default)]
pub struct Model {
    /// The address of a write that is not carried out yet.
    pub address_waits: Option<u32>,
    /// The data of a write that is not carried out yet, and its byte strobes.
    pub data_waits: Option<(u32, u8)>,
    /// The address of a read that is not carried out yet.
    pub read_waits: Option<u32>,
    /// The response of a write that is not taken yet: whether it is an error.
    pub written: Option<bool>,
    /// The response of a read that is not taken yet: its data, and whether it is an error.
    pub answer: Option<(u32, bool)>,
    pub irq: bool,
    /// Number of decisions, including those before a reset.
    pub decisions: u64,
    address: u32,
    irq_enable: bool,
    seed_pieces: bool,
    weights: [i32; 14],
    start: Start,
    /// The address at the start of the decision; the register may be written meanwhile.
    base: u32,
    decision: Decision,
}

fn merged(old: u32, new: u32, strobes: u8) -> u32 {
    let mask = (0..4).filter(|b| strobes >> b & 1 == 1);
    let mask = mask.fold(0, |mask, b| mask | 0xff << (8 * b));
    old & !mask | new & mask
}

impl Model {
    /// The state after a reset, with this number of decisions before.
    pub fn reset(decisions: u64) -> Self {
        Self {
            decisions,
            weights: EL_TETRIS,
            ..Self::default()
        }
    }

    /// The byte address that is read from the memory in this cycle.
    pub fn memory(&self) -> Option<u32> {
        match (&self.decision, self.start) {
            (_, Start::Asks) => Some(self.address.wrapping_add(4 * ROWS as u32)),
            (Decision::Reading(_, rows), _) if rows.len() < ROWS => {
                Some(self.base.wrapping_add(4 * rows.len() as u32))
            }
            _ => None,
        }
    }

    /// Whether a position or its piece is being read from the memory.
    pub fn is_reading(&self) -> bool {
        self.start != Start::None || matches!(self.decision, Decision::Reading(..))
    }

    fn is_busy(&self) -> bool {
        matches!(
            self.decision,
            Decision::Reading(..) | Decision::Deciding(..)
        )
    }

    fn done(&self) -> Option<Answer> {
        match self.decision {
            Decision::Done(answer) => Some(answer),
            _ => None,
        }
    }

    /// Runs one clock cycle; `word` is the memory's word for this cycle's address.
    pub fn clock(&mut self, events: &Events, word: Option<u32>) {
        let answered = match (self.read_waits, self.answer) {
            (Some(address), None) => Some(self.read(address)),
            _ => None,
        };
        let (was_busy, was_done) = (self.is_busy(), self.done().is_some());
        self.advance(word);
        let taken = match (self.address_waits, self.data_waits, self.written) {
            (Some(address), Some((data, strobes)), None) => {
                self.write(address, data, strobes, word, was_busy)
            }
            _ => None,
        };
        self.irq = was_done && self.done().is_some() && self.irq_enable;

        if events.b {
            self.written = None;
        }
        if taken.is_some() {
            self.written = taken;
            (self.address_waits, self.data_waits) = (None, None);
        }
        if events.r {
            self.answer = None;
        }
        if answered.is_some() {
            self.answer = answered;
            self.read_waits = None;
        }
        self.address_waits = self.address_waits.or(events.aw);
        self.data_waits = self.data_waits.or(events.w);
        self.read_waits = self.read_waits.or(events.ar);
    }

    /// Advances the decision by one cycle.
    fn advance(&mut self, word: Option<u32>) {
        match &mut self.decision {
            Decision::Reading(piece, rows) => {
                let word = u64::from(word.unwrap_or(0));
                rows.push((0..10).fold(0, |row, c| row | (word >> (9 - c) & 1) << c));
                if rows.len() == ROWS {
                    let position = position(from_rows(rows), *piece);
                    let answer = decide(&position, self.weights);
                    // One more cycle for the last row.
                    self.decision = Decision::Deciding(u64::from(answer.cycles) + 1, answer);
                }
            }
            Decision::Deciding(1, answer) => {
                self.decisions += 1;
                self.decision = Decision::Done(*answer);
            }
            Decision::Deciding(left, _) => *left -= 1,
            Decision::None | Decision::Done(_) => {}
        }
    }

    /// Carries out a write; returns whether it is an error, or `None` while it waits.
    fn write(
        &mut self,
        address: u32,
        data: u32,
        strobes: u8,
        word: Option<u32>,
        busy: bool,
    ) -> Option<bool> {
        let address = address & !3;
        match address {
            0x00 => self.address = merged(self.address, data, strobes) & !3,
            0x04 if strobes & 1 == 1 && data & 1 == 1 => {
                if busy {
                    return Some(true);
                }
                let piece = match self.start {
                    Start::None => {
                        self.start = Start::Asks;
                        return None;
                    }
                    Start::Asks => {
                        self.start = Start::Checks(word.unwrap_or(0));
                        return None;
                    }
                    Start::Checks(piece) => piece as usize,
                };
                self.start = Start::None;
                let pieces = match data >> 2 & 1 {
                    1 => SEED_PIECES,
                    _ => Piece::ALL,
                };
                let Some(piece) = pieces.get(piece) else {
                    return Some(true);
                };
                self.decision = Decision::Reading(*piece, Vec::new());
                self.base = self.address;
                self.control(data);
            }
            0x04 if strobes & 1 == 1 => self.control(data),
            0x04 => {}
            0x40..=0x74 if !busy => {
                let weight = &mut self.weights[(address as usize - 0x40) / 4];
                *weight = merged(*weight as u32, data, strobes) as i32;
            }
            _ => return Some(true),
        }
        Some(false)
    }

    fn control(&mut self, data: u32) {
        self.irq_enable = data >> 1 & 1 == 1;
        self.seed_pieces = data >> 2 & 1 == 1;
    }

    /// The data of a read, and whether it is an error.
    fn read(&self, address: u32) -> (u32, bool) {
        let answer = self.done().unwrap_or_default();
        let data = match address & !3 {
            0x00 => self.address,
            0x04 => u32::from(self.irq_enable) << 1 | u32::from(self.seed_pieces) << 2,
            0x08 => answer.result,
            0x0c => u32::from(self.is_busy()) | u32::from(self.done().is_some()) << 1,
            0x10 => answer.score as u32,
            0x14 => (answer.score >> 32) as u32,
            0x18 => answer.cycles,
            0x1c => ID,
            weight @ 0x40..=0x74 => self.weights[(weight as usize - 0x40) / 4] as u32,
            _ => return (0, true),
        };
        (data, false)
    }
}

fn decide(position: &Position, weights: [i32; 14]) -> Answer {
    let best = best_now(&position.board, position.piece, &linear(&weights));
    let done = 1 << 31;
    let (result, score) = best.map_or((done, 0), |(best, score)| {
        let place = (best.rotation | best.column << 8 | best.row << 16) as u32;
        let cleared = (best.features.rows_cleared as u32) << 24;
        (done | 1 << 30 | cleared | place, score.0)
    });
    Answer {
        result,
        score,
        cycles: Core {
            lanes: 0,
            multipliers: MULTIPLIERS,
        }
        .cycles(position),
    }
}
