//! What a game brings to the coverage of its core.

use std::fmt::{self, Debug, Display};

use lockstep::Backend;
use lockstep_games::{BoxError, Catalog, Match as _};
use protocol::layout::{ErrorCode, Message};

use super::bins::{Bins, Group};

/// A game whose core's coverage can be measured. One without bins of its own says
/// `type Bin = NoBin`.
pub trait Cover: Catalog {
    /// What a decision may hit.
    type Bin: Copy + Ord + Debug + Display + Send;

    /// The built-in controllers by which games are played.
    const CONTROLLERS: &[&str] = &[Self::DEFAULT];
    /// Error codes of the link that the core never gives.
    const NEVER: &[ErrorCode] = &[];

    /// All bins of decisions.
    fn groups() -> Vec<Group<Self::Bin>> {
        Vec::new()
    }

    /// Hits the bins of a decision, which the golden model says.
    fn count(
        _bins: &mut Bins<Self::Bin>,
        _controller: &Self::Controller,
        _position: &Self::Position,
    ) {
    }

    /// Positions that hit every bin, and others of every kind. The same seed gives the same ones.
    fn cases(_seed: u64) -> Vec<(Self::Controller, Self::Position)> {
        Vec::new()
    }

    /// Payload with which a request of the game is served; `None` where it has none. The reply
    /// to it is to come late if it is `long`, and soon otherwise.
    fn payload(request: &Message, _long: bool) -> Option<Vec<u8>> {
        let traces = Self::TRACING.is_some_and(|tracing| tracing.request.id == request.id);
        if request.id != Self::DECIDE.id && !traces {
            return None;
        }
        let controller = Self::load(Self::DEFAULT).ok()?;
        let position = Self::deal(&Self::default_setup(1), 0).position();
        let payload = Self::encode_position(&controller, &position).ok()?;
        Some(payload.as_ref().to_vec())
    }

    /// Requests that a core with a controller refuses by the game's errors.
    fn refused() -> Vec<(Message, Vec<u8>, ErrorCode)> {
        Vec::new()
    }

    /// Has the core play by itself, if it can, and checks what it played.
    fn alone(
        _core: &mut dyn Backend<Self>,
        _controller: &Self::Controller,
        _seed: u64,
        _positions: &[Self::Position],
    ) -> impl Future<Output = Result<(), BoxError>> + Send {
        async { Ok(()) }
    }
}

/// The bins of a game that has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoBin {}

impl Display for NoBin {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}
