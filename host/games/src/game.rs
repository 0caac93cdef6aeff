//! The traits of a game, one for each concern.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::batches::Batches;
use crate::capability::{BoardSize, Requirements};
use crate::field::Field;
use crate::picture::Picture;
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

/// A game that can be drawn.
pub trait Draw: Game {
    /// The position with a decision drawn in.
    fn picture(position: &Self::Position, decision: Option<&Self::Decision>) -> Picture;
}

/// A run of the game `G`.
pub type Run<G> = <<G as Game>::Batches as Batches>::Run;
/// A self-play of the game `G`.
pub type SelfPlay<G> = <<G as Game>::Batches as Batches>::SelfPlay;
/// A move of a run of the game `G`.
pub type Move<G> = <<G as Game>::Batches as Batches>::Move;
/// The sums of a run or a self-play of the game `G`.
pub type Sums<G> = <<G as Game>::Batches as Batches>::Sums;

/// The result of a run.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Played<G: Game> {
    /// Its moves, in their order.
    pub moves: Vec<Move<G>>,
    /// Their sums.
    pub sums: Sums<G>,
}
