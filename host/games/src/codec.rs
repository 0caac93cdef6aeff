//! The encoding of a game on the wire.

use protocol::layout::{HostRequests, Message};
use protocol::payload::link::Info;
use protocol::payload::{Payload, PayloadError};

use crate::capability::BoardSize;
use crate::game::{Game, Move, Run, SelfPlay, Sums};
use crate::software::{SearchProgress, SearchResult};

/// A game that is encoded on the wire.
pub trait Codec: Game {
    /// The game's table of messages.
    const WIRE: &'static protocol::layout::GameTable;
    /// The size of boards on the wire.
    const BOARD: BoardSize;
    /// The request that sets the controller.
    const CONFIGURE: &'static Message;
    /// The request that reads the controller back.
    const READ_BACK: &'static Message;
    /// The request for a decision.
    const DECIDE: &'static Message;
    /// The error of a core without a controller, as after power-up.
    const UNSET: protocol::ErrorCode;
    /// How a core with the capability `trace` reports candidates; `None` if the table has no such
    /// message.
    const TRACING: Option<Tracing<Self>> = None;
    /// How a core reports progress while it decides; `None` if a single reply answers
    /// [`Self::DECIDE`].
    const SEARCHING: Option<Searching<Self>> = None;
    /// How a core with the capabilities `play` and `self_play` plays; `None` if the table has no
    /// such messages.
    const PLAYING: Option<Playing<Self>> = None;

    /// The payload of [`Self::CONFIGURE`].
    ///
    /// # Errors
    /// When no core supports the controller.
    fn encode_controller(controller: &Self::Controller) -> Result<Payload, Self::Error>;

    /// Checks that a core can do what a controller needs; every core can by default.
    ///
    /// # Errors
    /// When the core lacks it.
    fn check_core(_controller: &Self::Controller, _core: &Info) -> Result<(), Self::Error> {
        Ok(())
    }

    /// The payload of [`Self::DECIDE`].
    ///
    /// # Errors
    /// When the wire cannot carry the position.
    fn encode_position(
        controller: &Self::Controller,
        position: &Self::Position,
    ) -> Result<Payload, Self::Error>;

    /// Decodes a decision and the number of clock cycles that it took.
    ///
    /// # Errors
    /// When the payload is not a decision.
    fn decode_decision(payload: &[u8]) -> Result<(SearchResult<Self>, u64), PayloadError>;

    /// The maximum number of clock cycles of the decision on that position.
    ///
    /// `None` if all decisions take at most 200,000 cycles, or [`Self::SEARCHING`] reports
    /// progress.
    fn max_cycles(
        _controller: &Self::Controller,
        _position: &Self::Position,
        _core: &Info,
    ) -> Option<u64> {
        None
    }

    /// The expected number of clock cycles of a complete decision.
    ///
    /// It is that of a core with the capability `exact_cycles`; `None` if the game does not predict
    /// it.
    fn expected_cycles(
        _controller: &Self::Controller,
        _position: &Self::Position,
        _decision: &Self::Decision,
        _core: &Info,
    ) -> Option<u64> {
        None
    }
}

/// Checks the requests of a game's codec against its table.
///
/// # Panics
/// When they break a rule; in a `const` that is a compile error.
pub const fn check_codec<G: Codec>() {
    let tracing = const { &G::TRACING };
    let playing = const { &G::PLAYING };
    let requests = HostRequests {
        configure: *G::CONFIGURE,
        read_back: *G::READ_BACK,
        decide: *G::DECIDE,
        searches: const { &G::SEARCHING }.is_some(),
        unset: G::UNSET,
        trace: match tracing {
            Some(tracing) => Some(*tracing.request),
            None => None,
        },
        batches: match playing {
            Some(playing) => [
                Some(*playing.play.request),
                Some(*playing.self_play.request),
            ],
            None => [None, None],
        },
    };
    if let Some(mistake) = G::WIRE.mistake_of(&requests) {
        panic!("{}", mistake);
    }
}

/// The stream of a search: its parts report progress, its end is the decision.
///
/// A lost part does not restart the search.
#[derive(Debug)]
pub struct Searching<G: Game> {
    /// Decodes a part.
    pub progress: fn(&[u8]) -> Result<SearchProgress<G>, PayloadError>,
    /// Maximum number of clock cycles between two parts while the stream has credit.
    pub max_gap: u64,
}

/// The stream of a trace: a part for each candidate, and the decision at the end.
#[derive(Debug)]
pub struct Tracing<G: Game> {
    /// The request, with the same payload as [`Codec::DECIDE`].
    pub request: &'static Message,
    /// Maximum number of parts.
    pub max_parts: u64,
    /// Decodes a part.
    pub candidate: fn(&[u8]) -> Result<G::Candidate, PayloadError>,
    /// Decodes the end.
    pub decision: fn(&[u8]) -> Result<G::Decision, PayloadError>,
}

/// The streams of runs and self-play.
#[derive(Debug)]
pub struct Playing<G: Game> {
    /// The stream of a run: its parts are moves.
    pub play: Stream<G, Run<G>, Vec<Move<G>>>,
    /// The stream of a self-play: its parts are checkpoints.
    pub self_play: Stream<G, SelfPlay<G>, Sums<G>>,
    /// Maximum number of clock cycles of a decision and its move.
    pub max_cycles: u32,
}

/// A request that is answered by a stream with totals at its end.
#[derive(Debug)]
pub struct Stream<G: Game, Q, P> {
    /// The request.
    pub request: &'static Message,
    /// Encodes the payload of the request to a core; fails if it cannot play it.
    pub encode: fn(&Q, &Info) -> Result<Payload, G::Error>,
    /// Maximum number of parts.
    pub max_parts: fn(&Q) -> u64,
    /// Maximum number of decisions between two parts.
    pub max_gap: fn(&Q) -> u64,
    /// Decodes a part.
    pub part: fn(&[u8]) -> Result<P, PayloadError>,
    /// Decodes the end.
    pub end: fn(&[u8]) -> Result<Sums<G>, PayloadError>,
}
