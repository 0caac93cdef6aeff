//! The traits of a game, one for each concern.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Debug;

use protocol::layout::{Message, Uses};
use protocol::payload::link::Info;
use protocol::payload::{Payload, PayloadError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::batches::{Batches, Played, Playing, Run, SelfPlay, Sums};
use crate::capability::{BoardSize, Capabilities, Requirements};
use crate::field::Field;
use crate::picture::Picture;
use crate::search::{Found, Progress, Watch};
use crate::terms::Terms;

/// A game: its types and its words.
pub trait Game: Copy + Debug + Send + Sync + 'static {
    /// Name, in lower case.
    const NAME: &'static str;
    /// What its moves and its score are called.
    const WORDS: Words;
    /// The seats of a match, in the order of their first moves; a game for one player has one seat.
    const SEATS: &'static [&'static str] = &["player"];
    /// Names of the notes that a backend may report beside its decisions.
    const NOTES: &'static [&'static str] = &[];

    /// The position that a backend decides.
    type Position: Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;
    /// A backend's answer. Equality is agreement.
    type Decision: Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;
    /// A candidate with its fields: in Tetris a placement with its features and score.
    type Weighed: Clone + Debug + PartialEq + Send + Sync + Serialize;
    /// Its runs and self-plays; [`NoBatches`](crate::NoBatches) where there are none.
    type Batches: Batches;
    /// The parameters that a backend decides by, such as weights.
    type Controller: Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;
    /// The parameters that a session's games are dealt from, such as the seed.
    type Setup: Clone + Debug + Send + Sync + Serialize + DeserializeOwned;
    /// Why the game refuses an operation.
    type Error: Error + Send + Sync + 'static;

    /// The fields of a decision, the same ones in the same order for every decision.
    fn fields(decision: &Self::Decision) -> Vec<Field>;

    /// The fields of a candidate, the same ones in the same order for every candidate.
    fn weighed_fields(weighed: &Self::Weighed) -> Vec<Field>;

    /// What the position requires of a backend.
    fn requirements(position: &Self::Position) -> Requirements;

    /// The class of a position in statistics: in Tetris the piece. A game has few classes; one with
    /// a single class leaves this out.
    fn class(_position: &Self::Position) -> &'static str {
        Self::WORDS.step.one
    }

    /// Index in [`Self::SEATS`] of the seat that is to move.
    fn seat(_position: &Self::Position) -> usize {
        0
    }
}

/// A decision with its candidates.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Trace<G: Game> {
    /// The candidates, in the order of the game's definitions.
    pub weighed: Vec<G::Weighed>,
    /// What was chosen.
    pub decision: G::Decision,
}

/// Equality is agreement.
impl<G: Game> PartialEq for Trace<G> {
    fn eq(&self, other: &Self) -> bool {
        self.weighed == other.weighed && self.decision == other.decision
    }
}

/// The game's words for a move and a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// A move: in Tetris a piece.
    pub step: Noun,
    /// A point of the score: in Tetris a line.
    pub score: Noun,
}

/// A noun with its plural.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Noun {
    /// One of them.
    pub one: &'static str,
    /// Several.
    pub many: &'static str,
}

impl Noun {
    /// The form that goes with a number.
    pub const fn of(self, number: u64) -> &'static str {
        if number == 1 { self.one } else { self.many }
    }
}

/// A game's rules: how it is dealt and played.
pub trait Rules: Game {
    /// A game under way.
    type Match: Match<Self>;

    /// The board of a setup.
    fn board(setup: &Self::Setup) -> BoardSize;

    /// Deals game `game` of a session, counted from 0.
    fn deal(setup: &Self::Setup, game: u64) -> Self::Match;

    /// The same game after so many moves, at that position, in constant time. `None` when the
    /// position does not fit the random draws of that move.
    fn deal_at(
        setup: &Self::Setup,
        game: u64,
        moves: u64,
        position: &Self::Position,
    ) -> Option<Self::Match>;

    /// Whether a position can follow another one after a decision, by any random draw.
    ///
    /// # Errors
    /// When the rules do not allow the decision.
    fn follows(
        before: &Self::Position,
        decision: &Self::Decision,
        after: &Self::Position,
    ) -> Result<bool, Self::Error>;

    /// The rules, seed and generator of a setup's games, for people and other programs.
    fn terms(setup: &Self::Setup) -> Terms;

    /// The integers that a controller decides by, by name; none for a controller without numbers.
    fn integers(controller: &Self::Controller) -> BTreeMap<String, i64>;
}

/// A game under way.
pub trait Match<G: Game>: Send {
    /// The position to decide now.
    fn position(&self) -> G::Position;

    /// Plays a decision; `false` when it ends the game.
    ///
    /// # Errors
    /// When the rules do not allow it.
    fn apply(&mut self, decision: &G::Decision) -> Result<bool, G::Error>;

    /// Decisions played so far.
    fn moves(&self) -> u64;

    /// Score of the game so far, in the unit of [`Words::score`]; `None` where the game has
    /// no score.
    fn score(&self) -> Option<u64>;

    /// Who has won, once a game of several seats is over.
    fn outcome(&self) -> Option<Outcome> {
        None
    }
}

/// The result of a match between seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The seat of this index in [`Game::SEATS`] has won.
    Won(usize),
    /// Nobody has.
    Draw,
}

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

/// How a game is encoded on the wire.
pub trait Codec: Game {
    /// Its messages, error codes and numbers on the wire.
    const WIRE: &'static protocol::layout::Game;
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
    let uses = Uses {
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
    if let Some(mistake) = G::WIRE.misuse(&uses) {
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

/// A game that can be drawn.
pub trait Draw: Game {
    /// The position with a decision drawn in.
    fn picture(position: &Self::Position, decision: Option<&Self::Decision>) -> Picture;
}
