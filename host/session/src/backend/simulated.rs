//! Opens the simulated RTL: `sim` exchanges bytes behind its UART, `sim-uart` drives its pins;
//! `sim-netlist` is its netlist for a chip.

use lockstep_games::Codec;

use super::open::{BackendFactory, Open, Spec, SpecError, Target};
use super::{Kind, wire};

#[cfg(feature = "sim")]
pub use model::{core_of, traced};

/// Rate at the pins unless another is named, in baud.
const BAUD: u32 = 3_000_000;

const NO_SIMULATOR: &str = "this lockstep was built without the simulator; `make build` fetches \
                            Verilator and builds one with it";
const NO_NETLIST: &str =
    "this lockstep was built without the netlist; `make netlist` builds one with it";

const FAULT: (&str, &str) = ("fault", "seeds a fault");
const CORE: (&str, &str) = ("core", "is another core of the game");

/// Opens the RTL without its UART, as `sim`.
pub fn bytes<G: Codec>() -> BackendFactory<G> {
    factory("sim", "the RTL, simulated without its UART", &[CORE, FAULT])
}

/// Opens the RTL bit by bit at its pins, as `sim-uart`.
pub fn pins<G: Codec>() -> BackendFactory<G> {
    let about = "the RTL, simulated bit by bit at its serial pins";
    factory("sim-uart", about, &[("baud", "sets the rate"), CORE, FAULT])
}

/// Opens the RTL's netlist without its UART, as `sim-netlist`.
pub fn netlist<G: Codec>() -> BackendFactory<G> {
    let about = "the RTL's netlist for an ECP5, simulated cell by cell";
    let netlist = factory("sim-netlist", about, &[CORE, FAULT]);
    let absent = cfg!(not(feature = "netlist")).then_some(NO_NETLIST);
    BackendFactory { absent, ..netlist }
}

fn factory<G: Codec>(
    name: &'static str,
    about: &'static str,
    options: &'static [(&'static str, &'static str)],
) -> BackendFactory<G> {
    BackendFactory {
        name,
        kind: Kind::Simulated,
        about,
        target: Target::None,
        options,
        absent: cfg!(not(feature = "sim")).then_some(NO_SIMULATOR),
        can_play: Box::new(wire::can_play::<G>),
        read: Box::new(|spec| Ok(open(spec, baud(spec)?))),
    }
}

/// Rate at the core's pins; `None` behind its UART.
fn baud(spec: &Spec) -> Result<Option<u32>, SpecError> {
    let Some(value) = spec.option("baud") else {
        return Ok((spec.factory() == "sim-uart").then_some(BAUD));
    };
    let wrong = |_| SpecError::value("baud", value, "a whole number");
    let baud: u64 = value.parse().map_err(wrong)?;
    // The core's clock limits it.
    Ok(Some(baud.try_into().unwrap_or(u32::MAX)))
}

#[cfg(not(feature = "sim"))]
fn open<G: Codec>(spec: &Spec, _baud: Option<u32>) -> Open<G> {
    use futures::future::{FutureExt as _, ready};
    let absent = super::BackendErrorKind::Unavailable(NO_SIMULATOR.into()).of(spec.to_string());
    Box::new(|_| ready(Err(absent)).boxed())
}

#[cfg(feature = "sim")]
fn open<G: Codec>(spec: &Spec, baud: Option<u32>) -> Open<G> {
    use futures::future::FutureExt as _;
    let spec = spec.clone();
    Box::new(move |nonce| async move { model::open(&spec, baud, nonce).await }.boxed())
}

#[cfg(feature = "sim")]
mod model {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use lockstep_games::Codec;
    use sim::{Depth, Variant};

    use super::super::wire::{LinkConfig, Wire};
    use super::super::{Backend, BackendError, BackendErrorKind};
    use super::{Kind, NO_NETLIST, Spec, baud};
    use crate::link::LinkError;
    use crate::link::sim::{SimLink, Waves};

    const NO_FAULTS: &str =
        "this lockstep was built without the seeded faults; run `make faults-build`";

    fn unavailable(spec: &Spec, why: impl ToString) -> BackendError {
        BackendErrorKind::Unavailable(why.to_string()).of(spec.to_string())
    }

    fn depth(baud: Option<u32>) -> Depth {
        match baud {
            None => Depth::Bytes,
            Some(baud) => Depth::Pins { baud, skew_ppm: 0 },
        }
    }

    pub(super) async fn open<G: Codec>(
        spec: &Spec,
        baud: Option<u32>,
        nonce: u64,
    ) -> Result<Box<dyn Backend<G>>, BackendError> {
        let variant = variant::<G>(spec)?;
        let link = SimLink::open(variant, depth(baud)).await;
        let failed =
            |why: LinkError| BackendErrorKind::Failed(why.to_string()).of(spec.to_string());
        let link = link.map_err(failed)?;
        wire(spec, variant, baud, nonce, link).await
    }

    /// Opens a simulated core that can write waveforms, with the handle that begins and ends them.
    ///
    /// It is some thirty times slower than the core of that name, and behaves the same.
    ///
    /// # Errors
    /// As opening the core by its name does; [`BackendErrorKind::Unavailable`] for a backend
    /// that is not simulated from RTL.
    pub async fn traced<G: Codec>(
        spec: &Spec,
        nonce: u64,
    ) -> Result<(Box<dyn Backend<G>>, Waves), BackendError> {
        if !["sim", "sim-uart", "sim-netlist"].contains(&spec.factory()) {
            return Err(unavailable(spec, "it is not simulated"));
        }
        let baud = baud(spec).map_err(|why| unavailable(spec, why))?;
        let variant = variant::<G>(spec)?;
        let opened = SimLink::traced(variant, depth(baud)).await;
        let (link, waves) = opened.map_err(|why| unavailable(spec, why))?;
        Ok((wire(spec, variant, baud, nonce, link).await?, waves))
    }

