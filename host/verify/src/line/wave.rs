//! The level of a line over time.

use super::{CLOCK, FRAME_BITS, Time};

/// A symbol on the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbol {
    /// A byte with a stop bit of one bit.
    Byte(u8),
    /// A byte with a low line, for at least a bit, in place of the stop bit.
    ///
    /// The next symbol must begin high.
    Damaged(u8, Time),
    /// A low line: a glitch, a runt or a break.
    Low(Time),
    /// A high line.
    High(Time),
}

/// A line: its first level, and ascending edges at which it changes. Two edges at the same time
/// cancel out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wave {
    first: bool,
    edges: Vec<Time>,
    end: Time,
}

impl Wave {
    /// An empty line that begins at time 0 with this level.
    pub fn new(level: bool) -> Self {
        Self {
            first: level,
            edges: Vec::new(),
            end: 0,
        }
    }

    /// A recorded line: its first level, its ascending edges, and its end.
    pub fn recorded(first: bool, edges: Vec<Time>, end: Time) -> Self {
        Self { first, edges, end }
    }

    /// The end of the line drawn so far.
    pub fn end(&self) -> Time {
        self.end
    }

    /// The first level.
    pub fn first(&self) -> bool {
        self.first
    }

    /// The times of its edges.
    pub fn edges(&self) -> &[Time] {
        &self.edges
    }

    /// Appends a level for a duration.
    pub fn hold(&mut self, level: bool, time: Time) {
        if time == 0 {
            return;
        }
        if self.first ^ (self.edges.len() % 2 == 1) != level {
            self.edges.push(self.end);
        }
        self.end += time;
    }

    /// Appends a symbol with bits of a length.
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

    /// Appends bytes without gaps.
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

    /// Inverts the level from a time on, for a duration within the line.
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

    /// The samples of a clock with its first edge at time 0: levels, each with its number of
    /// samples.
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
