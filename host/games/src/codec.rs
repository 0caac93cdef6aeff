//! How a game is encoded on the wire.

use protocol::layout::{HostRequests, Message};
use protocol::payload::link::Info;
use protocol::payload::{Payload, PayloadError};

use crate::capability::BoardSize;
use crate::game::{Game, Move, Run, SelfPlay, Sums};
use crate::search::{Found, Progress};

/// How a game is encoded on the wire.
pub trait Codec: Game {
    /// Its messages, error codes and numbers on the wire.
    const WIRE: &'static protocol::layout::GameTable;
    /// Board size on the wire.
    const BOARD: BoardSize;
    /// The request that hands over a controller.
    const CONFIGURE: &'static Message;
    /// The request whose reply repeats the controller.
    const READ_BACK: &'static Message;
    /// The request for a decision.
    const DECIDE: &'static Message;
    /// The error of a core without a controller, as after power-up.
    const UNSET: protocol::ErrorCode;
    /// How a core with the capability `trace` reports its candidates; `None` if the game's wire has
    /// no such message.
    const TRACING: Option<Tracing<Self>> = None;
    /// How a core answers [`Self::DECIDE`] by a stream that reports progress; `None` if it sends a
    /// single reply.
    const SEARCHING: Option<Searching<Self>> = None;
    /// How a core with the capabilities `play` and `self_play` plays by itself; `None` if the
    /// game's wire has no such messages.
    const PLAYING: Option<Playing<Self>> = None;

    /// Payload of [`Self::CONFIGURE`].
    ///
    /// # Errors
    /// When no core can play as the controller does.
    fn encode_controller(controller: &Self::Controller) -> Result<Payload, Self::Error>;

    /// Payload of [`Self::DECIDE`].
    ///
    /// # Errors
    /// When the wire cannot carry the position.
    fn encode_position(
        controller: &Self::Controller,
        position: &Self::Position,
    ) -> Result<Payload, Self::Error>;

    /// Reads a decision and the clock cycles it took.
    ///
    /// # Errors
    /// When the payload is not a decision.
    fn decode_decision(payload: &[u8]) -> Result<(Found<Self>, u64), PayloadError>;

    /// Most clock cycles of the decision on that position; `None` if decisions take up to 200,000
    /// cycles, or [`Self::SEARCHING`] reports their progress.
    fn slowest(
        _controller: &Self::Controller,
        _position: &Self::Position,
        _core: &Info,
    ) -> Option<u64> {
        None
    }

    /// Expected clock cycles of the decision, for a core with the capability `exact_cycles`; `None`
    /// if the game does not predict them.
    fn cycles(_position: &Self::Position, _core: &Info) -> Option<u64> {
        None
    }
}

/// Checks a game's codec against its table, at compile time.
///
/// # Panics
/// When they do not fit. Called in a `const`, where that is a compile error.
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

/// How a core searches: by a stream whose parts report progress and whose end is the decision.
///
/// A part may be lost; that does not restart the search.
#[derive(Debug)]
pub struct Searching<G: Game> {
    /// Reads a part.
    pub progress: fn(&[u8]) -> Result<Progress<G>, PayloadError>,
    /// The most clock cycles from one part to the next while the stream has credit.
    pub pause: u64,
}

/// How a core traces: by a stream with one part for each candidate, and the decision at its end.
#[derive(Debug)]
pub struct Tracing<G: Game> {
    /// The request. Its payload is that of [`Codec::DECIDE`].
    pub request: &'static Message,
    /// The most parts of a trace.
    pub most: u64,
    /// Reads a part.
    pub weighed: fn(&[u8]) -> Result<G::Weighed, PayloadError>,
    /// Reads the end.
    pub decision: fn(&[u8]) -> Result<G::Decision, PayloadError>,
}

/// The messages of runs and self-play.
#[derive(Debug)]
pub struct Playing<G: Game> {
    /// A run: the parts hold its moves.
    pub play: Stream<G, Run<G>, Vec<Move<G>>>,
    /// A self-play: the parts are checkpoints.
    pub self_play: Stream<G, SelfPlay<G>, Sums<G>>,
    /// Most clock cycles of a decision and its move.
    pub slowest: u32,
}

/// A request that is answered by a stream, with sums at its end.
#[derive(Debug)]
pub struct Stream<G: Game, Q, P> {
    /// The request.
    pub request: &'static Message,
    /// Its payload.
    pub encode: fn(&Q) -> Result<Payload, G::Error>,
    /// The most parts that there can be.
    pub most: fn(&Q) -> u64,
    /// The most decisions from one part to the next, or to the end.
    pub pause: fn(&Q) -> u64,
    /// Reads a part.
    pub part: fn(&[u8]) -> Result<P, PayloadError>,
    /// Reads the end.
    pub end: fn(&[u8]) -> Result<Sums<G>, PayloadError>,
}
