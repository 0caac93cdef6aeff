//! Seeded faults on the line: their options, and their effect on the bytes of each direction.

use std::str::FromStr;

use bytes::{Bytes, BytesMut};
use lockstep::link::faults::{ByteOutcome, FaultCounts, FaultProcess, FaultRng, Faults};
use serde::Serialize;

/// Fraction of bytes with a flipped bit above the rate [`LineFaults::clean_to`].
const DIRTY: f64 = 0.1;

/// Rates of the faults, as fractions of all bytes of both directions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct LineFaults {
    /// Faults of bytes, which every link can have.
    #[serde(flatten)]
    pub bytes: Faults,
    /// The board's reset button is pressed.
    pub reset: f64,
    /// The board hangs up and returns with another build id.
    pub rebuild: f64,
    /// Highest rate without errors, in baud; above it, a tenth of all bytes has a flipped bit.
    pub clean_to: Option<u32>,
}

/// One fault as given on the command line, such as `flip=1e-3`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FaultOption {
    kind: &'static str,
    /// A fraction of all bytes; of `clean-to` a rate in baud.
    value: f64,
}

const CLEAN_TO: &str = "clean-to";
const NOISE: &str = "noise";

const KINDS: [&str; 10] = [
    "flip", "drop", "double", "insert", NOISE, "stall", "hang-up", "reset", "rebuild", CLEAN_TO,
];

impl FromStr for FaultOption {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = || {
            let unit = |kind| if kind == CLEAN_TO { "BAUD" } else { "RATE" };
            let all = KINDS.map(|kind| format!("{kind}={}", unit(kind)));
            format!("expected one of {}, got '{text}'", all.join(", "))
        };
        let (name, number) = text.split_once('=').ok_or_else(unknown)?;
        let kind = KINDS.into_iter().find(|known| *known == name);
        let kind = kind.ok_or_else(unknown)?;
        let (value, expected) = match kind {
            CLEAN_TO => {
                let baud = number.parse::<u32>().ok().filter(|baud| *baud > 0);
                (baud.map(f64::from), "a rate in baud, 1 or more")
            }
            _ => {
                let rate = number.parse::<f64>().ok();
                let rate = rate.filter(|rate| (0.0..=1.0).contains(rate));
                (rate, "a probability from 0 to 1, such as 0.001 or 1e-3")
            }
        };
        let value = value.ok_or_else(|| format!("{text}: expected {expected}"))?;
        Ok(Self { kind, value })
    }
}

impl LineFaults {
    /// The faults of a command line.
    ///
    /// # Errors
    /// When a kind is given twice; `noise` gives flip, drop, double and insert.
    pub fn of(options: &[FaultOption]) -> Result<Self, String> {
        let mut faults = Self::default();
        let mut named = Vec::new();
        for FaultOption { kind, value } in options {
            let kinds = match *kind {
                NOISE => &["flip", "drop", "double", "insert"],
                _ => std::slice::from_ref(kind),
            };
            for kind in kinds {
                if named.contains(kind) {
                    return Err(format!("{kind} is given twice; once is enough"));
                }
                named.push(*kind);
                faults.set(kind, value / kinds.len() as f64);
            }
        }
        Ok(faults)
    }

    fn set(&mut self, kind: &str, value: f64) {
        let rate = match kind {
            "flip" => &mut self.bytes.flip,
            "drop" => &mut self.bytes.drop,
            "double" => &mut self.bytes.double,
            "insert" => &mut self.bytes.insert,
            "stall" => &mut self.bytes.stall,
            "hang-up" => &mut self.bytes.hang_up,
            "reset" => &mut self.reset,
            "rebuild" => &mut self.rebuild,
            // Parsed as an integer.
            _ => return self.clean_to = Some(value as u32),
        };
        *rate = value;
    }

    /// Whether there are no faults.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// Number of faults by kind, in both directions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LineFaultCounts {
    /// Faults of bytes.
    #[serde(flatten)]
    pub bytes: FaultCounts,
    /// Resets.
    pub reset: u64,
    /// Hang-ups with a new build id.
    pub rebuild: u64,
    /// Bits flipped because the rate was above [`LineFaults::clean_to`].
    pub dirty: u64,
}

