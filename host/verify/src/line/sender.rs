//! A sender with a clock of its own, and what should be heard of it.

use super::{CLOCK, FRAME_BITS, Heard, Symbol, Time, Wave, What, margins_ppm};
use crate::random::Random;

/// Draws symbols on a line and says what each of them means to a receiver. It
/// draws nothing that leaves that open.
pub struct Sender {
    bit: Time,
    own: Time,
    wave: Wave,
    said: Vec<Heard>,
}

impl Sender {
    /// A sender with bits of a length of its own, on a line that is high or low at
    /// first, to a receiver with bits of another length.
    pub fn new(level: bool, own: Time, bit: Time) -> Self {
        Self {
            bit,
            own,
            wave: Wave::new(level),
            said: Vec::new(),
        }
    }

    /// The length of a sender's bits: right, as far off as can be, or between.
    pub fn off(bit: Time, random: &mut Random) -> Time {
        let [slow, fast] = margins_ppm(bit).map(|ppm| ppm * bit / 1_000_000);
        match random.below(5) {
            0 => bit,
            1 => bit + slow,
            2 => bit - fast,
            _ => random.between(bit - fast, bit + slow),
        }
    }

    /// What was drawn, and what should be heard, in order.
    pub fn finish(mut self) -> (Wave, Vec<Heard>) {
        self.said.sort_by_key(|heard| heard.at);
        (self.wave, self.said)
    }

    /// How far the line is drawn.
    pub fn now(&self) -> Time {
        self.wave.end()
    }

    /// Sends a symbol.
    pub fn send(&mut self, symbol: Symbol) {
        let start = self.wave.end();
        match symbol {
            Symbol::Byte(byte) => self.said_byte(start, byte, true),
            Symbol::Damaged(byte, low) => {
                self.said_byte(start, byte, false);
                // Low from behind its last high bit on
                let high = 9 - u64::from(byte.leading_zeros());
                let from = start + if byte == 0 { 0 } else { high * self.own };
                self.said_low(from, start + (FRAME_BITS - 1) * self.own + low);
            }
            Symbol::Low(time) => {
                let low = |sample: &u64| (2 * sample - 1) * self.bit / 2 < time;
                let samples = (1..=FRAME_BITS).filter(low).count();
                // Out of reset it is no byte.
                if samples > 0 && start > 0 {
                    let byte = 0xff_u32 << (samples - 1).min(8);
                    self.said_byte(start, byte as u8, samples < FRAME_BITS as usize);
                }
                self.said_low(start, start + time);
            }
            Symbol::High(_) => {}
        }
        self.wave.send(symbol, self.own);
    }

    /// Sends bytes, one right behind the other.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.send(Symbol::Byte(*byte));
        }
    }

    /// The line is high for some of the receiver's bits.
    pub fn idle(&mut self, bits: u64) {
        self.send(Symbol::High(bits * self.bit));
    }

    fn said_byte(&mut self, start: Time, byte: u8, stop: bool) {
        self.said.push(Heard {
            what: What::Byte(byte, stop),
            at: start + 19 * self.bit / 2,
        });
    }

    fn said_low(&mut self, from: Time, to: Time) {
        if to - from > 17 * self.bit {
            self.said.push(Heard {
                what: What::Break,
                at: from + 33 * self.bit / 2,
            });
        }
    }

    /// Some of the receiver's bits, at any fraction of one.
    fn bits(&self, random: &mut Random, least: u64, most: u64) -> Time {
        random.between(least * self.bit, most * self.bit)
    }

    /// A duration that is no sample's time and not about as long as a break takes.
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

    /// A byte whose stop bit is low, and may stay so until it is a break.
    pub fn damaged(&mut self, byte: u8, random: &mut Random) {
        let low = match random.chance(70) {
            true => self.bits(random, 1, 4).max(self.own),
            false => self.bits(random, 18, 30),
        };
        self.send(Symbol::Damaged(byte, low));
        self.rest(random, CLOCK);
    }

    /// A glitch, a runt or a break.
    pub fn low(&mut self, random: &mut Random) {
        let start = self.wave.end();
        let low = self.low_time(random);
        self.send(Symbol::Low(low));
        let sample = match low < self.bit / 2 {
            true => self.bit / 2,
            false => 19 * self.bit / 2,
        };
        // What falls before the receiver is through with it would be part of it.
        let busy = (start + sample + CLOCK).saturating_sub(self.wave.end());
        self.rest(random, if start > 0 { busy.max(CLOCK) } else { CLOCK });
    }

    /// A byte without its stop bit, and behind it, after no more than a clock cycle,
    /// a line that is low for a little less than a break or a little more.
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

    /// The line is high, for no longer than needed or for some bits more.
    pub fn rest(&mut self, random: &mut Random, least: Time) {
        let more = random.choice(&[0, 0, 1, 3]);
        let more = self.bits(random, 0, more);
        self.send(Symbol::High(least + more));
    }

    /// Out of a reset the line is as it is at first, and then high.
    pub fn begin(&mut self, random: &mut Random) {
        match self.wave.first() {
            true => self.rest(random, 3 * CLOCK),
            false => self.low(random),
        }
    }

    /// Sends anything.
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
