//! Benches of the RTL's modules: each by itself, with random gaps and stalls,
//! against a plain model. A fault is found next to where it is, and a core of
//! one's own is tried before there is anything around it.
//!
//! A bench drives a [`sim::Bench`] with a [`stream::Source`] and a
//! [`stream::Sink`] for each valid/ready pair, at a [`random::Pace`] that changes;
//! [`counter`] is the shortest example. All of them are in [`BENCHES`].

pub mod buffer;
pub mod cobs;
pub mod counter;
pub mod line;
pub mod random;
pub mod stream;
pub mod uart;

use random::Random;
use sim::SimError;

/// One module's bench.
#[derive(Debug, Clone, Copy)]
pub struct ModuleBench {
    /// The module, as in `rtl/benches.txt`.
    pub name: &'static str,
    run: fn(&mut Trial) -> Result<(), Failure>,
}

/// All benches.
pub const BENCHES: &[ModuleBench] = &[
    ModuleBench {
        name: "cobs_decoder",
        run: cobs::decoder,
    },
    ModuleBench {
        name: "cobs_encoder",
        run: cobs::encoder,
    },
    ModuleBench {
        name: "sat_counter",
        run: counter::run,
    },
    ModuleBench {
        name: "stream_buffer",
        run: buffer::run,
    },
    ModuleBench {
        name: "uart_rate",
        run: uart::rate::run,
    },
    ModuleBench {
        name: "uart_rx",
        run: uart::receiver::run,
    },
    ModuleBench {
        name: "uart_tx",
        run: uart::transmitter::run,
    },
];

/// One run of a bench: the module, and where its stimulus comes from.
pub struct Trial {
    /// The module, out of its reset.
    pub bench: sim::Bench,
    /// Everything that is drawn.
    pub random: Random,
}

/// What a bench found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The module is not what its plain model is.
    #[error("in cycle {cycle}: {what}")]
    Differs {
        /// Clock cycle since power-up.
        cycle: u64,
        /// What there is, and what there should be.
        what: String,
    },
    /// The module stopped itself by an assertion, or cannot be driven.
    #[error(transparent)]
    Sim(#[from] SimError),
}

impl Trial {
    /// A failure unless both are the same.
    ///
    /// # Errors
    /// When they are not; `what` names them.
    pub fn same<T: PartialEq + std::fmt::Debug>(
        &self,
        what: &str,
        got: &T,
        expected: &T,
    ) -> Result<(), Failure> {
        if got == expected {
            return Ok(());
        }
        self.differs(format!("{what} is {got:x?}, expected {expected:x?}"))
    }

    /// A failure.
    ///
    /// # Errors
    /// Always.
    pub fn differs(&self, what: String) -> Result<(), Failure> {
        let cycle = self.bench.cycles();
        Err(Failure::Differs { cycle, what })
    }
}

impl ModuleBench {
    /// Runs it once, with a seeded fault or none; everything that is drawn hangs
    /// on the seed, what the registers hold at power-up too.
    ///
    /// # Errors
    /// What it found first.
    pub fn run(&self, fault: Option<&str>, seed: u64) -> Result<(), Failure> {
        let mut random = Random::new(seed);
        let bench = sim::Bench::new(self.name, fault, random.power_up())?;
        (self.run)(&mut Trial { bench, random })
    }
}
