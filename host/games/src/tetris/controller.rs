//! Controllers: linear ones, weights by feature, and the seeds' programs.

mod file;

use serde::{Deserialize, Serialize};

use super::features::FEATURES;
use super::linear::Linear;
use super::search::{Search, SearchError};
use super::seeds::{self, Policy};
use super::size::Size;
use super::source::PieceSource;
use crate::LoadError;
use crate::catalog;
use file::File;

pub use crate::text::{MAX_NAME, TextError, check_text};
pub use file::FileError;

/// What makes a backend play as it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct Controller {
    /// Short name.
    pub name: String,
    /// Where it comes from.
    pub source: String,
    /// How it decides.
    pub rule: Rule,
}

/// How a controller decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// By a weighted sum of features.
    Linear(Linear),
    /// As one of the seeds' programs does.
    Program(&'static Policy),
}

/// Why a controller cannot play so.
#[derive(Debug, thiserror::Error)]
pub enum ControllerError {
    /// It cannot look so far.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A program was to look further than it does.
    #[error("{name} is a program and looks as far as it looks; leave --depth and --beam out")]
    FixedSearch {
        /// Name of the controller.
        name: String,
    },
    /// It does not play on such a board.
    #[error("{name} does not play on a board of {size}; its own is {own}")]
    Board {
        /// Name of the controller.
        name: String,
        /// The board asked for.
        size: Size,
        /// The board of its program.
        own: Size,
    },
}

macro_rules! presets {
    ($($name:literal),+ $(,)?) => {
        const PRESETS: &[(&str, &str)] = &[$((
            $name,
            include_str!(concat!("../../../../fixtures/weights/", $name, ".json")),
        )),+];
    };
}

presets!(
    "dellacherie",
    "el-tetris",
    "bcts",
    "dt-10",
    "dt-20",
    "ece532-linear",
    "hidamari-linear",
    "lacaille-linear",
    "cmaes-dt",
    "lowest",
    "probe",
);

/// Names of the built-in controllers: `fixtures/weights/`, then the seeds'
/// programs.
pub fn presets() -> impl Iterator<Item = &'static str> {
    let programs = seeds::policies().map(|policy| policy.name);
    linear_presets().chain(programs)
}

/// Names of the built-in linear controllers.
pub fn linear_presets() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(name, _)| *name)
}

impl Controller {
    /// The preset of that name, or the controller in that file.
    ///
    /// # Errors
    /// When there is neither, or the file is not a controller.
    pub fn load(name: &str) -> Result<Self, LoadError> {
        if let Some(policy) = seeds::policy(name) {
            return Ok(Self::program(policy));
        }
        let text = catalog::text(PRESETS, name)?;
        let text = text.ok_or_else(|| LoadError::unknown(name, presets()))?;
        catalog::parse(name, &text)
    }

    /// A seed's program.
    fn program(policy: &'static Policy) -> Self {
        Self {
            name: policy.name.into(),
            source: policy.source.into(),
            rule: Rule::Program(policy),
        }
    }

    /// Its weights and search, when it is linear.
    pub fn linear(&self) -> Option<&Linear> {
        match &self.rule {
            Rule::Linear(linear) => Some(linear),
            Rule::Program(_) => None,
        }
    }

    /// The seed's program it is, if it is one.
    pub fn policy(&self) -> Option<&'static Policy> {
        match self.rule {
            Rule::Linear(_) => None,
            Rule::Program(policy) => Some(policy),
        }
    }

    /// The same controller looking `depth` pieces far; see [`Search::new`].
    ///
    /// # Errors
    /// When there is no such search, or a program looks as far as it looks.
    pub fn with_search(mut self, depth: u8, beam: Option<u16>) -> Result<Self, ControllerError> {
        match &mut self.rule {
            Rule::Linear(linear) => linear.search = Search::new(depth, beam)?,
            Rule::Program(_) => return Err(ControllerError::FixedSearch { name: self.name }),
        }
        Ok(self)
    }

    /// Whether it uses the next piece when that is known.
    pub fn looks_ahead(&self) -> bool {
        match &self.rule {
            Rule::Linear(linear) => linear.search.looks_ahead(),
            Rule::Program(policy) => policy.lookahead,
        }
    }

    /// The board it is meant for.
    pub fn board(&self) -> Size {
        self.policy().map_or(Size::STANDARD, |policy| policy.board)
    }

    /// The pieces it is meant for.
    pub fn piece_source(&self) -> PieceSource {
        let policy = self.policy();
        policy.map_or(PieceSource::Uniform, |policy| policy.piece_source)
    }

    /// Whether it can play on boards of that size.
    ///
    /// # Errors
    /// [`ControllerError::Board`] when it cannot.
    pub fn check_board(&self, size: Size) -> Result<(), ControllerError> {
        match self.policy() {
            Some(policy) if !(policy.plays_on)(size) => Err(ControllerError::Board {
                name: self.name.clone(),
                size,
                own: policy.board,
            }),
            _ => Ok(()),
        }
    }
}

/// Weights of the preset of that name or in that file, exactly as they are
/// written, by feature number; `None` of a program.
///
/// # Errors
/// As [`Controller::load`].
pub fn written(name: &str) -> Result<Option<[f64; FEATURES]>, LoadError> {
    if seeds::policy(name).is_some() {
        return Ok(None);
    }
    let Some(text) = catalog::text(PRESETS, name)? else {
        return Ok(None);
    };
    let file: File = catalog::parse(name, &text)?;
    let written = file.written().map_err(|why| LoadError::Parse {
        path: name.into(),
        why: why.to_string(),
    })?;
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_decimals_are_exact() {
        let weights = |name| Controller::load(name).unwrap().linear().unwrap().weights;
        assert_eq!(weights("dt-20")[0], -1_340_000);
        assert_eq!(weights("dt-20")[5], 2_030_000);
        assert_eq!(weights("bcts")[4], -19_773_560);
        assert_eq!(weights("bcts")[0], -6_314_500);
    }

    #[test]
    fn controller_error_names_its_file_or_the_presets() {
        let bad: Result<Controller, _> = catalog::parse("mine.json", "[]");
        let text = bad.unwrap_err().to_string();
        assert!(text.starts_with("controller mine.json: "), "{text}");
        let text = Controller::load("dt-30").unwrap_err().to_string();
        assert!(text.contains("dt-30") && text.contains("dt-20"), "{text}");
    }
}
