//! The two ends of a valid/ready pair.
//!
//! In each cycle: `drive` both ends, [`sim::Bench::settle`], `take` from both,
//! [`sim::Bench::clock`].

use std::collections::VecDeque;

use sim::{Bench, Bits, Input, Output, SimError};

use crate::game_port;
use crate::random::{Pace, Random};

/// Offers items; an item that is offered stays until it is taken, and while none
/// is the data is anything.
pub struct Source {
    valid: Input,
    ready: Output,
    data: Vec<Input>,
    items: VecDeque<Vec<Bits>>,
    offered: bool,
    pace: Pace,
}

impl Source {
    /// The source at ports of a module, or members of them.
    ///
    /// # Errors
    /// When there is no such port.
    pub fn new(bench: &Bench, valid: &str, ready: &str, data: &[&str]) -> Result<Self, SimError> {
        let data: Result<_, _> = data
            .iter()
            .map(|name| game_port::input(bench, name))
            .collect();
        Ok(Self {
            valid: game_port::input(bench, valid)?,
            ready: game_port::output(bench, ready)?,
            data: data?,
            items: VecDeque::new(),
            offered: false,
            pace: Pace::default(),
        })
    }

    /// Queues an item: a value for each data port.
    pub fn push(&mut self, item: Vec<Bits>) {
        self.items.push_back(item);
    }

    /// Items that were not taken.
    pub fn left(&self) -> usize {
        self.items.len()
    }

    /// Whether an item is offered in this cycle.
    pub fn is_offered(&self) -> bool {
        self.offered
    }

    /// Forgets all items, the one that is offered too.
    pub fn clear(&mut self) {
        self.items.clear();
        self.offered = false;
    }

    /// Whether an item would be taken in this cycle.
    pub fn is_ready(&self, bench: &Bench) -> bool {
        bench.get(self.ready) == 1
    }

    /// Sets this cycle's inputs.
    pub fn drive(&mut self, bench: &mut Bench, random: &mut Random) {
        let go = self.pace.go(random);
        self.offered = !self.items.is_empty() && (self.offered || go);
        bench.put(self.valid, self.offered);
        match self.items.front().filter(|_| self.offered) {
            Some(item) => {
                for (port, value) in self.data.iter().zip(item) {
                    bench.put(*port, value.clone());
                }
            }
            None => self
                .data
                .iter()
                .for_each(|port| garbage(bench, *port, random)),
        }
    }

    /// The item that goes with this cycle's clock edge.
    pub fn take(&mut self, bench: &Bench) -> Option<Vec<Bits>> {
        if !self.offered || bench.get(self.ready) == 0 {
            return None;
        }
        self.offered = false;
        self.items.pop_front()
    }
}

/// Puts anything on an input that should not matter.
pub fn garbage(bench: &mut Bench, port: Input, random: &mut Random) {
    let mut value = Bits::default();
    for _ in 0..port.bits().div_ceil(64) {
        value.push(random.bits(), 64);
    }
    bench.put(port, value);
}

/// Takes items.
pub struct Sink {
    valid: Output,
    ready: Input,
    data: Vec<Output>,
    willing: bool,
    pace: Pace,
}

impl Sink {
    /// The sink at ports of a module, or members of them.
    ///
    /// # Errors
    /// When there is no such port.
    pub fn new(bench: &Bench, valid: &str, ready: &str, data: &[&str]) -> Result<Self, SimError> {
        let data: Result<_, _> = data
            .iter()
            .map(|name| game_port::output(bench, name))
            .collect();
        Ok(Self {
            valid: game_port::output(bench, valid)?,
            ready: game_port::input(bench, ready)?,
            data: data?,
            willing: false,
            pace: Pace::default(),
        })
    }

    /// Sets this cycle's inputs.
    pub fn drive(&mut self, bench: &mut Bench, random: &mut Random) {
        self.willing = self.pace.go(random);
        bench.put(self.ready, self.willing);
    }

    /// Takes nothing in this cycle after all.
    pub fn refuse(&mut self, bench: &mut Bench) {
        self.willing = false;
        bench.put(self.ready, false);
    }

    /// The item that is offered in this cycle, taken or not.
    pub fn offered(&self, bench: &Bench) -> Option<Vec<Bits>> {
        let values = self.data.iter().map(|port| bench.bits(*port));
        (bench.get(self.valid) == 1).then(|| values.collect())
    }

    /// The item that goes with this cycle's clock edge.
    pub fn take(&self, bench: &Bench) -> Option<Vec<Bits>> {
        self.offered(bench).filter(|_| self.willing)
    }
}
