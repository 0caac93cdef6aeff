//! A backend for a core at the other end of the wire.
//!
//! One decision passes through these files:
//! 1. `search` encodes the position as a request of a `batch`; `streams` does so for traces, runs and
//!    self-play.
//! 2. `line` checks the line, has the batch answered, and recovers the line when it fails.
//! 3. [`client`] gives each request a sequence number and a frame, and decodes the frames received.
//! 4. `exchange` decides what is sent next and matches each reply with its request; `in_flight` finds
//!    which requests are lost, `timeout` how long to wait, and `number` whether a part is missing.
//! 5. `traffic` counts the reply; `search` decodes it and adds the expected clock cycles.
//!
//! This file opens a core and checks that its `info` fits.

mod batch;
pub mod client;
mod exchange;
mod in_flight;
mod line;
mod number;
mod search;
mod streams;
mod timeout;
mod traffic;

use std::time::Duration;

use async_trait::async_trait;
use lockstep_games::{
    BoardSize, Boards, Capabilities, Codec, Game, Run, RunResult, SelfPlay, Sums, Trace,
    check_codec,
};
use protocol::layout;
use protocol::payload::Payload;
use protocol::payload::link::{Info, Stats};

use super::{Answer, Backend, BackendError, BackendErrorKind, Identity, Kind, Observer};
use crate::link::{Link, LinkError};
use batch::{Batch, Request};
use client::Client;
use line::Line;

pub use timeout::Timeout;
pub use traffic::{Counts, Latency, LinkReport, MeasureLatency, Traffic};

/// Time limit for ending an abandoned search.
const ABANDONING: Duration = Duration::from_secs(1);

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
    /// Highest rate to climb to, in baud; no climb if it is `base`.
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

/// Whether the wire can carry that controller, and positions on that board.
pub(super) fn can_play<G: Codec>(controller: &G::Controller, board: BoardSize) -> bool {
    board == G::BOARD && G::encode_controller(controller).is_ok()
}

/// The capabilities that a core reports.
fn capabilities<G: Codec>(info: &Info) -> Capabilities {
    let board = BoardSize::new(info.columns.into(), info.rows.into());
    // A stream needs a second place, for its credit.
    let streams = info.window > 1;
    Capabilities {
        known_next: info.has(layout::link::LOOKAHEAD),
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
    let plural = if *lanes == 1 { "" } else { "s" };
    let mhz = f64::from(*clock_hz) / 1e6;
    format!("RTL build {build_id:08x}, {lanes} lane{plural}, window {window}, {mhz} MHz, {place}")
}

/// Checks that host and core have the same protocol, game and layout.
fn check<G: Codec>(info: &Info) -> Result<(), BackendErrorKind> {
    if let Some(game) = layout::game(info.game)
        && info.protocol_version == layout::PROTOCOL_VERSION
        && info.game != G::WIRE.number
    {
        return Err(BackendErrorKind::Game {
            plays: game.name,
            expected: G::NAME,
        });
    }
    check_layout::<G>(info).map_err(BackendErrorKind::Unavailable)
}

/// Checks that a core of the same game has the same layout and board.
fn check_layout<G: Codec>(info: &Info) -> Result<(), String> {
    if info.protocol_version != layout::PROTOCOL_VERSION {
        return Err(format!(
            "the core (RTL build {:08x}) speaks protocol version {}, this host {}: load a \
             bitstream built from the same source",
            info.build_id,
            info.protocol_version,
            layout::PROTOCOL_VERSION
        ));
    }
    if info.game != G::WIRE.number {
        return Err(format!("the core plays an unknown game, not {}", G::NAME));
    }
    let own = G::WIRE.layout_hash();
    if info.layout_hash != own {
        return Err(format!(
            "the core (RTL build {:08x}) was built for the wire layout {:08x} of {}, this host{} \
             for {own:08x}: run `make generate` in one source tree, then build both the host and \
             the core (the bitstream, or the simulated one) from it",
            info.build_id,
            info.layout_hash,
            G::NAME,
            own_build(G::NAME),
        ));
    }
    let board = BoardSize::new(info.columns.into(), info.rows.into());
    if board != G::BOARD {
        return Err(format!(
            "the core's board is {board}, expected {}",
            G::BOARD
        ));
    }
    if info.window == 0 {
        return Err("the core's window is 0: it takes no requests".into());
    }
    Ok(())
}

/// The build id of this host's RTL, in words; empty without RTL.
#[cfg(feature = "sim")]
fn own_build(game: &str) -> String {
    let own = sim::variant(game, None);
    own.map_or(String::new(), |own| {
        format!(" (with RTL build {:08x})", own.build_id)
    })
}

#[cfg(not(feature = "sim"))]
fn own_build(_game: &str) -> String {
    String::new()
}

#[async_trait]
impl<G: Codec> Backend<G> for Wire<G> {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    async fn configure(&mut self, controller: &G::Controller) -> Result<(), BackendError> {
        let unplayable =
            |why: G::Error| BackendErrorKind::Unplayable(why.into()).of(&self.identity.name);
        let payload = G::encode_controller(controller).map_err(unplayable)?;
        let set = Request::new(G::CONFIGURE, payload);
        self.line.settings = vec![set];
        self.controller = Some(controller.clone());
        let read_back = Request::empty(G::READ_BACK);
        let batch = Batch::new(vec![set, read_back], MeasureLatency::No);
        let replies = self.line.ask(batch).await?;
        let kept = replies.last().map_or(&[][..], |reply| reply.as_ref());
        if kept != payload.as_ref() {
            let why = "the controller read back differs from the one that was set";
            return Err(BackendErrorKind::Failed(why.into()).of(&self.identity.name));
        }
        Ok(())
    }

    async fn search(
        &mut self,
        positions: &[G::Position],
        observer: Observer<G>,
    ) -> Result<Vec<Answer<G>>, BackendError> {
        self.search_all(positions, observer).await
    }

    async fn abandon(&mut self) {
        let ended = tokio::time::timeout(ABANDONING, self.line.client.end_streams()).await;
        if let Ok(Err(why)) | Err(why) = ended.map_err(|_| {
            BackendErrorKind::Link(LinkError::Silent("no answer came".into()))
                .of(&self.identity.name)
        }) {
            tracing::info!(name = %self.identity.name, %why, "the core may still be searching");
        }
    }

    async fn trace(&mut self, positions: &[G::Position]) -> Result<Vec<Trace<G>>, BackendError> {
        self.trace_all(positions).await
    }

    async fn play(&mut self, runs: &[Run<G>]) -> Result<Vec<RunResult<G>>, BackendError> {
        self.play_all(runs).await
    }

    async fn self_play(
        &mut self,
        runs: &[SelfPlay<G>],
        report: &mut (dyn FnMut(usize, Sums<G>) + Send),
    ) -> Result<Vec<Sums<G>>, BackendError> {
        self.self_play_all(runs, report).await
    }

    async fn stats(&mut self) -> Result<Option<Stats>, BackendError> {
        let stats = Request::empty(&layout::link::STATS);
        let batch = Batch::new(vec![stats], MeasureLatency::No);
        let replies = self.line.ask(batch).await?;
        let reply = replies.last().map_or(&[][..], |reply| reply.as_ref());
        self.line.client.named(Stats::decode(reply)).map(Some)
    }

    fn link(&self) -> Option<LinkReport> {
        Some(self.line.client.report())
    }
}
