//! A host at a core's serial pins, at any rate.

use lockstep_verify::line::{
    CLOCK, FRAME_BITS, FrameResult, Pins, Time, Wave, frame_results, receive,
};
use protocol::layout::Message;
use protocol::rate;

use crate::frames::simulated::{Received, wire};

/// Clock cycles without an edge after which the core is silent: longer than
/// any answer here takes, and than a byte at the slowest rate.
const SILENCE: u64 = 40_000;

pub struct Line {
    pins: Pins,
    clock_hz: u32,
    /// Rate of the host's end.
    pub baud: u32,
    /// The core's pin since power-up: edges that were not read, the level before them, the end.
    edges: Vec<Time>,
    level: bool,
    end: Time,
    /// Start bit of the byte read last.
    started: Time,
    seq: u16,
}

impl Line {
    /// A core with that base rate, and a host that has it too.
    pub fn open(base: u32) -> Self {
        let variant = sim::variant("tetris", None).expect("the RTL as designed");
        let mut line = Self {
            pins: Pins::open(variant, base, 0).expect("a rate of its clock"),
            clock_hz: variant.clock_hz,
            baud: base,
            edges: Vec::new(),
            level: true,
            end: 0,
            started: 0,
            seq: 0,
        };
        // Its receiver wants to see the line high.
        line.idle(10);
        line
    }

    /// The increment that asks the core for a rate.
    pub fn increment(&self, baud: u32) -> u32 {
        rate::increment(baud, self.clock_hz).expect("a rate of its clock")
    }

    fn bit(&self) -> Time {
        Time::from(self.clock_hz) * CLOCK / Time::from(self.baud)
    }

    /// Draws on the line, which is high before.
    fn play(&mut self, draw: impl FnOnce(&mut Wave, Time)) {
        let mut wave = Wave::new(true);
        draw(&mut wave, self.bit());
        self.pins.play(&wave).expect("it runs");
        let sent = self.pins.take();
        self.edges
            .extend(sent.edges().iter().map(|edge| self.end + edge));
        self.end += sent.end();
    }

    /// Lets clock cycles pass on an idle line.
    pub fn idle(&mut self, cycles: u64) {
        self.play(|wave, _| wave.hold(true, cycles * CLOCK));
    }

    /// Holds the line low for so many bits of the host's rate, in tenths, and lets
    /// it be high for one.
    pub fn low(&mut self, tenths: u64) {
        self.play(|wave, bit| {
            wave.hold(false, tenths * bit / 10);
            wave.hold(true, bit);
        });
    }

    /// Uses the core's reset pin.
    pub fn reset(&mut self) {
        self.pins.reset().expect("it runs");
        self.idle(10);
    }

    /// Sends bytes at the host's rate, one behind the other.
    pub fn send(&mut self, bytes: &[u8]) {
        self.play(|wave, bit| wave.bytes(bytes, bit));
    }

    /// Sends a request with a sequence number of its own, which it returns.
    pub fn request(&mut self, message: &Message, payload: &[u8]) -> u16 {
        self.seq += 1;
        self.send(&wire(self.seq, message.id, payload));
        self.seq
    }

    /// Runs on an idle line; whether the core is still to be waited for.
    fn wait(&mut self, since: Time) -> bool {
        self.idle(1_000);
        let last = self.edges.last().copied().unwrap_or(0).max(since);
        self.end < last + SILENCE * CLOCK
    }

    /// The next frame at the host's rate; `None` when what comes is none.
    pub fn frame(&mut self) -> Option<Received> {
        let since = self.end;
        loop {
            let wave = Wave::recorded(self.level, self.edges.clone(), self.end);
            let mut heard = receive(&wave, self.bit());
            heard.retain(|heard| heard.at <= self.end);
            for (count, last) in heard.iter().enumerate() {
                let Some(judged) = frame_results(&heard[..=count]).pop() else {
                    continue;
                };
                self.started = last.at - (2 * FRAME_BITS - 1) * self.bit() / 2;
                self.edges.retain(|edge| *edge > last.at);
                self.level = true;
                return match judged {
                    FrameResult::Good { seq, kind, payload } => {
                        Some(Received { seq, kind, payload })
                    }
                    _ => None,
                };
            }
            if !self.wait(since) {
                return None;
            }
        }
    }

    /// Whether the core has nothing more to say.
    pub fn is_silent(&mut self) -> bool {
        self.idle(SILENCE);
        self.edges.is_empty()
    }

    /// Clock cycles from the start bit of the byte read last to the next one, and
    /// how many a byte takes at the host's rate.
    pub fn gap(&mut self) -> (u64, u64) {
        let since = self.end;
        while self.edges.is_empty() && self.wait(since) {}
        let next = self.edges.first().expect("one more byte");
        (
            (next - self.started) / CLOCK,
            FRAME_BITS * self.bit() / CLOCK,
        )
    }

    /// Asks one thing and takes the answer, if it is a frame at the host's rate.
    pub fn ask(&mut self, message: &Message, payload: &[u8]) -> Option<Received> {
        self.level ^= self.edges.len() % 2 == 1;
        self.edges.clear();
        let seq = self.request(message, payload);
        self.frame().filter(|reply| reply.seq == seq)
    }
}