impl LineFaultCounts {
    /// The kinds of faults that occurred, with their numbers.
    pub fn named(&self) -> Vec<(&'static str, u64)> {
        let FaultCounts {
            flip,
            drop,
            double,
            insert,
            stall,
            hang_up,
        } = self.bytes;
        let all = [
            ("flip", flip),
            ("drop", drop),
            ("double", double),
            ("insert", insert),
            ("stall", stall),
            ("hang-up", hang_up),
            ("reset", self.reset),
            ("rebuild", self.rebuild),
            ("clean-to", self.dirty),
        ];
        all.into_iter().filter(|(_, count)| *count > 0).collect()
    }
}

/// A fault of the whole board instead of a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoardFault {
    /// The link closes.
    HangUp,
    /// The reset button is pressed.
    Reset,
    /// The link closes, and the board returns with another build id.
    Rebuild,
}

pub(crate) struct Direction {
    faults: LineFaults,
    process: FaultProcess,
    /// The errors above [`LineFaults::clean_to`].
    dirt: FaultProcess,
    rng: FaultRng,
    resets: u64,
    rebuilds: u64,
    held: BytesMut,
    stalled: bool,
}

impl Direction {
    /// The two directions, each with a random sequence of its own.
    pub(crate) fn both(faults: LineFaults, seed: u64) -> [Self; 2] {
        [0, 1].map(|direction| {
            let mut seeds = FaultRng::new(seed.wrapping_mul(2).wrapping_add(direction));
            let dirt = Faults {
                flip: DIRTY,
                ..Faults::default()
            };
            Self {
                faults,
                process: FaultProcess::new(faults.bytes, seeds.number()),
                dirt: FaultProcess::new(dirt, seeds.number()),
                rng: FaultRng::new(seeds.number()),
                resets: 0,
                rebuilds: 0,
                held: BytesMut::new(),
                stalled: false,
            }
        })
    }

    /// Passes bytes from `rest` up to the next fault of the board, which is returned with them.
    ///
    /// `rate` is the line's rate in baud.
    pub(crate) fn pass(&mut self, rest: &mut &[u8], rate: u32) -> (Bytes, Option<BoardFault>) {
        let mut out = BytesMut::with_capacity(rest.len() + 8);
        if self.stalled {
            self.held.extend_from_slice(rest);
            *rest = &[];
        }
        let dirty = self.faults.clean_to.is_some_and(|clean| rate > clean);
        while let Some((&byte, behind)) = rest.split_first() {
            *rest = behind;
            let byte = if dirty { self.soil(byte) } else { byte };
            let outcome = self.process.pass(byte, &mut out);
            let resets = self.rng.occurs(self.faults.reset);
            let rebuilds = self.rng.occurs(self.faults.rebuild);
            let board_fault = match outcome {
                ByteOutcome::HungUp => BoardFault::HangUp,
                _ if rebuilds => {
                    self.rebuilds += 1;
                    BoardFault::Rebuild
                }
                ByteOutcome::Stalled => {
                    self.stalled = true;
                    self.held.extend_from_slice(rest);
                    *rest = &[];
                    continue;
                }
                ByteOutcome::Passed if resets => {
                    self.resets += 1;
                    BoardFault::Reset
                }
                ByteOutcome::Passed => continue,
            };
            return (out.freeze(), Some(board_fault));
        }
        (out.freeze(), None)
    }

    fn soil(&mut self, byte: u8) -> u8 {
        let mut out = BytesMut::with_capacity(1);
        self.dirt.pass(byte, &mut out);
        out.first().copied().unwrap_or(byte)
    }

    pub(crate) fn is_stalled(&self) -> bool {
        self.stalled
    }

    /// Ends a stall and returns the bytes held back.
    pub(crate) fn release(&mut self) -> Bytes {
        self.stalled = false;
        self.held.split().freeze()
    }

    pub(crate) fn counts(&self) -> LineFaultCounts {
        LineFaultCounts {
            bytes: self.process.counts(),
            reset: self.resets,
            rebuild: self.rebuilds,
            dirty: self.dirt.counts().flip,
        }
    }
}

/// Number of faults by kind, in both directions.
pub(crate) fn fault_counts([there, back]: &[Direction; 2]) -> LineFaultCounts {
    let (there, back) = (there.counts(), back.counts());
    LineFaultCounts {
        bytes: there.bytes + back.bytes,
        reset: there.reset + back.reset,
        rebuild: there.rebuild + back.rebuild,
        dirty: there.dirty + back.dirty,
    }
}

#[cfg(test)]
mod tests;
