//! The settings that determine a training run.

use serde::{Deserialize, Serialize};

use super::features::FeatureSet;
use lockstep_games::tetris::Size;

/// An optimiser of weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Method {
    /// Genetic algorithm.
    Ga,
    /// Particle swarm.
    Pso,
    /// Particle swarm that waits for no particle.
    Apso,
    /// CMA-ES.
    Cmaes,
}

impl Method {
    /// A description for help.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Ga => {
                "Genetic algorithm: tournament selection, intermediate recombination, \
                 self-adaptive mutation"
            }
            Self::Pso => "Particle swarm, which evaluates its best particles in every generation",
            Self::Apso => {
                "The same swarm, whose particles move on as soon as they are evaluated: no worker \
                 waits for another, and the result depends on their speed"
            }
            Self::Cmaes => "Covariance matrix adaptation evolution strategy",
        }
    }

    /// Default number of candidates of a generation.
    pub const fn population(self) -> usize {
        match self {
            Self::Ga => 60,
            Self::Pso | Self::Apso | Self::Cmaes => 40,
        }
    }
}

/// Default number of generations.
pub const GENERATIONS: u64 = 100;

/// The settings of a training run, with which its journal must agree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Settings {
    /// The optimiser.
    pub method: Method,
    /// The features of the controller.
    pub controller_features: FeatureSet,
    /// Size of the board.
    pub board: Size,
    /// Games of an evaluation.
    pub games: u64,
    /// Pieces after which a game is cut.
    pub max_pieces: u64,
    /// Candidates of a generation.
    pub population: usize,
    /// Seed of the games and of the optimiser.
    pub seed: u64,
    /// Direction to start from, one weight per feature.
    pub start: Option<Vec<f64>>,
}

impl Settings {
    /// The settings as options of the command line.
    pub fn options(&self) -> String {
        format!(
            "--method {} --controller-features {} --board {} --games {} --max-pieces {} \
             --population {} --seed {}",
            self.method,
            self.controller_features,
            self.board,
            self.games,
            self.max_pieces,
            self.population,
            self.seed
        )
    }
}
