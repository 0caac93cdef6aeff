//! Backends by their names on the command line.

use std::fmt;
use std::str::FromStr;

use super::software::Software;
use super::{Backend, BackendError};
use crate::games::Game;

/// Baud rate at the simulated pins unless another is named.
pub const BAUD: u32 = 3_000_000;

/// A backend as named on the command line: a kind, then options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    text: String,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Software,
    Engine {
        /// `None`: the fastest here.
        path: Option<String>,
    },
    Sim {
        /// `None`: bytes behind the UART.
        baud: Option<u32>,
        fault: Option<String>,
    },
}

/// What can be named, for help and errors.
pub const KINDS: &str = "software (the golden model), engine (the fast one; engine:path=avx2 takes \
     another path), sim (the RTL, simulated behind its UART), sim-uart (the same, bit by bit \
     at its pins; sim-uart:baud=N sets the rate)";

/// The text names no backend.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SpecError(String);

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let mut kind = match name {
            "software" => Kind::Software,
            "engine" => Kind::Engine { path: None },
            "sim" => Kind::Sim {
                baud: None,
                fault: None,
            },
            "sim-uart" => Kind::Sim {
                baud: Some(BAUD),
                fault: None,
            },
            _ => {
                return Err(SpecError(format!(
                    "no backend is called '{name}'; there are {KINDS}"
                )));
            }
        };
        let mut seen = Vec::new();
        for option in options.split(',').filter(|_| text.contains(':')) {
            let (key, value) = option.split_once('=').unwrap_or((option, ""));
            if seen.contains(&key) {
                return Err(SpecError(format!("{text}: '{key}' is named twice")));
            }
            seen.push(key);
            match (&mut kind, key) {
                (
                    Kind::Sim {
                        baud: Some(baud), ..
                    },
                    "baud",
                ) => {
                    *baud = value
                        .parse()
                        .map_err(|_| SpecError(format!("baud={value}: expected a whole number")))?;
                }
                (Kind::Engine { path }, "path") => *path = Some(value.into()),
                (Kind::Sim { fault, .. }, "fault") => *fault = Some(value.into()),
                _ => return Err(SpecError(format!("{name} has no option '{key}'"))),
            }
        }
        Ok(Self {
            text: text.into(),
            kind,
        })
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Spec {
    /// Whether it is the engine.
    pub fn is_engine(&self) -> bool {
        matches!(self.kind, Kind::Engine { .. })
    }

    /// The engine's path, when one is named.
    pub fn path(&self) -> Option<&str> {
        match &self.kind {
            Kind::Engine { path } => path.as_deref(),
            _ => None,
        }
    }

    /// What is asked when nothing is named: software, and the simulated RTL
    /// where it can play.
    pub fn defaults(on_the_wire: bool) -> Vec<Self> {
        let software = Self {
            text: "software".into(),
            kind: Kind::Software,
        };
        let sim = Self {
            text: "sim".into(),
            kind: Kind::Sim {
                baud: None,
                fault: None,
            },
        };
        let sim = Some(sim).filter(|_| on_the_wire);
        std::iter::once(software).chain(sim).collect()
    }

    /// Opens the backend. `nonce` tells this session from earlier ones on the
    /// same link.
    ///
    /// # Errors
    /// When it is not available here, with what helps.
    pub async fn open<G: Game>(&self, nonce: u64) -> Result<Box<dyn Backend<G>>, BackendError> {
        match &self.kind {
            Kind::Software => Ok(Box::new(Software::<G>::golden(&self.text))),
            Kind::Engine { path } => Ok(Box::new(Software::<G>::engine(
                &self.text,
                path.as_deref(),
            )?)),
            Kind::Sim { baud, fault } => self.open_sim::<G>(*baud, fault.as_deref(), nonce).await,
        }
    }

    #[cfg(feature = "sim")]
    async fn open_sim<G: Game>(
        &self,
        baud: Option<u32>,
        fault: Option<&str>,
        nonce: u64,
    ) -> Result<Box<dyn Backend<G>>, BackendError> {
        use super::link::sim::SimLink;
        use super::wire::Wire;

        let unavailable = |why| BackendError::Unavailable {
            name: self.text.clone(),
            why,
        };
        let variant = sim::variant(G::NAME, fault)
            .ok_or_else(|| unavailable(unknown_fault(fault.unwrap_or_default())))?;
        let depth = match baud {
            None => sim::Depth::Bytes,
            Some(baud) => sim::Depth::Pins { baud, skew_ppm: 0 },
        };
        let link = SimLink::open(variant, depth, cycle_limit(variant.clock_hz, baud))
            .await
            .map_err(|e| unavailable(e.to_string()))?;
        Ok(Box::new(
            Wire::<G>::open(&self.text, Box::new(link), nonce).await?,
        ))
    }

    #[cfg(not(feature = "sim"))]
    async fn open_sim<G: Game>(
        &self,
        _baud: Option<u32>,
        _fault: Option<&str>,
        _nonce: u64,
    ) -> Result<Box<dyn Backend<G>>, BackendError> {
        Err(BackendError::Unavailable {
            name: self.text.clone(),
            why: "this lockstep was built without the simulator; `make build` fetches \
                  Verilator and builds it with"
                .into(),
        })
    }
}

/// Clock cycles the core may take to a byte: a hundred times what the slowest
/// decision takes, and the longest frame on the line before it.
#[cfg(feature = "sim")]
fn cycle_limit(clock_hz: u32, baud: Option<u32>) -> u64 {
    const DECISION: u64 = 200_000;
    let per_bit = baud.map_or(1, |baud| u64::from(clock_hz / baud.max(1)) + 1);
    let frame = 10 * protocol::frame::MAX_WIRE as u64 * u64::from(protocol::layout::WINDOW);
    DECISION + frame * per_bit
}

#[cfg(feature = "sim")]
fn unknown_fault(fault: &str) -> String {
    let names: Vec<_> = sim::variants().iter().filter_map(|v| v.fault).collect();
    if names.is_empty() {
        return "this lockstep was built without the seeded faults; `make faults` builds it with"
            .into();
    }
    format!(
        "no fault is called '{fault}'; there are {}",
        names.join(", ")
    )
}
