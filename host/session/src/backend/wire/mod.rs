//! A core behind the wire as a backend.
//!
//! [`client`] matches replies with requests; this file knows which requests
//! make a backend.

pub mod client;

use std::marker::PhantomData;
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt as _};
use lockstep_games::{BoardSize, Boards, Capabilities, Codec};
use protocol::layout::{self, Message};
use protocol::payload::PayloadError;
use protocol::payload::link::{Info, Stats};

use super::{Answer, Backend, BackendError, BackendErrorKind, Identity, Kind};
use crate::link::{Link, LinkStatistics};
use client::{Client, Request};

/// How a core is reached.
pub struct Reach {
    /// Name of the backend.
    pub name: String,
    /// What lies behind the link.
    pub kind: Kind,
    /// How long an answer may take, in the link's time.
    pub patience: Duration,
    /// A number no earlier session on the same link used.
    pub nonce: u64,
    /// How a line that fails is mended; `None` where a failure is a finding, as
    /// in a simulated core.
    pub mending: Option<Mending>,
}

/// How a line that fails is mended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mending {
    /// Rate of the core's line after power-up, in baud, where this end can set
    /// the rate of the link.
    pub base: u32,
    /// Highest rate to climb to, in baud; `base` stays there.
    pub top: u32,
    /// How long a link that is gone is waited for.
    pub reopening: Duration,
}

/// A core that plays `G`.
pub struct Wire<G> {
    identity: Identity,
    client: Client,
    game: PhantomData<fn() -> G>,
}

impl<G: Codec> Wire<G> {
    /// Meets the core: drops what was under way, asks what it is and checks
    /// that it speaks this protocol and plays this game.
    ///
    /// # Errors
    /// When nobody answers, or the wrong one.
    pub async fn open(reach: Reach, link: Box<dyn Link>) -> Result<Self, BackendError> {
        let name = reach.name;
        let place = link.describe();
        let mut client = Client::new(&name, G::WIRE, link, reach.patience);
        client.meet(reach.nonce).await?;
        let reply = client.ask(Request::empty(&layout::link::INFO)).await?;
        let info = client.read(Info::decode(reply.as_ref()))?;
        check::<G>(&info).map_err(|why| BackendErrorKind::Unavailable(why).of(&name))?;
        client.set_window(info.window.into());
        let identity = Identity {
            kind: reach.kind,
            description: describe(&info, &place),
            capabilities: capabilities(&info),
            core: Some(info),
            name,
        };
        tracing::info!(
            name = identity.name,
            description = identity.description,
            "met the core"
        );
        Ok(Self {
            identity,
            client,
            game: PhantomData,
        })
    }
}

/// What a core says it can do.
fn capabilities(info: &Info) -> Capabilities {
    let board = BoardSize::new(info.columns.into(), info.rows.into());
    Capabilities {
        known_next: info.has(layout::link::LOOKAHEAD),
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

/// Whether this host and that core understand each other.
fn check<G: Codec>(info: &Info) -> Result<(), String> {
    if info.protocol_version != layout::PROTOCOL_VERSION {
        return Err(format!(
            "the core speaks protocol version {}, this host {}: load a bitstream \
             built from the same source",
            info.protocol_version,
            layout::PROTOCOL_VERSION
        ));
    }
    if info.game != G::WIRE.number {
        let other = layout::game(info.game).map_or("an unknown game", |game| game.name);
        return Err(format!("the core plays {other}, not {}", G::NAME));
    }
    let own = G::WIRE.layout_hash();
    if info.layout_hash != own {
        return Err(format!(
            "the core was built for the wire layout {:08x} of {}, this host for {own:08x}: run \
             `make generate` in one source tree, then build both the host and the core (the \
             bitstream, or the simulated one) from it",
            info.layout_hash,
            G::NAME,
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

impl<G: Codec> Backend<G> for Wire<G> {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn configure<'a>(
        &'a mut self,
        controller: &'a G::Controller,
    ) -> BoxFuture<'a, Result<(), BackendError>> {
        async move {
            let unplayable =
                |why: G::Error| BackendErrorKind::Unplayable(why.into()).of(&self.identity.name);
            let payload = G::encode_controller(controller).map_err(unplayable)?;
            let set = Request::new(G::CONFIGURE, payload);
            self.client.ask(set).await?;
            let kept = self.client.ask(Request::empty(G::READ_BACK)).await?;
            if kept.as_ref() != payload.as_ref() {
                return Err(BackendErrorKind::ReadBack.of(&self.identity.name));
            }
            Ok(())
        }
        .boxed()
    }

    fn decide<'a>(
        &'a mut self,
        positions: &'a [G::Position],
    ) -> BoxFuture<'a, Result<Vec<Answer<G>>, BackendError>> {
        async move {
            let name = &self.identity.name;
            let request = |position| {
                let payload = G::encode_position(position)
                    .map_err(|why| BackendErrorKind::Position(why.into()).of(name))?;
                Ok(Request::new(G::DECIDE, payload))
            };
            let requests: Vec<Request> = positions.iter().map(request).collect::<Result<_, _>>()?;
            let replies = self.client.ask_all(&requests).await?;
            let answer = |reply: &bytes::Bytes| -> Result<Answer<G>, PayloadError> {
                let (decision, cycles) = G::decode_decision(reply)?;
                Ok(Answer {
                    decision,
                    cycles: Some(cycles),
                })
            };
            let answers = replies.iter().map(answer).collect::<Result<_, _>>();
            self.client.read(answers)
        }
        .boxed()
    }

    fn stats(&mut self) -> BoxFuture<'_, Result<Option<Stats>, BackendError>> {
        async {
            const STATS: &Message = &layout::link::STATS;
            let reply = self.client.ask(Request::empty(STATS)).await?;
            self.client.read(Stats::decode(reply.as_ref())).map(Some)
        }
        .boxed()
    }

    fn link(&self) -> Option<LinkStatistics> {
        Some(self.client.statistics())
    }
}
