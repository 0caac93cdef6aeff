//! What benches draw.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// Everything random of a run, from one seed.
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The same seed, the same numbers.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// 0 to below a limit that is not 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(limit)) >> 64) as u64
    }

    /// An index below a length that is not 0.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// From 0 to below 1.
    pub fn uniform(&mut self) -> f64 {
        self.below(1 << 53) as f64 / (1_u64 << 53) as f64
    }

    /// One of two ends or something between.
    pub fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most - least + 1)
    }

    /// Whether something with that chance, in percent, happens.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of some.
    pub fn choice<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    /// A byte: half of them any, the others one of those that matter to framing.
    pub fn byte(&mut self) -> u8 {
        match self.chance(50) {
            true => self.bits() as u8,
            false => self.choice(&[0, 0, 1, 2, 3, 0x7f, 0x80, 0xfe, 0xff]),
        }
    }

    /// So many bytes.
    pub fn bytes(&mut self, count: u64) -> Vec<u8> {
        (0..count).map(|_| self.byte()).collect()
    }

    /// A seed of what registers hold at power-up, never 0.
    pub fn power_up(&mut self) -> u32 {
        self.between(1, 0x7fff_ffff) as u32
    }
}

/// How often something happens: now in every cycle, now in few.
#[derive(Debug, Default)]
pub struct Pace {
    percent: u64,
    left: u64,
}

impl Pace {
    /// It does not happen at all.
    pub fn never() -> Self {
        Self {
            percent: 0,
            left: u64::MAX,
        }
    }

    /// Whether it does in this cycle.
    pub fn go(&mut self, random: &mut Random) -> bool {
        if self.left == 0 {
            self.left = random.between(1, 100);
            self.percent = random.choice(&[100, 100, 80, 40, 5]);
        }
        self.left -= 1;
        random.chance(self.percent)
    }
}
