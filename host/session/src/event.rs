//! What a session tells whoever listens. Events own what they tell, so that
//! they can be sent to other threads, written down and sent elsewhere.

use std::io;
use std::time::Duration;

use lockstep_games::{Game, Picture};
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
    /// The controller all of them play.
    pub controller: G::Controller,
    /// How games are dealt; `None` when they are not, as in a replay of a record
    /// that does not say.
    pub setup: Option<G::Setup>,
    /// Decisions the session will ask for at the most, when that is known.
    pub planned: Option<u64>,
}

/// One decision, asked of all backends.
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
    /// One answer a backend, in their order.
    pub answers: Vec<Answer<G>>,
    /// All differences; empty when everybody agrees.
    pub mismatches: Vec<Mismatch>,
    /// Score of the game before the decision is played; `None` in a replay.
    pub score: Option<u64>,
}

impl<G: Game> Round<G> {
    /// What every answer is compared with: the record, or the first answer.
    pub fn expected(&self) -> Option<&G::Decision> {
        let first = self.answers.first().map(|answer| &answer.decision);
        self.recorded.as_ref().or(first)
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
    /// Its score, in the unit of the game's words.
    pub score: u64,
    /// Why.
    pub end: End,
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
    ///
    /// # Errors
    /// As [`Self::take`].
    fn idle(&mut self) -> io::Result<Option<Duration>> {
        Ok(None)
    }
}
