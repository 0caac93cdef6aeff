//! What a game is to the rest of the host, in traits of one concern each.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Debug;

use protocol::layout::{Message, Uses};
use protocol::payload::link::Info;
use protocol::payload::{Payload, PayloadError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::batches::{Batches, Played, Playing, Run, SelfPlay, Sums};
use crate::capability::{BoardSize, Capabilities, Demands};
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
    /// The seats of a match, in the order they first move; one where a game is played alone.
    const SEATS: &'static [&'static str] = &["player"];
    /// Names of the notes that a backend may promise beside its decisions.
    const NOTES: &'static [&'static str] = &[];

    /// What is asked.
    type Position: Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;
    /// What is answered. Equality is agreement.
    type Decision: Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;
    /// What is weighed on the way to a decision, with what it comes to: in Tetris a
    /// placement with its features and score.
    type Weighed: Clone + Debug + PartialEq + Send + Sync + Serialize;
    /// Its runs and self-plays; [`NoBatches`](crate::NoBatches) where there are none.
    type Batches: Batches;
    /// What makes a backend play as it does.
    type Controller: Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;
    /// What a session of games is dealt from.
    type Setup: Clone + Debug + Send + Sync + Serialize + DeserializeOwned;
    /// What the game refuses, and why.
    type Error: Error + Send + Sync + 'static;

    /// The decision field by field, to say where two differ. The same fields in
    /// the same order for every decision.
    fn fields(decision: &Self::Decision) -> Vec<Field>;

    /// What was weighed field by field, to say where two differ. The same fields in
    /// the same order for all of it.
    fn weighed_fields(weighed: &Self::Weighed) -> Vec<Field>;

    /// What the position asks of whoever is to decide it.
    fn demands(position: &Self::Position) -> Demands;

    /// Which kind of [`Words::step`] is to be decided, for counting by kind: in Tetris the
    /// piece. There are few of them; a game with a single one leaves this out.
    fn class(_position: &Self::Position) -> &'static str {
        Self::WORDS.step.one
    }

    /// Index in [`Self::SEATS`] of the seat that is to move.
    fn seat(_position: &Self::Position) -> usize {
        0
    }
}

/// A decision with all that it was chosen from.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Trace<G: Game> {
    /// All that was weighed, in the order of the game's definitions.
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

/// The words of a game for what every game has.
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

    /// The same game after so many moves, at that position; `None` when what chance brings
    /// by then is not what the position shows. It takes no longer for many moves.
    fn deal_at(
        setup: &Self::Setup,
        game: u64,
        moves: u64,
        position: &Self::Position,
    ) -> Option<Self::Match>;

    /// Whether one position can follow another by a decision, whatever chance brings.
    ///
    /// # Errors
    /// When the rules do not allow the decision.
    fn follows(
        before: &Self::Position,
        decision: &Self::Decision,
        after: &Self::Position,
    ) -> Result<bool, Self::Error>;

    /// What the games of a setup are played by, for people and other programs.
    fn terms(setup: &Self::Setup) -> Terms;

    /// The whole numbers by which a controller decides, by their names; none where it is no
    /// matter of numbers.
    fn integers(controller: &Self::Controller) -> BTreeMap<String, i64>;
}

/// A game under way.
pub trait Match<G: Game>: Send {
    /// What is to be decided now.
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

    /// The golden model's decision, watched: it reports progress and ends as the watch wishes.
    /// `None` where that was [`Wish::Forget`](crate::search::Wish::Forget).
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

    /// The golden model's decision with all that it was chosen from; `None` where the
    /// controller does not weigh what it chooses from one by one.
    ///
    /// # Errors
    /// As [`Self::decide`].
    fn trace(
        controller: &Self::Controller,
        position: &Self::Position,
    ) -> Result<Option<Trace<Self>>, Self::Error>;

    /// Plays a run by the golden model's decisions; `None` where it does not play so with
    /// that controller.
    ///
    /// # Errors
    /// As [`Self::decide`].
    fn play(
        _controller: &Self::Controller,
        _run: &Run<Self>,
    ) -> Result<Option<Played<Self>>, Self::Error> {
        Ok(None)
    }

    /// Plays on by the golden model's decisions; `None` where it does not play so with that
    /// controller. `tell` is given each checkpoint and says whether to go on.
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

/// A game's place on the wire.
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
    /// The refusal of a core that has no controller, as after power-up.
    const UNSET: protocol::ErrorCode;
    /// How a core with the capability `trace` tells what it chose from; `None` where
    /// the wire has no such thing for this game.
    const TRACING: Option<Tracing<Self>> = None;
    /// How a core answers [`Self::DECIDE`] by a stream that reports progress; `None` where
    /// it gives a single reply.
    const SEARCHING: Option<Searching<Self>> = None;
    /// How a core with the capabilities `play` and `self_play` plays by itself; `None`
    /// where the wire has no such thing for this game.
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

    /// Clock cycles that no decision of that position takes longer than; `None` where
    /// decisions are short (200,000 cycles) or [`Self::SEARCHING`] reports their progress.
    fn slowest(
        _controller: &Self::Controller,
        _position: &Self::Position,
        _core: &Info,
    ) -> Option<u64> {
        None
    }

    /// Clock cycles that the decision takes a core which says that it takes exactly
    /// those of the game's serial core; `None` where there is no such core.
    fn cycles(_position: &Self::Position, _core: &Info) -> Option<u64> {
        None
    }
}

/// Checks a game's codec against its table, where it is compiled.
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

/// How a core searches: by a stream of progress, with the decision at its end.
///
/// A part may be lost: no search begins anew for it.
#[derive(Debug)]
pub struct Searching<G: Game> {
    /// Reads a part.
    pub progress: fn(&[u8]) -> Result<Progress<G>, PayloadError>,
    /// The most clock cycles from one part to the next while the stream has credit.
    pub pause: u64,
}

/// How a core tells what it chose from: by a stream, with one part for each that was
/// weighed, and the decision at its end.
#[derive(Debug)]
pub struct Tracing<G: Game> {
    /// The request. Its payload is that of [`Codec::DECIDE`].
    pub request: &'static Message,
    /// The most parts that there can be.
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
