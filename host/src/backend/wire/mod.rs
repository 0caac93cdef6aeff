//! A core behind the wire as a backend.
//!
//! [`client`] matches replies with requests; this file knows which requests
//! make a backend.

pub mod client;

use std::marker::PhantomData;

use futures::future::{BoxFuture, FutureExt as _};
use protocol::layout::{self, Message};
use protocol::payload::PayloadError;
use protocol::payload::link::{Info, Stats};

use super::link::Link;
use super::{Answer, Backend, BackendError, Identity};
use crate::games::Game;
use client::{Client, Request};

/// A core that plays `G`.
pub struct Wire<G> {
    identity: Identity,
    client: Client,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> Wire<G> {
    /// Meets the core: drops what was under way, asks what it is and checks
    /// that it speaks this protocol and plays this game. `nonce` is a number
    /// no earlier session on the same link used.
    ///
    /// # Errors
    /// When nobody answers, or the wrong one.
    pub async fn open(name: &str, link: Box<dyn Link>, nonce: u64) -> Result<Self, BackendError> {
        let place = link.describe();
        let mut client = Client::new(name, G::WIRE, link);
        client.meet(nonce).await?;
        let reply = client.ask(Request::empty(&layout::link::INFO)).await?;
        let info = client.read(Info::decode(reply.as_ref()))?;
        check::<G>(&info).map_err(|why| BackendError::Unavailable {
            name: name.into(),
            why,
        })?;
        client.set_window(info.window.into());
        let identity = Identity {
            name: name.into(),
            description: describe(&info, &place),
            core: Some(info),
            lookahead: info.has(layout::link::LOOKAHEAD),
        };
        tracing::info!(name, description = identity.description, "met the core");
        Ok(Self {
            identity,
            client,
            game: PhantomData,
        })
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
fn check<G: Game>(info: &Info) -> Result<(), String> {
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
    let board = (usize::from(info.columns), usize::from(info.rows));
    if board != G::BOARD {
        return Err(format!(
            "the core's board is {}×{}, expected {}×{}",
            board.0,
            board.1,
            G::BOARD.0,
            G::BOARD.1
        ));
    }
    if info.window == 0 {
        return Err("the core's window is 0: it takes no requests".into());
    }
    Ok(())
}

impl<G: Game> Backend<G> for Wire<G> {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn configure<'a>(
        &'a mut self,
        controller: &'a G::Controller,
    ) -> BoxFuture<'a, Result<(), BackendError>> {
        async move {
            let payload =
                G::encode_controller(controller).map_err(|why| BackendError::Unplayable {
                    name: self.identity.name.clone(),
                    why,
                })?;
            let set = Request::new(G::CONFIGURE, payload);
            self.client.ask(set).await?;
            let kept = self.client.ask(Request::empty(G::READ_BACK)).await?;
            if kept.as_ref() != payload.as_ref() {
                return Err(BackendError::Controller {
                    name: self.identity.name.clone(),
                });
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
                let payload = G::encode_position(position).map_err(|why| {
                    let name = name.clone();
                    BackendError::Position { name, why }
                })?;
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
}
