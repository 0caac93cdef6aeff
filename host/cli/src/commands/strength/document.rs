//! What `lockstep strength --json` writes.

use lockstep_games::tetris::{Arithmetic, Setup};
use lockstep_lab::strength::report::StrengthReport;
use lockstep_lab::strength::tetris::GameSettings;
use serde::Serialize;

use crate::games::tetris::options::Rules;

/// The games, their progress, and at the end the result.
#[derive(Serialize)]
pub struct Document<'a> {
    controller: &'a str,
    rules: Rules,
    /// The setup, of which a program's own rules use the seed alone.
    #[serde(flatten)]
    setup: &'a Setup,
    depth: usize,
    /// Placements looked into; `None` where it is all of them.
    beam: Option<u16>,
    max_pieces: Option<u64>,
    arithmetic: Arithmetic,
    /// Games to play.
    planned: u64,
    /// Those of them that are finished.
    finished: u64,
    /// Where the finished games are kept for the next run; `None` when none are.
    state: Option<String>,
    /// Of all games; nothing before they are finished: short ones finish first,
    /// so that it would be too low.
    #[serde(flatten)]
    report: Option<&'a StrengthReport>,
}

impl<'a> Document<'a> {
    /// Describes a run of so many games, those finished, where they are kept, and the result.
    pub fn new(
        terms: &'a GameSettings,
        planned: u64,
        finished: u64,
        state: Option<String>,
        report: Option<&'a StrengthReport>,
    ) -> Self {
        let linear = terms.controller.linear();
        Self {
            controller: &terms.controller.name,
            rules: match terms.own_rules {
                true => Rules::Own,
                false => Rules::Common,
            },
            setup: &terms.setup,
            depth: linear.map_or(1, |linear| linear.search.depth()),
            beam: linear.and_then(|linear| linear.search.width()),
            max_pieces: terms.max_pieces,
            arithmetic: terms.arithmetic,
            planned,
            finished,
            state,
            report,
        }
    }
}
