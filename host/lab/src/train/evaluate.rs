//! Evaluates many candidates on several threads.

use std::ops::Range;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::{Evaluation, Fitness};

/// Evaluates all candidates on the same games; `None` when stopped.
///
/// Threads take game by game, so that no candidate with long games delays the others. The result
/// does not depend on the number of threads.
pub fn evaluate(
    fitness: &dyn Fitness,
    candidates: &[Vec<f64>],
    games: Range<u64>,
    pool: &ThreadPool,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<Evaluation>> {
    let numbers: Vec<u64> = games.collect();
    let tasks = candidates.len() * numbers.len();
    let one = |task: usize| {
        let game = numbers[task % numbers.len()];
        let weights = &candidates[task / numbers.len()];
        let stopped = stop();
        let played = (!stopped).then(|| fitness.evaluate(weights, game, stop));
        played.flatten()
    };
    let played = pool.install(|| {
        let tasks = (0..tasks).into_par_iter().with_max_len(1);
        tasks.map(one).collect::<Option<Vec<Evaluation>>>()
    })?;
    let mean = |played: &[Evaluation]| Evaluation {
        lines: played.iter().map(|e| e.lines).sum::<f64>() / played.len() as f64,
        pieces: played.iter().map(|e| e.pieces).sum(),
    };
    Some(played.chunks(numbers.len().max(1)).map(mean).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads::pool;

    struct Digits;

    impl Fitness for Digits {
        fn evaluate(
            &self,
            weights: &[f64],
            game: u64,
            stop: &(dyn Fn() -> bool + Sync),
        ) -> Option<Evaluation> {
            let lines = weights[0] * 100.0 + game as f64;
            (!stop()).then_some(Evaluation { lines, pieces: 1 })
        }
    }

    #[test]
    fn evaluate_on_any_number_of_threads_plays_every_game() {
        let candidates: Vec<Vec<f64>> = (0..5).map(|i| vec![f64::from(i)]).collect();
        for threads in [1, 2, 7, 100] {
            let pool = pool(threads).unwrap();
            let found = evaluate(&Digits, &candidates, 10..13, &pool, &|| false).unwrap();
            let lines: Vec<f64> = found.iter().map(|e| e.lines).collect();
            assert_eq!(lines, [11.0, 111.0, 211.0, 311.0, 411.0]);
            assert!(found.iter().all(|e| e.pieces == 3));
        }
        let pool = pool(3).unwrap();
        assert_eq!(
            evaluate(&Digits, &candidates, 10..13, &pool, &|| true),
            None
        );
    }
}
