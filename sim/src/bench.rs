//! A model of one module of the RTL, with access to all its ports.

mod bits;

pub use bits::Bits;

use crate::ffi::{BenchApi, Handle, words_of};
use crate::model::RESET_CYCLES;
use crate::{BENCHES, SimError, VARIANTS, no_fault};

/// The names of the linked benches, as in `rtl/benches.txt` and the boards.
pub fn benches() -> impl Iterator<Item = &'static str> {
    BENCHES.iter().map(|(name, _)| *name)
}

/// A port, or some bits of it.
#[derive(Debug, Clone, Copy)]
pub struct Port {
    index: usize,
    /// Width of the whole port.
    whole: u32,
    low: u32,
    bits: u32,
}

impl Port {
    /// Width in bits.
    pub fn bits(self) -> u32 {
        self.bits
    }

    /// A member of a packed struct as a port: `bits` bits from bit `low` on.
    pub fn member(self, low: u32, bits: u32) -> Self {
        let low = self.low + low;
        Self { low, bits, ..self }
    }
}

/// A model of one module.
///
/// In each clock cycle, put the inputs, call [`Bench::settle`] if outputs depend on them
/// combinationally, read the outputs, then call [`Bench::clock`].
///
/// ```
/// # fn main() -> Result<(), lockstep_sim::SimError> {
/// # if lockstep_sim::benches().next().is_none() { return Ok(()); }
/// let mut counter = lockstep_sim::Bench::new("sat_counter", None, 0)?;
/// let count = counter.port("inc_i")?;
/// let counted = counter.port("count_o")?;
/// counter.put(count, 1);
/// for cycle in 0..3 {
///     assert_eq!(counter.get(counted), cycle);
///     counter.clock()?;
/// }
/// # Ok(())
/// # }
/// ```
pub struct Bench {
    name: &'static str,
    api: &'static BenchApi,
    handle: Handle<BenchApi>,
    /// Index of the port `clk_i`; a combinational module has none.
    clock: Option<usize>,
    cycles: u64,
}

impl Bench {
    /// The module of a bench, with a seeded fault or without, after its reset with all inputs 0.
    ///
    /// Before the reset, registers are 0, or random if the seed `power_up` is not 0.
    ///
    /// # Errors
    /// When there is no such bench or fault, or an assertion of the module fails.
    pub fn new(name: &str, fault: Option<&str>, power_up: u32) -> Result<Self, SimError> {
        let bench = BENCHES.iter().find(|(known, _)| *known == name);
        let (name, api) = *bench.ok_or_else(|| SimError::Unknown {
            what: "bench",
            name: name.into(),
            remedy: "rtl/benches.txt lists them (feature `faults`)".into(),
        })?;
        let seeded = |name: &str| {
            let variant = VARIANTS.iter().find(|v| v.fault == Some(name));
            variant
                .map(|v| v.fault_number)
                .ok_or_else(|| no_fault(name))
        };
        let fault = fault.map_or(Ok(0), seeded)?;
        let handle = Handle::new(api, fault, power_up).ok_or(SimError::Create)?;
        let mut bench = Self {
            name,
            api,
            handle,
            clock: api.ports().iter().position(|port| port.name() == "clk_i"),
            cycles: 0,
        };
        // Verilator initialises inputs like registers, at random.
        let inputs = bench.api.ports().iter().enumerate();
        for (index, port) in inputs.filter(|(_, port)| port.is_input()) {
            bench.handle.put(index, &vec![0; words_of(port.bits)]);
        }
        bench.reset()?;
        Ok(bench)
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Clock cycles since power-up.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// The port with this name.
    ///
    /// # Errors
    /// When the module has no such port.
    pub fn port(&self, name: &str) -> Result<Port, SimError> {
        let ports = self.api.ports();
        let index = ports.iter().position(|port| port.name() == name);
        let names = || ports.iter().map(|port| port.name()).collect::<Vec<_>>();
        let index = index.ok_or_else(|| SimError::Unknown {
            what: "port",
            name: name.into(),
            remedy: format!("{} has: {}", self.name, names().join(" ")),
        })?;
        let bits = ports[index].bits;
        Ok(Port {
            index,
            whole: bits,
            low: 0,
            bits,
        })
    }

    /// Sets an input; the value is truncated or zero-extended to its width.
    pub fn put(&mut self, port: Port, value: impl Into<Bits>) {
        let mut value = value.into();
        if port.bits != port.whole {
            value = self.whole(port).replaced(port.low, port.bits, &value);
        }
        self.handle.put(port.index, &value.words(port.whole));
    }

    /// The value of a port; the lowest 64 bits of a wider one.
    pub fn get(&self, port: Port) -> u64 {
        self.bits(port).to_u64()
    }

    /// The value of a port of any width.
    pub fn bits(&self, port: Port) -> Bits {
        let whole = self.whole(port);
        if port.bits == port.whole {
            return whole;
        }
        whole.part(port.low, port.bits)
    }

    fn whole(&self, port: Port) -> Bits {
        let mut words = vec![0; words_of(port.whole)];
        self.handle.get(port.index, &mut words);
        Bits::from_words(words, port.whole)
    }

    /// Evaluates the combinational logic.
    ///
    /// # Errors
    /// When an assertion of the module fails.
    pub fn settle(&mut self) -> Result<(), SimError> {
        let cycle = self.cycles;
        self.handle
            .eval()
            .map_err(|why| SimError::Stopped { cycle, why })
    }

    /// Runs one clock cycle; a module without a clock only settles.
    ///
    /// # Errors
    /// When an assertion of the module fails.
    pub fn clock(&mut self) -> Result<(), SimError> {
        self.clock_watched(|_| {})
    }

    /// As [`Self::clock`]; `high` looks at the module in the first half of the cycle.
    ///
    /// # Errors
    /// As [`Self::clock`].
    pub fn clock_watched(&mut self, high: impl FnOnce(&Self)) -> Result<(), SimError> {
        self.settle()?;
        if let Some(clock) = self.clock {
            self.handle.put(clock, &[1]);
            self.settle()?;
            high(self);
            self.handle.put(clock, &[0]);
            self.settle()?;
        }
        self.cycles += 1;
        Ok(())
    }

    /// Holds the reset `rst_ni`, or `rst_i`, for some cycles, if the module has one.
    ///
    /// # Errors
    /// When an assertion of the module fails.
    pub fn reset(&mut self) -> Result<(), SimError> {
        let (low, high) = (self.port("rst_ni"), self.port("rst_i"));
        let active = u64::from(low.is_err());
        let Ok(reset) = low.or(high) else {
            self.handle.assert();
            return self.settle();
        };
        self.put(reset, active);
        for cycle in 0..RESET_CYCLES {
            if cycle == RESET_CYCLES / 2 {
                self.handle.assert();
            }
            self.clock()?;
        }
        self.put(reset, active ^ 1);
        self.settle()
    }
}
