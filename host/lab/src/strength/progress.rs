//! How far a run is, counted on all its threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::Played;
use super::estimate::{Moment, Plan};

/// Counts what is played, from all threads.
#[derive(Debug)]
pub struct Progress {
    plan: Plan,
    start: Instant,
    /// Pieces placed since the start, running games included.
    pieces: AtomicU64,
    finished: AtomicU64,
    finished_pieces: AtomicU64,
    finished_lines: AtomicU64,
}

impl Progress {
    /// Starts now.
    pub fn new(plan: Plan) -> Self {
        Self {
            plan,
            start: Instant::now(),
            pieces: AtomicU64::new(0),
            finished: AtomicU64::new(0),
            finished_pieces: AtomicU64::new(0),
            finished_lines: AtomicU64::new(0),
        }
    }

    /// Counts pieces of a running game.
    pub fn advance(&self, pieces: u64) {
        self.pieces.fetch_add(pieces, Relaxed);
    }

    /// Counts a finished game, whose pieces were counted as it ran.
    pub fn finish(&self, played: &Played) {
        self.finished_pieces.fetch_add(played.pieces, Relaxed);
        self.finished_lines.fetch_add(played.lines, Relaxed);
        self.finished.fetch_add(1, Relaxed);
    }

    /// How far it is now.
    pub fn now(&self) -> Moment {
        Moment {
            plan: self.plan,
            elapsed: self.start.elapsed(),
            pieces: self.pieces.load(Relaxed),
            finished: self.finished.load(Relaxed),
            finished_pieces: self.finished_pieces.load(Relaxed),
            finished_lines: self.finished_lines.load(Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::strength::End;

    #[test]
    fn at_the_end_the_mean_is_exact_and_nothing_is_left() {
        let progress = Progress::new(Plan {
            games: 2,
            threads: 2,
            ..Plan::default()
        });
        for (pieces, lines) in [(100, 30), (300, 90)] {
            progress.advance(pieces);
            progress.finish(&Played {
                pieces,
                lines,
                end: End::Lost,
            });
        }
        let now = progress.now();
        assert_eq!((now.games(), now.all_pieces()), (2, 400));
        assert_eq!(now.mean(), Some(60.0));
        assert_eq!(now.left(), Some(Duration::ZERO));
    }
}
