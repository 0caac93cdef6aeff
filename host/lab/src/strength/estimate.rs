//! How long a run still takes, from how far it is.

use std::time::Duration;

use super::Played;

/// What is to be played.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plan {
    /// Games, those finished before included.
    pub games: u64,
    /// Most pieces a game may have.
    pub max_pieces: Option<u64>,
    /// Games played at the same time.
    pub threads: usize,
    /// Games finished before the start.
    pub finished: u64,
    /// Their pieces.
    pub pieces: u64,
    /// Their lines.
    pub lines: u64,
}

/// How far a run was at a moment.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// What is to be played, and what was finished before.
    pub plan: Plan,
    /// Since the start.
    pub elapsed: Duration,
    /// Pieces placed since the start, running games included.
    pub pieces: u64,
    /// Games finished since the start.
    pub finished: u64,
    /// Their pieces.
    pub finished_pieces: u64,
    /// Their lines.
    pub finished_lines: u64,
}

impl Plan {
    /// Takes a game in that was finished before.
    pub fn resume(&mut self, played: &Played) {
        self.finished += 1;
        self.pieces = self.pieces.saturating_add(played.pieces);
        self.lines = self.lines.saturating_add(played.lines);
    }
}

impl Moment {
    /// Games finished, also before the start.
    pub fn games(&self) -> u64 {
        self.plan.finished.saturating_add(self.finished)
    }

    /// Pieces placed, running games and those before the start included.
    pub fn all_pieces(&self) -> u64 {
        self.plan.pieces.saturating_add(self.pieces)
    }

    /// Pieces placed per second since the start; `None` before the first.
    pub fn rate(&self) -> Option<f64> {
        let seconds = self.elapsed.as_secs_f64();
        (self.pieces > 0 && seconds > 0.0).then(|| self.pieces as f64 / seconds)
    }

    /// Pieces a game has on average; `None` before the first has finished.
    ///
    /// The length of a game is about exponential, and for that all pieces over
    /// the finished games is the estimate that running games do not bias: the
    /// mean of those finished first would be too low.
    pub fn pieces_per_game(&self) -> Option<f64> {
        let games = self.games();
        let most = self.plan.max_pieces.map_or(f64::INFINITY, |n| n as f64);
        (games > 0).then(|| (self.all_pieces() as f64 / games as f64).min(most))
    }

    /// Lines a game has on average, estimated likewise; exact once no game is
    /// running.
    pub fn mean(&self) -> Option<f64> {
        let lines = self.plan.lines.saturating_add(self.finished_lines);
        let pieces = self.plan.pieces.saturating_add(self.finished_pieces);
        Some(self.pieces_per_game()? * lines as f64 / pieces.max(1) as f64)
    }

    /// Time to the end, `None` while there is nothing to tell it from.
    ///
    /// As many games run as there are threads, until fewer are left; the last of
    /// them are waited for alone. With exponential lengths the wait for the next
    /// end is a game's mean time over the number of running games.
    pub fn left(&self) -> Option<Duration> {
        let games = self.plan.games.saturating_sub(self.games());
        if games == 0 {
            return Some(Duration::ZERO);
        }
        let threads = self.plan.threads.max(1) as u64;
        let game = self.pieces_per_game()? / (self.rate()? / threads as f64);
        let last = games.min(threads);
        let full = (games - last) as f64 / threads as f64;
        let waits = full + (1..=last).map(|running| 1.0 / running as f64).sum::<f64>();
        Duration::try_from_secs_f64(game * waits).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(plan: Plan) -> Moment {
        Moment {
            plan,
            elapsed: Duration::from_secs(10),
            pieces: 0,
            finished: 0,
            finished_pieces: 0,
            finished_lines: 0,
        }
    }

    #[test]
    fn nothing_is_estimated_before_the_first_game_is_over() {
        let begun = Moment {
            pieces: 5_000,
            ..moment(Plan {
                games: 10,
                threads: 2,
                ..Plan::default()
            })
        };
        assert_eq!(begun.rate(), Some(500.0));
        assert_eq!((begun.mean(), begun.left()), (None, None));
        let idle = moment(begun.plan);
        assert_eq!((idle.rate(), idle.left()), (None, None));
    }

    /// 4 games and the 1,000 pieces of running ones in 10 s on one thread: 2,000
    /// pieces a game, 800 a second, 6 games of 2.5 s.
    #[test]
    fn running_games_count_in_the_estimate() {
        let moment = Moment {
            pieces: 8_000,
            finished: 4,
            finished_pieces: 7_000,
            finished_lines: 2_800,
            ..moment(Plan {
                games: 10,
                threads: 1,
                ..Plan::default()
            })
        };
        assert_eq!(moment.pieces_per_game(), Some(2_000.0));
        assert_eq!(moment.mean(), Some(800.0));
        // Six games one after the other, each awaited for 2,000 / 800 s.
        assert_eq!(moment.left(), Some(Duration::from_secs(15)));
    }

    /// On two threads each plays 400 a second, so that a game takes 5 s: four
    /// ends 2.5 s apart, one more at 2.5 s, the last one alone for 5 s.
    #[test]
    fn the_last_games_are_awaited_alone() {
        let plan = Plan {
            games: 10,
            threads: 2,
            ..Plan::default()
        };
        let moment = Moment {
            pieces: 8_000,
            finished: 4,
            finished_pieces: 8_000,
            finished_lines: 3_200,
            ..moment(plan)
        };
        assert_eq!(moment.left(), Some(Duration::from_millis(17_500)));
    }

    #[test]
    fn games_of_before_tell_the_length_but_not_the_speed() {
        let plan = Plan {
            games: 10,
            threads: 1,
            finished: 9,
            pieces: 8_000,
            lines: 3_000,
            ..Plan::default()
        };
        assert_eq!(moment(plan).left(), None, "nothing is played yet");
        let resumed = Moment {
            pieces: 1_000,
            ..moment(plan)
        };
        assert_eq!(resumed.rate(), Some(100.0));
        assert_eq!(resumed.pieces_per_game(), Some(1_000.0));
        assert_eq!(resumed.left(), Some(Duration::from_secs(10)));
    }

    #[test]
    fn no_game_is_longer_than_it_may_be() {
        let plan = Plan {
            games: 2,
            max_pieces: Some(100),
            threads: 2,
            ..Plan::default()
        };
        let moment = Moment {
            pieces: 150,
            finished: 1,
            finished_pieces: 100,
            finished_lines: 40,
            ..moment(plan)
        };
        assert_eq!(moment.pieces_per_game(), Some(100.0));
        assert_eq!(moment.mean(), Some(40.0));
    }

    #[test]
    fn absurd_numbers_are_no_panic() {
        let plan = Plan {
            games: u64::MAX,
            threads: 1,
            finished: u64::MAX - 1,
            pieces: u64::MAX,
            lines: u64::MAX,
            ..Plan::default()
        };
        let moment = Moment {
            pieces: 1,
            finished_lines: u64::MAX,
            ..moment(plan)
        };
        assert!(moment.left().is_some());
        let plan = Plan {
            games: u64::MAX,
            finished: 1,
            ..plan
        };
        let endless = Moment { plan, ..moment };
        assert_eq!(endless.left(), None, "no time there is");
    }
}
