//! Implementations that decide in this process: the golden model, and a fast
//! engine where a game has one.

use std::marker::PhantomData;

use crate::BoxError;
use crate::capability::Capabilities;
use crate::game::{Game, Played, Run, SelfPlay, Sums, Trace};
use crate::golden::Golden;
use crate::search::{Found, Watch};

/// A way to decide in software.
pub trait Implementation<G: Game>: Send + Sync {
    /// What it is, in one line.
    fn description(&self) -> String;

    /// What it can do, with that controller, or with any for `None`.
    fn capabilities(&self, controller: Option<&G::Controller>) -> Capabilities;

    /// Makes a decider for a controller.
    ///
    /// # Errors
    /// When it cannot play as that controller does.
    fn decider(&self, controller: &G::Controller) -> Result<Box<dyn Decider<G>>, BoxError>;
}

/// An implementation with its controller.
pub trait Decider<G: Game>: Send {
    /// Its decision.
    ///
    /// # Errors
    /// When it does not play such a position.
    fn decide(&mut self, position: &G::Position) -> Result<G::Decision, BoxError>;

    /// Its decision, with progress reported to the watch, which can end the search. `None` after
    /// [`Wish::Forget`](crate::search::Wish::Forget).
    ///
    /// # Errors
    /// As [`Self::decide`].
    fn search(
        &mut self,
        position: &G::Position,
        _watch: &mut dyn Watch<G>,
    ) -> Result<Option<Found<G>>, BoxError> {
        let decision = self.decide(position)?;
        Ok(Some(Found::plain(decision)))
    }

    /// Its decision with its candidates; `None` if it does not report them.
    ///
    /// # Errors
    /// As [`Self::decide`].
    fn trace(&mut self, _position: &G::Position) -> Result<Option<Trace<G>>, BoxError> {
        Ok(None)
    }

    /// Plays a run; `None` if it does not support runs.
    ///
    /// # Errors
    /// As [`Self::decide`].
    fn play(&mut self, _run: &Run<G>) -> Result<Option<Played<G>>, BoxError> {
        Ok(None)
    }

    /// Self-play; `None` if it does not support it. `tell` gets each checkpoint and returns whether
    /// to go on.
    ///
    /// # Errors
    /// As [`Self::decide`].
    fn self_play(
        &mut self,
        _run: &SelfPlay<G>,
        _tell: &mut dyn FnMut(Sums<G>) -> bool,
    ) -> Result<Option<Sums<G>>, BoxError> {
        Ok(None)
    }
}

/// The golden model of a game.
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

struct WithController<G: Game>(G::Controller);

impl<G: Golden> Decider<G> for WithController<G> {
    fn decide(&mut self, position: &G::Position) -> Result<G::Decision, BoxError> {
        Ok(G::decide(&self.0, position)?)
    }

    fn search(
        &mut self,
        position: &G::Position,
        watch: &mut dyn Watch<G>,
    ) -> Result<Option<Found<G>>, BoxError> {
        Ok(G::search(&self.0, position, watch)?)
    }

    fn trace(&mut self, position: &G::Position) -> Result<Option<Trace<G>>, BoxError> {
        Ok(G::trace(&self.0, position)?)
    }

    fn play(&mut self, run: &Run<G>) -> Result<Option<Played<G>>, BoxError> {
        Ok(G::play(&self.0, run)?)
    }

    fn self_play(
        &mut self,
        run: &SelfPlay<G>,
        tell: &mut dyn FnMut(Sums<G>) -> bool,
    ) -> Result<Option<Sums<G>>, BoxError> {
        Ok(G::self_play(&self.0, run, tell)?)
    }
}
