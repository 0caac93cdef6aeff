//! What a session tells whoever listens.

use std::io;

use crate::backend::{Answer, Identity};
use crate::compare::Mismatch;
use crate::games::Game;

/// What a session is about, known before its first decision.
#[derive(Debug, Clone)]
pub struct Header<G: Game> {
    /// The backends in order; the first is the reference.
    pub backends: Vec<Identity>,
    /// The controller all of them play.
    pub controller: G::Controller,
    /// How games are dealt; `None` when they are not, as in a replay.
    pub setup: Option<G::Setup>,
    /// Decisions the session will ask for, when that is known.
    pub planned: Option<u64>,
}

/// One decision, asked of all backends.
#[derive(Debug)]
pub struct Round<'a, G: Game> {
    /// Game of the session, from 0.
    pub game: u64,
    /// Decision of the game, from 0.
    pub step: u64,
    /// What was asked.
    pub position: &'a G::Position,
    /// What it is compared with, when that is not the first answer.
    pub recorded: Option<&'a G::Decision>,
    /// One answer a backend, in their order.
    pub answers: &'a [Answer<G>],
    /// All differences; empty when everybody agrees.
    pub mismatches: &'a [Mismatch],
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// What happens in a session, in order.
#[derive(Debug)]
pub enum Event<'a, G: Game> {
    /// Once, first.
    Started(&'a Header<G>),
    /// A game begins.
    GameStarted {
        /// Game of the session, from 0.
        game: u64,
    },
    /// A decision was asked of all backends.
    Decided(Round<'a, G>),
    /// A game ended.
    GameEnded {
        /// Game of the session, from 0.
        game: u64,
        /// Moves played.
        moves: u64,
        /// Its score; lines in Tetris.
        score: u64,
        /// Why.
        end: End,
    },
    /// Once, last.
    Ended {
        /// Whether the user stopped it before its end.
        interrupted: bool,
    },
}

/// A listener.
pub trait Sink<G: Game> {
    /// Takes an event.
    ///
    /// # Errors
    /// When it cannot be written where the listener writes.
    fn take(&mut self, event: &Event<'_, G>) -> io::Result<()>;
}
