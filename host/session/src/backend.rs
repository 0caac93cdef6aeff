//! Backends: software in this process, a program of its own, or a core behind the wire.
//!
//! [`open`] opens a backend by its name; [`software`] is a golden model or an
//! engine, [`exec`] a program in any language; [`wire`] speaks the protocol over a [`link`](crate::link), which is
//! all that differs between a simulated core ([`simulated`]) and a board ([`board`]).

pub mod board;
mod error;
pub mod exec;
mod observer;
pub mod open;
pub mod simulated;
pub mod software;
pub mod wire;

use futures::future::{BoxFuture, FutureExt as _, ready};
use lockstep_games::{
    Capabilities, Game, Note, Run, RunResult, SelfPlay, Sums, Trace, Unsupported,
};
use protocol::payload::link::{Info, Stats};
use serde::{Serialize, Serializer};

use crate::text::ForeignText;
use wire::LinkReport;

pub use error::{BackendError, BackendErrorKind};
pub use observer::{Observer, Report};
pub use open::{BackendFactory, BackendRegistry, Spec};

/// What a backend is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The golden model, in this process.
    Golden,
    /// A fast engine, in this process.
    Engine,
    /// A program of its own, in any language.
    Program,
    /// The RTL, simulated.
    Simulated,
    /// Whatever answers on a link.
    Link,
    /// A record: what it holds was answered before.
    Recorded,
}

impl Kind {
    /// Whether it decides in this process, without a wire.
    pub const fn is_software(self) -> bool {
        matches!(self, Self::Golden | Self::Engine)
    }
}

/// What a backend is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Identity {
    /// Name it was opened by.
    pub name: ForeignText,
    /// What it is made of.
    pub kind: Kind,
    /// What it is, in one line.
    pub description: ForeignText,
    /// What it can do; once it has a controller, what it does with that one.
    pub capabilities: Capabilities,
    /// What its core says of itself; `None` for software.
    #[serde(rename = "build_id", serialize_with = "build_id")]
    pub core: Option<Info>,
}

impl Identity {
    /// Build id of its RTL in hexadecimal; `None` for software.
    pub fn build_id(&self) -> Option<String> {
        self.core.map(|info| format!("{:08x}", info.build_id))
    }
}

fn build_id<S: Serializer>(core: &Option<Info>, serializer: S) -> Result<S::Ok, S::Error> {
    core.map(|info| format!("{:08x}", info.build_id))
        .serialize(serializer)
}

/// A backend's answer to one position.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(bound = "")]
pub struct Answer<G: Game> {
    /// What it decided.
    pub decision: G::Decision,
    /// Clock cycles its core took; `None` for software.
    pub cycles: Option<u64>,
    /// Clock cycles it has to take by its own account; `None` if any number is
    /// right.
    pub due: Option<u64>,
    /// Fields that are shown beside the decision, and compared where both ends promise them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

impl<G: Game> Answer<G> {
    /// A decision of a backend without a clock.
    pub const fn plain(decision: G::Decision) -> Self {
        Self {
            decision,
            cycles: None,
            due: None,
            notes: Vec::new(),
        }
    }

    /// Whether it took other clock cycles than it has to.
    pub fn is_untimely(&self) -> bool {
        self.due.is_some() && self.due != self.cycles
    }
}

/// Decides positions.
///
/// Futures are polled side by side, so a backend that works elsewhere (on a thread, on a board)
/// works at the same time as the others. A future may be dropped before it is ready: its request is
/// abandoned, and the next one is answered as if it had never been sent.
pub trait Backend<G: Game>: Send {
    /// What it is.
    fn identity(&self) -> &Identity;

    /// Sets the controller, before the first decision.
    fn configure<'a>(
        &'a mut self,
        controller: &'a G::Controller,
    ) -> BoxFuture<'a, Result<(), BackendError>>;

    /// Decides each position; one answer each, in their order. A backend may work on several at a
    /// time.
    fn decide<'a>(
        &'a mut self,
        positions: &'a [G::Position],
    ) -> BoxFuture<'a, Result<Vec<Answer<G>>, BackendError>> {
        self.search(positions, Observer::default())
    }

    /// As [`Self::decide`]; a backend that searches reports its progress, and answers with the best
    /// decision so far once the observer wants it.
    fn search<'a>(
        &'a mut self,
        positions: &'a [G::Position],
        observer: Observer<G>,
    ) -> BoxFuture<'a, Result<Vec<Answer<G>>, BackendError>>;

    /// Ends the work that a dropped future has left behind, so that a core does not search on when
    /// nobody waits for it. It gives up within a second.
    fn abandon(&mut self) -> BoxFuture<'_, ()> {
        ready(()).boxed()
    }

    /// Decides each position and reports its candidates; one trace each, in their order. A backend
    /// without [`Capabilities::trace`] fails with [`Unsupported::Trace`].
    fn trace<'a>(
        &'a mut self,
        _positions: &'a [G::Position],
    ) -> BoxFuture<'a, Result<Vec<Trace<G>>, BackendError>> {
        unable(self.identity(), Unsupported::Trace)
    }

    /// Plays runs, one after the other; their results in order. A backend may send the next run
    /// ahead. One without [`Capabilities::batch`] fails with [`Unsupported::Batch`].
    fn play<'a>(
        &'a mut self,
        _runs: &'a [Run<G>],
    ) -> BoxFuture<'a, Result<Vec<RunResult<G>>, BackendError>> {
        unable(self.identity(), Unsupported::Batch)
    }

    /// Plays on by itself, one run after the other; their sums in order. Each checkpoint is passed
    /// to `tell` once, with the index of its run. A backend without [`Capabilities::self_play`]
    /// fails with [`Unsupported::SelfPlay`].
    fn self_play<'a>(
        &'a mut self,
        _runs: &'a [SelfPlay<G>],
        _tell: &'a mut (dyn FnMut(usize, Sums<G>) + Send),
    ) -> BoxFuture<'a, Result<Vec<Sums<G>>, BackendError>> {
        unable(self.identity(), Unsupported::SelfPlay)
    }

    /// Statistics of the core's receiver; `None` for software.
    fn stats(&mut self) -> BoxFuture<'_, Result<Option<Stats>, BackendError>> {
        ready(Ok(None)).boxed()
    }

    /// Statistics of its link; `None` for software.
    fn link(&self) -> Option<LinkReport> {
        None
    }
}

fn unable<'a, T: Send + 'a>(
    identity: &Identity,
    unsupported: Unsupported,
) -> BoxFuture<'a, Result<T, BackendError>> {
    let unsupported = BackendErrorKind::from(unsupported).of(&identity.name);
    ready(Err(unsupported)).boxed()
}
