//! One module of the RTL as a model of its own.

mod bits;

pub use bits::Bits;

use crate::ffi::{BenchApi, BenchHandle, words_of};
use crate::model::RESET_CYCLES;
use crate::{BENCHES, SimError, VARIANTS};

/// The benches that were linked: the names of `rtl/benches.txt`.
pub fn benches() -> impl Iterator<Item = &'static str> {
    BENCHES.iter().map(|(name, _)| *name)
}

/// An input port.
#[derive(Debug, Clone, Copy)]
pub struct Input(Port);

/// An output port.
#[derive(Debug, Clone, Copy)]
pub struct Output(Port);

impl Input {
    /// Its width.
    pub fn bits(self) -> u32 {
        self.0.bits
    }

    /// Bits of it, from `low` on, as an input of their own: a member of a packed struct.
    pub fn member(self, low: u32, bits: u32) -> Self {
        Self(self.0.member(low, bits))
    }
}

impl Output {
    /// Bits of it, from `low` on, as an output of their own: a member of a packed struct.
    pub fn member(self, low: u32, bits: u32) -> Self {
        Self(self.0.member(low, bits))
    }
}

/// A port, or bits of one.
#[derive(Debug, Clone, Copy)]
struct Port {
    index: usize,
    whole: u32,
    low: u32,
    bits: u32,
}

impl Port {
    fn member(self, low: u32, bits: u32) -> Self {
        let low = self.low + low;
        Self { low, bits, ..self }
    }
}

/// A module by itself. In each clock cycle: put its inputs, [`Bench::settle`] to
/// read outputs that hang on them, [`Bench::clock`].
///
/// ```
/// # fn main() -> Result<(), lockstep_sim::SimError> {
/// # if lockstep_sim::benches().next().is_none() { return Ok(()); }
/// let mut counter = lockstep_sim::Bench::new("sat_counter", None, 0)?;
/// let count = counter.input("inc_i")?;
/// let counted = counter.output("count_o")?;
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
    handle: BenchHandle,
    /// The port `clk_i`; a combinational module has none.
    clock: Option<usize>,
    cycles: u64,
}

impl Bench {
    /// The module of that bench with a seeded fault or without, its registers 0
    /// at first or, from a seed `power_up` that is not 0, any; then taken through
    /// its reset with all other inputs 0.
    ///
    /// # Errors
    /// When there is no such bench or fault, or the module stops itself.
    pub fn new(name: &str, fault: Option<&str>, power_up: u32) -> Result<Self, SimError> {
        let bench = BENCHES.iter().find(|(known, _)| *known == name);
        let (name, api) = *bench.ok_or_else(|| SimError::NoBench { name: name.into() })?;
        let seeded = |name: &str| {
            let variant = VARIANTS.iter().find(|v| v.fault == Some(name));
            let number = variant.map(|v| v.fault_number);
            number.ok_or_else(|| SimError::NoFault { name: name.into() })
        };
        let fault = fault.map_or(Ok(0), seeded)?;
        let handle = BenchHandle::new(api, fault, power_up).ok_or(SimError::Create)?;
        let mut bench = Self {
            name,
            api,
            handle,
            clock: api.ports().iter().position(|port| port.name() == "clk_i"),
            cycles: 0,
        };
        // Verilator draws them as it draws registers.
        let inputs = bench.api.ports().iter().enumerate();
        for (index, port) in inputs.filter(|(_, port)| port.is_input()) {
            bench.handle.put(index, &vec![0; words_of(port.bits)]);
        }
        bench.reset()?;
        Ok(bench)
    }

    /// Clock cycles since power-up.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// An input.
    ///
    /// # Errors
    /// When the module has none of that name.
    pub fn input(&self, name: &str) -> Result<Input, SimError> {
        self.find(name, "input", true).map(Input)
    }

    /// An output.
    ///
    /// # Errors
    /// When the module has none of that name.
    pub fn output(&self, name: &str) -> Result<Output, SimError> {
        self.find(name, "output", false).map(Output)
    }

    fn find(&self, name: &str, direction: &'static str, input: bool) -> Result<Port, SimError> {
        let ports = self.api.ports();
        let found = |port: &crate::ffi::RawPort| port.is_input() == input && port.name() == name;
        let index = ports.iter().position(found).ok_or_else(|| {
            let ports = ports.iter().filter(|port| port.is_input() == input);
            SimError::NoPort {
                bench: self.name,
                direction,
                port: name.into(),
                ports: ports.map(|port| port.name()).collect::<Vec<_>>().join(" "),
            }
        })?;
        let bits = ports[index].bits;
        Ok(Port {
            index,
            whole: bits,
            low: 0,
            bits,
        })
    }

    /// Sets an input; bits beyond its width are left out, missing ones are 0.
    pub fn put(&mut self, input: Input, value: impl Into<Bits>) {
        let port = input.0;
        let mut value = value.into();
        if port.bits != port.whole {
            value = self.whole(port).replaced(port.low, port.bits, &value);
        }
        self.handle.put(port.index, &value.words(port.whole));
    }

    /// An output of at most 64 bits; of a wider one the lowest.
    pub fn get(&self, output: Output) -> u64 {
        self.bits(output).to_u64()
    }

    /// An output of any width.
    pub fn bits(&self, output: Output) -> Bits {
        let port = output.0;
        let whole = self.whole(port);
        if port.bits == port.whole {
            return whole;
        }
        whole.part(port.low, port.bits)
    }

    /// All of a port.
    fn whole(&self, port: Port) -> Bits {
        let mut words = vec![0; words_of(port.whole)];
        self.handle.get(port.index, &mut words);
        Bits::from_words(words, port.whole)
    }

    /// Lets the outputs follow the inputs.
    ///
    /// # Errors
    /// When the module stops itself.
    pub fn settle(&mut self) -> Result<(), SimError> {
        let cycle = self.cycles;
        self.handle
            .eval()
            .map_err(|why| SimError::Stopped { cycle, why })
    }

    /// A clock edge, with the inputs as they are. A module without a clock
    /// settles.
    ///
    /// # Errors
    /// When the module stops itself.
    pub fn clock(&mut self) -> Result<(), SimError> {
        self.settle()?;
        if let Some(clock) = self.clock {
            self.handle.put(clock, &[1]);
            self.settle()?;
            self.handle.put(clock, &[0]);
            self.settle()?;
        }
        self.cycles += 1;
        Ok(())
    }

    /// Holds the reset `rst_ni` for some cycles, if the module has one.
    ///
    /// # Errors
    /// When the module stops itself.
    pub fn reset(&mut self) -> Result<(), SimError> {
        let Ok(reset) = self.input("rst_ni") else {
            self.handle.assert();
            return self.settle();
        };
        self.put(reset, 0);
        for cycle in 0..RESET_CYCLES {
            if cycle == RESET_CYCLES / 2 {
                self.handle.assert();
            }
            self.clock()?;
        }
        self.put(reset, 1);
        self.settle()
    }
}
