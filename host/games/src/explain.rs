//! What is needed to say why two decisions differ, and to make the case small.

use crate::game::{Game, Noun};

/// A game whose decisions can be explained.
pub trait Explain: Game {
    /// What is weighed: in Tetris placements.
    const WEIGHED: Noun;

    /// Which one it is, for people: in Tetris its rotation and column.
    fn label(weighed: &Self::Weighed) -> String;

    /// What a field of a decision, or of what was weighed for it, is by the definitions;
    /// `None` of a field that they do not have.
    fn definition(field: &str) -> Option<&'static str>;

    /// Which of all that was weighed is to be chosen; `None` if none of it can be.
    fn choice(weighed: &[Self::Weighed]) -> Option<usize>;

    /// Which of all that was weighed a decision is; `None` if none of it.
    fn chosen(weighed: &[Self::Weighed], decision: &Self::Decision) -> Option<usize>;
}

/// The definition of a field in a page whose tables have a line for each.
pub(crate) fn definition_in(page: &'static str, field: &str) -> Option<&'static str> {
    page.lines().find_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split('|');
        let name = cells.next()?.trim().strip_suffix('`')?;
        (name == field).then_some(cells.next()?.trim())
    })
}

/// A game whose positions and controllers can be made simpler.
///
/// What is returned is simpler than what was given, and nothing is simpler than itself by
/// any number of steps: whoever goes on from what is simpler comes to an end. Those
/// that leave most away come first.
pub trait Shrink: Game {
    /// Positions that are simpler.
    fn simpler(position: &Self::Position) -> Vec<Self::Position>;

    /// Controllers that are simpler.
    fn simpler_controllers(controller: &Self::Controller) -> Vec<Self::Controller>;
}
