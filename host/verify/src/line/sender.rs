//! A sender with its own clock.

use super::{CLOCK, FRAME_BITS, Symbol, Time, Wave, margins_ppm};
use crate::random::Random;

/// Draws symbols on a line. It draws nothing that is unsure.
pub struct Sender {
    bit: Time,
    own: Time,
    wave: Wave,
}

impl Sender {
    /// A sender with bits of length `own`, to a receiver with bits of length `bit`, on a line that
    /// begins at `level`.
    pub fn new(level: bool, own: Time, bit: Time) -> Self {
        Self {
            bit,
            own,
            wave: Wave::new(level),
        }
    }

    /// A random length of a sender's bits within the receiver's margins, often at their ends.
    pub fn off(bit: Time, random: &mut Random) -> Time {
        let [slow, fast] = margins_ppm(bit).map(|ppm| ppm * bit / 1_000_000);
        match random.below(5) {
            0 => bit,
            1 => bit + slow,
            2 => bit - fast,
            _ => random.between(bit - fast, bit + slow),
        }
    }

    /// The line.
    pub fn finish(self) -> Wave {
        self.wave
    }

    /// The end of the line drawn so far.
    pub fn now(&self) -> Time {
        self.wave.end()
    }

    /// Sends a symbol.
    pub fn send(&mut self, symbol: Symbol) {
        self.wave.send(symbol, self.own);
    }

    /// Sends bytes without gaps.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.send(Symbol::Byte(*byte));
        }
    }

    /// Holds the line high for a number of the receiver's bits.
    pub fn idle(&mut self, bits: u64) {
        self.send(Symbol::High(bits * self.bit));
    }

    /// A random duration from `least` to `most` bits of the receiver.
    fn bits(&self, random: &mut Random, least: u64, most: u64) -> Time {
        random.between(least * self.bit, most * self.bit)
    }

    /// A random duration that is neither close to a sample nor to the length of a break.
    fn low_time(&self, random: &mut Random) -> Time {
        loop {
            let most = random.choice(&[1, 2, 11, 16, 40]);
            let time = self.bits(random, 0, most).max(CLOCK / 8);
            let near = |sample: u64| time.abs_diff((2 * sample - 1) * self.bit / 2) <= CLOCK;
            let breaks = 16 * self.bit - CLOCK..17 * self.bit + CLOCK;
            if !(1..=FRAME_BITS).any(near) && !breaks.contains(&time) {
                return time;
            }
        }
    }

    /// Sends a byte whose stop bit is low, sometimes long enough for a break.
    pub fn damaged(&mut self, byte: u8, random: &mut Random) {
        let low = match random.chance(70) {
            true => self.bits(random, 1, 4).max(self.own),
            false => self.bits(random, 18, 30),
        };
        self.send(Symbol::Damaged(byte, low));
        self.rest(random, CLOCK);
    }

    /// Sends a glitch, a runt or a break.
    pub fn low(&mut self, random: &mut Random) {
        let start = self.wave.end();
        let low = self.low_time(random);
        self.send(Symbol::Low(low));
        let sample = match low < self.bit / 2 {
            true => self.bit / 2,
            false => 19 * self.bit / 2,
        };
        // A falling edge before the receiver has finished would be part of the same byte.
        let busy = (start + sample + CLOCK).saturating_sub(self.wave.end());
        self.rest(random, if start > 0 { busy.max(CLOCK) } else { CLOCK });
    }

    /// Sends a byte without a stop bit and, one clock cycle later, a low line for slightly less or
    /// more than a break.
    fn almost_a_break(&mut self, random: &mut Random) {
        let low = self.bits(random, 1, 4).max(self.own);
        self.send(Symbol::Damaged(random.byte(), low));
        self.send(Symbol::High(CLOCK));
        let low = match random.chance(70) {
            true => self.bits(random, 15, 16) - CLOCK,
            false => self.bits(random, 17, 18) + 2 * CLOCK,
        };
        self.send(Symbol::Low(low));
        self.rest(random, CLOCK);
    }

    /// Holds the line high for `least` or some bits more.
    pub fn rest(&mut self, random: &mut Random, least: Time) {
        let more = random.choice(&[0, 0, 1, 3]);
        let more = self.bits(random, 0, more);
        self.send(Symbol::High(least + more));
    }

    /// Draws the line after a reset: its first level, and then high.
    pub fn begin(&mut self, random: &mut Random) {
        match self.wave.first() {
            true => self.rest(random, 3 * CLOCK),
            false => self.low(random),
        }
    }

    /// Sends a random symbol.
    pub fn any(&mut self, random: &mut Random) {
        match random.below(13) {
            0 | 1 => self.damaged(random.byte(), random),
            2 | 3 => self.low(random),
            4 => {
                let high = self.bits(random, 0, 12);
                self.send(Symbol::High(high));
            }
            5 | 6 => self.almost_a_break(random),
            _ => self.send(Symbol::Byte(random.byte())),
        }
    }
}
