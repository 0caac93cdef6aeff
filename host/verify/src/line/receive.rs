//! A plain receiver, which marks as unsure what depends on less than a clock cycle.

use super::{CLOCK, FRAME_BITS, Time, Wave};

/// An event at the receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A byte, and whether its stop bit was high.
    Byte(u8, bool),
    /// A break: the line has been low for 16 to 17 bits.
    Break,
    /// Any bytes may come before the next event: they depend on less than a clock cycle.
    Unsure,
}

/// An event with its time: a byte in the middle of its stop bit, a break 16½ bits after its
/// beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimedEvent {
    /// The event.
    pub event: Event,
    /// The time of the event.
    pub at: Time,
}

/// The error of a sample too close to an edge, whose level depends on less than a clock cycle.
struct Open;

/// The line, and the receiver's position on it.
struct Receiver<'a> {
    edges: &'a [Time],
    /// The level after the last edge passed.
    level: bool,
    /// Index of the next edge.
    next: usize,
    bit: Time,
    /// Distance from a sample within which an edge may be before or after it.
    guard: Time,
    end: Time,
}

/// Receives a line with bits of a length.
///
/// The receiver first waits for the line to be high, which it must be for a byte at the end. Edges
/// within a clock cycle of a sample, and relevant pulses shorter than a clock cycle, give
/// [`Event::Unsure`], until the line has been high for a byte.
pub fn receive(wave: &Wave, bit: Time) -> Vec<TimedEvent> {
    receive_within(wave, bit, CLOCK)
}

/// Receives a line with an ideal receiver, which sees every edge at once: nothing is unsure.
pub fn receive_ideally(wave: &Wave, bit: Time) -> Vec<TimedEvent> {
    receive_within(wave, bit, 0)
}

fn receive_within(wave: &Wave, bit: Time, guard: Time) -> Vec<TimedEvent> {
    let mut receiver = Receiver {
        edges: wave.edges(),
        level: wave.first(),
        next: 0,
        bit,
        guard,
        end: wave.end(),
    };
    let mut events = receiver.bytes();
    events.extend(breaks(wave, bit, guard));
    events.sort_by_key(|events| events.at);
    events
}

impl Receiver<'_> {
    fn bytes(&mut self) -> Vec<TimedEvent> {
        let mut events = Vec::new();
        if !self.level && self.high().is_err() {
            self.lost(0, &mut events);
        }
        while let Some(start) = self.pass() {
            let byte = self.byte(start);
            match byte {
                Ok(None) => {}
                Ok(Some((byte, stop))) => events.push(TimedEvent {
                    event: Event::Byte(byte, stop),
                    at: self.sample(start, FRAME_BITS),
                }),
                Err(Open) => {
                    self.lost(start, &mut events);
                    continue;
                }
            }
            if !self.level && self.high().is_err() {
                self.lost(start, &mut events);
            }
        }
        events
    }

    /// The time of a sample; sample 1 is the middle of the start bit.
    fn sample(&self, start: Time, number: u64) -> Time {
        start + (2 * number - 1) * self.bit / 2
    }

    /// Passes the next edge and returns its time.
    fn pass(&mut self) -> Option<Time> {
        let edge = *self.edges.get(self.next)?;
        self.next += 1;
        self.level = !self.level;
        Some(edge)
    }

    /// The level at a time; an error if it changes within a clock cycle around it.
    fn see(&mut self, at: Time) -> Result<bool, Open> {
        while self
            .edges
            .get(self.next)
            .is_some_and(|edge| *edge + self.guard <= at)
        {
            self.pass();
        }
        match self.edges.get(self.next) {
            Some(edge) if *edge < at + self.guard => Err(Open),
            _ => Ok(self.level),
        }
    }

    /// The byte that begins at a falling edge; `None` if the line is high at the middle of the
    /// start bit.
    fn byte(&mut self, start: Time) -> Result<Option<(u8, bool)>, Open> {
        let rise = self.edges.get(self.next).copied().unwrap_or(self.end);
        let unseen = rise < start + self.guard;
        let second = self.edges.get(self.next + 1);
        if self.see(self.sample(start, 1))? {
            // If the pulse was too short to be seen, the next one may be a start bit.
            let hidden = second.is_some_and(|edge| *edge < self.sample(start, 1) + self.guard);
            return if unseen && hidden {
                Err(Open)
            } else {
                Ok(None)
            };
        }
        if unseen {
            return Err(Open);
        }
        let mut byte = 0;
        for bit in 0..8 {
            byte |= u8::from(self.see(self.sample(start, bit + 2))?) << bit;
        }
        let stop = self.see(self.sample(start, FRAME_BITS))?;
        Ok(Some((byte, stop)))
    }

    /// Waits until the low line is high for long enough to be seen.
    fn high(&mut self) -> Result<(), Open> {
        let Some(rise) = self.pass() else {
            return Ok(());
        };
        match self.edges.get(self.next) {
            Some(fall) if *fall < rise + self.guard => Err(Open),
            _ => Ok(()),
        }
    }

    /// Records an unsure event and skips to where the line has been high for a byte.
    fn lost(&mut self, from: Time, events: &mut Vec<TimedEvent>) {
        events.push(TimedEvent {
            event: Event::Unsure,
            at: from,
        });
        let byte = FRAME_BITS * self.bit + self.guard;
        while self.next < self.edges.len() {
            let from = self.edges[self.next - 1];
            if self.level && self.edges[self.next] >= from + byte {
                break;
            }
            self.pass();
        }
    }
}

/// The breaks of a line: low for more than 17 bits; unsure at about the length of a break.
fn breaks(wave: &Wave, bit: Time, guard: Time) -> Vec<TimedEvent> {
    // Low runs. A high pulse that may not be seen may not end one.
    let ends = wave.edges().iter().copied();
    let bounds: Vec<Time> = (!wave.first())
        .then_some(0)
        .into_iter()
        .chain(ends)
        .collect();
    let mut events = Vec::new();
    let mut joined: Option<Time> = None;
    for (number, pair) in bounds.chunks(2).enumerate() {
        let (from, to) = (pair[0], pair.get(1).copied().unwrap_or(wave.end()));
        let least = to - from;
        let most = to - joined.unwrap_or(from);
        if least >= 17 * bit + guard && joined.is_none() {
            events.push(TimedEvent {
                event: Event::Break,
                at: from + 33 * bit / 2,
            });
        } else if guard > 0 && most + guard > 16 * bit {
            events.push(TimedEvent {
                event: Event::Unsure,
                at: from,
            });
        }
        let next = bounds.get(2 * number + 2);
        joined = match next {
            Some(fall) if *fall < to + guard => joined.or(Some(from)),
            _ => None,
        };
    }
    events
}
