//! The two ends of a valid/ready pair.
//!
//! In each cycle: `drive` both ends, [`Trial::settle`], `take` from both, [`Trial::clock`].

use std::collections::VecDeque;

use sim::Bits;

use crate::Trial;
use crate::random::Pace;

/// The ports of a pair, or members of struct ports.
struct Ports {
    valid: String,
    ready: String,
    data: Vec<String>,
}

impl Ports {
    fn new(valid: &str, ready: &str, data: &[&str]) -> Self {
        Self {
            valid: valid.into(),
            ready: ready.into(),
            data: data.iter().copied().map(String::from).collect(),
        }
    }

    /// The headers and the bytes of replies, in two ports of these structs of `game_pkg`.
    fn replies(reply: &str, ack: &str) -> [Self; 2] {
        let headers = ["valid", "ready", "msg", "empty", "part"];
        let bytes = ["byte_valid", "byte_ready", "byte_data", "byte_last"];
        [&headers[..], &bytes].map(|names| Self {
            valid: format!("{reply}.{}", names[0]),
            ready: format!("{ack}.{}", names[1]),
            data: (names[2..].iter())
                .map(|name| format!("{reply}.{name}"))
                .collect(),
        })
    }
}

/// Offers items: an offered item stays until it is taken; otherwise the data is random.
pub struct Source {
    ports: Ports,
    items: VecDeque<Vec<u64>>,
    offered: bool,
    pace: Pace,
}

impl Source {
    /// A source at ports of a module, or at members of struct ports.
    pub fn new(valid: &str, ready: &str, data: &[&str]) -> Self {
        Self::at(Ports::new(valid, ready, data))
    }

    /// Sources of replies: their headers (message, empty, part), and their bytes.
    pub fn replies(reply: &str, ack: &str) -> [Self; 2] {
        Ports::replies(reply, ack).map(Self::at)
    }

    fn at(ports: Ports) -> Self {
        Self {
            ports,
            items: VecDeque::new(),
            offered: false,
            pace: Pace::default(),
        }
    }

    /// Queues an item: a value for each data port.
    pub fn push(&mut self, item: Vec<u64>) {
        self.items.push_back(item);
    }

    /// Queues bytes, each with whether it is the last one.
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        for (byte, left) in bytes.iter().zip((0..bytes.len()).rev()) {
            self.push(vec![(*byte).into(), (left == 0).into()]);
        }
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
        trial.is(&self.ports.ready)
    }

    /// Sets this cycle's inputs.
    pub fn drive(&mut self, trial: &mut Trial) {
        let go = self.pace.go(&mut trial.random);
        self.offered = !self.items.is_empty() && (self.offered || go);
        let item = self.items.front().filter(|_| self.offered);
        trial.offer(&self.ports.valid, &self.ports.data, item);
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
    ports: Ports,
    willing: bool,
    pace: Pace,
}

impl Sink {
    /// A sink at ports of a module, or at members of struct ports.
    pub fn new(valid: &str, ready: &str, data: &[&str]) -> Self {
        Self::at(Ports::new(valid, ready, data))
    }

    /// Sinks of replies: their headers (message, empty, part), and their bytes.
    pub fn replies(reply: &str, ack: &str) -> [Self; 2] {
        Ports::replies(reply, ack).map(Self::at)
    }

    fn at(ports: Ports) -> Self {
        Self {
            ports,
            willing: false,
            pace: Pace::default(),
        }
    }

    /// Sets this cycle's inputs.
    pub fn drive(&mut self, trial: &mut Trial) {
        self.willing = self.pace.go(&mut trial.random);
        trial.put(&self.ports.ready, self.willing);
    }

    /// Takes nothing in this cycle, whatever `drive` has set.
    pub fn refuse(&mut self, trial: &mut Trial) {
        self.willing = false;
        trial.put(&self.ports.ready, false);
    }

    /// The item offered in this cycle, taken or not; the lowest 64 bits of each data port.
    pub fn offered(&self, trial: &Trial) -> Option<Vec<u64>> {
        let values = self.ports.data.iter().map(|port| trial.get(port));
        trial.is(&self.ports.valid).then(|| values.collect())
    }

    /// As [`Self::offered`], for one data port of any width.
    pub fn offered_bits(&self, trial: &Trial) -> Option<Bits> {
        (trial.is(&self.ports.valid)).then(|| trial.bits(&self.ports.data[0]))
    }

    /// Whether an offered item is taken in this cycle.
    pub fn takes(&self, trial: &Trial) -> bool {
        trial.is(&self.ports.valid) && self.willing
    }

    /// The item transferred in this cycle, if any.
    pub fn take(&self, trial: &Trial) -> Option<Vec<u64>> {
        self.offered(trial).filter(|_| self.willing)
    }
}
