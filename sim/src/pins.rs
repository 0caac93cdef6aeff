//! The host's end of the serial line, bit by bit: 8 data bits, no parity, one
//! stop bit. Its clock is its own, so that it may run fast or slow against the
//! model's.
//!
//! Time is counted in 1/baud of a clock cycle: a clock cycle is `baud` long, a
//! bit `clock_hz`. That keeps fractional bit times exact.

use std::collections::VecDeque;

/// Slowest rate of the host's end.
pub(crate) const MIN_BAUD: u32 = 300;

/// Bits on the line for a byte: start, eight data, stop.
const FRAME_BITS: u32 = 10;

/// Bits a break holds the line low: longer than any byte.
const BREAK_BITS: u32 = 2 * FRAME_BITS;

/// What goes over the line.
enum Symbol {
    Byte(u8),
    Break,
}

/// A point in time or a duration. Wide enough for any session: 64 bits would
/// last a few minutes.
pub(crate) type Time = u128;

/// Drives the model's receive pin.
pub(crate) struct Transmitter {
    tick: Time,
    bit_time: Time,
    queue: VecDeque<Symbol>,
    /// The bits still to be driven, the one on the line lowest.
    shift: u32,
    left: u32,
    /// When the bit on the line ends; when idle, when the line became so.
    edge: Time,
}

impl Transmitter {
    /// `tick` is a clock cycle's length.
    pub(crate) fn new(tick: Time, bit_time: Time) -> Self {
        Self {
            tick,
            bit_time,
            queue: VecDeque::new(),
            shift: 0,
            left: 0,
            edge: 0,
        }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.queue.extend(bytes.iter().copied().map(Symbol::Byte));
    }

    pub(crate) fn push_break(&mut self) {
        self.queue.push_back(Symbol::Break);
    }

    /// The level now, and when it may change (`None`: the line is idle).
    pub(crate) fn drive(&mut self, now: Time) -> (bool, Option<Time>) {
        while self.left > 0 && now >= self.edge {
            self.shift >>= 1;
            self.left -= 1;
            if self.left > 0 {
                self.edge += self.bit_time;
            }
        }
        if self.left == 0 {
            let Some(symbol) = self.queue.pop_front() else {
                return (true, None);
            };
            // Right after a stop bit the fraction of a cycle counts, or the
            // bytes of a long frame would drift apart.
            let back_to_back = now - self.edge < self.tick;
            let start = if back_to_back { self.edge } else { now };
            (self.shift, self.left) = match symbol {
                Symbol::Byte(byte) => (1 << 9 | u32::from(byte) << 1, FRAME_BITS),
                Symbol::Break => (1 << BREAK_BITS, BREAK_BITS + 1),
            };
            self.edge = start + self.bit_time;
        }
        (self.shift & 1 == 1, Some(self.edge))
    }
}

/// Samples the model's transmit pin.
pub(crate) struct Receiver {
    bit_time: Time,
    /// When to sample next and how many bits were sampled, while in a byte.
    sample: Option<(Time, u32)>,
    shift: u16,
}

/// What a sample completed.
pub(crate) enum Received {
    Byte(u8),
    NoStopBit,
}

impl Receiver {
    pub(crate) fn new(bit_time: Time) -> Self {
        Self {
            bit_time,
            sample: None,
            shift: 0,
        }
    }

    /// When the next sample is due; `None` while waiting for a start bit.
    pub(crate) fn due(&self) -> Option<Time> {
        self.sample.map(|(at, _)| at)
    }

    /// Takes the level at a time.
    pub(crate) fn see(&mut self, now: Time, level: bool) -> Option<Received> {
        let Some((at, bits)) = self.sample else {
            if !level {
                self.sample = Some((now + self.bit_time / 2, 0));
            }
            return None;
        };
        if now < at {
            return None;
        }
        self.shift = self.shift >> 1 | u16::from(level) << 9;
        if bits + 1 < FRAME_BITS {
            self.sample = Some((at + self.bit_time, bits + 1));
            return None;
        }
        self.sample = None;
        let byte = (self.shift >> 1 & 0xff) as u8;
        Some(if level {
            Received::Byte(byte)
        } else {
            Received::NoStopBit
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BIT: Time = 1_000;

    /// Drives the one end into the other, a sample every `tick`, until the line
    /// has been idle for longer than a byte.
    fn over_the_line(
        tx: &mut Transmitter,
        rx: &mut Receiver,
        tick: Time,
        levels: &mut Vec<bool>,
    ) -> Vec<Result<u8, ()>> {
        let mut got = Vec::new();
        let mut idle = 0;
        let mut now = 0;
        while idle < 2 * Time::from(FRAME_BITS) * BIT {
            let (level, edge) = tx.drive(now);
            idle = if edge.is_some() { 0 } else { idle + tick };
            levels.push(level);
            match rx.see(now, level) {
                None => {}
                Some(Received::Byte(byte)) => got.push(Ok(byte)),
                Some(Received::NoStopBit) => got.push(Err(())),
            }
            now += tick;
        }
        got
    }

    /// The line's level in each bit time.
    fn bits(tx: &mut Transmitter, count: u32) -> String {
        let level = |i: u32| tx.drive(Time::from(i) * BIT).0;
        (0..count)
            .map(level)
            .map(|level| if level { '1' } else { '0' })
            .collect()
    }

    /// Start bit, data from the lowest bit, stop bit; then the line is idle.
    #[test]
    fn a_byte_is_ten_bits() {
        let mut tx = Transmitter::new(BIT, BIT);
        tx.push(&[0b0101_0011, 0b1000_0000]);
        assert_eq!(bits(&mut tx, 22), "0110010101000000001111");
    }

    #[test]
    fn a_break_is_low_for_two_bytes_and_leaves_the_next_byte_alone() {
        let mut tx = Transmitter::new(BIT, BIT);
        tx.push_break();
        tx.push(&[0b0101_1010]);
        let low = "0".repeat(2 * FRAME_BITS as usize);
        assert_eq!(bits(&mut tx, 31), format!("{low}10010110101"));
    }

    #[test]
    fn a_byte_without_its_stop_bit_is_told() {
        let mut rx = Receiver::new(BIT);
        let seen = (0..FRAME_BITS * 2).filter_map(|half| {
            let now = Time::from(half) * BIT / 2;
            rx.see(now, false)
        });
        assert!(matches!(seen.last(), Some(Received::NoStopBit)));
    }

    proptest! {
        /// Back to back, with a bit time that is no whole number of cycles and
        /// ends that run up to 2 % apart: the fraction is carried along.
        #[test]
        fn bytes_come_as_they_were_sent(
            bytes in prop::collection::vec(any::<u8>(), 1..40),
            tick in 20u32..=125, skew in -20i32..=20,
        ) {
            let tick = Time::from(tick);
            let host = Time::from((1_000 + skew).unsigned_abs());
            let mut tx = Transmitter::new(tick, BIT);
            let mut rx = Receiver::new(host);
            tx.push(&bytes);
            let mut levels = Vec::new();
            let got = over_the_line(&mut tx, &mut rx, tick, &mut levels);
            let sent: Vec<Result<u8, ()>> = bytes.iter().copied().map(Ok).collect();
            prop_assert_eq!(got, sent);
            // The last stop bit ends as many bit times after the start as there
            // were bits, to a cycle.
            let bits = FRAME_BITS as usize * bytes.len();
            let busy = levels.iter().rposition(|l| !l).map_or(0, |i| i + 1) as u128 * tick;
            prop_assert!(busy <= bits as u128 * BIT, "{busy} for {bits} bits");
        }
    }
}
