//! What `lockstep train --json` writes.

use lockstep_games::tetris::Controller;
use lockstep_lab::train::{Settings, Training};
use serde::Serialize;

use super::files::Files;

/// What is trained, how far it came, and what came of it.
#[derive(Serialize)]
pub struct Document {
    settings: Settings,
    generations: u64,
    evaluations: u64,
    pieces: u64,
    /// Time taken, earlier runs included.
    seconds: f64,
    /// Mean lines a game of what was chosen, over games that had no part in the
    /// choice, and their number; `None` before the choice.
    lines: Option<f64>,
    games: Option<u64>,
    /// The best known; `None` before the first generation.
    controller: Option<Controller>,
    /// The files written; none before the first generation.
    out: Option<String>,
    plot: Option<String>,
    checkpoint: Option<String>,
}

impl Document {
    /// Describes a training.
    pub fn new(training: &Training, files: &Files) -> Self {
        let begun = training.generations() > 0 || training.chosen.is_some();
        let written = |path: &std::path::Path| begun.then(|| path.display().to_string());
        Self {
            settings: training.settings.clone(),
            generations: training.generations(),
            evaluations: training.evaluations,
            pieces: training.pieces,
            seconds: training.seconds,
            lines: training.chosen.as_ref().map(|chosen| chosen.lines),
            games: training.chosen.as_ref().map(|chosen| chosen.games),
            controller: begun.then(|| files.controller(training)),
            out: written(&files.out),
            plot: written(&files.plot),
            checkpoint: written(&files.checkpoint),
        }
    }
}