    async fn wire<G: Codec>(
        spec: &Spec,
        variant: &Variant,
        baud: Option<u32>,
        nonce: u64,
        link: SimLink,
    ) -> Result<Box<dyn Backend<G>>, BackendError> {
        let config = LinkConfig {
            kind: Kind::Simulated,
            timeout: timeout(variant.clock_hz, baud).into(),
            nonce,
            recovery: None,
            name: spec.to_string(),
        };
        Ok(Box::new(Wire::<G>::open(config, Box::new(link)).await?))
    }

    /// Timeout of a reply in simulated time: far longer than the slowest decision, plus the longest
    /// frames on the line before it.
    fn timeout(clock_hz: u32, baud: Option<u32>) -> Duration {
        const DECISION: u64 = 200_000;
        let per_bit = baud.map_or(1, |baud| u64::from(clock_hz / baud.max(1)) + 1);
        let frame = 10 * protocol::frame::MAX_WIRE as u64 * u64::from(protocol::layout::WINDOW);
        let cycles = DECISION + frame * per_bit;
        Duration::from_nanos(cycles * 1_000_000_000 / u64::from(clock_hz))
    }

    /// Name among the game's cores of the one that a backend simulates; empty for the first one,
    /// and for a backend that simulates none.
    pub fn core_of<G: Codec>(spec: &Spec) -> &'static str {
        variant::<G>(spec).map_or("", |variant| variant.core)
    }

    /// The simulated model of that name, with its fault.
    fn variant<G: Codec>(spec: &Spec) -> Result<&'static Variant, BackendError> {
        let fault = spec.option("fault");
        let core = spec.option("core");
        let (all, without) = match spec.factory() == "sim-netlist" {
            true => (sim::netlists(), NO_NETLIST),
            false => (sim::variants(), NO_FAULTS),
        };
        let mut of_core = all
            .iter()
            .filter(|v| v.game == G::NAME && core.is_none_or(|core| v.core == core))
            .peekable();
        if let (Some(core), None) = (core, of_core.peek()) {
            let names = all
                .iter()
                .filter(|v| v.game == G::NAME && !v.core.is_empty());
            let names: BTreeSet<_> = names.map(|v| v.core).collect();
            let why = match names.is_empty() {
                true if spec.factory() == "sim-netlist" => without.into(),
                true => format!("{} has no other core; leave core={core} out", G::NAME),
                false => {
                    let names: Vec<_> = names.into_iter().collect();
                    format!(
                        "no core is called '{core}'; the game's other cores: {}",
                        names.join(", ")
                    )
                }
            };
            return Err(unavailable(spec, why));
        }
        of_core.find(|v| v.fault == fault).ok_or_else(|| {
            let faults = all.iter();
            let faults = faults.filter_map(|v| Some((v.game, v.fault?, v.fault_in)));
            let faults: Vec<_> = faults.collect();
            let why = no_such_fault(G::NAME, fault, &faults).unwrap_or_else(|| without.into());
            unavailable(spec, why)
        })
    }

    /// The error of a fault that a core lacks; `faults` lists game, name and part of the RTL of each.
    /// `None` without a fault or in a build without any.
    fn no_such_fault(
        game: &str,
        fault: Option<&str>,
        faults: &[(&str, &str, &str)],
    ) -> Option<String> {
        let fault = fault.filter(|_| !faults.is_empty())?;
        let named = faults.iter().filter(|(_, name, _)| *name == fault);
        Some(match named.min_by_key(|(of, ..)| *of != game) {
            Some((of, ..)) if *of == game => {
                format!("the fault '{fault}' is in another core of {game}; leave core= out")
            }
            Some((.., home)) => format!("the fault '{fault}' is in {home}, not in {game}"),
            None => format!("no fault is called '{fault}'; `lockstep faults --list` lists all"),
        })
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn no_such_fault_names_its_game_or_all_faults() {
            let faults = [
                ("go", "late-ack", "link"),
                ("chess", "late-ack", "link"),
                ("go", "lost-ko", "go"),
                ("chess", "lame-knight", "chess"),
            ];
            let why = |game, fault| no_such_fault(game, fault, &faults);
            let elsewhere = "the fault 'lame-knight' is in chess, not in go";
            assert_eq!(why("go", Some("lame-knight")).as_deref(), Some(elsewhere));
            let other_core = "the fault 'lost-ko' is in another core of go; leave core= out";
            assert_eq!(why("go", Some("lost-ko")).as_deref(), Some(other_core));
            let unknown = "no fault is called 'nope'; `lockstep faults --list` lists all";
            assert_eq!(why("chess", Some("nope")).as_deref(), Some(unknown));
            assert_eq!(why("go", None), None);
            assert_eq!(no_such_fault("go", Some("lost-ko"), &[]), None);
        }

        /// A decision of 200,000 clock cycles, and a window of the longest frames.
        #[test]
        fn timeout_covers_decision_and_frames() {
            for (baud, cycles_a_bit) in [(None, 1), (Some(1_000_000), 101), (Some(300), 333_334)] {
                let bits = 10 * protocol::frame::MAX_WIRE * usize::from(protocol::layout::WINDOW);
                let cycles = 200_000 + bits as u64 * cycles_a_bit;
                let expected = Duration::from_nanos(10 * cycles);
                assert_eq!(timeout(100_000_000, baud), expected, "{baud:?}");
            }
        }
    }
}
