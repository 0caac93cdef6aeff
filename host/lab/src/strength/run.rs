//! Games on several threads, each on one.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::channel;

use rayon::prelude::*;

use super::progress::Progress;
use super::{End, Played, Player};
use crate::threads::{self, ThreadsError};

/// Games to be played. Which thread plays a game changes nothing about it.
pub struct Run<'a> {
    /// Who plays.
    pub player: &'a dyn Player,
    /// Games 0 to this one, without it.
    pub games: u64,
    /// Those of them that are not to be played again.
    pub done: &'a BTreeSet<u64>,
    /// How many are played at the same time.
    pub threads: usize,
    /// Is told all that is played.
    pub progress: &'a Progress,
    /// Asked now and then; once true, running games are given up.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl Run<'_> {
    /// Plays the games, the lowest first, and hands each to `keep` on this
    /// thread as it ends; gives up at the first that cannot be kept.
    ///
    /// # Errors
    /// When the threads cannot be started, and those of `keep`.
    pub fn play<E: From<ThreadsError>>(
        &self,
        mut keep: impl FnMut(u64, Played) -> Result<(), E>,
    ) -> Result<(), E> {
        let pool = threads::pool(self.threads)?;
        let gave_up = AtomicBool::new(false);
        let (ended, endings) = channel();
        pool.in_place_scope(|scope| {
            let (gave_up, keep) = (&gave_up, &mut keep);
            scope.spawn(move |_| {
                let games = (0..self.games).filter(|game| !self.done.contains(game));
                // In order: what is left at the end is never a long row of games
                // on one thread. `None` ends it, as does a receiver that is gone.
                games.par_bridge().try_for_each(|game| {
                    let played = self.one(game, gave_up)?;
                    ended.send((game, played)).ok()
                });
            });
            for (game, played) in endings {
                keep(game, played).inspect_err(|_| gave_up.store(true, Relaxed))?;
            }
            Ok(())
        })
    }

    /// One game; `None` when it was given up.
    fn one(&self, game: u64, gave_up: &AtomicBool) -> Option<Played> {
        let goes_on = || !(gave_up.load(Relaxed) || (self.stop)());
        if !goes_on() {
            return None;
        }
        let told = AtomicU64::new(0);
        let played = self.player.play(game, &|pieces| {
            told.fetch_add(pieces, Relaxed);
            self.progress.advance(pieces);
            goes_on()
        });
        let untold = played.pieces.saturating_sub(told.into_inner());
        self.progress.advance(untold);
        if played.end == End::Stopped {
            return None;
        }
        // Here rather than where it is kept: pieces of games that are over must
        // not look like those of games under way.
        self.progress.finish(&played);
        Some(played)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    use super::*;
    use crate::strength::estimate::Plan;

    /// Game g has 10 × g + 7 pieces, told ten at a time, and g lines.
    struct Counting {
        played: Mutex<Vec<u64>>,
    }

    impl Player for Counting {
        fn play(&self, game: u64, tick: &(dyn Fn(u64) -> bool + Sync)) -> Played {
            self.played.lock().unwrap().push(game);
            let all = (0..game).all(|_| tick(10));
            Played {
                pieces: 10 * game + 7,
                lines: game,
                end: if all { End::Lost } else { End::Stopped },
            }
        }
    }

    #[derive(Debug, PartialEq)]
    struct Refused(u64);

    impl From<ThreadsError> for Refused {
        fn from(error: ThreadsError) -> Self {
            panic!("{error}")
        }
    }

    /// Plays ten games but 2 and 5; what was kept, and the progress.
    fn run(
        threads: usize,
        stop: impl Fn(u64) -> bool + Sync,
        refuse: Option<u64>,
    ) -> (
        Result<(), Refused>,
        BTreeMap<u64, Played>,
        Progress,
        Vec<u64>,
    ) {
        let player = Counting {
            played: Mutex::default(),
        };
        let progress = Progress::new(Plan::default());
        let mut kept = BTreeMap::new();
        let result = Run {
            player: &player,
            games: 10,
            done: &BTreeSet::from([2, 5]),
            threads,
            progress: &progress,
            stop: &|| stop(progress.now().pieces),
        }
        .play(|game, played| {
            if refuse == Some(game) {
                return Err(Refused(game));
            }
            kept.insert(game, played);
            Ok(())
        });
        (result, kept, progress, player.played.into_inner().unwrap())
    }

    #[test]
    fn every_game_but_those_done_is_played_once_on_any_number_of_threads() {
        for threads in [1, 3, 16] {
            let (result, kept, progress, mut played) = run(threads, |_| false, None);
            assert_eq!(result, Ok(()));
            played.sort_unstable();
            assert_eq!(played, [0, 1, 3, 4, 6, 7, 8, 9]);
            assert_eq!(kept.keys().copied().collect::<Vec<_>>(), played);
            assert!(kept.iter().all(|(game, played)| played.lines == *game));
            let now = progress.now();
            assert_eq!(now.pieces, 380 + 8 * 7, "told in part and at the end");
            assert_eq!((now.finished, now.finished_lines), (8, 38));
            assert_eq!(now.finished_pieces, now.pieces);
        }
    }

    #[test]
    fn one_thread_plays_them_in_order() {
        let (_, _, _, played) = run(1, |_| false, None);
        assert_eq!(played, [0, 1, 3, 4, 6, 7, 8, 9]);
    }

    /// Stopped within game 3, after 7 + 17 + 20 pieces.
    #[test]
    fn a_game_given_up_is_not_kept_and_none_begins_after_it() {
        let (result, kept, progress, played) = run(1, |pieces| pieces >= 44, None);
        assert_eq!(result, Ok(()));
        assert_eq!(played, [0, 1, 3]);
        assert_eq!(kept.keys().copied().collect::<Vec<_>>(), [0, 1]);
        assert_eq!(progress.now().finished, 2);
    }

    #[test]
    fn no_game_begins_once_it_is_told_to_stop() {
        let (result, kept, _, played) = run(3, |_| true, None);
        assert_eq!((result, kept.len(), played.len()), (Ok(()), 0, 0));
    }

    /// Its first game is over at once, the others go on for longer than anybody
    /// waits.
    struct Endless;

    impl Player for Endless {
        fn play(&self, game: u64, tick: &(dyn Fn(u64) -> bool + Sync)) -> Played {
            let ticks = if game == 0 { 0 } else { 50_000_000 };
            let all = (0..ticks).all(|_| tick(1));
            Played {
                pieces: 0,
                lines: 0,
                end: if all { End::Lost } else { End::Stopped },
            }
        }
    }

    #[test]
    fn a_game_that_cannot_be_kept_ends_those_that_run() {
        let progress = Progress::new(Plan::default());
        let result = Run {
            player: &Endless,
            games: 3,
            done: &BTreeSet::new(),
            threads: 3,
            progress: &progress,
            stop: &|| false,
        }
        .play(|game, _| Err(Refused(game)));
        assert_eq!(result, Err(Refused(0)));
        assert!(progress.now().pieces < 100_000_000, "two whole games");
    }

    #[test]
    fn what_cannot_be_kept_ends_it() {
        for threads in [1, 3] {
            let (result, kept, ..) = run(threads, |_| false, Some(0));
            assert_eq!(result, Err(Refused(0)));
            assert!(!kept.contains_key(&0));
        }
    }
}
