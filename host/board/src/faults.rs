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
    kind: Kind,
    value: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Flip,
    Drop,
    Double,
    Insert,
    Noise,
    Stall,
    HangUp,
    Reset,
    Rebuild,
    CleanTo,
}

const KINDS: [(&str, Kind); 10] = [
    ("flip", Kind::Flip),
    ("drop", Kind::Drop),
    ("double", Kind::Double),
    ("insert", Kind::Insert),
    ("noise", Kind::Noise),
    ("stall", Kind::Stall),
    ("hang-up", Kind::HangUp),
    ("reset", Kind::Reset),
    ("rebuild", Kind::Rebuild),
    ("clean-to", Kind::CleanTo),
];

impl Kind {
    fn name(self) -> &'static str {
        let named = KINDS.iter().find(|(_, kind)| *kind == self);
        named.map_or("", |(name, _)| name)
    }
}

/// Why an option is no fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultOptionError {
    /// The kind is unknown, or the value is missing.
    #[error("expected one of {known}, got '{0}'", known = all())]
    Unknown(String),
    /// The value is out of range.
    #[error("{kind}={value}: expected {expected}")]
    Value {
        /// The kind.
        kind: &'static str,
        /// The given value.
        value: String,
        /// The range of values.
        expected: &'static str,
    },
    /// A kind is given twice, or also by `noise`.
    #[error("{0} is given twice; once is enough")]
    Twice(&'static str),
}

fn all() -> String {
    let named = KINDS.map(|(name, kind)| match kind {
        Kind::CleanTo => format!("{name}=BAUD"),
        _ => format!("{name}=RATE"),
    });
    named.join(", ")
}

impl FromStr for FaultOption {
    type Err = FaultOptionError;

    fn from_str(text: &str) -> Result<Self, FaultOptionError> {
        let unknown = || FaultOptionError::Unknown(text.into());
        let (name, number) = text.split_once('=').ok_or_else(unknown)?;
        let known = KINDS.iter().find(|(known, _)| *known == name);
        let (kind_name, kind) = *known.ok_or_else(unknown)?;
        let wrong = |expected| FaultOptionError::Value {
            kind: kind_name,
            value: number.into(),
            expected,
        };
        let value = match kind {
            Kind::CleanTo => {
                let baud = number.parse::<u32>();
                baud.map(f64::from).map_err(|_| wrong("a rate in baud"))?
            }
            _ => {
                let rate = number.parse::<f64>().ok();
                let rate = rate.filter(|rate| (0.0..=1.0).contains(rate));
                rate.ok_or_else(|| wrong("a probability from 0 to 1, such as 0.001 or 1e-3"))?
            }
        };
        Ok(Self { kind, value })
    }
}

impl LineFaults {
    /// The faults of a command line.
    ///
    /// # Errors
    /// When a kind is given twice; `noise` gives flip, drop, double and insert.
    pub fn of(options: &[FaultOption]) -> Result<Self, FaultOptionError> {
        let mut faults = Self::default();
        let mut named: Vec<Kind> = Vec::new();
        for &FaultOption { kind, value } in options {
            let kinds: &[Kind] = match kind {
                Kind::Noise => &[Kind::Flip, Kind::Drop, Kind::Double, Kind::Insert],
                _ => &[kind],
            };
            let share = value / kinds.len() as f64;
            for &kind in kinds {
                if named.contains(&kind) {
                    return Err(FaultOptionError::Twice(kind.name()));
                }
                named.push(kind);
                faults.set(kind, share);
            }
        }
        Ok(faults)
    }

    fn set(&mut self, kind: Kind, value: f64) {
        let rate = match kind {
            Kind::Flip => &mut self.bytes.flip,
            Kind::Drop => &mut self.bytes.drop,
            Kind::Double => &mut self.bytes.double,
            Kind::Insert => &mut self.bytes.insert,
            Kind::Stall => &mut self.bytes.stall,
            Kind::HangUp => &mut self.bytes.hang_up,
            Kind::Reset => &mut self.reset,
            Kind::Rebuild => &mut self.rebuild,
            // Parsed as an integer.
            Kind::CleanTo => return self.clean_to = Some(value as u32),
            Kind::Noise => return,
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
    /// The following bytes are held back.
    Stall,
    /// The link closes.
    HangUp,
    /// The reset button is pressed.
    Reset,
    /// The link closes, and the board returns with another build id.
    Rebuild,
}

/// One direction of the line.
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
                    BoardFault::Stall
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

    /// Whether bytes are held back.
    pub(crate) fn is_stalled(&self) -> bool {
        self.stalled
    }

    /// Ends a stall and returns the bytes held back.
    pub(crate) fn release(&mut self) -> Bytes {
        self.stalled = false;
        self.held.split().freeze()
    }

    /// Number of faults by kind.
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
