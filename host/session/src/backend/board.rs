//! Opens cores outside this process: boards, and virtual ones, behind a serial port, a TCP port or
//! labgrid.

use std::time::{Duration, Instant};

use futures::future::FutureExt as _;
use lockstep_games::Codec;
use protocol::layout::link::BASE_BAUD;
use tokio::time::sleep;

use super::open::{BackendFactory, Open, Opening, Spec, SpecError, Target};
use super::wire::{self, LinkConfig, RecoveryPolicy, Timeout, Wire};
use super::{Backend, BackendError, BackendErrorKind, Kind};
use crate::link::labgrid::LabgridLink;
use crate::link::ports;
use crate::link::tcp::{TcpLink, is_address};
use crate::link::{Link, LinkError, PortError, survey};

/// Rate of a core's line after power-up unless another is named, in baud.
pub const START: u32 = BASE_BAUD;
/// Highest rate to raise the line to unless another is named, in baud: the maximum of the USB chip of most
/// FPGA boards.
pub const TOP: u32 = 12_000_000;
/// Highest rate that can be named, in baud: no serial port is as fast.
const FASTEST: u32 = 100_000_000;
/// Timeout of the first reply; later ones are learned.
const FIRST: Duration = Duration::from_secs(2);
const REOPENING: Duration = Duration::from_secs(30);
/// Time before a board that somebody else has is tried again.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);
/// This end cannot set the rate of a line behind TCP.
const REMOTE: RecoveryPolicy = RecoveryPolicy {
    base: START,
    top: START,
    reopening: REOPENING,
};

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

/// Opens a link, and the core behind it; while somebody else has the board, again for `wait`.
fn open<G: Codec, L: Link + 'static, F>(
    spec: &Spec,
    recovery: RecoveryPolicy,
    wait: Duration,
    link: impl Fn() -> F + Send + Sync + 'static,
) -> Open<G>
where
    F: Future<Output = Result<L, PortError>> + Send + 'static,
{
    let spec = spec.clone();
    Box::new(move |nonce| -> Opening<G> {
        async move {
            let (begun, mut holder) = (Instant::now(), None);
            loop {
                let found = match attempt::<G, L>(&spec, recovery, nonce, link()).await {
                    Ok(backend) => return Ok(backend),
                    Err(error) if begun.elapsed() < wait => in_use(&error).ok_or(error)?,
                    Err(error) => return Err(error),
                };
                if holder.as_ref() != Some(&found) {
                    tracing::warn!("waiting for {spec}: {found}");
                    holder = Some(found);
                }
                sleep(RETRY_INTERVAL).await;
            }
        }
        .boxed()
    })
}

async fn attempt<G: Codec, L: Link + 'static>(
    spec: &Spec,
    recovery: RecoveryPolicy,
    nonce: u64,
    link: impl Future<Output = Result<L, PortError>>,
) -> Result<Box<dyn Backend<G>>, BackendError> {
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
    Ok(Box::new(Wire::<G>::open(config, Box::new(link)).await?))
}

/// Who has a board that could not be opened; `None` if that is not the reason.
fn in_use(error: &BackendError) -> Option<String> {
    let text = error.kind.to_string();
    let (by, _) = text.split_once("; ")?;
    by.contains("in use").then(|| by.to_owned())
}

const WAIT: (&str, &str) = (
    "wait",
    "waits up to … seconds while another client has the board",
);

fn wait(spec: &Spec) -> Result<Duration, SpecError> {
    let Some(value) = spec.option(WAIT.0) else {
        return Ok(Duration::ZERO);
    };
    let seconds = value.parse::<u32>();
    let wrong = |_| SpecError::value(WAIT.0, value, "a whole number of seconds");
    Ok(Duration::from_secs(seconds.map_err(wrong)?.into()))
}

/// Opens a core behind a serial port, as `serial`.
pub fn serial<G: Codec>() -> BackendFactory<G> {
    let read = |spec: &Spec| {
        let target = spec.target().parse::<ports::Target>();
        let target = target.map_err(|why| SpecError::Invalid(format!("serial: {why}")))?;
        let recovery = rates(spec)?;
        let link = move || {
            let target = target.clone();
            async move { survey::open(&target, recovery.base).await }
        };
        Ok(open(spec, recovery, Duration::ZERO, link))
    };
    BackendFactory {
        name: "serial",
        kind: Kind::Link,
        about: "a board at a serial port, named by its path, as VID:PID[:SERIAL] of its USB \
                device, or auto for the only board that answers",
        target: Target::Word("PORT"),
        options: &[
            ("baud", "limits the rate to which the host raises the line"),
            ("start", "is the rate of the line after power-up"),
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
        let link = move || {
            let address = address.clone();
            async move { TcpLink::open(&address).await }
        };
        Ok(open(spec, REMOTE, wait(spec)?, link))
    };
    BackendFactory {
        name: "tcp",
        kind: Kind::Link,
        about: "a board behind ser2net, or a virtual board on another machine",
        target: Target::Word("HOST:PORT"),
        options: &[WAIT],
        absent: None,
        can_play: Box::new(wire::can_play::<G>),
        read: Box::new(read),
    }
}

/// Opens a core behind a place of labgrid, as `labgrid`.
pub fn labgrid<G: Codec>() -> BackendFactory<G> {
    let read = |spec: &Spec| {
        let place = spec.target().to_owned();
        let link = move || {
            let place = place.clone();
            async move { LabgridLink::open(&place).await }
        };
        Ok(open(spec, REMOTE, wait(spec)?, link))
    };
    BackendFactory {
        name: "labgrid",
        kind: Kind::Link,
        about: "a board that labgrid shares, acquired for the run and released at its end",
        target: Target::Word("PLACE"),
        options: &[WAIT],
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
