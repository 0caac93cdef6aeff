//! Backends: software in this process, a program of its own, or a core behind the wire.
//!
//! [`open`] opens a backend by its name; [`software`] is a golden model or an engine, [`exec`] a
//! program in any language; [`wire`] speaks the protocol over a [`link`](crate::link). A simulated core
//! ([`simulated`]) and a board ([`board`]) differ only in their link.

pub mod board;
mod error;
pub mod exec;
mod observer;
pub mod open;
pub mod simulated;
pub mod software;
pub mod wire;

use async_trait::async_trait;
use lockstep_games::{
    Capabilities, Game, Note, Run, RunResult, SelfPlay, Sums, Trace, Unsupported,
};
use protocol::payload::link::{Buttons, Info, Stats};
use serde::{Serialize, Serializer};

use crate::text::ForeignText;
use wire::LinkReport;

pub use error::{BackendError, BackendErrorKind};
pub use observer::{Observer, ProgressReport};
pub use open::{BackendFactory, BackendRegistry, Spec};

/// The kind of a backend.
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
    /// A core behind a serial or TCP port.
    Link,
    /// A record, which holds earlier answers.
    Recorded,
}

impl Kind {
    /// Whether it decides in this process, without a wire.
    pub const fn is_software(self) -> bool {
        matches!(self, Self::Golden | Self::Engine)
    }
}

/// Describes a backend.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Identity {
    /// Name it was opened by.
    pub name: ForeignText,
    /// Its kind.
    pub kind: Kind,
    /// Its description, in one line.
    pub description: ForeignText,
    /// Its capabilities, with its controller once it has one.
    pub capabilities: Capabilities,
    /// The `info` of its core; `None` for software.
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
    /// The decision.
    pub decision: G::Decision,
    /// Clock cycles that its core took; `None` for software.
    pub cycles: Option<u64>,
    /// Clock cycles that the game gives for the position, if the core promises exact cycles.
    #[serde(rename = "due")]
    pub expected_cycles: Option<u64>,
    /// Further fields, which are compared between backends that promise them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

impl<G: Game> Answer<G> {
    /// The answer of a backend without a clock.
    pub const fn plain(decision: G::Decision) -> Self {
        Self {
            decision,
            cycles: None,
            expected_cycles: None,
            notes: Vec::new(),
        }
    }

    /// Whether it took another number of clock cycles than expected.
    pub fn has_wrong_cycles(&self) -> bool {
        self.expected_cycles.is_some() && self.expected_cycles != self.cycles
    }
}

/// Decides positions.
///
/// Futures of several backends are polled side by side, so a backend that works elsewhere (on a
/// thread, on a board) works at the same time as the others. A future may be dropped before it is
/// ready: its request is abandoned, and does not change the answers to later ones.
#[async_trait]
pub trait Backend<G: Game>: Send {
    /// Its description.
    fn identity(&self) -> &Identity;

    /// Sets the controller, before the first decision.
    async fn configure(&mut self, controller: &G::Controller) -> Result<(), BackendError>;

    /// Decides the positions; returns one answer for each, in their order.
    async fn decide(&mut self, positions: &[G::Position]) -> Result<Vec<Answer<G>>, BackendError> {
        self.search(positions, Observer::default()).await
    }

    /// As [`Self::decide`]. A backend that searches reports its progress to the observer, and answers
    /// with its best decision so far once the observer requests it.
    async fn search(
        &mut self,
        positions: &[G::Position],
        observer: Observer<G>,
    ) -> Result<Vec<Answer<G>>, BackendError>;

    /// Ends the work of a dropped future, so that a core does not go on searching. Takes no longer
    /// than a second.
    async fn abandon(&mut self) {}

    /// Decides the positions and reports their candidates; returns one trace for each, in their order.
    ///
    /// A backend without [`Capabilities::trace`] fails with [`Unsupported::Trace`].
    async fn trace(&mut self, _positions: &[G::Position]) -> Result<Vec<Trace<G>>, BackendError> {
        Err(BackendErrorKind::from(Unsupported::Trace).of(&self.identity().name))
    }

    /// Plays runs, one after the other; returns their results in order.
    ///
    /// A backend without [`Capabilities::batch`] fails with [`Unsupported::Batch`].
    async fn play(&mut self, _runs: &[Run<G>]) -> Result<Vec<RunResult<G>>, BackendError> {
        Err(BackendErrorKind::from(Unsupported::Batch).of(&self.identity().name))
    }

    /// Plays runs by itself, one after the other; returns their sums in order. `report` is called once
    /// for each checkpoint, with the index of its run.
    ///
    /// A backend without [`Capabilities::self_play`] fails with [`Unsupported::SelfPlay`].
    async fn self_play(
        &mut self,
        _runs: &[SelfPlay<G>],
        _report: &mut (dyn FnMut(usize, Sums<G>) + Send),
    ) -> Result<Vec<Sums<G>>, BackendError> {
        Err(BackendErrorKind::from(Unsupported::SelfPlay).of(&self.identity().name))
    }

    /// Statistics of the core's receiver; `None` for software.
    async fn stats(&mut self) -> Result<Option<Stats>, BackendError> {
        Ok(None)
    }

    /// How often the buttons of its board were pressed; `None` without buttons.
    async fn buttons(&mut self) -> Result<Option<Buttons>, BackendError> {
        Ok(None)
    }

    /// Statistics of its link; `None` for software.
    fn link(&self) -> Option<LinkReport> {
        None
    }

    /// The rate of its line in baud; `None` without a line, or if this end cannot set it.
    fn rate(&self) -> Option<u32> {
        None
    }
}
