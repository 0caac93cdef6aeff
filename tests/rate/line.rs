//! A serial line between a model's pins and a host that may go at any rate.
//!
//! What the host sends is driven edge by edge; what the core sends is recorded
//! edge by edge and read afterwards, at whatever rate the host likes.

use protocol::layout::Message;
use protocol::{Decoder, rate};
use sim::{Inputs, Model};

use crate::frames::simulated::{Received, wire};

/// Clock cycles without a start bit after which the core is silent: longer than
/// any answer here takes, and than a byte at the slowest rate.
const SILENCE: u64 = 40_000;

/// Bits of a byte on the line: start, eight data, stop.
const FRAME_BITS: u64 = 10;

pub struct Line {
    model: Model,
    inputs: Inputs,
    clock_hz: u64,
    /// Rate of the host's end.
    pub baud: u32,
    /// Falling and rising edges of the core's pin: the cycle, the level after it.
    edges: Vec<(u64, bool)>,
    /// What came before that cycle was read.
    read: u64,
    /// Start bit of the byte read last.
    started: u64,
    seq: u16,
}

impl Line {
    /// A model with that base rate, and a host that has it too.
    pub fn open(base: u32) -> Self {
        let variant = sim::variant("tetris", None).expect("the RTL as designed");
        let inputs = Inputs {
            baud_inc: rate::increment(base, variant.clock_hz).expect("a rate of its clock"),
            ..Inputs::default()
        };
        let mut line = Self {
            model: Model::new(variant).expect("a model"),
            inputs,
            clock_hz: variant.clock_hz.into(),
            baud: base,
            edges: vec![(0, true)],
            read: 0,
            started: 0,
            seq: 0,
        };
        // Its receiver wants to see the line high.
        line.idle(10);
        line
    }

    /// The increment that asks the core for a rate.
    pub fn increment(&self, baud: u32) -> u32 {
        rate::increment(baud, self.clock_hz as u32).expect("a rate of its clock")
    }

    /// When so many halves of a bit at the host's rate are over.
    fn halves(&self, count: u64) -> u64 {
        count * self.clock_hz / (2 * u64::from(self.baud))
    }

    fn drive(&mut self, level: bool, until: u64) {
        self.inputs.uart_rx = level;
        while self.model.cycles() < until {
            let left = until - self.model.cycles();
            let outputs = self.model.run(&self.inputs, left).expect("it runs");
            if self.edges.last().is_some_and(|e| e.1 != outputs.uart_tx) {
                self.edges.push((self.model.cycles(), outputs.uart_tx));
            }
        }
    }

    /// Lets clock cycles pass on an idle line.
    pub fn idle(&mut self, cycles: u64) {
        self.drive(true, self.model.cycles() + cycles);
    }

    /// Holds the line low for so many bits of the host's rate, in tenths, and lets
    /// it be high for one.
    pub fn low(&mut self, tenths: u64) {
        let start = self.model.cycles();
        let end = start + self.halves(2 * tenths) / 10;
        self.drive(false, end);
        self.drive(true, end + self.halves(2));
    }

    /// Uses the core's reset pin.
    pub fn reset(&mut self) {
        self.inputs.rst_ni = false;
        self.idle(8);
        self.inputs.rst_ni = true;
        self.idle(10);
    }

    /// Sends bytes at the host's rate, one behind the other.
    pub fn send(&mut self, bytes: &[u8]) {
        let start = self.model.cycles();
        for (byte, n) in bytes.iter().zip(0..) {
            let bits = 1 << 9 | u32::from(*byte) << 1;
            for bit in 0..FRAME_BITS {
                let end = start + self.halves(2 * (n * FRAME_BITS + bit + 1));
                self.drive(bits >> bit & 1 == 1, end);
            }
        }
    }

    /// Sends a request with a sequence number of its own, which it returns.
    pub fn request(&mut self, message: &Message, payload: &[u8]) -> u16 {
        self.seq += 1;
        self.send(&wire(self.seq, message.id, payload));
        self.seq
    }

    /// The next start bit not read yet.
    fn start_bit(&mut self) -> Option<u64> {
        let end = self.model.cycles().max(self.read) + SILENCE;
        loop {
            let start = self.edges.iter().find(|e| e.0 >= self.read && !e.1);
            if let Some((cycle, _)) = start {
                return Some(*cycle);
            }
            if self.model.cycles() >= end {
                return None;
            }
            self.idle(1_000);
        }
    }

    /// The core's level in a cycle that has passed.
    fn level(&self, cycle: u64) -> bool {
        let behind = self.edges.partition_point(|e| e.0 <= cycle);
        self.edges[behind - 1].1
    }

    /// The next byte at the host's rate; `None` when none comes or it has no stop
    /// bit.
    fn byte(&mut self) -> Option<u8> {
        self.started = self.start_bit()?;
        let middle = |line: &Self, bit| line.started + line.halves(2 * bit + 1);
        self.read = middle(self, FRAME_BITS - 1);
        self.drive(true, self.read + 1);
        let byte = (1..=8).fold(0, |byte, bit| {
            byte | u8::from(self.level(middle(self, bit))) << (bit - 1)
        });
        self.level(self.read).then_some(byte)
    }

    /// The next frame at the host's rate; `None` when what comes is none.
    pub fn frame(&mut self) -> Option<Received> {
        let mut decoder = Decoder::new();
        loop {
            if let Some(frame) = decoder.push(self.byte()?) {
                let frame = frame.ok()?;
                return Some(Received {
                    seq: frame.seq,
                    kind: frame.kind,
                    payload: frame.payload.to_vec(),
                });
            }
        }
    }

    /// Whether the core has nothing more to say.
    pub fn is_silent(&mut self) -> bool {
        self.start_bit().is_none()
    }

    /// Clock cycles from the start bit of the byte read last to the next one, and
    /// how many a byte takes at the host's rate.
    pub fn gap(&mut self) -> (u64, u64) {
        let next = self.start_bit().expect("one more byte");
        (next - self.started, self.halves(2 * FRAME_BITS))
    }

    /// Asks one thing and takes the answer, if it is a frame at the host's rate.
    pub fn ask(&mut self, message: &Message, payload: &[u8]) -> Option<Received> {
        self.read = self.model.cycles();
        let seq = self.request(message, payload);
        self.frame().filter(|reply| reply.seq == seq)
    }
}
