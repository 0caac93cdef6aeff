//! Games on several threads, each on one.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::channel;

use rayon::prelude::*;

use super::{End, Played, Tick};
use crate::threads::{self, ThreadsError};

/// Games to be played. Which thread plays a game changes nothing about it.
pub struct Run<'a> {
    /// Plays them.
    pub player: &'a (dyn Fn(u64, Tick<'_>) -> Played + Sync),
    /// Games 0 to this one, without it.
    pub games: u64,
    /// Those of them that are not to be played again.
    pub done: &'a BTreeSet<u64>,
    /// How many are played at the same time.
    pub threads: usize,
    /// Counts the pieces placed, those of running games included.
    pub pieces: &'a AtomicU64,
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
        let counted = AtomicU64::new(0);
        let count = |pieces| {
            counted.fetch_add(pieces, Relaxed);
            self.pieces.fetch_add(pieces, Relaxed);
        };
        let played = (self.player)(game, &|pieces| {
            count(pieces);
            goes_on()
        });
        count(played.pieces.saturating_sub(counted.load(Relaxed)));
        (played.end != End::Stopped).then_some(played)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    use super::*;

    #[derive(Debug, PartialEq)]
    struct Refused(u64);

    impl From<ThreadsError> for Refused {
        fn from(error: ThreadsError) -> Self {
            panic!("{error}")
        }
    }

    struct Ran {
        result: Result<(), Refused>,
        kept: BTreeMap<u64, Played>,
        pieces: u64,
        played: Vec<u64>,
    }

    /// Plays ten games but 2 and 5; `stop` gets the pieces so far, `refuse` cannot be kept.
    fn run(threads: usize, stop: impl Fn(u64) -> bool + Sync, refuse: Option<u64>) -> Ran {
        // Game g has 10 × g + 7 pieces, reported ten at a time, and g lines.
        let played = Mutex::new(Vec::new());
        let player = |game, tick: Tick<'_>| {
            played.lock().unwrap().push(game);
            let all = (0..game).all(|_| tick(10));
            Played {
                pieces: 10 * game + 7,
                lines: game,
                end: if all { End::Lost } else { End::Stopped },
            }
        };
        let pieces = AtomicU64::new(0);
        let mut kept = BTreeMap::new();
        let result = Run {
            player: &player,
            games: 10,
            done: &BTreeSet::from([2, 5]),
            threads,
            pieces: &pieces,
            stop: &|| stop(pieces.load(Relaxed)),
        }
        .play(|game, played| {
            if refuse == Some(game) {
                return Err(Refused(game));
            }
            kept.insert(game, played);
            Ok(())
        });
        Ran {
            result,
            kept,
            pieces: pieces.into_inner(),
            played: played.into_inner().unwrap(),
        }
    }

    #[test]
    fn run_plays_each_unfinished_game_once() {
        for threads in [1, 3, 16] {
            let mut ran = run(threads, |_| false, None);
            assert_eq!(ran.result, Ok(()));
            if threads > 1 {
                ran.played.sort_unstable();
            }
            assert_eq!(ran.played, [0, 1, 3, 4, 6, 7, 8, 9], "{threads} threads");
            assert_eq!(ran.kept.keys().copied().collect::<Vec<_>>(), ran.played);
            assert!(ran.kept.iter().all(|(game, played)| played.lines == *game));
            assert_eq!(ran.pieces, 380 + 8 * 7, "while they run and at the end");
        }
    }

    /// Stopped within game 3, after 7 + 17 + 20 pieces, and before the first game.
    #[test]
    fn run_stopped_keeps_no_unfinished_game() {
        for (at, played, kept) in [(44, &[0, 1, 3][..], &[0, 1][..]), (0, &[], &[])] {
            let ran = run(1, |pieces| pieces >= at, None);
            assert_eq!((ran.result, ran.played.as_slice()), (Ok(()), played));
            assert_eq!(ran.kept.into_keys().collect::<Vec<_>>(), kept);
        }
    }

    #[test]
    fn run_that_cannot_keep_a_game_ends() {
        // The first game is over at once, the others take longer than that.
        let long = |game, tick: Tick<'_>| {
            let ticks = if game == 0 { 0 } else { 50_000_000 };
            let all = (0..ticks).all(|_| tick(1));
            Played {
                pieces: 0,
                lines: 0,
                end: if all { End::Lost } else { End::Stopped },
            }
        };
        let pieces = AtomicU64::new(0);
        let result = Run {
            player: &long,
            games: 3,
            done: &BTreeSet::new(),
            threads: 3,
            pieces: &pieces,
            stop: &|| false,
        }
        .play(|game, _| Err(Refused(game)));
        assert_eq!(result, Err(Refused(0)));
        assert!(pieces.into_inner() < 100_000_000, "two whole games");
        let ran = run(1, |_| false, Some(0));
        assert_eq!((ran.result, ran.kept.len()), (Err(Refused(0)), 0));
    }
}
