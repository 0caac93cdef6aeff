//! The host's end of the serial line, bit by bit: 8 data bits, no parity, one stop bit. It has a
//! clock of its own, which may be faster or slower than the model's.
//!
//! Time is counted in units of 2^-32 clock cycles, independent of the rate, which may change while
//! the line runs. Rounding errors therefore stay small: a bit is too short by less than one unit, a
//! clock error below 1 in 30,000 million.

use std::collections::VecDeque;

/// Slowest rate of the host's end.
pub(crate) const MIN_BAUD: u32 = 300;

/// Bits on the line for a byte: start, eight data, stop.
const FRAME_BITS: u32 = 10;

/// Length of a break in bits: longer than any byte.
const BREAK_BITS: u32 = 2 * FRAME_BITS;

/// A byte or a break to the model.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Symbol {
    Byte(u8),
    Break,
}

/// A point in time or a duration; 64 bits would overflow after a few minutes.
pub(crate) type Time = u128;

/// Length of a clock cycle.
pub(crate) const TICK: Time = 1 << 32;

/// Length of a bit at a rate of `baud`, not 0, by a clock that is `skew_ppm` millionths too fast.
pub(crate) fn bit_time(clock_hz: u32, baud: u32, skew_ppm: i32) -> Time {
    let rate = Time::from(baud) * Time::from((1_000_000 + i64::from(skew_ppm)).unsigned_abs());
    Time::from(clock_hz) * 1_000_000 * TICK / rate
}

/// Drives the model's receive pin.
pub(crate) struct Transmitter {
    bit_time: Time,
    /// The remaining bits; the lowest is on the line.
    shift: u32,
    left: u32,
    /// Time at which the bit on the line ends, or at which the line became idle.
    edge: Time,
}

impl Transmitter {
    pub(crate) fn new(bit_time: Time) -> Self {
        Self {
            bit_time,
            shift: 0,
            left: 0,
            edge: 0,
        }
    }

    /// Sets the length of the following bits.
    pub(crate) fn set_bit_time(&mut self, bit_time: Time) {
        self.bit_time = bit_time;
    }

    /// Whether the line was idle at the last [`Self::drive`].
    pub(crate) fn is_idle(&self) -> bool {
        self.left == 0
    }

    /// The level now, and the time at which it may change; `None` while the line is idle. Symbols
    /// are taken from the queue.
    pub(crate) fn drive(
        &mut self,
        now: Time,
        queue: &mut VecDeque<Symbol>,
    ) -> (bool, Option<Time>) {
        while self.left > 0 && now >= self.edge {
            self.shift >>= 1;
            self.left -= 1;
            if self.left > 0 {
                self.edge += self.bit_time;
            }
        }
        if self.left == 0 {
            let Some(symbol) = queue.pop_front() else {
                return (true, None);
            };
            // Right after a stop bit, the fraction of a cycle is kept; otherwise the bytes of a
            // long frame would drift.
            let back_to_back = now - self.edge < TICK;
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
    /// Time of the next sample and number of bits sampled, within a byte.
    sample: Option<(Time, u32)>,
    shift: u16,
    /// The stop bit was low, and the line has not been high since (a break).
    broken: bool,
}

/// A byte that the receiver has completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Received {
    Byte(u8),
    /// The data bits of a byte whose stop bit was low.
    NoStopBit(u8),
}

impl Receiver {
    pub(crate) fn new(bit_time: Time) -> Self {
        Self {
            bit_time,
            sample: None,
            shift: 0,
            broken: false,
        }
    }

    /// Sets the length of the bits after the next sample.
    pub(crate) fn set_bit_time(&mut self, bit_time: Time) {
        self.bit_time = bit_time;
    }

    /// Whether neither a byte nor a break is on the line.
    pub(crate) fn is_idle(&self) -> bool {
        self.sample.is_none() && !self.broken
    }

    /// Time of the next sample; `None` while waiting for a start bit.
    pub(crate) fn next_sample(&self) -> Option<Time> {
        self.sample.map(|(at, _)| at)
    }

