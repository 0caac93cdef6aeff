//! Opens cores outside this process: boards, and virtual ones, behind a serial or a TCP port.

use std::time::Duration;

use futures::future::FutureExt as _;
use lockstep_games::Codec;
use protocol::layout::link::BASE_BAUD;

use super::open::{BackendFactory, Open, Opening, Spec, SpecError, Target};
use super::wire::{self, LinkConfig, RecoveryPolicy, Timeout, Wire};
use super::{Backend, BackendErrorKind, Kind};
use crate::link::ports;
use crate::link::tcp::{TcpLink, is_address};
use crate::link::{Link, LinkError, PortError, survey};

/// Rate of a core's line after power-up unless another is named, in baud.
pub const START: u32 = BASE_BAUD;
/// Highest rate to climb to unless another is named, in baud: the maximum of the USB chip of most
/// FPGA boards.
pub const TOP: u32 = 12_000_000;
/// Highest rate that can be named, in baud: no serial port is as fast.
const FASTEST: u32 = 100_000_000;
/// Timeout of the first reply; later ones are learned.
const FIRST: Duration = Duration::from_secs(2);
const REOPENING: Duration = Duration::from_secs(30);

fn rate(
    spec: &Spec,
    option: &str,
    allowed: impl Fn(u32) -> bool,
    expected: &'static str,
) -> Result<Option<u32>, SpecError> {
    let Some(value) = spec.option(option) else {
        return Ok(None);
    };
    let baud = value.parse().ok();
    let baud = baud.filter(|baud| *baud <= FASTEST && allowed(*baud));
    baud.map(Some)
        .ok_or_else(|| SpecError::value(option, value, expected))
}

fn rates(spec: &Spec) -> Result<RecoveryPolicy, SpecError> {
    let base = rate(
        spec,
        "start",
        |baud| baud > 0,
        "a whole number of baud, 1 to 100000000",
    )?;
    let base = base.unwrap_or(START);
    // At a rate in between, a zero at the base rate does not bring the core back.
    let top = rate(
        spec,
        "baud",
        |baud| baud == base || baud / 2 >= base,
        "the base rate (start=, 115200 unless named), or a whole number of baud from twice that up \
         to 100000000",
    )?;
    Ok(RecoveryPolicy {
        base,
        top: top.unwrap_or(TOP.max(base)),
        reopening: REOPENING,
    })
}

fn open<G: Codec, L: Link + 'static>(
    spec: &Spec,
    recovery: RecoveryPolicy,
    link: impl Future<Output = Result<L, PortError>> + Send + 'static,
) -> Open<G> {
    let spec = spec.clone();
    Box::new(move |nonce| -> Opening<G> {
        async move {
            let name = spec.to_string();
            let link = link.await.map_err(|error| {
                let kind = match error.port == spec.target() {
                    // The backend's name contains it already.
                    true => BackendErrorKind::Failed(error.why),
                    false => BackendErrorKind::Link(LinkError::Open(error)),
                };
                kind.of(&name)
            })?;
            let config = LinkConfig {
                kind: Kind::Link,
                timeout: Timeout::Learned(FIRST),
                nonce,
                recovery: Some(recovery),
                name,
            };
            let wire = Wire::<G>::open(config, Box::new(link)).await?;
            Ok(Box::new(wire) as Box<dyn Backend<G>>)
        }
        .boxed()
    })
}

/// Opens a core behind a serial port, as `serial`.
pub fn serial<G: Codec>() -> BackendFactory<G> {
    let read = |spec: &Spec| {
        let target = spec.target().parse::<ports::Target>();
        let target = target.map_err(|why| SpecError::Invalid(format!("serial: {why}")))?;
        let recovery = rates(spec)?;
        let link = async move { survey::open(&target, recovery.base).await };
        Ok(open(spec, recovery, link))
    };
    BackendFactory {
        name: "serial",
        kind: Kind::Link,
        about: "a board at a serial port, named by its path, as VID:PID[:SERIAL] of its USB \
                device, or auto for the only board that answers",
        target: Target::Word("PORT"),
        options: &[
            ("baud", "sets the highest raised rate"),
            ("start", "sets the rate the board has after power-up"),
        ],
        absent: None,
        can_play: Box::new(wire::can_play::<G>),
        read: Box::new(read),
    }
}

/// Opens a core behind a TCP port, as `tcp`.
pub fn tcp<G: Codec>() -> BackendFactory<G> {
    let read = |spec: &Spec| {
        let address = spec.target().to_owned();
        if !is_address(&address) {
            return Err(SpecError::Invalid(format!(
                "tcp: '{address}' is not an address: expected HOST:PORT, such as localhost:5000 or \
                 [::1]:5000"
            )));
        }
        // This end cannot set the rate of the line behind it.
        let recovery = RecoveryPolicy {
            base: START,
            top: START,
            reopening: REOPENING,
        };
        let link = async move { TcpLink::open(&address).await };
        Ok(open(spec, recovery, link))
    };
    BackendFactory {
        name: "tcp",
        kind: Kind::Link,
        about: "a board behind ser2net, or a virtual board on another machine",
        target: Target::Word("HOST:PORT"),
        options: &[],
        absent: None,
        can_play: Box::new(wire::can_play::<G>),
        read: Box::new(read),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_of_options_are_base_and_top() {
        for (start, baud, base, top) in [
            ("", "", START, TOP),
            ("9600", "", 9_600, TOP),
            ("50000000", "", 50_000_000, 50_000_000),
            ("1", "2", 1, 2),
            ("", "115200", START, START),
            ("", "230400", START, 230_400),
            ("100000000", "100000000", FASTEST, FASTEST),
        ] {
            let mut spec = Spec::of("serial:x", "serial");
            let options = [("start", start), ("baud", baud)].into_iter();
            let options = options.filter(|(_, value)| !value.is_empty());
            spec.options = options
                .map(|(name, value)| (name.into(), value.into()))
                .collect();
            let expected = RecoveryPolicy {
                base,
                top,
                reopening: REOPENING,
            };
            assert_eq!(rates(&spec), Ok(expected), "{start}, {baud}");
        }
    }
}
