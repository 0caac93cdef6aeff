//! One run of a bench, with access to the module's ports by name.

use std::cell::RefCell;
use std::collections::HashMap;

use sim::{BenchPort, Bits, SimError};

use crate::random::Random;
use crate::{Failure, game_port};

/// A module after its reset, with the random source of its stimulus.
///
/// In each clock cycle: `put` inputs, `settle`, read and compare outputs, `clock`. The next
/// `settle`, `clock` or comparison reports a port that the module lacks.
pub struct Trial {
    bench: sim::Bench,
    pub(crate) random: Random,
    /// The ports used so far.
    ports: RefCell<HashMap<String, BenchPort>>,
    missing: RefCell<Option<SimError>>,
}

impl Trial {
    pub(crate) fn new(bench: sim::Bench, random: Random) -> Self {
        Self {
            bench,
            random,
            ports: RefCell::default(),
            missing: RefCell::default(),
        }
    }

    /// A port, or a member of a struct port such as `req_i.msg`.
    fn port(&self, name: &str) -> Option<BenchPort> {
        if let Some(port) = self.ports.borrow().get(name) {
            return Some(*port);
        }
        let port = game_port::port(&self.bench, name);
        let port = port
            .map_err(|error| self.missing.replace(Some(error)))
            .ok()?;
        self.ports.borrow_mut().insert(name.into(), port);
        Some(port)
    }

    pub(crate) fn name(&self) -> &'static str {
        self.bench.name()
    }

    pub(crate) fn has(&self, port: &str) -> bool {
        self.bench.port(port).is_ok()
    }

    fn has_ports(&self) -> Result<(), Failure> {
        self.missing.take().map_or(Ok(()), |e| Err(e.into()))
    }

    /// Clock cycles since power-up.
    pub(crate) fn cycles(&self) -> u64 {
        self.bench.cycles()
    }

    pub(crate) fn put(&mut self, port: &str, value: impl Into<Bits>) {
        if let Some(input) = self.port(port) {
            self.bench.put(input, value);
        }
    }

    /// Sets an input, which should not matter now, to a random value.
    pub(crate) fn garbage(&mut self, port: &str) {
        let Some(input) = self.port(port) else {
            return;
        };
        let mut value = Bits::default();
        for _ in 0..input.bits().div_ceil(64) {
            value.push(self.random.bits(), 64);
        }
        self.bench.put(input, value);
    }

    /// Sets an input to a value, or to a random one if `None`.
    pub(crate) fn put_some(&mut self, port: &str, value: Option<impl Into<Bits>>) {
        match value {
            Some(value) => self.put(port, value),
            None => self.garbage(port),
        }
    }

    /// Offers values on the data inputs of a valid bit; random data without valid if `None`.
    pub(crate) fn offer(
        &mut self,
        valid: &str,
        data: &[impl AsRef<str>],
        values: Option<impl AsRef<[u64]>>,
    ) {
        self.put(valid, values.is_some());
        for (place, port) in data.iter().enumerate() {
            let value = values.as_ref().map(|values| values.as_ref()[place]);
            self.put_some(port.as_ref(), value);
        }
    }

    /// The value of an output; the lowest 64 bits of a wider one.
    pub(crate) fn get(&self, port: &str) -> u64 {
        self.bits(port).to_u64()
    }

    /// Whether a one-bit output is high.
    pub(crate) fn is(&self, port: &str) -> bool {
        self.get(port) == 1
    }

    /// The value of an output of any width.
    pub(crate) fn bits(&self, port: &str) -> Bits {
        let output = self.port(port);
        output.map_or_else(Bits::default, |output| self.bench.bits(output))
    }

    /// Evaluates the combinational logic.
    pub(crate) fn settle(&mut self) -> Result<(), Failure> {
        self.has_ports()?;
        Ok(self.bench.settle()?)
    }

    /// Runs one clock cycle.
    pub(crate) fn clock(&mut self) -> Result<(), Failure> {
        self.has_ports()?;
        Ok(self.bench.clock()?)
    }

    /// Runs some clock cycles.
    pub(crate) fn clocks(&mut self, cycles: u64) -> Result<(), Failure> {
        (0..cycles).try_for_each(|_| self.clock())
    }

    /// Runs one clock cycle; returns some outputs in each of its halves.
    pub(crate) fn halves<const N: usize>(
        &mut self,
        outputs: [&'static str; N],
    ) -> Result<[[u64; N]; 2], Failure> {
        let ports = outputs.map(|output| self.port(output));
        self.has_ports()?;
        let get = |bench: &sim::Bench| ports.map(|port| port.map_or(0, |port| bench.get(port)));
        let mut high = [0; N];
        self.bench.clock_watched(|bench| high = get(bench))?;
        Ok([high, get(&self.bench)])
    }

    /// Raises an input for one clock cycle.
    pub(crate) fn pulse(&mut self, port: &str) -> Result<(), Failure> {
        self.put(port, true);
        self.clock()?;
        self.put(port, false);
        Ok(())
    }

    /// Holds `rst_ni` low for one clock cycle.
    pub(crate) fn reset(&mut self) -> Result<(), Failure> {
        self.put("rst_ni", false);
        self.clock()?;
        self.put("rst_ni", true);
        Ok(())
    }

    /// Repeats the reset of power-up, which lasts several cycles.
    pub(crate) fn power_up_reset(&mut self) -> Result<(), Failure> {
        Ok(self.bench.reset()?)
    }

    /// Fails unless an output of at most 64 bits has the expected value.
    pub(crate) fn expect(&self, port: &str, expected: impl Into<Bits>) -> Result<(), Failure> {
        let got = self.get(port);
        self.has_ports()?;
        self.same(port, &got, &expected.into().to_u64())
    }

    /// Fails unless two values are equal; `what` names them.
    pub(crate) fn same<T: PartialEq + std::fmt::Debug>(
        &self,
        what: &str,
        got: &T,
        expected: &T,
    ) -> Result<(), Failure> {
        Failure::unless_same(self.cycles(), what, got, expected)
    }

    /// Fails if something happened that must not.
    pub(crate) fn never(&self, what: &str, happened: bool) -> Result<(), Failure> {
        match happened {
            true => self.differs(what.into()),
            false => Ok(()),
        }
    }

    /// Fails unless a condition holds.
    pub(crate) fn holds(&self, what: &str, holds: bool) -> Result<(), Failure> {
        self.never(&format!("not so: {what}"), !holds)
    }

    /// Fails with a description of the difference.
    pub(crate) fn differs<T>(&self, what: String) -> Result<T, Failure> {
        let cycle = self.cycles();
        Err(Failure::Differs { cycle, what })
    }
}
