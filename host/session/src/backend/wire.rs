//! A backend for a core at the other end of the wire.
//!
//! One decision passes through these files:
//! 1. `requests` encodes the position as a request of a `batch`.
//! 2. `line` checks the line, sends the batch until it is answered, and recovers a line that fails.
//! 3. [`client`] gives each request a sequence number and a frame, and decodes the frames received.
//! 4. `exchange` decides what is sent next and matches each reply with its request; `in_flight` finds
//!    which requests are lost, `timeout` how long to wait, and `number` whether a part is missing.
//! 5. `traffic` counts the reply; `requests` decodes it and adds the expected clock cycles.
//!
//! This file opens a core and checks that its `info` fits.

mod batch;
pub mod client;
mod exchange;
mod in_flight;
mod line;
mod number;
mod requests;
mod timeout;
mod traffic;

use std::time::Duration;

use lockstep_games::{BoardSize, Boards, Capabilities, Codec, Game, check_codec};
use protocol::layout;
use protocol::payload::Payload;
use protocol::payload::link::Info;

use super::{BackendError, BackendErrorKind, Identity, Kind};
use crate::link::Link;
use batch::Request;
use client::Client;
use line::Line;

pub use timeout::Timeout;
pub use traffic::{Bucket, Counts, Latency, LinkReport, Traffic};

/// Configuration of a link to a core.
pub struct LinkConfig {
    /// Name of the backend.
    pub name: String,
    /// The kind of core at the other end.
    pub kind: Kind,
    /// Timeout of a reply.
    pub timeout: Timeout,
    /// A number that no earlier session used on this link.
    pub nonce: u64,
    /// How a failed line recovers; `None` if a failure ends the session, as with a simulated core.
    pub recovery: Option<RecoveryPolicy>,
}

/// How a failed line recovers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecoveryPolicy {
    /// Rate of the core's line after power-up, in baud, if this end can set the rate.
    pub base: u32,
    /// Highest rate to raise the line to, in baud; none if it is `base`.
    pub top: u32,
    /// Time limit of a recovery.
    pub reopening: Duration,
}

/// A core that plays `G`.
pub struct Wire<G: Game> {
    identity: Identity,
    line: Line,
    /// Its controller, once it is set.
    controller: Option<G::Controller>,
}

impl<G: Codec> Wire<G> {
    /// Opens a core: handshake, `info`, and a check that it plays `G` over this protocol.
    ///
    /// # Errors
    /// When no core answers, or its protocol, game, layout or board is another.
    pub async fn open(config: LinkConfig, link: Box<dyn Link>) -> Result<Self, BackendError> {
        const { check_codec::<G>() };
        let name = config.name;
        let client = Client::new(&name, G::WIRE, link, config.timeout);
        let mut line = Line::new(client, config.nonce, config.recovery, G::UNSET);
        let info = line.open(check::<G>).await?;
        let identity = Identity {
            kind: config.kind,
            description: describe(&info, &line.client.line.describe()).into(),
            capabilities: capabilities::<G>(&info),
            core: Some(info),
            name: name.into(),
        };
        tracing::info!(
            name = %identity.name,
            description = %identity.description,
            "opened the core"
        );
        Ok(Self {
            identity,
            line,
            controller: None,
        })
    }

    /// The request for each position, with the extra time that its decision may take.
    fn requests(
        &self,
        positions: &[G::Position],
        request: impl Fn(Payload) -> Request,
    ) -> Result<Vec<Request>, BackendError> {
        let name = &self.identity.name;
        let unable = |why: G::Error| BackendErrorKind::Position(why.into()).of(name);
        let controller = self.controller.as_ref();
        let controller = controller.ok_or_else(|| BackendErrorKind::NotConfigured.of(name))?;
        let one = |position| {
            let payload = G::encode_position(controller, position).map_err(unable)?;
            let core = self.identity.core.as_ref();
            let cycles = core.and_then(|core| G::max_cycles(controller, position, core));
            Ok(request(payload).with_extra_time(self.time(cycles.unwrap_or(0))))
        };
        positions.iter().map(one).collect()
    }

