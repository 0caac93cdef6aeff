//! Searches: decisions that take long, their progress, and ending them early.

use serde::Serialize;

use crate::field::Value;
use crate::game::Game;

/// A decision and its notes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(bound = "")]
pub struct Found<G: Game> {
    /// The decision.
    pub decision: G::Decision,
    /// Fields beside the decision.
    pub notes: Vec<Note>,
}

impl<G: Game> Found<G> {
    /// A decision without notes.
    pub const fn plain(decision: G::Decision) -> Self {
        let notes = Vec::new();
        Self { decision, notes }
    }
}

/// A field beside a decision, such as the number of nodes searched. It is compared only between
/// backends that promise it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// Its name, in snake case.
    pub name: &'static str,
    /// Its value.
    pub value: Value,
    /// Whether the definitions fix the value for this backend.
    #[serde(skip)]
    pub promised: bool,
}

/// The progress of a search.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(bound = "")]
pub struct Progress<G: Game> {
    /// The best decision so far; `None` before the first.
    pub best: Option<G::Decision>,
    /// The game's own fields, such as the depth searched.
    pub notes: Vec<Note>,
    /// Clock cycles of the core so far; `None` for software.
    pub cycles: Option<u64>,
}

/// Whether a search should go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Search on.
    GoOn,
    /// Answer now, with the best decision so far.
    Finish,
    /// Stop: the answer is not needed any more.
    Forget,
}

/// Observes and controls a search in software.
pub trait Watch<G: Game> {
    /// Takes the progress made.
    fn progress(&mut self, progress: Progress<G>);

    /// Whether to go on. A search asks at least every few milliseconds.
    fn wish(&self) -> Wish;
}

/// A watch that ignores progress and never ends the search.
#[derive(Debug, Clone, Copy)]
pub struct Unwatched;

impl<G: Game> Watch<G> for Unwatched {
    fn progress(&mut self, _progress: Progress<G>) {}

    fn wish(&self) -> Wish {
        Wish::GoOn
    }
}
