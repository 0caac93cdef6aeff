//! The result of all games.

use serde::Serialize;

use super::Played;
use super::summary::Summary;

/// Finished games, summed up.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Their lines in numbers.
    #[serde(flatten)]
    pub summary: Summary,
    /// Pieces of all games.
    pub pieces: u64,
    /// Lines of each game, in their order.
    pub lines: Vec<u64>,
    /// Speed of the last run; the rest does not depend on it.
    pub speed: Speed,
}

/// Speed of the last run.
#[derive(Debug, Default, Serialize)]
pub struct Speed {
    /// Games played at the same time.
    pub threads: usize,
    /// Games that were finished before.
    pub resumed: u64,
    /// Time the others took.
    pub seconds: f64,
    /// Pieces a second; `None` when none was placed.
    pub pieces_per_second: Option<f64>,
}

impl Report {
    /// Sums games up, in their order; `None` when there are none.
    pub fn of(games: &[Played], speed: Speed) -> Option<Self> {
        let pieces = games.iter().map(|played| played.pieces);
        Some(Self {
            summary: Summary::of(games)?,
            pieces: pieces.fold(0, u64::saturating_add),
            lines: games.iter().map(|played| played.lines).collect(),
            speed,
        })
    }
}
