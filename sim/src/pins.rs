//! The host's end of the serial line, bit by bit: 8 data bits, no parity, one
//! stop bit. Its clock is its own, so that it may run fast or slow against the
//! model's.
//!
//! Time is counted in 2^-32 of a clock cycle, whatever the rate, which may change
//! while the line runs. That keeps fractions of a cycle from adding up: a bit is
//! too short by less than one unit, as if the clock were off by less than one in
//! thirty thousand million.

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

/// Length of a clock cycle.
pub(crate) const TICK: Time = 1 << 32;

/// Length of a bit at a rate in baud by a clock that is off by so many millionths,
/// less than a million of them; `baud` is not 0.
pub(crate) fn bit_time(clock_hz: u32, baud: u32, skew_ppm: i32) -> Time {
    let rate = Time::from(baud) * Time::from((1_000_000 + i64::from(skew_ppm)).unsigned_abs());
    Time::from(clock_hz) * 1_000_000 * TICK / rate
}

/// Drives the model's receive pin.
pub(crate) struct Transmitter {
    bit_time: Time,
    queue: VecDeque<Symbol>,
    /// The bits still to be driven, the one on the line lowest.
    shift: u32,
    left: u32,
    /// When the bit on the line ends; when idle, when the line became so.
    edge: Time,
}

impl Transmitter {
    pub(crate) fn new(bit_time: Time) -> Self {
        Self {
            bit_time,
            queue: VecDeque::new(),
            shift: 0,
            left: 0,
            edge: 0,
        }
    }

    /// Every bit from the next one on has that length.
    pub(crate) fn set_bit_time(&mut self, bit_time: Time) {
        self.bit_time = bit_time;
    }

    /// Bytes and breaks whose start is still to come.
    pub(crate) fn queued(&self) -> usize {
        self.queue.len()
    }

    /// Forgets what is queued; what is on the line goes on.
    pub(crate) fn clear(&mut self) {
        self.queue.clear();
    }

    /// Whether nothing is queued and nothing was on the line when it was last
    /// driven.
    pub(crate) fn is_idle(&self) -> bool {
        self.left == 0 && self.queue.is_empty()
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
    /// When to sample next and how many bits were sampled, while in a byte.
    sample: Option<(Time, u32)>,
    shift: u16,
    /// The stop bit was low: until the line has been high it is a break.
    broken: bool,
}

/// What a sample completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Received {
    Byte(u8),
    /// The stop bit was low; the data bits as they were sampled.
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

    /// Every bit from the next sample on has that length.
    pub(crate) fn set_bit_time(&mut self, bit_time: Time) {
        self.bit_time = bit_time;
    }

    /// Whether no byte is on the line.
    pub(crate) fn is_idle(&self) -> bool {
        self.sample.is_none() && !self.broken
    }

    /// When the next sample is due; `None` while waiting for a start bit.
    pub(crate) fn due(&self) -> Option<Time> {
        self.sample.map(|(at, _)| at)
    }

    /// Takes the level at a time.
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

    /// Drives the one end into the other, a sample every clock cycle, until the
    /// line has been idle for so many cycles.
    fn over_the_line(
        tx: &mut Transmitter,
        rx: &mut Receiver,
        idle_after: u32,
        levels: &mut Vec<bool>,
    ) -> Vec<Received> {
        let mut got = Vec::new();
        let mut idle = 0;
        while idle < idle_after {
            let now = levels.len() as Time * TICK;
            let (level, edge) = tx.drive(now);
            idle = if edge.is_some() { 0 } else { idle + 1 };
            levels.push(level);
            got.extend(rx.see(now, level));
        }
        got
    }

    /// The line's level in each bit time of [`TEN`].
    fn bits(tx: &mut Transmitter, count: u32) -> String {
        let level = |i: u32| tx.drive(Time::from(i) * 10 * TICK).0;
        (0..count)
            .map(level)
            .map(|level| if level { '1' } else { '0' })
            .collect()
    }

    /// Start bit, data from the lowest bit, stop bit; then the line is idle.
    #[test]
    fn a_byte_is_ten_bits() {
        let mut tx = Transmitter::new(rate(TEN));
        tx.push(&[0b0101_0011, 0b1000_0000]);
        assert_eq!(bits(&mut tx, 22), "0110010101000000001111");
        assert!(tx.is_idle());
    }

    #[test]
    fn a_break_is_low_for_two_bytes_and_leaves_the_next_byte_alone() {
        let mut tx = Transmitter::new(rate(TEN));
        tx.push_break();
        tx.push(&[0b0101_1010]);
        let low = "0".repeat(2 * FRAME_BITS as usize);
        assert_eq!(bits(&mut tx, 31), format!("{low}10010110101"));
    }

    /// It is told once, however long the line stays low, and the byte after it
    /// is received.
    #[test]
    fn a_byte_without_its_stop_bit_is_told_once() {
        let mut tx = Transmitter::new(rate(TEN));
        let mut rx = Receiver::new(rate(TEN));
        tx.push_break();
        tx.push(&[0x5a]);
        let got = over_the_line(&mut tx, &mut rx, 30, &mut Vec::new());
        assert_eq!(got, [Received::NoStopBit(0), Received::Byte(0x5a)]);
        assert!(rx.is_idle());
    }

    /// A symbol is either still queued or on the line until the line is idle.
    #[test]
    fn what_is_left_to_send_is_known() {
        let mut tx = Transmitter::new(rate(TEN));
        assert!(tx.is_idle());
        tx.push(&[1, 2]);
        assert_eq!((tx.queued(), tx.is_idle()), (2, false));
        tx.drive(0);
        assert_eq!((tx.queued(), tx.is_idle()), (1, false));
        tx.clear();
        assert_eq!((tx.queued(), tx.is_idle()), (0, false));
        assert_eq!(tx.drive(100 * TICK), (true, None));
        assert!(tx.is_idle());
    }

    proptest! {
        /// Back to back, with a bit time that is no whole number of cycles and
        /// ends that run up to 2 % apart: the fraction is carried along.
        #[test]
        fn bytes_come_as_they_were_sent(
            bytes in prop::collection::vec(any::<u8>(), 1..40),
            baud in 300_000..=CLOCK_HZ / 8, skew in -20_000i32..=20_000,
        ) {
            let mut tx = Transmitter::new(rate(baud));
            let mut rx = Receiver::new(bit_time(CLOCK_HZ, baud, skew));
            tx.push(&bytes);
            let mut levels = Vec::new();
            let got = over_the_line(&mut tx, &mut rx, 20 * CLOCK_HZ / baud, &mut levels);
            let sent: Vec<Received> = bytes.iter().copied().map(Received::Byte).collect();
            prop_assert_eq!(got, sent);
        }

        /// A long frame's last stop bit begins as many bit times after the start
        /// as there were bits before it, to the cycle, at each of two rates.
        #[test]
        fn bits_do_not_drift(
            bauds in prop::array::uniform2(300_000..=CLOCK_HZ / 8),
            count in 1usize..200,
        ) {
            let mut tx = Transmitter::new(rate(bauds[0]));
            let mut rx = Receiver::new(rate(bauds[0]));
            for baud in bauds {
                tx.set_bit_time(rate(baud));
                rx.set_bit_time(rate(baud));
                // All low but for the stop bits.
                tx.push(&vec![0; count]);
                let mut levels = Vec::new();
                // Each starts in its own cycle 0.
                tx.edge = 0;
                let got = over_the_line(&mut tx, &mut rx, 20 * CLOCK_HZ / baud, &mut levels);
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
