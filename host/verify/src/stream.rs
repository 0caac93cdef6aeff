//! The two ends of a valid/ready pair.
//!
//! In each cycle: `drive` both ends, [`Trial::settle`], `take` from both, [`Trial::clock`].

use std::collections::VecDeque;

use sim::Bits;

use crate::Trial;
use crate::random::Pace;

type Port = &'static str;

/// Offers items: an offered item stays until it is taken; otherwise the data is random.
pub struct Source {
    valid: Port,
    ready: Port,
    data: Vec<Port>,
    items: VecDeque<Vec<u64>>,
    offered: bool,
    pace: Pace,
}

impl Source {
    /// A source at ports of a module, or at members of struct ports.
    pub fn new(valid: Port, ready: Port, data: &[Port]) -> Self {
        Self {
            valid,
            ready,
            data: data.to_vec(),
            items: VecDeque::new(),
            offered: false,
            pace: Pace::default(),
        }
    }

    /// Queues an item: a value for each data port.
    pub fn push(&mut self, item: Vec<u64>) {
        self.items.push_back(item);
    }

    /// Number of items not taken yet.
    pub fn left(&self) -> usize {
        self.items.len()
    }

    /// Whether an item is offered in this cycle.
    pub fn is_offered(&self) -> bool {
        self.offered
    }

    /// Drops all items, also the offered one.
    pub fn clear(&mut self) {
        self.items.clear();
        self.offered = false;
    }

    /// Whether the module is ready in this cycle.
    pub fn is_ready(&self, trial: &Trial) -> bool {
        trial.is(self.ready)
    }

    /// Sets this cycle's inputs.
    pub fn drive(&mut self, trial: &mut Trial) {
        let go = self.pace.go(&mut trial.random);
        self.offered = !self.items.is_empty() && (self.offered || go);
        trial.put(self.valid, self.offered);
        match self.items.front().filter(|_| self.offered) {
            Some(item) => {
                for (port, value) in self.data.iter().zip(item) {
                    trial.put(port, *value);
                }
            }
            None => self.data.iter().for_each(|port| trial.garbage(port)),
        }
    }

    /// The item transferred in this cycle, if any.
    pub fn take(&mut self, trial: &Trial) -> Option<Vec<u64>> {
        if !self.offered || !self.is_ready(trial) {
            return None;
        }
        self.offered = false;
        self.items.pop_front()
    }
}

/// Takes items.
pub struct Sink {
    valid: Port,
    ready: Port,
    data: Vec<Port>,
    willing: bool,
    pace: Pace,
}

impl Sink {
    /// A sink at ports of a module, or at members of struct ports.
    pub fn new(valid: Port, ready: Port, data: &[Port]) -> Self {
        Self {
            valid,
            ready,
            data: data.to_vec(),
            willing: false,
            pace: Pace::default(),
        }
    }

    /// Sets this cycle's inputs.
    pub fn drive(&mut self, trial: &mut Trial) {
        self.willing = self.pace.go(&mut trial.random);
        trial.put(self.ready, self.willing);
    }

    /// Takes nothing in this cycle, whatever `drive` has set.
    pub fn refuse(&mut self, trial: &mut Trial) {
        self.willing = false;
        trial.put(self.ready, false);
    }

    /// The item offered in this cycle, taken or not; the lowest 64 bits of each data port.
    pub fn offered(&self, trial: &Trial) -> Option<Vec<u64>> {
        let values = self.data.iter().map(|port| trial.get(port));
        trial.is(self.valid).then(|| values.collect())
    }

    /// As [`Self::offered`], for one data port of any width.
    pub fn offered_bits(&self, trial: &Trial) -> Option<Bits> {
        trial.is(self.valid).then(|| trial.bits(self.data[0]))
    }

    /// Whether an offered item is taken in this cycle.
    pub fn takes(&self, trial: &Trial) -> bool {
        trial.is(self.valid) && self.willing
    }

    /// The item transferred in this cycle, if any.
    pub fn take(&self, trial: &Trial) -> Option<Vec<u64>> {
        self.offered(trial).filter(|_| self.willing)
    }
}
