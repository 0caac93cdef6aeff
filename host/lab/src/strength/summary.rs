//! The lines of many games in a few numbers.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF as _, Normal, StudentsT};

/// What is said of the games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// How many there are.
    pub games: u64,
    /// Mean of their lines.
    pub mean: f64,
    /// Median; of an even number of games the mean of the middle two.
    pub median: f64,
    /// Standard deviation of the sample (n − 1); `None` for one game.
    pub stddev: Option<f64>,
    /// 95 % confidence interval of the mean by Student's t: low, high; `None`
    /// for one game.
    pub ci95: Option<[f64; 2]>,
}

impl Summary {
    /// Sums games up by their lines; `None` when there are none.
    pub fn of(lines: &[u64]) -> Option<Self> {
        let mut sorted = lines.to_vec();
        sorted.sort_unstable();
        let middle = sorted.len() / 2;
        let upper = *sorted.get(middle)? as f64;
        let median = if sorted.len().is_multiple_of(2) {
            f64::midpoint(sorted[middle - 1] as f64, upper)
        } else {
            upper
        };
        let n = lines.len() as f64;
        // Whole numbers first: the sum is exact.
        let mean = lines.iter().map(|&l| u128::from(l)).sum::<u128>() as f64 / n;
        // In order of size, so that no order of the games shows in the last digit.
        let squares: f64 = sorted.iter().map(|&l| (l as f64 - mean).powi(2)).sum();
        let stddev = (n > 1.0).then(|| (squares / (n - 1.0)).sqrt());
        let half = stddev.and_then(|s| Some(quantile(n - 1.0)? * s / n.sqrt()));
        Some(Self {
            games: lines.len() as u64,
            mean,
            median,
            stddev,
            ci95: half.map(|half| [mean - half, mean + half]),
        })
    }
}

/// The 97.5 % quantile of Student's t.
fn quantile(freedom: f64) -> Option<f64> {
    const P: f64 = 0.975;
    if freedom < MANY {
        let t = StudentsT::new(0.0, 1.0, freedom).ok()?;
        return Some(t.inverse_cdf(P));
    }
    // Abramowitz and Stegun 26.7.5, exact to 12 digits from here on.
    let z = Normal::standard().inverse_cdf(P);
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    Some(z + first / freedom + second / freedom.powi(2))
}

/// Degrees of freedom from which on t is expanded around the normal quantile:
/// statrs 0.19 loses digits there, and does not come to an end at 10⁸.
const MANY: f64 = 10_000.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        let error = (found - expected).abs();
        assert!(
            error <= 1e-6 * expected.abs().max(1.0),
            "{found}, not {expected}"
        );
    }

    /// From the tables of Student's t.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, t) in [
            (1.0, 12.706_204_7),
            (2.0, 4.302_652_7),
            (9.0, 2.262_157_2),
            (29.0, 2.045_229_6),
            (99.0, 1.984_216_9),
            (999.0, 1.962_341_5),
            (9_999.0, 1.960_201_3),
            (10_000.0, 1.960_201_2),
            (99_999.0, 1.959_987_7),
            (1e8, 1.959_964_0),
        ] {
            close(quantile(freedom).unwrap(), t);
        }
    }

    /// By hand: sum 40, squares of the differences 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16
    /// = 32, over 7.
    #[test]
    fn a_summary_is_what_it_is_by_hand() {
        let summary = Summary::of(&[2, 4, 4, 4, 5, 5, 7, 9]).unwrap();
        assert_eq!((summary.games, summary.mean, summary.median), (8, 5.0, 4.5));
        close(summary.stddev.unwrap(), 2.138_089_935);
        // 2.364624 × 2.138090 / √8 = 1.787488
        let [low, high] = summary.ci95.unwrap();
        close(low, 5.0 - 1.787_487_8);
        close(high, 5.0 + 1.787_487_8);
    }

    #[test]
    fn the_order_of_the_games_does_not_matter() {
        let some = [9, 1, 100, 3, 0, 77, 12_345];
        let mut turned = some;
        turned.reverse();
        assert_eq!(Summary::of(&some), Summary::of(&turned));
        assert_eq!(Summary::of(&some).unwrap().median, 9.0);
    }

    #[test]
    fn one_game_has_no_spread_and_no_games_no_summary() {
        let one = Summary::of(&[7]).unwrap();
        assert_eq!((one.mean, one.median), (7.0, 7.0));
        assert_eq!((one.stddev, one.ci95), (None, None));
        assert_eq!(Summary::of(&[]), None);
    }

    #[test]
    fn equal_games_have_no_spread() {
        for lines in [0, 5, u64::MAX] {
            let summary = Summary::of(&[lines; 3]).unwrap();
            let lines = lines as f64;
            assert_eq!((summary.mean, summary.median), (lines, lines));
            assert_eq!(summary.stddev, Some(0.0));
            assert_eq!(summary.ci95, Some([lines, lines]));
        }
    }
}
