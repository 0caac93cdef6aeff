//! Games of many candidates on many threads.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::{Evaluation, Fitness};

/// Evaluates all candidates on the same games; `None` when stopped. Threads
/// take game by game, so that one long-lived candidate does not keep the others
/// waiting; the outcome does not depend on how many there are.
pub fn evaluate(
    fitness: &dyn Fitness,
    candidates: &[Vec<f64>],
    games: Range<u64>,
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<Evaluation>> {
    let numbers: Vec<u64> = games.collect();
    let tasks = candidates.len() * numbers.len();
    let played: Vec<OnceLock<Evaluation>> = vec![OnceLock::new(); tasks];
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let task = next.fetch_add(1, Ordering::Relaxed);
            let Some(slot) = played.get(task).filter(|_| !stop()) else {
                return;
            };
            let game = numbers[task % numbers.len()];
            let weights = &candidates[task / numbers.len()];
            match fitness.evaluate(weights, game..game + 1, stop) {
                Some(evaluation) => slot.get_or_init(|| evaluation),
                None => return,
            };
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(tasks) {
            scope.spawn(work);
        }
        work();
    });
    let of_candidate = |slots: &[OnceLock<Evaluation>]| {
        let mut sum = Evaluation {
            lines: 0.0,
            pieces: 0,
        };
        for slot in slots {
            let one = slot.get()?;
            sum.lines += one.lines;
            sum.pieces += one.pieces;
        }
        sum.lines /= slots.len() as f64;
        Some(sum)
    };
    played
        .chunks(numbers.len().max(1))
        .map(of_candidate)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Digits;

    impl Fitness for Digits {
        fn evaluate(
            &self,
            weights: &[f64],
            games: Range<u64>,
            stop: &(dyn Fn() -> bool + Sync),
        ) -> Option<Evaluation> {
            let lines = weights[0] * 100.0 + games.start as f64;
            let pieces = games.end - games.start;
            (!stop()).then_some(Evaluation { lines, pieces })
        }
    }

    #[test]
    fn every_candidate_plays_every_game_on_any_number_of_threads() {
        let candidates: Vec<Vec<f64>> = (0..5).map(|i| vec![f64::from(i)]).collect();
        for threads in [1, 2, 7, 100] {
            let found = evaluate(&Digits, &candidates, 10..13, threads, &|| false).unwrap();
            let lines: Vec<f64> = found.iter().map(|e| e.lines).collect();
            assert_eq!(lines, [11.0, 111.0, 211.0, 311.0, 411.0]);
            assert!(found.iter().all(|e| e.pieces == 3));
        }
        assert_eq!(evaluate(&Digits, &candidates, 10..13, 3, &|| true), None);
    }
}
