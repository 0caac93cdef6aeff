//! The line's level over time.

use super::{CLOCK, FRAME_BITS, Time};

/// What is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbol {
    /// A byte, its stop bit one bit long.
    Byte(u8),
    /// A byte whose line stays low for so long from where its stop bit should
    /// begin, at least a bit; what comes next must be high.
    Damaged(u8, Time),
    /// The line is low: a glitch, a runt or a break.
    Low(Time),
    /// The line is high.
    High(Time),
}

/// A line: high or low at first, then changing at its edges, in ascending order.
/// Two at the same time are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wave {
    first: bool,
    edges: Vec<Time>,
    end: Time,
}

impl Wave {
    /// A line that begins at time 0, at that level.
    pub fn new(level: bool) -> Self {
        Self {
            first: level,
            edges: Vec::new(),
            end: 0,
        }
    }

    /// A line that was recorded: its edges in ascending order, and its end.
    pub fn recorded(first: bool, edges: Vec<Time>, end: Time) -> Self {
        Self { first, edges, end }
    }

    /// How far it is drawn.
    pub fn end(&self) -> Time {
        self.end
    }

    /// Its level at first.
    pub fn first(&self) -> bool {
        self.first
    }

    /// When it changes.
    pub fn edges(&self) -> &[Time] {
        &self.edges
    }

    /// The level at a time, where there is an edge that behind it.
    pub fn level(&self, at: Time) -> bool {
        let before = self.edges.partition_point(|edge| *edge <= at);
        self.first ^ (before % 2 == 1)
    }

    /// Draws a level for a time.
    pub fn hold(&mut self, level: bool, time: Time) {
        if time == 0 {
            return;
        }
        if self.first ^ (self.edges.len() % 2 == 1) != level {
            self.edges.push(self.end);
        }
        self.end += time;
    }

    /// Draws what a sender sends whose bits are that long.
    pub fn send(&mut self, symbol: Symbol, bit: Time) {
        match symbol {
            Symbol::Byte(byte) => self.bits(1 << (FRAME_BITS - 1) | u32::from(byte) << 1, bit),
            Symbol::Damaged(byte, low) => {
                self.bits(u32::from(byte) << 1, bit);
                self.hold(false, low.saturating_sub(bit));
            }
            Symbol::Low(time) => self.hold(false, time),
            Symbol::High(time) => self.hold(true, time),
        }
    }

    /// Draws bytes, one right behind the other.
    pub fn bytes(&mut self, bytes: &[u8], bit: Time) {
        for byte in bytes {
            self.send(Symbol::Byte(*byte), bit);
        }
    }

    fn bits(&mut self, bits: u32, bit: Time) {
        for number in 0..FRAME_BITS {
            self.hold(bits >> number & 1 == 1, bit);
        }
    }

    /// Turns the level round for some time, within what is drawn.
    pub fn flip(&mut self, from: Time, time: Time) {
        let to = (from + time).min(self.end);
        for at in [from.min(to), to] {
            let place = self.edges.partition_point(|edge| *edge < at);
            match self.edges.get(place) {
                Some(edge) if *edge == at => drop(self.edges.remove(place)),
                _ => self.edges.insert(place, at),
            }
        }
    }

    /// The levels that a clock sees whose first edge comes at time 0: each with the
    /// number of clock edges that see it.
    pub fn clocked(&self) -> Vec<(bool, u64)> {
        let mut runs: Vec<(bool, u64)> = Vec::new();
        let (mut level, mut seen) = (self.first, 0);
        for edge in self.edges.iter().chain([&self.end]) {
            let clocks = edge.div_ceil(CLOCK) - seen;
            match runs.last_mut() {
                _ if clocks == 0 => {}
                Some(last) if last.0 == level => last.1 += clocks,
                _ => runs.push((level, clocks)),
            }
            seen += clocks;
            level = !level;
        }
        runs
    }
}
