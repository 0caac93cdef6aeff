//! Searches: decisions that take long, report progress and can be ended early.

use serde::Serialize;

use crate::field::Value;
use crate::game::Game;

/// A decision with its notes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(bound = "")]
pub struct SearchResult<G: Game> {
    /// The decision.
    pub decision: G::Decision,
    /// Additional fields.
    pub notes: Vec<Note>,
}

impl<G: Game> SearchResult<G> {
    /// A decision without notes.
    pub const fn plain(decision: G::Decision) -> Self {
        let notes = Vec::new();
        Self { decision, notes }
    }
}

/// An additional field of a decision, such as the number of nodes searched.
///
/// It is compared only between backends that promise it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// The name, in snake case.
    pub name: &'static str,
    /// The value.
    pub value: Value,
    /// Whether the game's definitions determine the value for this backend.
    #[serde(skip)]
    pub promised: bool,
}

/// The progress of a search.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(bound = "")]
pub struct SearchProgress<G: Game> {
    /// The best decision so far, if any.
    pub best: Option<G::Decision>,
    /// Additional fields, such as the depth searched.
    pub notes: Vec<Note>,
    /// Number of clock cycles of the core so far; `None` for software.
    pub cycles: Option<u64>,
}

/// Whether a search should continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchControl {
    /// Continue.
    Continue,
    /// Answer now, with the best decision so far.
    Finish,
    /// Stop without an answer.
    Abandon,
}

/// Observes and controls a search in software.
pub trait Watch<G: Game> {
    /// Receives the progress made.
    fn progress(&mut self, progress: SearchProgress<G>);

    /// Whether to continue; a search calls this at least every few milliseconds.
    fn control(&self) -> SearchControl;
}

/// A watch that ignores progress and never ends the search.
#[derive(Debug, Clone, Copy)]
pub struct Unwatched;

impl<G: Game> Watch<G> for Unwatched {
    fn progress(&mut self, _progress: SearchProgress<G>) {}

    fn control(&self) -> SearchControl {
        SearchControl::Continue
    }
}
