//! A link that misbehaves, byte by byte and by a seed: to see that nothing the
//! other end answers is ever taken for the answer to something else.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures::future::{BoxFuture, FutureExt as _};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use serde::Serialize;

use super::{Link, LinkError, LinkStatistics};

/// How often a byte meets with each fault, as a fraction of all bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Faults {
    /// One of its bits is turned.
    pub flip: f64,
    /// It is lost.
    pub drop: f64,
    /// It comes twice.
    pub double: f64,
    /// Another one comes before it.
    pub insert: f64,
    /// What comes after it is late: until the wait for it was given up, or
    /// something else is sent.
    pub stall: f64,
    /// The link closes before it.
    pub hang_up: f64,
}

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

/// How often each fault struck.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Struck {
    /// Bits turned.
    pub flip: u64,
    /// Bytes lost.
    pub drop: u64,
    /// Bytes doubled.
    pub double: u64,
    /// Bytes inserted.
    pub insert: u64,
    /// Stalls.
    pub stall: u64,
    /// Closed.
    pub hang_up: u64,
}

/// A link with faults in both directions.
pub struct Faulty<L> {
    link: L,
    faults: Faults,
    random: SplitMix64,
    struck: Struck,
    /// Bytes that have stalled on their way here, and on their way there.
    held: BytesMut,
    unsent: BytesMut,
    closed: bool,
}

/// What became of a byte.
enum Fate {
    Passed,
    Stalled,
    HungUp,
}

impl<L: Link> Faulty<L> {
    /// That link with those faults; the same seed, the same faults.
    pub fn new(link: L, faults: Faults, seed: u64) -> Self {
        Self {
            link,
            faults,
            random: SplitMix64::seed_from_u64(seed),
            struck: Struck::default(),
            held: BytesMut::new(),
            unsent: BytesMut::new(),
            closed: false,
        }
    }

    /// How often each fault struck so far.
    pub fn struck(&self) -> Struck {
        self.struck
    }

    /// The link behind it.
    pub fn inner(&self) -> &L {
        &self.link
    }

    fn strikes(&mut self, rate: f64) -> bool {
        // 53 bits, as many as a double has.
        let unit = (self.random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        rate > 0.0 && unit < rate
    }

    fn pass(&mut self, mut byte: u8, out: &mut BytesMut) -> Fate {
        let Faults {
            flip,
            drop,
            double,
            insert,
            stall,
            hang_up,
        } = self.faults;
        if self.strikes(hang_up) {
            self.struck.hang_up += 1;
            return Fate::HungUp;
        }
        if self.strikes(insert) {
            self.struck.insert += 1;
            out.extend_from_slice(&[self.random.next_u64() as u8]);
        }
        if self.strikes(flip) {
            self.struck.flip += 1;
            byte ^= 1 << (self.random.next_u64() % 8);
        }
        if self.strikes(drop) {
            self.struck.drop += 1;
        } else {
            out.extend_from_slice(&[byte]);
        }
        if self.strikes(double) {
            self.struck.double += 1;
            out.extend_from_slice(&[byte]);
        }
        if self.strikes(stall) {
            self.struck.stall += 1;
            return Fate::Stalled;
        }
        Fate::Passed
    }

    fn hung_up() -> LinkError {
        LinkError::Closed("the link was hung up (a seeded fault)".into())
    }
}

impl<L: Link> Link for Faulty<L> {
    fn describe(&self) -> String {
        format!("{}, with faults", self.link.describe())
    }

    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), LinkError>> {
        async move {
            if self.closed {
                return Err(Self::hung_up());
            }
            let mut out = self.unsent.split();
            let mut rest = bytes.iter();
            while let Some(&byte) = rest.next() {
                match self.pass(byte, &mut out) {
                    Fate::Passed => {}
                    Fate::Stalled => {
                        // It goes out with whatever is sent next.
                        self.unsent.extend_from_slice(rest.as_slice());
                        break;
                    }
                    Fate::HungUp => {
                        self.closed = true;
                        break;
                    }
                }
            }
            self.link.send(&out).await?;
            if self.closed {
                Err(Self::hung_up())
            } else {
                Ok(())
            }
        }
        .boxed()
    }

    fn receive(&mut self, within: Duration) -> BoxFuture<'_, Result<Bytes, LinkError>> {
        async move {
            if self.closed {
                return Err(Self::hung_up());
            }
            if !self.held.is_empty() {
                return Ok(self.held.split().freeze());
            }
            loop {
                let bytes = self.link.receive(within).await?;
                let mut out = BytesMut::with_capacity(bytes.len() + 8);
                let mut rest = bytes.iter();
                while let Some(&byte) = rest.next() {
                    match self.pass(byte, &mut out) {
                        Fate::Passed => {}
                        Fate::Stalled => {
                            out.extend_from_slice(rest.as_slice());
                            self.held = out;
                            let why = "the line stalled (a seeded fault)";
                            return Err(LinkError::Silent(why.into()));
                        }
                        Fate::HungUp => {
                            self.closed = true;
                            return Err(Self::hung_up());
                        }
                    }
                }
                if !out.is_empty() {
                    return Ok(out.freeze());
                }
            }
        }
        .boxed()
    }

    fn reopen(&mut self) -> BoxFuture<'_, Result<(), LinkError>> {
        async {
            self.link.reopen().await?;
            self.held.clear();
            self.unsent.clear();
            self.closed = false;
            Ok(())
        }
        .boxed()
    }

    fn statistics(&self) -> LinkStatistics {
        self.link.statistics()
    }
}
