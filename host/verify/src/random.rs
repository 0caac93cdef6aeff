//! The random stimulus of benches.

use std::collections::VecDeque;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

pub struct Random(Xoshiro256PlusPlus);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `limit`, which is not 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(limit)) >> 64) as u64
    }

    /// An index below `length`, which is not 0.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// A number from `least` to `most`, both included.
    pub fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most - least + 1)
    }

    /// True with a probability of `percent` %.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub fn choice<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.index(of.len())]
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for place in (1..items.len()).rev() {
            items.swap(place, self.index(place + 1));
        }
    }

    /// A byte: with 50 % any value, otherwise one that matters to framing.
    pub fn byte(&mut self) -> u8 {
        match self.chance(50) {
            true => self.bits() as u8,
            false => self.choice(&[0, 0, 1, 2, 3, 0x7f, 0x80, 0xfe, 0xff]),
        }
    }

    /// `count` bytes, as [`Self::byte`].
    pub fn bytes(&mut self, count: u64) -> Vec<u8> {
        (0..count).map(|_| self.byte()).collect()
    }

    /// A seed for the registers' contents at power-up, never 0.
    pub fn power_up(&mut self) -> u32 {
        self.between(1, 0x7fff_ffff) as u32
    }
}

/// A rate of events that changes between every cycle and few cycles.
#[derive(Debug, Default)]
pub struct Pace {
    percent: u64,
    left: u64,
}

impl Pace {
    /// A constant rate in percent.
    pub fn of(percent: u64) -> Self {
        let left = u64::MAX;
        Self { percent, left }
    }

    /// The next item, if the event happens in this cycle.
    pub fn next<T>(&mut self, random: &mut Random, items: &mut VecDeque<T>) -> Option<T> {
        self.go(random).then(|| items.pop_front()).flatten()
    }

    /// Whether the event happens in this cycle.
    pub fn go(&mut self, random: &mut Random) -> bool {
        if self.left == 0 {
            self.left = random.between(1, 100);
            self.percent = random.choice(&[100, 100, 80, 40, 5]);
        }
        self.left -= 1;
        random.chance(self.percent)
    }
}
