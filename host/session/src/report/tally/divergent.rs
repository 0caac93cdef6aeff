//! Divergent decisions.

use std::cmp::Ordering;

use lockstep_games::Game;
use serde::Serialize;

use crate::event::Round;
use crate::text::ForeignText;

/// A decision on which parties disagreed, with everything needed to draw it.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Divergent<G: Game> {
    /// Number of its record, from 1; 0 if games were played.
    pub record: usize,
    /// Name of that record's file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Names of the backends, in the order of the round's answers.
    pub backends: Vec<ForeignText>,
    /// The position and all answers.
    #[serde(flatten)]
    pub round: Round<G>,
}

impl<G: Game> Divergent<G> {
    /// Orders decisions as in the records, or as they were played.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let place = |d: &Self| (d.record, d.round.line, d.round.game, d.round.step);
        let places = place(self).cmp(&place(other));
        places.then_with(|| self.backends.cmp(&other.backends))
    }
}
