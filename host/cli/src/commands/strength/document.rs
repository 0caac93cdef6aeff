//! What `lockstep strength --json` writes.

use lockstep_games::Game as _;
use lockstep_games::tetris::Tetris;
use lockstep_games::tetris::{Arithmetic, Setup};
use lockstep_lab::strength::report::StrengthReport;
use lockstep_lab::strength::tetris::GameSettings;
use serde::Serialize;

use crate::games::tetris::options::Rules;

/// The games, their progress, and at the end the result.
#[derive(Serialize)]
pub struct Document<'a> {
    command: &'static str,
    game: &'static str,
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
    /// Games asked for.
    planned: u64,
    /// Those of them that are finished.
    pub finished: u64,
    pub interrupted: bool,
    pub error: Option<String>,
    /// Where the finished games are kept for the next run; `None` when none are.
    pub state: Option<String>,
    /// Of all games; nothing before they are finished: short ones finish first,
    /// so that it would be too low.
    #[serde(flatten)]
    pub report: Option<&'a StrengthReport>,
}

impl<'a> Document<'a> {
    /// So many games, none of them finished.
    pub fn new(terms: &'a GameSettings, planned: u64) -> Self {
        let linear = terms.controller.linear();
        Self {
            command: "strength",
            game: Tetris::NAME,
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
            finished: 0,
            interrupted: false,
            error: None,
            state: None,
            report: None,
        }
    }
}
