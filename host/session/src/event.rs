//! The events of a session. They own their data, so that they can be sent to other threads.

use std::io;
use std::time::Duration;

use lockstep_games::{Game, Match as _, Outcome, Picture, Rules, SearchProgress};
use serde::Serialize;

use crate::backend::wire::LinkReport;
use crate::backend::{Answer, Identity};
use crate::compare::{Mismatch, compare};

/// The setting of a session, known before its first decision.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Header<G: Game> {
    /// The backends in order; the first is the reference.
    pub backends: Vec<Identity>,
    /// The controller of all backends, or of the first seat if seats differ.
    pub controller: G::Controller,
    /// The backends of each of [`Game::SEATS`]; empty if all backends play all seats with
    /// [`Self::controller`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<Seat<G>>,
    /// How games are dealt; `None` if that is not known, as in a replay of some records.
    pub setup: Option<G::Setup>,
    /// Maximum number of decisions of the session, if known.
    pub planned: Option<u64>,
    /// Time after which a search is stopped and its best decision taken.
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

    /// The controller of each seat; a single one if all seats have the same.
    pub fn controllers(&self) -> Vec<&G::Controller> {
        match self.seats.as_slice() {
            [] => vec![&self.controller],
            seats => seats.iter().map(|seat| &seat.controller).collect(),
        }
    }

    /// The controller of the seat to move.
    pub fn controller(&self, position: &G::Position) -> &G::Controller {
        let seat = self.seats.get(G::seat(position));
        seat.map_or(&self.controller, |seat| &seat.controller)
    }
}

/// The backends of a seat.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Seat<G: Game> {
    /// Their controller.
    pub controller: G::Controller,
    /// Indices of its backends; the first is the reference, whose moves are played.
    pub backends: Vec<usize>,
}

/// A position, and the answers of all backends of the seat to move.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Round<G: Game> {
    /// Game of the session, from 1.
    pub game: u64,
    /// Decision of the game, from 1.
    #[serde(rename = "move")]
    pub step: u64,
    /// Line of the record, from 1; `None` outside a replay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The position.
    pub position: G::Position,
    /// In a replay the recorded decision, with which answers are compared.
    pub recorded: Option<G::Decision>,
    /// Indices of the backends that were asked.
    #[serde(skip)]
    pub asked: Vec<usize>,
    /// Their answers, in the same order.
    pub answers: Vec<Answer<G>>,
    /// The time in which each answered; empty in a replay.
    #[serde(skip)]
    pub took: Vec<Duration>,
    /// All differences; empty when all agree.
    pub mismatches: Vec<Mismatch>,
    /// Score of the game before the decision is played; `None` in a replay, and in games without
    /// scores.
    pub score: Option<u64>,
    /// The outcome, if this decision ends a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
}

impl<G: Game> Round<G> {
    /// The answers of the backends with these indices to a decision, game and move from 1, compared
    /// with the recorded one, or else with the first answer.
    pub fn new(
        (game, step): (u64, u64),
        position: G::Position,
        recorded: Option<G::Decision>,
        asked: Vec<usize>,
        answers: Vec<Answer<G>>,
    ) -> Self {
        let first = answers.first().map(|answer| &answer.decision);
        let expected = recorded.as_ref().or(first);
        let mismatches = expected.map(|expected| compare(expected, &asked, &answers));
        Self {
            game,
            step,
            line: None,
            position,
            mismatches: mismatches.unwrap_or_default(),
            recorded,
            asked,
            answers,
            took: Vec::new(),
            score: None,
            outcome: None,
        }
    }

    /// The decision with which answers are compared: the recorded one, or the first answer's.
    pub fn expected(&self) -> Option<&G::Decision> {
        let first = self.answers.first().map(|answer| &answer.decision);
        self.recorded.as_ref().or(first)
    }

    /// The answers, each with the index of its backend.
    pub fn by_backend(&self) -> impl Iterator<Item = (usize, &Answer<G>)> + Clone {
        self.asked.iter().copied().zip(&self.answers)
    }
}

/// A move of a program that has rules of its own and no backends.
#[derive(Debug, Clone, Serialize)]
pub struct Moved {
    /// Game of the session, from 1.
    pub game: u64,
    /// Move of the game, from 1.
    #[serde(rename = "move")]
    pub step: u64,
    /// The position as a picture.
    pub picture: Picture,
    /// Score of the game so far.
    pub score: u64,
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Over by the rules.
    Over,
    /// It reached the limit of moves.
    Limit,
    /// The backends disagreed.
    Diverged,
    /// A stop was requested.
    Interrupted,
}

/// A game that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct GameEnd {
    /// Game of the session, from 1.
    pub game: u64,
    /// Moves played.
    pub moves: u64,
    /// Its score in the game's unit; `None` in games without scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<u64>,
    /// The outcome; `None` for a single player, or before the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Why it ended.
    pub end: End,
}

impl GameEnd {
    /// The end of a game, from 1, in that state.
    pub fn of<G: Rules>(game: u64, state: &G::Match, end: End) -> Self {
        Self {
            game,
            moves: state.moves(),
            score: state.score(),
            outcome: state.outcome(),
            end,
        }
    }
}

/// Progress of a backend on a long decision.
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
    /// Its progress.
    #[serde(flatten)]
    pub progress: SearchProgress<G>,
}

/// An event of a session; events come in this order.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "", tag = "event", rename_all = "snake_case")]
pub enum Event<G: Game> {
    /// Once, first.
    Started(Header<G>),
    /// The backends are newly opened.
    PoweredUp,
    /// A game begins.
    GameStarted {
        /// Game of the session, from 1.
        game: u64,
    },
    /// A backend reports its progress on a decision.
    Searching(Searching<G>),
    /// The line of a backend has another rate than before.
    Rate {
        /// Index of the backend.
        backend: usize,
        /// The rate in baud; `None` if this end cannot set it.
        baud: Option<u32>,
    },
    /// All backends have decided a position.
    Decided(Round<G>),
    /// A program with rules of its own made a move.
    Moved(Moved),
    /// A game ended.
    GameEnded(GameEnd),
    /// The last event of a session; it comes once.
    Ended {
        /// Whether a stop was requested before its end.
        interrupted: bool,
        /// The error that ended it.
        error: Option<String>,
        /// Traffic on each backend's link since it was opened; `None` for software.
        links: Vec<Option<LinkReport>>,
    },
}

/// A listener: receives the events of a session.
pub trait Sink<G: Game> {
    /// Receives an event.
    ///
    /// # Errors
    /// When the listener cannot write.
    fn take(&mut self, event: &Event<G>) -> io::Result<()>;

    /// Called when no event waits, so that buffered output can be written. Returns the time after
    /// which it is to be called again; `None` for never.
    fn idle(&mut self) -> io::Result<Option<Duration>> {
        Ok(None)
    }
}
