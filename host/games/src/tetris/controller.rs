//! Controllers: linear ones, and the programs of earlier projects.

mod file;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::programs::{self, Policy};
use super::{FEATURES, Linear, PieceSource, Search, Setup, Size, Tetris};
use crate::{Catalog, GameError, LoadError, catalog};
use file::File;

pub use crate::catalog::{MAX_NAME, check_text};

/// The parameters of a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct Controller {
    /// A short name.
    pub name: String,
    /// The origin of the controller.
    pub source: String,
    /// How it decides.
    pub rule: Rule,
}

/// How a controller decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// By a weighted sum of features.
    Linear(Linear),
    /// As a program of an earlier project does.
    Program(&'static Policy),
}

/// Names of the built-in controllers: the linear ones, then the programs of earlier projects.
pub fn presets() -> impl Iterator<Item = &'static str> {
    let programs = programs::policies().map(|policy| policy.name);
    linear_presets().chain(programs)
}

/// Names of the built-in linear controllers, from `fixtures/weights/`.
pub fn linear_presets() -> impl Iterator<Item = &'static str> {
    Tetris::PRESETS.iter().map(|(name, _)| *name)
}

impl Controller {
    /// The built-in controller of that name, or the controller in the file of that name.
    ///
    /// # Errors
    /// When there is neither, or the file is not a controller.
    pub fn load(name: &str) -> Result<Self, LoadError> {
        if let Some(policy) = programs::policy(name) {
            return Ok(Self::program(policy));
        }
        load(name)
    }

    /// The controller of a program.
    fn program(policy: &'static Policy) -> Self {
        Self {
            name: policy.name.into(),
            source: policy.source.into(),
            rule: Rule::Program(policy),
        }
    }

    /// The weights and search of a linear controller.
    pub fn linear(&self) -> Option<&Linear> {
        match &self.rule {
            Rule::Linear(linear) => Some(linear),
            Rule::Program(_) => None,
        }
    }

    /// The program, unless the controller is linear.
    pub fn policy(&self) -> Option<&'static Policy> {
        match self.rule {
            Rule::Linear(_) => None,
            Rule::Program(policy) => Some(policy),
        }
    }

    /// The same controller with another depth and beam; see [`Search::new`].
    ///
    /// # Errors
    /// When there is no such search, or the controller is a program.
    pub fn with_search(mut self, depth: u8, beam: Option<u16>) -> Result<Self, GameError> {
        match &mut self.rule {
            Rule::Linear(linear) => linear.search = Search::new(depth, beam)?,
            Rule::Program(_) => {
                return Err(GameError(format!(
                    "{} is a program with a fixed depth; leave --depth and --beam out",
                    self.name
                )));
            }
        }
        Ok(self)
    }

    /// The error of a backend that plays no programs; `who` is its kind.
    pub fn is_program(&self, who: &str) -> GameError {
        let name = &self.name;
        GameError(format!(
            "{who} plays linear controllers, but {name} is a program; leave this backend out"
        ))
    }

    /// Whether it uses the next piece if that is known.
    pub fn looks_ahead(&self) -> bool {
        match &self.rule {
            Rule::Linear(linear) => linear.search.looks_ahead(),
            Rule::Program(policy) => policy.lookahead,
        }
    }

    /// The default board size of the controller.
    pub fn board(&self) -> Size {
        self.policy().map_or(Size::STANDARD, |policy| policy.board)
    }

    /// The default piece source of the controller.
    pub fn piece_source(&self) -> PieceSource {
        let policy = self.policy();
        policy.map_or(PieceSource::Uniform, |policy| policy.piece_source)
    }

    /// Checks that it can play on boards of a size.
    ///
    /// # Errors
    /// When it cannot.
    pub fn check_board(&self, size: Size) -> Result<(), GameError> {
        match self.policy() {
            Some(policy) if !(policy.plays_on)(size) => Err(GameError(format!(
                "{} does not play on a board of {size}, only of {}; leave --board out",
                self.name, policy.board
            ))),
            _ => Ok(()),
        }
    }
}

/// The published weights of the controller called `name`, by feature number, without rounding.
///
/// `None` for a program.
///
/// # Errors
/// As [`Controller::load`].
pub fn published_weights(name: &str) -> Result<Option<[f64; FEATURES]>, LoadError> {
    if programs::policy(name).is_some() {
        return Ok(None);
    }
    let file: File = load(name)?;
    file.published().map_err(|why| LoadError::File {
        path: name.into(),
        why,
    })
}

fn load<C: DeserializeOwned>(name: &str) -> Result<C, LoadError> {
    let names: Vec<_> = presets().collect();
    catalog::load(Tetris::PRESETS, name, &names)
}

impl Catalog for Tetris {
    const DEFAULT: &'static str = "dt-20";
    const PRESETS: &'static [(&'static str, &'static str)] = catalog::presets!(
        "": "dellacherie" "el-tetris" "bcts" "dt-10" "dt-20" "ece532-linear" "hidamari-linear"
            "lacaille-linear" "cmaes-dt" "lowest" "probe"
    );

    fn presets() -> Vec<&'static str> {
        presets().collect()
    }

    fn load(name: &str) -> Result<Controller, LoadError> {
        Controller::load(name)
    }

    fn name(controller: &Controller) -> &str {
        &controller.name
    }

    fn default_setup(seed: u64) -> Setup {
        Setup::standard(seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_published_decimals_are_exact() {
        let weights = |name| Controller::load(name).unwrap().linear().unwrap().weights;
        assert_eq!(weights("dt-20")[0], -1_340_000);
        assert_eq!(weights("dt-20")[5], 2_030_000);
        assert_eq!(weights("bcts")[4], -19_773_560);
        assert_eq!(weights("bcts")[0], -6_314_500);
    }

    #[test]
    fn load_unknown_name_errs_with_presets() {
        let text = Controller::load("dt-30").unwrap_err().to_string();
        assert!(text.contains("dt-30") && text.contains("dt-20"), "{text}");
    }
}
