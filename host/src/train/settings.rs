//! What decides the course of a training.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::features::FeatureSet;

/// How weights are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Genetic algorithm: tournaments, intermediate recombination, mutation
    /// strengths that are inherited
    Ga,
    /// Asynchronous particle swarm: every thread takes the particle that has
    /// moved least; nobody waits for the others
    Pso,
    /// Covariance matrix adaptation evolution strategy
    Cmaes,
}

impl Method {
    /// Candidates of a generation unless told otherwise.
    pub const fn population(self) -> usize {
        match self {
            Self::Ga => 60,
            Self::Pso => 40,
            Self::Cmaes => 40,
        }
    }

    /// Generations unless told how far to go.
    pub const fn generations(self) -> u64 {
        match self {
            Self::Ga => 100,
            Self::Pso => 100,
            Self::Cmaes => 100,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ga => "ga",
            Self::Pso => "pso",
            Self::Cmaes => "cmaes",
        })
    }
}

/// Columns and rows of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Size {
    /// Columns.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let size = text.split_once('x').and_then(|(columns, rows)| {
            let columns = columns.parse().ok()?;
            let rows = rows.parse().ok()?;
            Some(Self { columns, rows })
        });
        let fits = |s: &Self| (4..=12).contains(&s.columns) && (4..=32).contains(&s.rows);
        size.filter(fits).ok_or_else(|| {
            format!(
                "'{text}' is no board size; expected COLUMNSxROWS such as 10x20, \
                 4 to 12 columns and 4 to 32 rows"
            )
        })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

impl TryFrom<String> for Size {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Size> for String {
    fn from(size: Size) -> Self {
        size.to_string()
    }
}

/// All that decides which games are played with which weights. A training goes
/// on only under the settings it began with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Settings {
    /// How.
    pub method: Method,
    /// What is weighed.
    pub controller_features: FeatureSet,
    /// Board.
    pub board: Size,
    /// Games of an evaluation.
    pub games: u64,
    /// Pieces after which a game is stopped.
    pub max_pieces: u64,
    /// Candidates of a generation.
    pub population: usize,
    /// Seed of the games and of the optimiser.
    pub seed: u64,
    /// Direction to start from, one weight per feature.
    pub start: Option<Vec<f64>>,
}

impl Settings {
    /// The options whose values differ: name, own value, the other's.
    pub fn differences(&self, other: &Self) -> Vec<(String, String, String)> {
        let fields = |settings| match serde_json::to_value(settings) {
            Ok(Value::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        };
        let others = fields(other);
        let shown = |value: Option<&Value>| match value {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Null) | None => "none".into(),
            Some(Value::Array(_)) => "other weights".into(),
            Some(value) => value.to_string(),
        };
        fields(self)
            .iter()
            .filter(|(name, value)| others.get(*name) != Some(value))
            .map(|(name, value)| (name.clone(), shown(Some(value)), shown(others.get(name))))
            .collect()
    }

    /// The options, as they are given on the command line.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_refused() {
        let size: Size = "10x20".parse().unwrap();
        assert_eq!((size.columns, size.rows), (10, 20));
        assert_eq!(size.to_string(), "10x20");
        for wrong in [
            "", "10", "10x", "x20", "3x20", "13x20", "10x33", "10x20x1", "-4x8",
        ] {
            let error = wrong.parse::<Size>().unwrap_err();
            assert!(error.starts_with(&format!("'{wrong}' is no board size")));
        }
    }

    #[test]
    fn differences_are_named() {
        let one = super::super::functions::settings(Method::Cmaes, 3);
        let mut other = one.clone();
        assert!(one.differences(&other).is_empty());
        other.games = 7;
        other.board = "6x8".parse().unwrap();
        other.start = Some(vec![1.0, 0.0, 0.0]);
        let text = |(name, own, others): (String, String, String)| [name, own, others].join(" ");
        let found: Vec<_> = one.differences(&other).into_iter().map(text).collect();
        assert_eq!(
            found,
            ["board 10x10 6x8", "games 5 7", "start none other weights"]
        );
    }
}
