//! The document of `lockstep strength --json`.

use lockstep_games::tetris::{Arithmetic, Setup};
use lockstep_lab::strength::summary::StrengthReport;
use lockstep_lab::strength::tetris::GameSettings;
use serde::Serialize;

use crate::games::tetris::options::Rules;

/// The games, their progress, and at the end the result.
#[derive(Serialize)]
pub struct Document<'a> {
    controller: &'a str,
    rules: Rules,
    /// The setup; a program with its own rules uses only the seed.
    #[serde(flatten)]
    setup: &'a Setup,
    depth: usize,
    /// Placements that are searched further; `None` if all are.
    beam: Option<u16>,
    max_pieces: Option<u64>,
    arithmetic: Arithmetic,
    /// Games to play.
    planned: u64,
    /// Number of finished games.
    finished: u64,
    /// File of the finished games, for the next run; `None` if they are not kept.
    state: Option<String>,
    /// Statistics of all games; `None` until all are finished.
    ///
    /// Short games finish first, so that statistics of some games would be too low.
    #[serde(flatten)]
    report: Option<&'a StrengthReport>,
}

impl<'a> Document<'a> {
    /// Describes a run: the games planned and finished, the file that keeps them, and the report.
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
