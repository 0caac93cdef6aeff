//! Weights from games: optimisers that look for the linear controller which
//! clears the most lines.
//!
//! Read in this order:
//! - [`settings`], [`features`]: what is trained, and which weights it has.
//! - [`generation`], then [`cma`], [`genetic`] and [`swarm`], together
//!   [`optimiser`]; each holds all it needs to go on exactly where it was, its
//!   random generator included.
//! - [`training`]: one training, from its first games to its choice ([`finals`]).
//! - [`plot`]: its course as a picture. [`KIND`]: its journal.
//! - [`tetris`]: the games.
//!
//! Scores do not change when all weights are multiplied by a positive number,
//! so only the direction of a weight vector counts. Optimisers work on
//! directions; [`controller`] gives them the scale that is published.
//!
//! The optimisers are our own: of the libraries, `argmin` has no CMA-ES and a
//! swarm that keeps lucky bests, `cmaes` and `genetic_algorithm` cannot save their
//! state, and `basin` keeps mean and step size to itself, which must be rescaled
//! here.

pub mod cma;
pub mod controller;
mod evaluate;
pub mod features;
pub mod finals;
pub mod generation;
pub mod genetic;
pub mod optimiser;
pub mod plot;
pub(crate) mod random;
pub mod settings;
pub mod swarm;
pub mod tetris;
pub mod training;

use std::cmp::Ordering;

pub use features::FeatureSet;
pub use settings::{Method, Settings};
pub use training::{End, Plan, Stage, Training};

use crate::journal::Kind;

/// The journal of a training; its one entry is the [`Training`].
pub const KIND: Kind = Kind {
    command: "train",
    option: "--checkpoint",
    earlier: "lockstep_training",
};

/// What a training maximises.
pub trait Fitness: Sync {
    /// Plays the game of that number with these weights (published units, one
    /// per chosen feature); `None` when stopped before the end.
    fn evaluate(
        &self,
        weights: &[f64],
        game: u64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Evaluation>;
}

/// The result of some weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evaluation {
    /// Mean lines a game.
    pub lines: f64,
    /// Pieces of all games together.
    pub pieces: u64,
}

impl Evaluation {
    /// More lines are better; with equal lines (a beginner's are 0), the
    /// longer games are.
    pub fn rank(&self, other: &Self) -> Ordering {
        let lines = self.lines.total_cmp(&other.lines);
        lines.then(self.pieces.cmp(&other.pieces))
    }
}

/// The vector of the same direction and of length 1; a zero vector stays.
fn unit(weights: &[f64]) -> Vec<f64> {
    let length = weights.iter().map(|w| w * w).sum::<f64>().sqrt();
    let scale = if length > 0.0 { length } else { 1.0 };
    weights.iter().map(|w| w / scale).collect()
}

#[cfg(test)]
mod functions;
