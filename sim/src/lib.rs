//! Verilated models of the RTL behind a safe API.
//!
//! [`variants`] lists what was linked: the RTL as designed and, with the feature
//! `faults`, that with each of the seeded faults; [`netlists`] what was made of it for a
//! chip, with the feature `netlist`. A [`Model`] is one instance, clocked by hand. A
//! [`Port`] is a model with a host's end of its byte stream, either behind the UART or
//! bit by bit at its pins: bytes in, bytes out, in simulated time. A [`Bench`] is one
//! module of the RTL by itself, all its ports within reach. With the feature `coverage` models
//! count what they reach; [`coverage`] gathers that of a run.
//!
//! A model lives on the thread that made it, with a context of its own; any
//! number of them run side by side on different threads.

#[allow(
    unsafe_code,
    reason = "the models are C++: this is the only door to them"
)]
mod ffi;

mod bench;
pub mod coverage;
mod model;
mod pins;
mod port;

pub use bench::{Bench, Bits, Input, Output, benches};
pub use model::{Inputs, Model, Outputs, Start};
pub use port::{Depth, Port};

use protocol::layout::link::MAX_INCREMENT;

/// A model that was linked.
#[derive(Debug)]
pub struct Variant {
    /// Name of the game its core plays.
    pub game: &'static str,
    /// Its top module.
    pub top: &'static str,
    /// The parameters of its top that `rtl/tops.txt` gives: name and value.
    pub parameters: &'static [(&'static str, u32)],
    /// The files it is made of, below `rtl/`.
    pub sources: &'static [&'static str],
    /// Whether it is simulated from what was made of the RTL for a chip, cell by cell,
    /// instead of from the RTL.
    pub netlist: bool,
    /// Kebab-case name of the seeded fault, `None` for the RTL as designed.
    pub fault: Option<&'static str>,
    /// The game that the seeded fault is in, or `link` if every game's core has it.
    pub fault_in: &'static str,
    /// What is special about it, in one line.
    pub summary: &'static str,
    /// The modules that the seeded fault is in.
    pub modules: &'static [&'static str],
    /// What its `info` reply gives as build id unless it is made with another
    /// one: a hash of the RTL's sources and parameters, [`Self::rate_hold`] left
    /// out. A netlist has that of its RTL.
    pub build_id: u32,
    /// The clock it is told it runs at, in hertz.
    pub clock_hz: u32,
    /// Clock cycles without a good frame after which its line comes back from
    /// another rate to the base rate. A board waits for longer: a second there
    /// would take the models minutes.
    pub rate_hold: u32,
    /// The fault as the model is told it; 0 for none.
    fault_number: u32,
    api: &'static ffi::Api,
    /// That of a model that is the same and can write a waveform; `None` of a netlist.
    traced: Option<&'static ffi::Api>,
}

impl Variant {
    /// A parameter of its top; `None` where the top has none of that name, or its own default.
    pub fn parameter(&self, name: &str) -> Option<u32> {
        let mut parameters = self.parameters.iter();
        parameters.find_map(|(known, value)| (*known == name).then_some(*value))
    }
}

/// The table the build script writes.
#[allow(
    unsafe_code,
    reason = "each model's functions are a constant of the library it is linked from"
)]
mod linked {
    use super::{Variant, ffi};

    include!(concat!(env!("OUT_DIR"), "/variants.rs"));
}

use linked::{BENCHES, NETLISTS, VARIANTS, VERILATOR};

/// The version of the Verilator that made the models, as it says it.
pub fn verilator() -> &'static str {
    VERILATOR
}

/// All models that were linked, the RTL as designed first.
pub fn variants() -> &'static [Variant] {
    VARIANTS
}

/// The game's model with that seeded fault, or the one without.
pub fn variant(game: &str, fault: Option<&str>) -> Option<&'static Variant> {
    VARIANTS.iter().find(|v| v.game == game && v.fault == fault)
}

/// The models of netlists that were linked: each as it is, then with its seeded faults, `lut-1`
/// and so on, each of which inverts one look-up table. None without the feature `netlist`.
pub fn netlists() -> &'static [Variant] {
    NETLISTS
}

/// The netlist of the game's core with that seeded fault, or the one without.
pub fn netlist(game: &str, fault: Option<&str>) -> Option<&'static Variant> {
    NETLISTS.iter().find(|v| v.game == game && v.fault == fault)
}

/// Why a simulation cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SimError {
    /// The C++ side could not make the model.
    #[error("the model could not be made: out of memory")]
    Create,
    /// The RTL stopped itself.
    #[error("the model stopped itself in cycle {cycle}: {why}")]
    Stopped {
        /// Clock cycle since power-up.
        cycle: u64,
        /// What the RTL said.
        why: String,
    },
    /// There is no model of it that writes waveforms.
    #[error("a netlist has no waveforms: look at those of its RTL")]
    NoWaves,
    /// A waveform cannot be written.
    #[error("the waveform {}: {why}", file.display())]
    Waves {
        /// The file.
        file: std::path::PathBuf,
        /// Why.
        why: String,
    },
    /// What a model covered cannot be told.
    #[error("the coverage {}: {why}", file.display())]
    Coverage {
        /// The file, or the folder of a run's files.
        file: std::path::PathBuf,
        /// Why.
        why: String,
    },
    /// Nothing came back within the limit.
    #[error("the model gave no byte within {limit} clock cycles: it hangs, or was asked nothing")]
    Hung {
        /// The limit in clock cycles.
        limit: u64,
    },
    /// The UART sent a byte without a stop bit.
    #[error("the model's UART sent a byte without a stop bit in cycle {cycle}")]
    Framing {
        /// Clock cycle since power-up.
        cycle: u64,
    },
    /// The host's clock cannot be that far off.
    #[error("a skew of {skew_ppm} millionths: at most a tenth (100000) can be simulated")]
    Skew {
        /// The skew asked for, in millionths.
        skew_ppm: i32,
    },
    /// No bench of that name was built.
    #[error("there is no bench {name}: a line of rtl/benches.txt makes one (feature `faults`)")]
    NoBench {
        /// The name asked for.
        name: String,
    },
    /// The module has no such port.
    #[error("{bench} has no {direction} {port}; it has: {ports}")]
    NoPort {
        /// The bench.
        bench: &'static str,
        /// Input or output.
        direction: &'static str,
        /// The port asked for.
        port: String,
        /// Those there are.
        ports: String,
    },
    /// There is no seeded fault of that name.
    #[error("no seeded fault is called {name}")]
    NoFault {
        /// The name asked for.
        name: String,
    },
    /// The baud rate cannot be had.
    #[error(
        "baud={baud}: a clock of {clock_hz} Hz allows {min} to {max} baud",
        min = pins::MIN_BAUD,
        max = (u64::from(*clock_hz) * u64::from(MAX_INCREMENT)) >> 24
    )]
    Baud {
        /// The rate asked for.
        baud: u32,
        /// The model's clock in hertz.
        clock_hz: u32,
    },
    /// The host's end cannot run at that rate.
    #[error(
        "the host's end of a line into a clock of {clock_hz} Hz cannot run at {baud} baud: \
         {least} to {clock_hz} baud",
        least = port::SLOWEST_HOST
    )]
    HostBaud {
        /// The rate asked for.
        baud: u32,
        /// The model's clock in hertz.
        clock_hz: u32,
    },
}