    /// Duration of that many clock cycles of the core.
    fn time(&self, cycles: u64) -> Duration {
        let clock_hz = self.identity.core.map_or(1, |core| core.clock_hz.max(1));
        let nanos = u128::from(cycles) * 1_000_000_000 / u128::from(clock_hz);
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }
}

/// Whether every core can play with that controller on that board.
pub(super) fn can_play<G: Codec>(controller: &G::Controller, board: BoardSize) -> bool {
    let able = || G::check_core(controller, &Info::default()).is_ok();
    board == G::BOARD && G::encode_controller(controller).is_ok() && able()
}

/// The capabilities that a core reports.
fn capabilities<G: Codec>(info: &Info) -> Capabilities {
    let board = BoardSize::new(info.columns.into(), info.rows.into());
    // A stream needs a second place, for its credit.
    let streams = info.window > 1;
    Capabilities {
        known_next: info.has(layout::link::LOOKAHEAD),
        averaged_next: info.has(layout::link::LOOKAHEAD),
        batch: streams && info.has(layout::link::PLAY) && G::PLAYING.is_some(),
        self_play: streams && info.has(layout::link::SELF_PLAY) && G::PLAYING.is_some(),
        trace: streams && info.has(layout::link::TRACE) && G::TRACING.is_some(),
        search: const { &G::SEARCHING }.is_some(),
        ..Capabilities::plain(Boards::Only(board))
    }
}

fn describe(info: &Info, place: &str) -> String {
    let Info {
        build_id,
        lanes,
        window,
        clock_hz,
        ..
    } = info;
    let lanes = match lanes {
        0 => "no lanes".into(),
        1 => "1 lane".into(),
        _ => format!("{lanes} lanes"),
    };
    let mhz = f64::from(*clock_hz) / 1e6;
    format!("RTL build {build_id:08x}, {lanes}, window {window}, {mhz} MHz, {place}")
}

/// Checks that host and core have the same protocol, game, layout and board.
fn check<G: Codec>(info: &Info) -> Result<(), BackendErrorKind> {
    let build_id = info.build_id;
    let (hash, own) = (info.layout_hash, G::WIRE.layout_hash());
    let board = BoardSize::new(info.columns.into(), info.rows.into());
    let (version, expected) = (info.protocol_version, layout::PROTOCOL_VERSION);
    Err(BackendErrorKind::Unavailable(if version != expected {
        format!(
            "the core (RTL build {build_id:08x}) speaks protocol version {version}, this host \
             {expected}: load a bitstream built from the same source"
        )
    } else if info.game != G::WIRE.number {
        if let Some(game) = layout::game(info.game) {
            let (plays, expected) = (game.name, G::NAME);
            return Err(BackendErrorKind::Game { plays, expected });
        }
        format!("the core plays an unknown game, not {}", G::NAME)
    } else if hash != own {
        format!(
            "the core (RTL build {build_id:08x}) was built for the wire layout {hash:08x} of {}, \
             this host{} for {own:08x}: run `make generate` in one source tree, then build both the \
             host and the core (the bitstream, or the simulated one) from it",
            G::NAME,
            own_build(G::NAME),
        )
    } else if board != G::BOARD {
        format!("the core's board is {board}, expected {}", G::BOARD)
    } else if info.window == 0 {
        "the core's window is 0: it takes no requests".into()
    } else {
        return Ok(());
    }))
}

/// The build id of this host's RTL, in words; empty without RTL.
fn own_build(game: &str) -> String {
    #[cfg(feature = "sim")]
    if let Some(own) = sim::variant(game, None) {
        return format!(" (with RTL build {:08x})", own.build_id);
    }
    _ = game;
    String::new()
}
