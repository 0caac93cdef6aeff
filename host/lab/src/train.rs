//! Training: optimisers that search the weights of the linear controller that clears the most
//! lines.
//!
//! Read in this order:
//! - [`settings`], [`features`]: what is trained, and which weights it has, and weights as a controller.
//! - [`optimiser`]: the interface of an optimiser; [`cma`], [`genetic`], [`swarm`]: the three
//!   optimisers, whose saved state includes the random generator.
//! - [`evaluator`]: who plays the games: threads, or workers elsewhere.
//! - [`training`]: one training, from its first games to the choice of weights ([`finals`]).
//! - [`tetris`]: the games of an evaluation.
//! - [`plot`]: the progress as an SVG. [`KIND`]: the journal.
//!
//! Scores do not change when all weights are multiplied by a positive number,
//! so only the direction of a weight vector counts. Optimisers work on
//! directions; [`features`] scales them to the weights of a file.
//!
//! No library fits: `argmin` has no CMA-ES, and its swarm keeps lucky bests; `cmaes` and
//! `genetic_algorithm` cannot save their state; `basin` does not let mean and step size be
//! rescaled.

pub mod cma;
pub mod evaluator;
pub mod features;
pub mod finals;
mod free_swarm;
pub mod genetic;
pub mod optimiser;
pub mod plot;
pub(crate) mod random;
pub mod settings;
pub mod swarm;
pub mod tetris;
pub mod training;

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

pub use features::FeatureSet;
pub use settings::{Method, Settings};
pub use training::{Stage, Training, TrainingEnd, TrainingPlan};

use crate::journal::JournalKind;

/// The journal of a training run; its one entry is the [`Training`].
pub const KIND: JournalKind = JournalKind {
    command: "train",
    option: "--checkpoint",
    earlier: "lockstep_training",
};

/// Plays the game with that number; `None` if the last argument returned true before its end.
///
/// There is one weight per chosen feature, in the units of a controller's file.
pub type Fitness<'a> = dyn Fn(&[f64], u64, Stop<'_>) -> Option<Evaluation> + Sync + 'a;

/// Whether training should stop.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// The result of one or more games with the same weights.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// Mean lines a game.
    pub lines: f64,
    /// Pieces of all games together.
    pub pieces: u64,
}

impl Evaluation {
    /// Compares by lines, then by pieces, as the first weights clear no line at all.
    pub fn rank(&self, other: &Self) -> Ordering {
        let lines = self.lines.total_cmp(&other.lines);
        lines.then(self.pieces.cmp(&other.pieces))
    }
}

/// The vector of the same direction with length 1; a zero vector is returned unchanged.
fn unit(weights: &[f64]) -> Vec<f64> {
    let length = weights.iter().map(|w| w * w).sum::<f64>().sqrt();
    let scale = if length > 0.0 { length } else { 1.0 };
    weights.iter().map(|w| w / scale).collect()
}

#[cfg(test)]
mod functions;
