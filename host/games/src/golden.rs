//! Golden models: plain implementations of the definitions.

use crate::capability::Capabilities;
use crate::game::{Game, Run, RunResult, SelfPlay, Sums, Trace};
use crate::search::{SearchResult, Watch};

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
    /// `None` after [`SearchControl::Abandon`](crate::SearchControl::Abandon).
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
