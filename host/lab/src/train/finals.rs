//! Chooses the final weights on games that no candidate has played.

use serde::{Deserialize, Serialize};

use super::evaluator::{Evaluator, evaluate};
use super::optimiser::order;
use super::{Stop, unit};

/// Maximum number of finalists; each round removes half of them.
const FINALISTS: usize = 8;
/// Games of the first round, in multiples of an evaluation; each round doubles them.
const FIRST_ROUND: u64 = 5;
/// Games of the winner's final measurement, in multiples of an evaluation.
const MEASURED: u64 = 20;

/// The final weights of a training run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chosen {
    /// Their direction.
    pub weights: Vec<f64>,
    /// Mean lines a game, over games that were not used for the choice.
    pub lines: f64,
    /// Number of games of that mean.
    pub games: u64,
}

/// Chooses the best of the finalists, which are given the most promising first; `None` if stopped.
///
/// Each round evaluates all on new games and keeps the better half. The winner is measured on
/// further games, because its results in the rounds are partly luck.
pub fn choose(
    evaluator: &dyn Evaluator,
    finalists: Vec<Vec<f64>>,
    fresh_game: u64,
    games: u64,
    stop: Stop<'_>,
) -> Option<Chosen> {
    let mut left: Vec<Vec<f64>> = Vec::new();
    for finalist in finalists.iter().map(|weights| unit(weights)) {
        if left.len() < FINALISTS && !left.contains(&finalist) {
            left.push(finalist);
        }
    }
    let mut next = fresh_game;
    let mut round = games * FIRST_ROUND;
    while left.len() > 1 {
        let found = evaluate(evaluator, &left, next..next + round, stop)?;
        next += round;
        round *= 2;
        let mut order = order(&found);
        order.truncate(left.len() / 2);
        left = order.iter().map(|&i| left[i].clone()).collect();
    }
    let measured = games * MEASURED;
    let found = evaluate(evaluator, &left, next..next + measured, stop)?;
    Some(Chosen {
        weights: left.swap_remove(0),
        lines: found.first()?.lines,
        games: measured,
    })
}

#[cfg(test)]
mod tests {
    use super::super::Evaluation;
    use super::super::evaluator::Threads;
    use super::*;
    use crate::threads::pool;

    /// The game adds luck; the second weight is skill.
    fn lottery(weights: &[f64], game: u64, stop: Stop<'_>) -> Option<Evaluation> {
        let mut random = super::super::random::Random::new(game);
        let lines = 100.0 * weights[1] + 20.0 * (random.normal() + weights[0].abs());
        (!stop()).then_some(Evaluation { lines, pieces: 1 })
    }

    #[test]
    fn choose_picks_best_and_measures_on_new_games() {
        let pool = pool(2).unwrap();
        let threads = Threads {
            fitness: &lottery,
            pool: &pool,
        };
        let finalist = |i: u32| unit(&[1.0, f64::from(i % 7) * 0.02]);
        let finalists: Vec<_> = (0..9).map(finalist).collect();
        let chosen = choose(&threads, finalists, 100, 4, &|| false).unwrap();
        assert_eq!(chosen.weights, finalist(6));
        assert_eq!(chosen.games, 80);
        // Rounds of 7, 3 and 1 finalists: 20 and 40 games before the measurement.
        let own = evaluate(&threads, &[finalist(6)], 160..240, &|| false).unwrap();
        assert_eq!(chosen.lines, own[0].lines);
        let stopped = choose(&threads, vec![finalist(1)], 0, 4, &|| true);
        assert_eq!(stopped, None);
    }

    fn digits(weights: &[f64], game: u64, stop: Stop<'_>) -> Option<Evaluation> {
        let lines = weights[0] * 100.0 + game as f64;
        (!stop()).then_some(Evaluation { lines, pieces: 1 })
    }

    #[test]
    fn evaluate_on_any_number_of_threads_plays_every_game() {
        let candidates: Vec<Vec<f64>> = (0..5).map(|i| vec![f64::from(i)]).collect();
        for threads in [1, 2, 7, 100] {
            let pool = pool(threads).unwrap();
            let threads = Threads {
                fitness: &digits,
                pool: &pool,
            };
            let found = evaluate(&threads, &candidates, 10..13, &|| false).unwrap();
            let lines: Vec<f64> = found.iter().map(|e| e.lines).collect();
            assert_eq!(lines, [11.0, 111.0, 211.0, 311.0, 411.0]);
            assert!(found.iter().all(|e| e.pieces == 3));
            assert_eq!(evaluate(&threads, &candidates, 10..13, &|| true), None);
        }
    }
}
