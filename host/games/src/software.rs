//! Software that decides in this process, golden models and fast engines; long searches.

use std::marker::PhantomData;

use serde::Serialize;

use crate::BoxError;
use crate::capability::Capabilities;
use crate::field::Value;
use crate::game::{Game, Run, RunResult, SelfPlay, Sums, Trace};

/// An implementation of a game's decisions in software.
pub trait Implementation<G: Game>: Send + Sync {
    /// Describes the implementation in one line.
    fn description(&self) -> String;

    /// What it can do with that controller; for `None`, with any controller.
    fn capabilities(&self, controller: Option<&G::Controller>) -> Capabilities;

    /// Creates a decider for a controller.
    ///
    /// # Errors
    /// When it does not support the controller.
    fn decider(&self, controller: &G::Controller) -> Result<Box<dyn Decider<G>>, BoxError>;
}

/// An implementation with its controller.
///
/// # Errors
/// Every decision fails when it does not support the position.
pub trait Decider<G: Game>: Send {
    /// Decides on a position.
    fn decide(&mut self, position: &G::Position) -> Result<G::Decision, BoxError>;

    /// Decides, with progress reported to `watch`, which can end the search.
    ///
    /// `None` after [`SearchControl::Abandon`].
    fn search(
        &mut self,
        position: &G::Position,
        _watch: &mut dyn Watch<G>,
    ) -> Result<Option<SearchResult<G>>, BoxError> {
        let decision = self.decide(position)?;
        Ok(Some(SearchResult::plain(decision)))
    }

    /// Decides and reports the candidates; `None` if it does not report them.
    fn trace(&mut self, _position: &G::Position) -> Result<Option<Trace<G>>, BoxError> {
        Ok(None)
    }

    /// Plays a run; `None` if it has no runs.
    fn play(&mut self, _run: &Run<G>) -> Result<Option<RunResult<G>>, BoxError> {
        Ok(None)
    }

    /// Plays a self-play; `None` if it has none.
    ///
    /// `on_checkpoint` gets each checkpoint and returns whether to continue.
    fn self_play(
        &mut self,
        _run: &SelfPlay<G>,
        _on_checkpoint: &mut dyn FnMut(Sums<G>) -> bool,
    ) -> Result<Option<Sums<G>>, BoxError> {
        Ok(None)
    }
}

/// The golden model of a game as an implementation.
pub struct GoldenModel<G>(PhantomData<fn() -> G>);

impl<G> Default for GoldenModel<G> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<G: Golden> Implementation<G> for GoldenModel<G> {
    fn description(&self) -> String {
        "golden model".into()
    }

    fn capabilities(&self, controller: Option<&G::Controller>) -> Capabilities {
        G::capabilities(controller)
    }

    fn decider(&self, controller: &G::Controller) -> Result<Box<dyn Decider<G>>, BoxError> {
        Ok(Box::new(WithController::<G>(controller.clone())))
    }
}

/// The golden model with its controller.
struct WithController<G: Game>(G::Controller);

impl<G: Golden> Decider<G> for WithController<G> {
    fn decide(&mut self, position: &G::Position) -> Result<G::Decision, BoxError> {
        Ok(G::decide(&self.0, position)?)
    }

    fn search(
        &mut self,
        position: &G::Position,
        watch: &mut dyn Watch<G>,
    ) -> Result<Option<SearchResult<G>>, BoxError> {
        Ok(G::search(&self.0, position, watch)?)
    }

    fn trace(&mut self, position: &G::Position) -> Result<Option<Trace<G>>, BoxError> {
        Ok(G::trace(&self.0, position)?)
    }

    fn play(&mut self, run: &Run<G>) -> Result<Option<RunResult<G>>, BoxError> {
        Ok(G::play(&self.0, run)?)
    }

