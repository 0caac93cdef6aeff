//! Verilated models of the RTL behind a safe API.
//!
//! Read in this order:
//! - [`Variant`]: a core that was linked. [`variants`] lists the RTL as designed and, with the
//!   feature `faults`, the RTL with each seeded fault of `rtl/faults.txt`; [`netlists`] lists the
//!   netlists, with the feature `netlist`.
//! - `model`: [`Model`], an instance of a core, clocked by its caller.
//! - `port` and `pins`: [`Port`], a model with the host's end of its byte stream, behind the UART
//!   or at the serial pins, in simulated time.
//!   The top of a board with a picture ([`boards`]) has one, too, and the pins of that ([`Video`]).
//! - [`monitor`]: a monitor at those pins.
//! - `bench`: [`Bench`], a model of a single module with all its ports.
//! - [`coverage`]: collects the coverage of a run, with the feature `coverage`.
//! - `ffi`: the C interface of the models.
//! - `lz4`: what they call of the C library LZ4.
//!
//! A model stays on the thread that created it and has a context of its own. Models on different
//! threads run in parallel.

#[allow(
    unsafe_code,
    reason = "the models are C++, and only this module calls them"
)]
mod ffi;
#[allow(
    unsafe_code,
    reason = "C++ calls it: pointers and symbols with the names of a C library"
)]
mod lz4;

mod bench;
pub mod coverage;
mod model;
pub mod monitor;
mod pins;
mod port;

pub use bench::{Bench, Bits, Port as BenchPort, benches};
pub use ffi::Video;
pub use model::{Inputs, Model, Outputs, Start};
pub use port::{Depth, PRESS_CYCLES, Port};

use protocol::layout::link::MAX_INCREMENT;

/// A core that was linked: a game's RTL or netlist, with a seeded fault or without.
#[derive(Debug)]
pub struct Variant {
    /// Name of the game.
    pub game: &'static str,
    /// Name among the game's cores; empty for the first one in `rtl/tops.txt`.
    pub core: &'static str,
    /// Name of the top module.
    pub top: &'static str,
    /// The parameters of the top in `rtl/tops.txt`: name and value.
    pub parameters: &'static [(&'static str, u32)],
    /// The RTL's files, below `rtl/`.
    pub sources: &'static [&'static str],
    /// Whether it is the netlist instead of the RTL.
    pub netlist: bool,
    /// Kebab-case name of the seeded fault, `None` for the RTL as designed.
    pub fault: Option<&'static str>,
    /// The game whose files the fault changes, or `link` if every game's core has it.
    pub fault_in: &'static str,
    /// A description in one line.
    pub summary: &'static str,
    /// The modules that the fault changes.
    pub modules: &'static [&'static str],
    /// The build id of its `info` reply unless [`Start::build_id`] differs: a hash of the RTL's
    /// sources and parameters without [`Self::rate_hold`]. A netlist has its RTL's.
    pub build_id: u32,
    /// The RTL's parameter for its clock, in hertz.
    pub clock_hz: u32,
    /// Clock cycles without a good frame after which the line returns to its base rate. Boards
    /// wait for a second, which would take minutes to simulate.
    pub rate_hold: u32,
    /// Number of the fault, an argument of the model; 0 for none.
    fault_number: u32,
    api: &'static ffi::Api,
    /// The same core with waveforms; `None` for a netlist.
    traced: Option<&'static ffi::Api>,
    /// The pins of a board's picture.
    video: Option<ffi::VideoOf>,
}

impl Variant {
    /// A parameter of the top; `None` if `rtl/tops.txt` does not set it.
    pub fn parameter(&self, name: &str) -> Option<u32> {
        let mut parameters = self.parameters.iter();
        parameters.find_map(|(known, value)| (*known == name).then_some(*value))
    }
}

/// The table of models that the build script writes.
#[allow(
    unsafe_code,
    reason = "each model's function table is a constant of its linked library"
)]
mod linked {
    use super::{Variant, ffi};

