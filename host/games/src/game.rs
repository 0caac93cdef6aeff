//! The basic traits of a game: its types, its rules and its picture.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::capability::{BoardSize, Requirements};
use crate::field::Field;
use crate::picture::Picture;

/// A game: its types and its words.
pub trait Game: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// The name, in lower case.
    const NAME: &'static str;
    /// The words for a move and for a point of the score.
    const WORDS: Words;
    /// The seats of a match, in the order of their first moves; one seat if there is one player.
    const SEATS: &'static [&'static str] = &["player"];
    /// Names of the notes that backends may add to decisions.
    const NOTES: &'static [&'static str] = &[];

    /// The position on which a backend decides.
    type Position: Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;
    /// A backend's answer. Equality is agreement.
    type Decision: Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;
    /// A candidate with its fields: in Tetris a placement with its features and score.
    type Candidate: Clone + Debug + PartialEq + Send + Sync + Serialize;
    /// The types of runs and self-plays; [`NoBatches`] if there are none.
    type Batches: Batches;
    /// The parameters by which a backend decides, such as weights.
    type Controller: Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;
    /// The parameters from which a session's games are dealt, such as the seed.
    type Setup: Clone + Debug + Send + Sync + Serialize + DeserializeOwned;
    /// The error of a move, a position or a controller that the game does not allow.
    type Error: Error + Send + Sync + 'static;

    /// The fields of a decision; every decision has the same fields in the same order.
    fn fields(decision: &Self::Decision) -> Vec<Field>;

    /// The fields of a candidate; every candidate has the same fields in the same order.
    fn candidate_fields(candidate: &Self::Candidate) -> Vec<Field>;

    /// The requirements of a position on a backend.
    fn requirements(position: &Self::Position) -> Requirements;

    /// The class of a position in statistics: in Tetris the piece, by default the seat to move.
    fn class(position: &Self::Position) -> &'static str {
        Self::SEATS[Self::seat(position)]
    }

    /// Index in [`Self::SEATS`] of the seat to move.
    fn seat(_position: &Self::Position) -> usize {
        0
    }
}

/// A decision with its candidates. Equality is agreement.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(bound = "")]
pub struct Trace<G: Game> {
    /// The candidates, in the order of the game's definitions.
    #[serde(rename = "weighed")]
    pub candidates: Vec<G::Candidate>,
    /// The decision.
    pub decision: G::Decision,
}

/// A game's words for a move and a point.
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
    /// The singular.
    pub one: &'static str,
    /// The plural.
    pub many: &'static str,
}

impl Noun {
    /// The form for a number.
    pub const fn of(self, number: u64) -> &'static str {
        if number == 1 { self.one } else { self.many }
    }
}

/// A game's rules: dealing and playing.
pub trait Rules: Game {
    /// A running game.
    type Match: Match<Self>;

    /// The size of a setup's boards.
    fn board(setup: &Self::Setup) -> BoardSize;

    /// Deals game `game` of a session, counted from 0.
    fn deal(setup: &Self::Setup, game: u64) -> Self::Match;

    /// The same game after `moves` moves, at `position`, in constant time.
    ///
    /// `None` if the position contradicts the random draws of that move.
    fn deal_at(
        setup: &Self::Setup,
        game: u64,
        moves: u64,
        position: &Self::Position,
    ) -> Option<Self::Match>;

    /// Whether `after` can follow `before` and the decision, with any random draw.
    ///
    /// # Errors
    /// When the rules do not allow the decision.
    fn follows(
        before: &Self::Position,
        decision: &Self::Decision,
        after: &Self::Position,
    ) -> Result<bool, Self::Error>;

    /// Describes the rules, seed and generator of a setup's games.
    fn describe(setup: &Self::Setup) -> RulesDescription;

    /// The integers by which a controller decides, by name; empty for a program.
    fn integers(controller: &Self::Controller) -> BTreeMap<String, i64>;
}

/// A running game.
pub trait Match<G: Game>: Send {
    /// The current position, which the backends decide next.
    fn position(&self) -> G::Position;

