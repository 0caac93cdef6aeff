//! Opens cores that are not in this process: boards, and virtual ones, behind a
//! serial port or a TCP port.

use std::time::Duration;

use futures::future::{BoxFuture, FutureExt as _};
use lockstep_games::{BoardSize, Codec};
use protocol::layout::link::BASE_BAUD;

use super::open::{Opener, Spec, SpecError};
use super::wire::{self, Mending, Patience, Reach, Wire};
use super::{Backend, BackendError, BackendErrorKind, Kind};
use crate::link::ports::Target;
use crate::link::tcp::{TcpLink, is_address};
use crate::link::{Link, LinkError, PortError, survey};

/// Rate of a core's line after power-up unless another is named, in baud.
pub const START: u32 = BASE_BAUD;
/// Highest rate to climb to unless another is named, in baud: what the USB chip
/// of most FPGA boards can do.
pub const TOP: u32 = 12_000_000;
/// Highest rate that can be named, in baud: no serial port is as fast.
const FASTEST: u32 = 100_000_000;
/// How long the first answer may take; then it is learned how long they do.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a board that is gone is waited for.
const REOPENING: Duration = Duration::from_secs(30);

/// Opens a core behind a serial port, as `serial`.
#[derive(Debug, Clone, Copy)]
pub struct SerialOpener;

/// Opens a core behind a TCP port, as `tcp`.
#[derive(Debug, Clone, Copy)]
pub struct TcpOpener;

/// A rate named by an option.
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
    baud.map(Some).ok_or_else(|| SpecError::Value {
        option: option.into(),
        value: value.into(),
        expected,
    })
}

/// The rates named by the options.
fn rates(spec: &Spec) -> Result<Mending, SpecError> {
    let base = rate(
        spec,
        "start",
        |baud| baud > 0,
        "a rate in baud, a whole number up to 100000000",
    )?;
    let base = base.unwrap_or(START);
    // In between a zero at the rate it starts with does not bring a core back.
    let top = rate(
        spec,
        "baud",
        |baud| baud == base || baud / 2 >= base,
        "a rate in baud, a whole number up to 100000000: that of start= (115200 unless named), \
         or at least twice as much",
    )?;
    Ok(Mending {
        base,
        top: top.unwrap_or(TOP.max(base)),
        reopening: REOPENING,
    })
}

/// Meets the core behind a link.
async fn meet<G: Codec, L: Link + 'static>(
    spec: &Spec,
    nonce: u64,
    mending: Mending,
    opened: Result<L, PortError>,
) -> Result<Box<dyn Backend<G>>, BackendError> {
    let name = spec.to_string();
    let link = opened.map_err(|error| {
        let kind = match error.port == spec.target() {
            // Its name is that of the backend.
            true => BackendErrorKind::Port(error.kind),
            false => BackendErrorKind::Link(LinkError::Open(error)),
        };
        kind.of(&name)
    })?;
    let reach = Reach {
        kind: Kind::Link,
        patience: Patience::Learned(PATIENCE),
        nonce,
        mending: Some(mending),
        name,
    };
    let wire = Wire::<G>::open(reach, Box::new(link)).await?;
    Ok(Box::new(wire))
}

impl<G: Codec> Opener<G> for SerialOpener {
    fn name(&self) -> &'static str {
        "serial"
    }

    fn kind(&self) -> Kind {
        Kind::Link
    }

    fn about(&self) -> &'static str {
        "a board at a serial port, named by its path, as VID:PID[:SERIAL] of its USB device, or \
         auto for the only board that answers"
    }

    fn target(&self) -> Option<&'static str> {
        Some("PORT")
    }

    fn options(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("baud", "sets the highest rate to climb to"),
            ("start", "sets the rate the board has after power-up"),
        ]
    }

    fn check(&self, spec: &Spec) -> Result<(), SpecError> {
        let target = spec.target().parse::<Target>();
        target.map_err(|why| SpecError::Target {
            opener: spec.opener().into(),
            why: why.to_string(),
        })?;
        rates(spec).map(|_| ())
    }

    fn can_play(&self, controller: &G::Controller, board: BoardSize) -> bool {
        wire::can_play::<G>(controller, board)
    }

    fn open<'a>(
        &'a self,
        spec: &'a Spec,
        nonce: u64,
    ) -> BoxFuture<'a, Result<Box<dyn Backend<G>>, BackendError>> {
        async move {
            let unavailable = |why| BackendErrorKind::Unavailable(why).of(&spec.to_string());
            let target = spec.target().parse::<Target>();
            let target = target.map_err(|why| unavailable(why.to_string()))?;
            let mending = rates(spec).map_err(|why| unavailable(why.to_string()))?;
            let opened = survey::open(&target, mending.base).await;
            meet(spec, nonce, mending, opened).await
        }
        .boxed()
    }
}

impl<G: Codec> Opener<G> for TcpOpener {
    fn name(&self) -> &'static str {
        "tcp"
    }

    fn kind(&self) -> Kind {
        Kind::Link
    }

    fn about(&self) -> &'static str {
        "a board behind ser2net, or a virtual board on another machine"
    }

    fn target(&self) -> Option<&'static str> {
        Some("HOST:PORT")
    }

    fn check(&self, spec: &Spec) -> Result<(), SpecError> {
        match is_address(spec.target()) {
            true => Ok(()),
            false => Err(SpecError::Target {
                opener: spec.opener().into(),
                why: format!(
                    "'{}' is no address: expected HOST:PORT, such as localhost:5000 or [::1]:5000",
                    spec.target()
                ),
            }),
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
        async move {
            // The rate of its line is not this end's to set.
            let mending = Mending {
                base: START,
                top: START,
                reopening: REOPENING,
            };
            let opened = TcpLink::open(spec.target()).await;
            meet(spec, nonce, mending, opened).await
        }
        .boxed()
    }
}