    include!(concat!(env!("OUT_DIR"), "/variants.rs"));
}

use linked::{BENCHES, BOARDS, NETLISTS, VARIANTS, VERILATOR};

/// The version of Verilator with which the models were built.
pub fn verilator() -> &'static str {
    VERILATOR
}

/// All variants of the RTL that were linked, the RTL as designed first.
pub fn variants() -> &'static [Variant] {
    VARIANTS
}

/// A game's core with a seeded fault or without.
pub fn variant(game: &str, fault: Option<&str>) -> Option<&'static Variant> {
    VARIANTS.iter().find(|v| v.game == game && v.fault == fault)
}

/// The boards that were linked, those with a picture: the top of a board at its pins. Its line starts
/// at the base rate, and its clock is the core's.
pub fn boards() -> &'static [Variant] {
    BOARDS
}

/// The netlists that were linked; empty without the feature `netlist`.
///
/// Each netlist is followed by its variants with the faults `lut-1` and so on, each of which
/// inverts one look-up table.
pub fn netlists() -> &'static [Variant] {
    NETLISTS
}

/// The netlist of a game's core with a seeded fault or without.
pub fn netlist(game: &str, fault: Option<&str>) -> Option<&'static Variant> {
    NETLISTS.iter().find(|v| v.game == game && v.fault == fault)
}

/// The error of a seeded fault that the build does not have.
pub fn no_fault(name: &str) -> SimError {
    SimError::Unknown {
        what: "seeded fault",
        name: name.into(),
        remedy: "rtl/faults.txt lists them".into(),
    }
}

/// Why a simulation failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SimError {
    /// The model could not be created.
    #[error("the model could not be created: out of memory")]
    Create,
    /// An assertion of the RTL failed, or it ended the simulation.
    #[error("the model stopped itself in cycle {cycle}: {why}")]
    Stopped {
        /// Clock cycle since power-up.
        cycle: u64,
        /// The message of the RTL.
        why: String,
    },
    /// The model has no waveforms.
    #[error("a netlist has no waveforms; use its RTL, backend sim")]
    NoWaves,
    /// A waveform cannot be written.
    #[error("the waveform {} cannot be written: {why}", file.display())]
    Waves {
        /// The file.
        file: std::path::PathBuf,
        /// The reason.
        why: String,
    },
    /// Coverage cannot be collected or written.
    #[error("the coverage {} cannot be collected: {why}", file.display())]
    Coverage {
        /// The file, or the folder of a run's files.
        file: std::path::PathBuf,
        /// The reason.
        why: String,
    },
    /// The model sent no byte within the limit.
    #[error("the model sent no byte within {limit} clock cycles: it hangs or got no request")]
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
    /// The skew is outside the range that can be simulated.
    #[error("expected a skew of at most 100000 millionths, got {skew_ppm}")]
    Skew {
        /// The skew, in millionths.
        skew_ppm: i32,
    },
    /// The build has no bench, or a module no port, or the build no seeded fault of this name.
    #[error("there is no {what} {name}; {remedy}")]
    Unknown {
        /// What it was to be.
        what: &'static str,
        /// The unknown name.
        name: String,
        /// Where the known names are, or these names.
        remedy: String,
    },
    /// The UART cannot run at the baud rate.
    #[error(
        "its clock of {clock_hz} Hz allows {min} to {max} baud, got {baud}",
        min = pins::MIN_BAUD,
        max = (u64::from(*clock_hz) * u64::from(MAX_INCREMENT)) >> 24
    )]
    Baud {
        /// The rate, in baud.
        baud: u32,
        /// The model's clock in hertz.
        clock_hz: u32,
    },
    /// The host's end of the line cannot run at the baud rate.
    #[error(
        "expected {least} to {clock_hz} baud at the host's end of the line, got {baud} baud",
        least = port::SLOWEST_HOST
    )]
    HostBaud {
        /// The rate, in baud.
        baud: u32,
        /// The model's clock in hertz.
        clock_hz: u32,
    },
}
