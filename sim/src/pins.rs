//! The host's end of the serial line, bit by bit: 8 data bits, no parity, one
//! stop bit. Its clock is its own, so that it may run fast or slow against the
//! model's.
//!
//! Time is counted in 1/baud of a clock cycle: a clock cycle is `baud` long, a
//! bit `clock_hz`. That keeps fractional bit times exact.

use std::collections::VecDeque;

/// Fewest clock cycles a bit may last for the RTL's receiver.
pub(crate) const MIN_CLOCKS_PER_BIT: u32 = 8;

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
