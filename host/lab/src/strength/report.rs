//! What came of the games.

use serde::Serialize;

use super::Played;
use super::estimate::Moment;
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
    /// How the last run of this program went; the rest does not depend on it.
    pub speed: Speed,
}

/// How fast it went.
#[derive(Debug, Serialize)]
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
    /// Sums games up, in their order, at the end of a run; `None` when there are
    /// none.
    pub fn of(games: &[Played], end: &Moment) -> Option<Self> {
        let pieces = games.iter().map(|played| played.pieces);
        Some(Self {
            summary: Summary::of(games)?,
            pieces: pieces.fold(0, u64::saturating_add),
            lines: games.iter().map(|played| played.lines).collect(),
            speed: Speed {
                threads: end.plan.threads,
                resumed: end.plan.finished,
                seconds: end.elapsed.as_secs_f64(),
                pieces_per_second: end.rate(),
            },
        })
    }
}
