//! Seeded faults on a stream of bytes.

use std::ops::Add;

use bytes::{BufMut as _, BytesMut};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use serde::Serialize;

/// A value for each kind of fault.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct PerFault<T> {
    /// A bit of the byte is flipped.
    pub flip: T,
    /// The byte is lost.
    pub drop: T,
    /// The byte comes twice.
    pub double: T,
    /// A random byte comes before the byte.
    pub insert: T,
    /// The bytes after the byte are late: they come after a timeout, or with the next send.
    pub stall: T,
    /// The link closes before the byte.
    pub hang_up: T,
}

/// The probability of each fault for each byte.
pub type Faults = PerFault<f64>;

/// How often each fault occurred.
pub type FaultCounts = PerFault<u64>;

impl Faults {
    /// Flips, drops, doubles and inserts, each at that rate.
    pub const fn noise(rate: f64) -> Self {
        Self {
            flip: rate,
            drop: rate,
            double: rate,
            insert: rate,
            stall: 0.0,
            hang_up: 0.0,
        }
    }
}

impl Add for FaultCounts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            flip: self.flip + other.flip,
            drop: self.drop + other.drop,
            double: self.double + other.double,
            insert: self.insert + other.insert,
            stall: self.stall + other.stall,
            hang_up: self.hang_up + other.hang_up,
        }
    }
}

/// What happened to a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByteOutcome {
    /// It passed, with or without damage.
    Passed,
    /// It passed, and the bytes after it are late.
    Stalled,
    /// The link hung up before it.
    HungUp,
}

/// A seeded random generator: the same seed gives the same draws.
#[derive(Debug, Clone)]
pub struct FaultRng(SplitMix64);

impl FaultRng {
    /// A generator with that seed.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    /// Draws whether an event of that probability occurs.
    pub fn occurs(&mut self, rate: f64) -> bool {
        // 53 bits, as many as a double has.
        let unit = (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        (0.0..rate).contains(&unit)
    }

    /// Draws a number.
    pub fn number(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// Applies faults to a stream, byte by byte: the same seed and bytes give the same faults.
#[derive(Debug, Clone)]
pub struct FaultProcess {
    faults: Faults,
    rng: FaultRng,
    counts: FaultCounts,
}

impl FaultProcess {
    /// A process with these faults and that seed.
    pub fn new(faults: Faults, seed: u64) -> Self {
        Self {
            faults,
            rng: FaultRng::new(seed),
            counts: FaultCounts::default(),
        }
    }

    /// How often each fault occurred so far.
    pub fn counts(&self) -> FaultCounts {
        self.counts
    }

    /// Passes a byte: appends what is left of it to `out`.
    ///
    /// The draws for a byte and their order must not change: measurements name their seeds.
    pub fn pass(&mut self, mut byte: u8, out: &mut BytesMut) -> ByteOutcome {
        let Faults {
            flip,
            drop,
            double,
            insert,
            stall,
            hang_up,
        } = self.faults;
        if self.rng.occurs(hang_up) {
            self.counts.hang_up += 1;
            return ByteOutcome::HungUp;
        }
        if self.rng.occurs(insert) {
            self.counts.insert += 1;
            out.put_u8(self.rng.number() as u8);
        }
        if self.rng.occurs(flip) {
            self.counts.flip += 1;
            byte ^= 1 << (self.rng.number() % 8);
        }
        if self.rng.occurs(drop) {
            self.counts.drop += 1;
        } else {
            out.put_u8(byte);
        }
        if self.rng.occurs(double) {
            self.counts.double += 1;
            out.put_u8(byte);
        }
        if self.rng.occurs(stall) {
            self.counts.stall += 1;
            return ByteOutcome::Stalled;
        }
        ByteOutcome::Passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measurements name the seed, so its faults must never change.
    #[test]
    fn fault_process_seed_is_stable() {
        let mut process = FaultProcess::new(Faults::noise(0.2), 1);
        let mut out = BytesMut::new();
        for byte in 0..16 {
            assert_eq!(process.pass(byte, &mut out), ByteOutcome::Passed);
        }
        let counts = FaultCounts {
            flip: 2,
            drop: 5,
            double: 5,
            insert: 3,
            ..FaultCounts::default()
        };
        let left = [
            0, 1, 19, 19, 5, 6, 7, 7, 9, 82, 9, 9, 10, 135, 11, 13, 14, 14, 129,
        ];
        assert_eq!((&out[..], process.counts()), (&left[..], counts));
    }

    #[test]
    fn fault_counts_add_up() {
        let of = |[flip, drop, double, insert, stall, hang_up]: [u64; 6]| FaultCounts {
            flip,
            drop,
            double,
            insert,
            stall,
            hang_up,
        };
        let sum = of([3, 4, 5, 6, 7, 8]) + of([10, 20, 30, 40, 50, 60]);
        assert_eq!(sum, of([13, 24, 35, 46, 57, 68]));
    }

    #[test]
    fn fault_process_stall_and_hang_up_keep_the_byte() {
        let faults = Faults {
            stall: 1.0,
            ..Faults::default()
        };
        let mut out = BytesMut::new();
        let mut process = FaultProcess::new(faults, 1);
        assert_eq!(process.pass(7, &mut out), ByteOutcome::Stalled);
        assert_eq!((&out[..], process.counts().stall), (&[7u8][..], 1));
        let faults = Faults {
            hang_up: 1.0,
            ..faults
        };
        let mut process = FaultProcess::new(faults, 1);
        assert_eq!(process.pass(8, &mut out), ByteOutcome::HungUp);
        assert_eq!(&out[..], &[7]);
        assert_eq!((process.counts().hang_up, process.counts().stall), (1, 0));
    }
}
