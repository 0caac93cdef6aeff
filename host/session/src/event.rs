//! What a session tells whoever listens. Events own what they tell, so that
//! they can be sent to other threads, written down and sent elsewhere.

use std::io;
use std::time::Duration;

use lockstep_games::{Game, Outcome, Picture, Progress};
use serde::Serialize;

use crate::backend::wire::LinkReport;
use crate::backend::{Answer, Identity};
use crate::compare::Mismatch;

/// What a session is about, known before its first decision.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Header<G: Game> {
    /// The backends in order; the first is the reference.
    pub backends: Vec<Identity>,
    /// The controller all of them play; that of the first seat where seats differ.
    pub controller: G::Controller,
    /// Who plays each seat of [`Game::SEATS`]; empty where all backends play all of them with
    /// [`Self::controller`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<Seat<G>>,
    /// How games are dealt; `None` when they are not, as in a replay of a record
    /// that does not say.
    pub setup: Option<G::Setup>,
    /// Decisions the session will ask for at the most, when that is known.
    pub planned: Option<u64>,
    /// Time after which a search is stopped and its best decision is taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_time: Option<Duration>,
}

impl<G: Game> Header<G> {
    /// A session in which all backends play all seats with one controller.
    pub fn new(backends: Vec<Identity>, controller: G::Controller) -> Self {
        Self {
            backends,
            controller,
            seats: Vec::new(),
            setup: None,
            planned: None,
            move_time: None,
        }
    }

    /// The controller of each seat; a single one where all seats have the same.
    pub fn controllers(&self) -> Vec<&G::Controller> {
        match self.seats.as_slice() {
            [] => vec![&self.controller],
            seats => seats.iter().map(|seat| &seat.controller).collect(),
        }
    }

    /// The controller that decides such a position.
    pub fn controller(&self, position: &G::Position) -> &G::Controller {
        let seat = self.seats.get(G::seat(position));
        seat.map_or(&self.controller, |seat| &seat.controller)
    }
}

/// Who plays a seat.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Seat<G: Game> {
    /// What they play by.
    pub controller: G::Controller,
    /// Indices of its backends; the first is the reference, whose moves are played.
    pub backends: Vec<usize>,
}

/// One decision, asked of all backends of the seat that is to move.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Round<G: Game> {
    /// Game of the session, from 1.
    pub game: u64,
    /// Decision of the game, from 1.
    #[serde(rename = "move")]
    pub step: u64,
    /// Line of the record it was read from, from 1; `None` where nothing was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// What was asked.
    pub position: G::Position,
    /// What it is compared with, when that is not the first answer.
    pub recorded: Option<G::Decision>,
    /// Indices of the backends that were asked.
    #[serde(skip)]
    pub asked: Vec<usize>,
    /// One answer a backend that was asked, in their order.
    pub answers: Vec<Answer<G>>,
    /// All differences; empty when everybody agrees.
    pub mismatches: Vec<Mismatch>,
    /// Score of the game before the decision is played; `None` in a replay, and of a game
    /// that has none.
    pub score: Option<u64>,
    /// Who has won by this decision, where it ends a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
}

impl<G: Game> Round<G> {
    /// What every answer is compared with: the record, or the first answer.
    pub fn expected(&self) -> Option<&G::Decision> {
        let first = self.answers.first().map(|answer| &answer.decision);
        self.recorded.as_ref().or(first)
    }

    /// The answers, each with the index of its backend.
    pub fn by_backend(&self) -> impl Iterator<Item = (usize, &Answer<G>)> + Clone {
        self.asked.iter().copied().zip(&self.answers)
    }
}

/// A move of a program that plays by its own rules: nobody was asked.
#[derive(Debug, Clone, Serialize)]
pub struct Moved {
    /// Game of the session, from 1.
    pub game: u64,
    /// Move of the game, from 1.
    #[serde(rename = "move")]
    pub step: u64,
    /// How it looks.
    pub picture: Picture,
    /// Score of the game so far.
    pub score: u64,
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// By its rules.
    Over,
    /// It reached the limit of moves.
    Limit,
    /// The backends disagreed.
    Diverged,
    /// The user stopped the session.
    Interrupted,
}

/// A game that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct GameEnd {
    /// Game of the session, from 1.
    pub game: u64,
    /// Moves played.
    pub moves: u64,
    /// Its score, in the unit of the game's words; `None` of a game that has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<u64>,
    /// Who has won; `None` of a game that is played alone, or did not come to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Why.
    pub end: End,
}

/// How far a backend has come with a decision that takes long.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Searching<G: Game> {
    /// Game of the session, from 1.
    pub game: u64,
    /// Decision of the game, from 1.
    #[serde(rename = "move")]
    pub step: u64,
    /// Index of the backend.
    pub backend: usize,
    /// What it has found so far.
    #[serde(flatten)]
    pub progress: Progress<G>,
}

/// What happens in a session, in order.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "", tag = "event", rename_all = "snake_case")]
pub enum Event<G: Game> {
    /// Once, first.
    Started(Header<G>),
    /// The backends are new: they remember nothing of what was asked before.
    PoweredUp,
    /// A game begins.
    GameStarted {
        /// Game of the session, from 1.
        game: u64,
    },
    /// A backend reports its progress on a decision.
    Searching(Searching<G>),
    /// A decision was asked of all backends.
    Decided(Round<G>),
    /// A program made a move by its own rules.
    Moved(Moved),
    /// A game ended.
    GameEnded(GameEnd),
    /// Once, last.
    Ended {
        /// Whether the user stopped it before its end.
        interrupted: bool,
        /// What kept it from going on.
        error: Option<String>,
        /// What passed over each backend's link since it was opened, in the order
        /// of the backends; `None` for software.
        links: Vec<Option<LinkReport>>,
    },
}

/// A listener.
pub trait Sink<G: Game> {
    /// Takes an event.
    ///
    /// # Errors
    /// When it cannot be written where the listener writes.
    fn take(&mut self, event: &Event<G>) -> io::Result<()>;

    /// No other event waits: what it has kept back it may write now. How long it may be left
    /// alone when nothing comes; `None` for ever.
    fn idle(&mut self) -> io::Result<Option<Duration>> {
        Ok(None)
    }
}