    fn self_play(
        &mut self,
        run: &SelfPlay<G>,
        on_checkpoint: &mut dyn FnMut(Sums<G>) -> bool,
    ) -> Result<Option<Sums<G>>, BoxError> {
        Ok(G::self_play(&self.0, run, on_checkpoint)?)
    }
}

/// A game with a golden model, the plain implementation of its definitions.
///
/// # Errors
/// Every decision fails when the controller does not support the position.
pub trait Golden: Game {
    /// What the golden model can do with that controller; for `None`, with any controller.
    fn capabilities(controller: Option<&Self::Controller>) -> Capabilities;

    /// The golden model's decision.
    fn decide(
        controller: &Self::Controller,
        position: &Self::Position,
    ) -> Result<Self::Decision, Self::Error>;

    /// The golden model's decision, with progress reported to `watch`, which can end the search.
    ///
    /// `None` after [`SearchControl::Abandon`].
    fn search(
        controller: &Self::Controller,
        position: &Self::Position,
        _watch: &mut dyn Watch<Self>,
    ) -> Result<Option<SearchResult<Self>>, Self::Error> {
        Self::decide(controller, position).map(|decision| Some(SearchResult::plain(decision)))
    }

    /// The golden model's decision with its candidates.
    ///
    /// `None` if the controller does not evaluate candidates one by one.
    fn trace(
        controller: &Self::Controller,
        position: &Self::Position,
    ) -> Result<Option<Trace<Self>>, Self::Error>;

    /// Plays a run with the golden model's decisions; `None` if the controller has no runs.
    fn play(
        _controller: &Self::Controller,
        _run: &Run<Self>,
    ) -> Result<Option<RunResult<Self>>, Self::Error> {
        Ok(None)
    }

    /// Plays a self-play with the golden model's decisions; `None` if the controller has none.
    ///
    /// `on_checkpoint` gets each checkpoint and returns whether to continue.
    fn self_play(
        _controller: &Self::Controller,
        _run: &SelfPlay<Self>,
        _on_checkpoint: &mut dyn FnMut(Sums<Self>) -> bool,
    ) -> Result<Option<Sums<Self>>, Self::Error> {
        Ok(None)
    }
}

/// A decision with its notes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(bound = "")]
pub struct SearchResult<G: Game> {
    /// The decision.
    pub decision: G::Decision,
    /// Additional fields.
    pub notes: Vec<Note>,
}

impl<G: Game> SearchResult<G> {
    /// A decision without notes.
    pub const fn plain(decision: G::Decision) -> Self {
        let notes = Vec::new();
        Self { decision, notes }
    }
}

/// An additional field of a decision, such as the number of nodes searched.
///
/// It is compared only between backends that promise it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// The name, in snake case.
    pub name: &'static str,
    /// The value.
    pub value: Value,
    /// Whether the game's definitions determine the value for this backend.
    #[serde(skip)]
    pub promised: bool,
}

/// The progress of a search.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(bound = "")]
pub struct SearchProgress<G: Game> {
    /// The best decision so far, if any.
    pub best: Option<G::Decision>,
    /// Additional fields, such as the depth searched.
    pub notes: Vec<Note>,
    /// Number of clock cycles of the core so far; `None` for software.
    pub cycles: Option<u64>,
}

/// Whether a search should continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchControl {
    /// Continue.
    Continue,
    /// Answer now, with the best decision so far.
    Finish,
    /// Stop without an answer.
    Abandon,
}

/// Observes and controls a search in software.
pub trait Watch<G: Game> {
    /// Receives the progress made.
    fn progress(&mut self, progress: SearchProgress<G>);

    /// Whether to continue; a search calls this at least every few milliseconds.
    fn control(&self) -> SearchControl;
}

/// A watch that ignores progress and never ends the search.
#[derive(Debug, Clone, Copy)]
pub struct Unwatched;

impl<G: Game> Watch<G> for Unwatched {
    fn progress(&mut self, _progress: SearchProgress<G>) {}

    fn control(&self) -> SearchControl {
        SearchControl::Continue
    }
}
