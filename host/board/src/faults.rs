//! Faults on the wire, on purpose: what is asked for, and what they do to the
//! bytes of either direction.

use std::str::FromStr;

use bytes::{Bytes, BytesMut};
use lockstep::link::faults::{ByteOutcome, FaultCounts, FaultProcess, FaultRng, Faults};
use serde::Serialize;

/// Part of all bytes that are flipped above the rate a line is clean to.
const DIRTY: f64 = 0.1;

/// How often a byte of either direction meets with each fault, as a fraction of
/// all bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct LineFaults {
    /// Those of any line.
    #[serde(flatten)]
    pub bytes: Faults,
    /// The board's reset button is pressed.
    pub reset: f64,
    /// The board goes away, and comes back as another build.
    pub rebuild: f64,
    /// Highest rate of the line at which it is clean, in baud: above it a tenth
    /// of all bytes is flipped.
    pub clean_to: Option<u32>,
}

/// One fault as it is named: `flip=1e-3`.
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

/// Why that is no fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultOptionError {
    /// There is no such kind, or nothing behind it.
    #[error("'{0}' is none; there are {known}", known = all())]
    Unknown(String),
    /// The number cannot be.
    #[error("{kind}={value}: expected {expected}")]
    Value {
        /// The kind.
        kind: &'static str,
        /// What was given.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A kind was named twice, or in two ways.
    #[error("{0} is named twice; once is enough")]
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
                rate.ok_or_else(|| wrong("a fraction of all bytes from 0 to 1, as 0.001 or 1e-3"))?
            }
        };
        Ok(Self { kind, value })
    }
}

impl LineFaults {
    /// The faults that were named.
    ///
    /// # Errors
    /// When one is named twice; `noise` names flip, drop, double and insert.
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
        let place = match kind {
            Kind::Flip => &mut self.bytes.flip,
            Kind::Drop => &mut self.bytes.drop,
            Kind::Double => &mut self.bytes.double,
            Kind::Insert => &mut self.bytes.insert,
            Kind::Stall => &mut self.bytes.stall,
            Kind::HangUp => &mut self.bytes.hang_up,
            Kind::Reset => &mut self.reset,
            Kind::Rebuild => &mut self.rebuild,
            // It came from a whole number.
            Kind::CleanTo => return self.clean_to = Some(value as u32),
            Kind::Noise => return,
        };
        *place = value;
    }

    /// Whether there are none.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// How often each fault struck, both directions together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LineStruck {
    /// Those of any line.
    #[serde(flatten)]
    pub bytes: FaultCounts,
    /// Resets.
    pub reset: u64,
    /// Other builds.
    pub rebuild: u64,
    /// Bits turned because the line was faster than it is clean.
    pub dirty: u64,
}

impl LineStruck {
    /// Each fault that struck, by the name of its kind, and how often.
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

/// What befalls the board, and not a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blow {
    /// What follows is late.
    Stall,
    /// The link closes.
    HangUp,
    /// The reset button is pressed.
    Reset,
    /// The link closes, and another build comes back.
    Rebuild,
}

/// One direction of the line.
pub(crate) struct Way {
    faults: LineFaults,
    process: FaultProcess,
    /// Flips a tenth of all bytes.
    dirt: FaultProcess,
    dice: FaultRng,
    resets: u64,
    rebuilds: u64,
    held: BytesMut,
    stalled: bool,
}

impl Way {
    /// The two directions; each has faults of its own, which do not depend on what
    /// passes the other way.
    pub(crate) fn both(faults: LineFaults, seed: u64) -> [Self; 2] {
        [0, 1].map(|way| {
            let mut seeds = FaultRng::new(seed.wrapping_mul(2).wrapping_add(way));
            let dirt = Faults {
                flip: DIRTY,
                ..Faults::default()
            };
            Self {
                faults,
                process: FaultProcess::new(faults.bytes, seeds.number()),
                dirt: FaultProcess::new(dirt, seeds.number()),
                dice: FaultRng::new(seeds.number()),
                resets: 0,
                rebuilds: 0,
                held: BytesMut::new(),
                stalled: false,
            }
        })
    }

    /// Takes bytes off `rest` and gives what is left of them, up to what befalls
    /// the board. `rate` is that of the line, in baud.
    pub(crate) fn pass(&mut self, rest: &mut &[u8], rate: u32) -> (Bytes, Option<Blow>) {
        let mut out = BytesMut::with_capacity(rest.len() + 8);
        if self.stalled {
            self.held.extend_from_slice(rest);
            *rest = &[];
        }
        let dirty = self.faults.clean_to.is_some_and(|clean| rate > clean);
        while let Some((&byte, behind)) = rest.split_first() {
            *rest = behind;
            let byte = if dirty { self.soil(byte) } else { byte };
            let fate = self.process.pass(byte, &mut out);
            let resets = self.dice.strikes(self.faults.reset);
            let rebuilds = self.dice.strikes(self.faults.rebuild);
            let blow = match fate {
                ByteOutcome::HungUp => Blow::HangUp,
                _ if rebuilds => {
                    self.rebuilds += 1;
                    Blow::Rebuild
                }
                ByteOutcome::Stalled => {
                    self.stalled = true;
                    self.held.extend_from_slice(rest);
                    *rest = &[];
                    Blow::Stall
                }
                ByteOutcome::Passed if resets => {
                    self.resets += 1;
                    Blow::Reset
                }
                ByteOutcome::Passed => continue,
            };
            return (out.freeze(), Some(blow));
        }
        (out.freeze(), None)
    }

    fn soil(&mut self, byte: u8) -> u8 {
        let mut out = BytesMut::with_capacity(1);
        self.dirt.pass(byte, &mut out);
        out.first().copied().unwrap_or(byte)
    }

    /// Whether what comes is held back.
    pub(crate) fn is_stalled(&self) -> bool {
        self.stalled
    }

    /// What was held back, now that the line goes on.
    pub(crate) fn release(&mut self) -> Bytes {
        self.stalled = false;
        self.held.split().freeze()
    }

    /// How often each fault struck.
    pub(crate) fn struck(&self) -> LineStruck {
        LineStruck {
            bytes: self.process.struck(),
            reset: self.resets,
            rebuild: self.rebuilds,
            dirty: self.dirt.struck().flip,
        }
    }
}

/// Both directions together.
pub(crate) fn struck([there, back]: &[Way; 2]) -> LineStruck {
    let (there, back) = (there.struck(), back.struck());
    LineStruck {
        bytes: there.bytes + back.bytes,
        reset: there.reset + back.reset,
        rebuild: there.rebuild + back.rebuild,
        dirty: there.dirty + back.dirty,
    }
}

#[cfg(test)]
mod tests;
