//! Golden models: plain, and right by their definitions.

use crate::capability::Capabilities;
use crate::game::{Game, Played, Run, SelfPlay, Sums, Trace};
use crate::search::{Found, Watch};

/// A game with a golden model: plain, and right by its definitions.
pub trait Golden: Game {
    /// What the golden model can do, with that controller or with any.
    fn capabilities(controller: Option<&Self::Controller>) -> Capabilities;

    /// The golden model's decision.
    ///
    /// # Errors
    /// When the controller does not play such a position.
    fn decide(
        controller: &Self::Controller,
        position: &Self::Position,
    ) -> Result<Self::Decision, Self::Error>;

    /// The golden model's decision, with progress reported to the watch, which can end the search.
    /// `None` after [`Wish::Forget`](crate::search::Wish::Forget).
    ///
    /// # Errors
    /// As [`Self::decide`].
    fn search(
        controller: &Self::Controller,
        position: &Self::Position,
        _watch: &mut dyn Watch<Self>,
    ) -> Result<Option<Found<Self>>, Self::Error> {
        Self::decide(controller, position).map(|decision| Some(Found::plain(decision)))
    }

    /// The golden model's decision with its candidates; `None` if the controller does not evaluate
    /// candidates one by one.
    ///
    /// # Errors
    /// As [`Self::decide`].
    fn trace(
        controller: &Self::Controller,
        position: &Self::Position,
    ) -> Result<Option<Trace<Self>>, Self::Error>;

    /// Plays a run by the golden model's decisions; `None` if that controller does not support
    /// runs.
    ///
    /// # Errors
    /// As [`Self::decide`].
    fn play(
        _controller: &Self::Controller,
        _run: &Run<Self>,
    ) -> Result<Option<Played<Self>>, Self::Error> {
        Ok(None)
    }

    /// Self-play by the golden model's decisions; `None` if that controller does not support it.
    /// `tell` gets each checkpoint and returns whether to go on.
    ///
    /// # Errors
    /// As [`Self::decide`].
    fn self_play(
        _controller: &Self::Controller,
        _run: &SelfPlay<Self>,
        _tell: &mut dyn FnMut(Sums<Self>) -> bool,
    ) -> Result<Option<Sums<Self>>, Self::Error> {
        Ok(None)
    }
}
