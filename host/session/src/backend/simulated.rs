//! Opens the RTL, simulated: `sim` behind its UART, `sim-uart` at its pins.

use futures::future::BoxFuture;
use lockstep_games::{BoardSize, Codec};

use super::open::{Opener, Spec, SpecError};
use super::{Backend, BackendError, Kind, wire};

/// Rate at the pins unless another is named, in baud.
const BAUD: u32 = 3_000_000;

/// Opens a simulated core.
#[derive(Debug, Clone, Copy)]
pub struct SimOpener {
    pins: bool,
}

impl SimOpener {
    /// `sim`: bytes are exchanged behind the UART.
    pub const fn bytes() -> Self {
        Self { pins: false }
    }

    /// `sim-uart`: bit by bit at the pins.
    pub const fn pins() -> Self {
        Self { pins: true }
    }

    fn baud(self, spec: &Spec) -> Result<Option<u32>, SpecError> {
        let Some(value) = spec.option("baud") else {
            return Ok(self.pins.then_some(BAUD));
        };
        let baud = value.parse().map_err(|_| SpecError::Value {
            option: "baud".into(),
            value: value.into(),
            expected: "a whole number",
        })?;
        Ok(Some(baud))
    }
}

const FAULT: (&str, &str) = ("fault", "seeds a fault");

impl<G: Codec> Opener<G> for SimOpener {
    fn name(&self) -> &'static str {
        if self.pins { "sim-uart" } else { "sim" }
    }

    fn kind(&self) -> Kind {
        Kind::Simulated
    }

    fn about(&self) -> &'static str {
        match self.pins {
            true => "the RTL, simulated bit by bit at its serial pins",
            false => "the RTL, simulated behind its UART",
        }
    }

    fn options(&self) -> &'static [(&'static str, &'static str)] {
        match self.pins {
            true => &[("baud", "sets the rate"), FAULT],
            false => &[FAULT],
        }
    }

    fn check(&self, spec: &Spec) -> Result<(), SpecError> {
        self.baud(spec).map(|_| ())
    }

    fn present(&self) -> Result<(), String> {
        present()
    }

    fn can_play(&self, controller: &G::Controller, board: BoardSize) -> bool {
        wire::can_play::<G>(controller, board)
    }

    fn open<'a>(
        &'a self,
        spec: &'a Spec,
        nonce: u64,
    ) -> BoxFuture<'a, Result<Box<dyn Backend<G>>, BackendError>> {
        open::<G>(*self, spec, nonce)
    }
}

#[cfg(not(feature = "sim"))]
fn present() -> Result<(), String> {
    Err(
        "this lockstep was built without the simulator; `make build` fetches Verilator and \
         builds it with"
            .into(),
    )
}

#[cfg(feature = "sim")]
fn present() -> Result<(), String> {
    Ok(())
}

#[cfg(not(feature = "sim"))]
fn open<'a, G: Codec>(
    _opener: SimOpener,
    spec: &'a Spec,
    _nonce: u64,
) -> BoxFuture<'a, Result<Box<dyn Backend<G>>, BackendError>> {
    use futures::future::FutureExt as _;
    let why = present().err().unwrap_or_default();
    async { Err(super::BackendErrorKind::Unavailable(why).of(&spec.to_string())) }.boxed()
}

#[cfg(feature = "sim")]
fn open<'a, G: Codec>(
    opener: SimOpener,
    spec: &'a Spec,
    nonce: u64,
) -> BoxFuture<'a, Result<Box<dyn Backend<G>>, BackendError>> {
    use futures::future::FutureExt as _;

    use super::BackendErrorKind;
    use super::wire::{Reach, Wire};
    use crate::link::sim::SimLink;

    async move {
        let name = spec.to_string();
        let unavailable = |why| BackendErrorKind::Unavailable(why).of(&name);
        let baud = opener.baud(spec).map_err(|e| unavailable(e.to_string()))?;
        let fault = spec.option("fault");
        let variant = sim::variant(G::NAME, fault)
            .ok_or_else(|| unavailable(unknown_fault(fault.unwrap_or_default())))?;
        let depth = match baud {
            None => sim::Depth::Bytes,
            Some(baud) => sim::Depth::Pins { baud, skew_ppm: 0 },
        };
        let link = SimLink::open(variant, depth)
            .await
            .map_err(|e| unavailable(e.to_string()))?;
        let reach = Reach {
            kind: Kind::Simulated,
            patience: patience(variant.clock_hz, baud).into(),
            nonce,
            mending: None,
            name,
        };
        let wire = Wire::<G>::open(reach, Box::new(link)).await?;
        Ok(Box::new(wire) as Box<dyn Backend<G>>)
    }
    .boxed()
}

/// Simulated time the core may take to a byte: a hundred times what the slowest
/// decision takes, and the longest frames on the line before it.
#[cfg(feature = "sim")]
fn patience(clock_hz: u32, baud: Option<u32>) -> std::time::Duration {
    const DECISION: u64 = 200_000;
    let per_bit = baud.map_or(1, |baud| u64::from(clock_hz / baud.max(1)) + 1);
    let frame = 10 * protocol::frame::MAX_WIRE as u64 * u64::from(protocol::layout::WINDOW);
    let cycles = DECISION + frame * per_bit;
    std::time::Duration::from_nanos(cycles * 1_000_000_000 / u64::from(clock_hz))
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
