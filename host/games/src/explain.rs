//! Explaining why two decisions differ, and shrinking the case.

use crate::game::{Game, Noun};

/// A game whose decisions can be explained.
pub trait Explain: Game {
    /// The word for a candidate: in Tetris placement.
    const WEIGHED: Noun;

    /// The candidate's label for people: in Tetris its rotation and column.
    fn label(weighed: &Self::Weighed) -> String;

    /// The definition of a field of a decision or of a candidate, if there is one.
    fn definition(field: &str) -> Option<&'static str>;

    /// Index of the candidate that should be chosen, if any.
    fn choice(weighed: &[Self::Weighed]) -> Option<usize>;

    /// Index of the candidate that a decision chose, if any.
    fn chosen(weighed: &[Self::Weighed], decision: &Self::Decision) -> Option<usize>;
}

/// The definition of a field, from a page with a table line for each field.
pub(crate) fn definition_in(page: &'static str, field: &str) -> Option<&'static str> {
    page.lines().find_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split('|');
        let name = cells.next()?.trim().strip_suffix('`')?;
        (name == field).then_some(cells.next()?.trim())
    })
}

/// A game whose positions and controllers can be made simpler.
///
/// "Simpler" is a well-founded order, so shrinking terminates. The simplest ones come first.
pub trait Shrink: Game {
    /// Positions that are simpler than this one.
    fn simpler(position: &Self::Position) -> Vec<Self::Position>;

    /// Controllers that are simpler than this one.
    fn simpler_controllers(controller: &Self::Controller) -> Vec<Self::Controller>;
}