    /// Processes the level of the line at a time.
    pub(crate) fn see(&mut self, now: Time, level: bool) -> Option<Received> {
        let Some((at, bits)) = self.sample else {
            if level {
                self.broken = false;
            } else if !self.broken {
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
        self.broken = !level;
        Some(if level {
            Received::Byte(byte)
        } else {
            Received::NoStopBit(byte)
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CLOCK_HZ: u32 = 100_000_000;
    /// Ten clock cycles a bit.
    const TEN: u32 = CLOCK_HZ / 10;

    fn rate(baud: u32) -> Time {
        bit_time(CLOCK_HZ, baud, 0)
    }

    fn queued(bytes: &[u8]) -> VecDeque<Symbol> {
        bytes.iter().copied().map(Symbol::Byte).collect()
    }

    /// Connects both ends, clock cycle by clock cycle, until the line has been idle for
    /// `idle_after` cycles; appends the levels and returns the bytes received.
    fn over_the_line(
        mut queue: VecDeque<Symbol>,
        tx: &mut Transmitter,
        rx: &mut Receiver,
        idle_after: u32,
        levels: &mut Vec<bool>,
    ) -> Vec<Received> {
        let mut got = Vec::new();
        let mut idle = 0;
        while idle < idle_after {
            let now = levels.len() as Time * TICK;
            let (level, edge) = tx.drive(now, &mut queue);
            idle = if edge.is_some() { 0 } else { idle + 1 };
            levels.push(level);
            got.extend(rx.see(now, level));
        }
        got
    }

    #[test]
    fn transmitter_break_is_low_for_two_bytes_and_one_framing_error() {
        let (mut tx, mut rx) = (Transmitter::new(rate(TEN)), Receiver::new(rate(TEN)));
        let queue = VecDeque::from([Symbol::Break, Symbol::Byte(0x5a)]);
        let mut levels = Vec::new();
        let got = over_the_line(queue, &mut tx, &mut rx, 30, &mut levels);
        assert_eq!(got, [Received::NoStopBit(0), Received::Byte(0x5a)]);
        assert!(rx.is_idle());
        let low = levels.iter().take_while(|level| !**level).count();
        assert_eq!(low, 10 * 2 * FRAME_BITS as usize);
    }

    proptest! {
        /// Back to back, with a fractional bit time and clocks that differ by up to 2 %.
        #[test]
        fn receiver_gets_bytes_of_transmitter(
            bytes in prop::collection::vec(any::<u8>(), 1..40),
            baud in 300_000..=CLOCK_HZ / 8, skew in -20_000i32..=20_000,
        ) {
            let mut tx = Transmitter::new(rate(baud));
            let mut rx = Receiver::new(bit_time(CLOCK_HZ, baud, skew));
            let mut levels = Vec::new();
            let got = over_the_line(
                queued(&bytes), &mut tx, &mut rx, 20 * CLOCK_HZ / baud, &mut levels,
            );
            let sent: Vec<Received> = bytes.iter().copied().map(Received::Byte).collect();
            prop_assert_eq!(got, sent);
        }

        /// The last stop bit of a long frame begins in the expected clock cycle, at two rates.
        #[test]
        fn transmitter_bits_do_not_drift(
            bauds in prop::array::uniform2(300_000..=CLOCK_HZ / 8),
            count in 1usize..200,
        ) {
            let mut tx = Transmitter::new(rate(bauds[0]));
            let mut rx = Receiver::new(rate(bauds[0]));
            for baud in bauds {
                tx.set_bit_time(rate(baud));
                rx.set_bit_time(rate(baud));
                // All bits but the stop bits are low.
                let queue = queued(&vec![0; count]);
                let mut levels = Vec::new();
                // Each rate starts in cycle 0.
                tx.edge = 0;
                let idle = 20 * CLOCK_HZ / baud;
                let got = over_the_line(queue, &mut tx, &mut rx, idle, &mut levels);
                prop_assert_eq!(got, vec![Received::Byte(0); count]);
                let low = levels.iter().rposition(|l| !l).map_or(0, |i| i + 1) as u64;
                let bits = (FRAME_BITS as usize * count - 1) as u64;
                let exact = bits as f64 * f64::from(CLOCK_HZ) / f64::from(baud);
                let late = low as f64 - exact;
                prop_assert!((-0.001..=1.0).contains(&late), "{late} cycles late");
            }
        }
    }
}
