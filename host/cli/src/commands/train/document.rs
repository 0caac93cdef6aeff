//! The document of `lockstep train --json`.

use lockstep_games::tetris::Controller;
use lockstep_lab::train::{Settings, Training};
use serde::Serialize;

use super::files::Files;

/// The settings, the progress and the result of a training.
#[derive(Serialize)]
pub struct Document {
    settings: Settings,
    generations: u64,
    evaluations: u64,
    pieces: u64,
    /// Time taken, including earlier runs.
    seconds: f64,
    /// Mean lines a game of the chosen weights, and the number of these games; `None` before the
    /// choice.
    ///
    /// The games are others than those of the choice.
    lines: Option<f64>,
    games: Option<u64>,
    /// The best controller so far; `None` before the first generation.
    controller: Option<Controller>,
    /// The files written; `None` before the first generation.
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
