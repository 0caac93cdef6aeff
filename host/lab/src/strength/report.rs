//! The result of a strength measurement.

use serde::Serialize;

use super::GameResult;
use super::summary::Summary;

/// Statistics of all finished games, and the speed.
#[derive(Debug, Serialize)]
pub struct StrengthReport {
    /// Statistics of the lines.
    #[serde(flatten)]
    pub summary: Summary,
    /// Pieces of all games.
    pub pieces: u64,
    /// Lines of each game, by game number.
    pub lines: Vec<u64>,
    /// Speed of the last run; the rest does not depend on it.
    pub speed: Speed,
}

/// Speed of the last run.
#[derive(Debug, Default, Serialize)]
pub struct Speed {
    /// Games played at the same time.
    pub threads: usize,
    /// Games taken from an earlier run.
    pub resumed: u64,
    /// Duration of the last run.
    pub seconds: f64,
    /// Pieces a second; `None` if none was placed.
    pub pieces_per_second: Option<f64>,
}

impl StrengthReport {
    /// Reports games given by ascending number; `None` if there are none.
    pub fn of(games: &[GameResult], speed: Speed) -> Option<Self> {
        let pieces = games.iter().map(|played| played.pieces);
        Some(Self {
            summary: Summary::of(games)?,
            pieces: pieces.fold(0, u64::saturating_add),
            lines: games.iter().map(|played| played.lines).collect(),
            speed,
        })
    }
}
