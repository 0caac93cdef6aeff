//! Traits to explain why two decisions differ, and to shrink the case.

use crate::game::{Game, Noun};

/// A game whose decisions can be explained.
pub trait Explain: Game {
    /// The word for a candidate: in Tetris placement.
    const CANDIDATE: Noun;

    /// The page of definitions; its tables have a line for each field.
    const DEFINITIONS: &'static str;

    /// The label of a candidate, as shown to users: in Tetris rotation and column.
    fn label(candidate: &Self::Candidate) -> String;

    /// The definition of a field of a decision or a candidate, if there is one.
    fn definition(field: &str) -> Option<&'static str> {
        Self::DEFINITIONS.lines().find_map(|line| {
            let mut cells = line.strip_prefix("| `")?.split('|');
            let name = cells.next()?.trim().strip_suffix('`')?;
            (name == field).then_some(cells.next()?.trim())
        })
    }

    /// Index of the candidate that should be chosen, if any.
    fn choice(candidates: &[Self::Candidate]) -> Option<usize>;

    /// Number of candidates that the search for `decision` looked at; `None` if it does not say.
    fn looked_at(_decision: &Self::Decision) -> Option<u64> {
        None
    }

    /// Index of the candidate that `decision` chose, if any.
    fn chosen(candidates: &[Self::Candidate], decision: &Self::Decision) -> Option<usize>;
}

/// A game whose positions and controllers can be made simpler.
///
/// "Simpler" is a well-founded order, so shrinking terminates. The simplest items come first.
pub trait Shrink: Game {
    /// Positions that are simpler than this one.
    fn simpler(position: &Self::Position) -> Vec<Self::Position>;

    /// Controllers that are simpler than this one.
    fn simpler_controllers(controller: &Self::Controller) -> Vec<Self::Controller>;
}

/// Name of a controller that was made simpler.
pub(crate) const REDUCED: &str = "reduced";

/// The source of a simpler controller: the name of the controller that shrinking began with.
pub(crate) fn reduced_source(name: &str, source: &str) -> String {
    match name == REDUCED {
        true => source.to_owned(),
        false => format!("reduced from {name}"),
    }
}