    /// Plays a decision and returns whether the game continues.
    ///
    /// # Errors
    /// When the rules do not allow the decision.
    fn apply(&mut self, decision: &G::Decision) -> Result<bool, G::Error>;

    /// Number of decisions played so far.
    fn moves(&self) -> u64;

    /// The score so far, in units of [`Words::score`]; `None` if the game has no score.
    fn score(&self) -> Option<u64>;

    /// A note on what is dealt next, if the game knows it and its positions do not say it.
    fn next_note(&self) -> Option<String> {
        None
    }

    /// The outcome of a finished game of several seats.
    fn outcome(&self) -> Option<Outcome> {
        None
    }
}

/// The result of a match between seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The seat with this index in [`Game::SEATS`] has won.
    Won(usize),
    /// No seat has won.
    Draw,
}

/// A game that can be drawn.
pub trait Draw: Game {
    /// The picture of a position, with the decision marked in it.
    fn picture(position: &Self::Position, decision: Option<&Self::Decision>) -> Picture;
}

/// A run of the game `G`.
pub type Run<G> = <<G as Game>::Batches as Batches>::Run;
/// A self-play of the game `G`.
pub type SelfPlay<G> = <<G as Game>::Batches as Batches>::SelfPlay;
/// A move of a run of the game `G`.
pub type Move<G> = <<G as Game>::Batches as Batches>::Move;
/// The totals of a run or a self-play of the game `G`.
pub type Sums<G> = <<G as Game>::Batches as Batches>::Sums;

/// The result of a run.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct RunResult<G: Game> {
    /// The moves, in order.
    pub moves: Vec<Move<G>>,
    /// Their totals.
    pub sums: Sums<G>,
}

/// The types of a game's runs and self-plays; a game without them uses [`NoBatches`].
pub trait Batches: 'static {
    /// A run: moves to decide and make at one request; in Tetris a board and the pieces to place.
    type Run: Clone + Debug + PartialEq + Send + Sync;
    /// A self-play: games with random draws from a seed.
    type SelfPlay: Clone + Debug + PartialEq + Send + Sync;
    /// A move of a run.
    type Move: Clone + Debug + PartialEq + Send + Sync + Serialize;
    /// The totals of a run or a self-play, such as moves and score.
    type Sums: Clone + Debug + PartialEq + Send + Sync + Serialize;

    /// The fields of a move; every move has the same fields in the same order.
    fn move_fields(played: &Self::Move) -> Vec<Field>;

    /// The fields of the totals; always the same fields in the same order.
    ///
    /// The value of an unknown one is [`Value::Nothing`](crate::Value::Nothing).
    fn sums_fields(sums: &Self::Sums) -> Vec<Field>;
}

/// The batches of a game without runs and self-play; it has no values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum NoBatches {}

impl Batches for NoBatches {
    type Run = Self;
    type SelfPlay = Self;
    type Move = Self;
    type Sums = Self;

    fn move_fields(played: &Self) -> Vec<Field> {
        match *played {}
    }

    fn sums_fields(sums: &Self) -> Vec<Field> {
        match *sums {}
    }
}

/// The rules and random draws of a session's games, for programs that deal the same games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesDescription {
    /// The rules.
    pub rules: Named,
    /// The seed of the session.
    pub seed: u64,
    /// The generator of the random draws.
    pub generator: Named,
}

/// A name with a description.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The description, in a sentence.
    pub about: String,
}

impl Named {
    /// A name with a description.
    pub fn new(name: &str, about: &str) -> Self {
        Self {
            name: name.into(),
            about: about.into(),
        }
    }
}

/// A running game that a program plays by its own rules.
pub trait ProgramGame: Send {
    /// Plays the next move and returns its picture; `None` once the game is over.
    fn step(&mut self) -> Option<Picture>;

    /// Number of moves played so far.
    fn moves(&self) -> u64;

    /// The score so far, as the program counts it.
    fn score(&self) -> u64;
}
