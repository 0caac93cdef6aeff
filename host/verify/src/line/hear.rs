//! A plain receiver: what the line says, and where it leaves that open.

use super::{CLOCK, FRAME_BITS, Time, Wave};

/// What was heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A byte, and whether its stop bit was high.
    Byte(u8, bool),
    /// The line has been low for 16 to 17 bits.
    Break,
    /// From here on to the next event nothing can be said: it hangs on less than a
    /// clock cycle.
    Unsure,
}

/// What was heard, and when: a byte in the middle of its stop bit, a break 16½
/// bits after it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heard {
    /// What it is.
    pub what: What,
    /// When it came.
    pub at: Time,
}

/// Where a clock cycle more or less makes a difference.
struct Open;

/// The line and where the receiver is on it.
struct Receiver<'a> {
    edges: &'a [Time],
    /// The level behind the last edge passed.
    level: bool,
    /// The next edge.
    next: usize,
    bit: Time,
    /// So close to a sample an edge may be before or behind it.
    guard: Time,
    end: Time,
}

/// What a receiver with bits of that length hears on a line that is high for a
/// byte at its end. At the beginning it waits for the line to be high.
///
/// What is closer than a clock cycle to a sample, and pulses that are shorter
/// where they count, are [`What::Unsure`]; the line is understood again when it
/// has been high for a byte.
pub fn hear(wave: &Wave, bit: Time) -> Vec<Heard> {
    hear_within(wave, bit, CLOCK)
}

/// What an ideal receiver hears, which sees every edge at once: nothing is unsure.
pub fn hear_ideally(wave: &Wave, bit: Time) -> Vec<Heard> {
    hear_within(wave, bit, 0)
}

fn hear_within(wave: &Wave, bit: Time, guard: Time) -> Vec<Heard> {
    let mut receiver = Receiver {
        edges: wave.edges(),
        level: wave.first(),
        next: 0,
        bit,
        guard,
        end: wave.end(),
    };
    let mut heard = receiver.bytes();
    heard.extend(breaks(wave, bit, guard));
    heard.sort_by_key(|heard| heard.at);
    heard
}

impl Receiver<'_> {
    fn bytes(&mut self) -> Vec<Heard> {
        let mut heard = Vec::new();
        if !self.level && self.high().is_err() {
            self.lost(0, &mut heard);
        }
        while let Some(start) = self.pass() {
            let byte = self.byte(start);
            match byte {
                Ok(None) => {}
                Ok(Some((byte, stop))) => heard.push(Heard {
                    what: What::Byte(byte, stop),
                    at: self.sample(start, FRAME_BITS),
                }),
                Err(Open) => {
                    self.lost(start, &mut heard);
                    continue;
                }
            }
            if !self.level && self.high().is_err() {
                self.lost(start, &mut heard);
            }
        }
        heard
    }

    /// When that sample is due, the middle of the start bit the first.
    fn sample(&self, start: Time, number: u64) -> Time {
        start + (2 * number - 1) * self.bit / 2
    }

    /// Goes behind the next edge.
    fn pass(&mut self) -> Option<Time> {
        let edge = *self.edges.get(self.next)?;
        self.next += 1;
        self.level = !self.level;
        Some(edge)
    }

    /// The level at a time, which must be the same for a clock cycle around it.
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

    /// The byte that begins at a falling edge; `None` when it is over in the middle
    /// of its start bit.
    fn byte(&mut self, start: Time) -> Result<Option<(u8, bool)>, Open> {
        let rise = self.edges.get(self.next).copied().unwrap_or(self.end);
        let unseen = rise < start + self.guard;
        let second = self.edges.get(self.next + 1);
        if self.see(self.sample(start, 1))? {
            // If it was too short to be seen, the next one may be a start bit.
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

    /// Waits on a low line for a high one that is seen for sure.
    fn high(&mut self) -> Result<(), Open> {
        let Some(rise) = self.pass() else {
            return Ok(());
        };
        match self.edges.get(self.next) {
            Some(fall) if *fall < rise + self.guard => Err(Open),
            _ => Ok(()),
        }
    }

    /// Nothing is known until the line has been high for a byte.
    fn lost(&mut self, from: Time, heard: &mut Vec<Heard>) {
        heard.push(Heard {
            what: What::Unsure,
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

/// Each time the line is low for more than 17 bits; unsure where it is low for
/// about as long as a break takes.
fn breaks(wave: &Wave, bit: Time, guard: Time) -> Vec<Heard> {
    // Low runs; a high pulse that may not be seen does not end one for sure.
    let ends = wave.edges().iter().copied();
    let bounds: Vec<Time> = (!wave.first())
        .then_some(0)
        .into_iter()
        .chain(ends)
        .collect();
    let mut heard = Vec::new();
    let mut joined: Option<Time> = None;
    for (number, pair) in bounds.chunks(2).enumerate() {
        let (from, to) = (pair[0], pair.get(1).copied().unwrap_or(wave.end()));
        let least = to - from;
        let most = to - joined.unwrap_or(from);
        if least >= 17 * bit + guard && joined.is_none() {
            heard.push(Heard {
                what: What::Break,
                at: from + 33 * bit / 2,
            });
        } else if guard > 0 && most + guard > 16 * bit {
            heard.push(Heard {
                what: What::Unsure,
                at: from,
            });
        }
        let next = bounds.get(2 * number + 2);
        joined = match next {
            Some(fall) if *fall < to + guard => joined.or(Some(from)),
            _ => None,
        };
    }
    heard
}
