//! Plays games on several threads, each game on one thread.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::channel;

use lockstep_games::Shard;
use rayon::prelude::*;

use super::{EndReason, GameResult, Tick};
use crate::threads::{self, ThreadsError};

/// The games of a strength measurement. The result of a game does not depend on its thread.
pub struct Run<'a> {
    /// Plays a game.
    pub player: &'a (dyn Fn(u64, Tick<'_>) -> GameResult + Sync),
    /// Number of games; their numbers begin at 0.
    pub games: u64,
    /// The shard of them that is played.
    pub shard: Shard,
    /// Numbers of the games that are finished already.
    pub done: &'a BTreeSet<u64>,
    /// Games played at the same time.
    pub threads: usize,
    /// Counts the pieces placed, including those of running games.
    pub pieces: &'a AtomicU64,
    /// Polled during each game; once true, running games are discarded.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl Run<'_> {
    /// Plays the games, the lowest number first, and calls `keep` on this thread as each ends.
    ///
    /// # Errors
    /// When the threads cannot be started, or `keep` fails, which stops all games.
    pub fn play<E: From<ThreadsError>>(
        &self,
        mut keep: impl FnMut(u64, GameResult) -> Result<(), E>,
    ) -> Result<(), E> {
        let pool = threads::pool(self.threads)?;
        let gave_up = AtomicBool::new(false);
        let (ended, endings) = channel();
        pool.in_place_scope(|scope| {
            let (gave_up, keep) = (&gave_up, &mut keep);
            scope.spawn(move |_| {
                let games = (0..self.games).filter(|game| self.shard.holds(*game));
                let games = games.filter(|game| !self.done.contains(game));
                // One at a time, so that at the end no thread has a long row of games left.
                // A stopped game or a dropped receiver ends the loop.
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

    /// Plays one game; `None` if it was stopped.
    fn one(&self, game: u64, gave_up: &AtomicBool) -> Option<GameResult> {
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
        (played.end != EndReason::Stopped).then_some(played)
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

    fn end(all: bool) -> EndReason {
        match all {
            true => EndReason::Lost,
            false => EndReason::Stopped,
        }
    }

    struct Ran {
        result: Result<(), Refused>,
        kept: BTreeMap<u64, GameResult>,
        pieces: u64,
        played: Vec<u64>,
    }

    /// Plays games 0 to 9 without 2 and 5; `stop` takes the pieces so far, keeping `refuse` fails.
    fn run(threads: usize, stop: impl Fn(u64) -> bool + Sync, refuse: Option<u64>) -> Ran {
        // Game g has 10 × g + 7 pieces, reported ten at a time, and g lines.
        let played = Mutex::new(Vec::new());
        let player = |game, tick: Tick<'_>| {
            played.lock().unwrap().push(game);
            let all = (0..game).all(|_| tick(10));
            GameResult {
                pieces: 10 * game + 7,
                lines: game,
                end: end(all),
            }
        };
        let pieces = AtomicU64::new(0);
        let mut kept = BTreeMap::new();
        let result = Run {
            player: &player,
            games: 10,
            shard: Shard::ALL,
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
    fn run_ends_when_keeping_a_game_fails() {
        // Game 0 ends at once, the others take long.
        let long = |game, tick: Tick<'_>| {
            let ticks = if game == 0 { 0 } else { 50_000_000 };
            let all = (0..ticks).all(|_| tick(1));
            GameResult {
                pieces: 0,
                lines: 0,
                end: end(all),
            }
        };
        let pieces = AtomicU64::new(0);
        let result = Run {
            player: &long,
            games: 3,
            shard: Shard::ALL,
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
