//! What a game brings to the coverage of its core.

use std::fmt::{Debug, Display};

use lockstep::backend::wire::Wire;
use lockstep_games::{BoxError, Catalog};
use protocol::layout::{ErrorCode, Message};

use super::bins::{Bins, Group};

/// A game whose core's coverage can be measured.
pub trait Cover: Catalog {
    /// What a decision may hit.
    type Bin: Copy + Ord + Debug + Display + Send;

    /// The built-in controllers by which games are played.
    const CONTROLLERS: &[&str];

    /// Error codes of the link that the core never gives, with the reason.
    const NEVER: &[(ErrorCode, &str)] = &[];

    /// All bins of decisions.
    fn groups() -> Vec<Group<Self::Bin>>;

    /// Hits the bins of a decision, which the golden model says.
    fn count(bins: &mut Bins<Self::Bin>, controller: &Self::Controller, position: &Self::Position);

    /// Positions that hit every bin, and others of every kind. The same seed gives the same ones.
    fn cases(seed: u64) -> Vec<(Self::Controller, Self::Position)>;

    /// Payload with which a request of the game is served; `None` where it has no payload. A
    /// stream has more parts than it has credit for, if it can, and ends, or is endless.
    fn payload(request: &Message, endless: bool) -> Option<Vec<u8>>;

    /// Requests that a core with a controller refuses by the game's errors.
    fn refused() -> Vec<(Message, Vec<u8>, ErrorCode)>;

    /// Has the core play by itself, if it can, and checks what it played.
    fn alone(
        _wire: &mut Wire<Self>,
        _controller: &Self::Controller,
        _seed: u64,
        _positions: &[Self::Position],
    ) -> impl Future<Output = Result<(), BoxError>> + Send {
        async { Ok(()) }
    }
}
