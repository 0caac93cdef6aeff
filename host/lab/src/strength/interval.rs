//! Confidence intervals of a mean of lines.

use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF as _, Normal, StudentsT};

/// How an interval is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Of few games, all of them lost: lines are about exponential, and twice
    /// their sum over the true mean is then chi-squared with 2n degrees of
    /// freedom.
    ChiSquared,
    /// Of many games, whose mean is about normal, whatever their lines are; and
    /// of games that were cut. By Student's t, and never below 0.
    Normal,
}

impl Method {
    /// Its name, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ChiSquared => "chi-squared",
            Self::Normal => "normal",
        }
    }
}

/// Games from which on their mean is taken as normal.
const MANY_GAMES: u64 = 30;

/// Half of what lies outside a 95 % interval, on each side.
const TAIL: f64 = 0.025;

/// The 95 % confidence interval of the mean of `games` games, low and high, and
/// how it was found. `cut`: whether some of them were stopped before they were
/// lost. `None` where these games do not tell.
pub fn of_mean(
    games: u64,
    mean: f64,
    stddev: Option<f64>,
    cut: bool,
) -> Option<([f64; 2], Method)> {
    let n = games as f64;
    if games < MANY_GAMES && !cut {
        let chi = ChiSquared::new(2.0 * n).ok()?;
        let bound = |p| 2.0 * n * mean / chi.inverse_cdf(p);
        return Some(([bound(1.0 - TAIL), bound(TAIL)], Method::ChiSquared));
    }
    let half = student(n - 1.0)? * stddev? / n.sqrt();
    Some(([(mean - half).max(0.0), mean + half], Method::Normal))
}

/// The 97.5 % quantile of Student's t.
fn student(freedom: f64) -> Option<f64> {
    if freedom < MANY {
        let t = StudentsT::new(0.0, 1.0, freedom).ok()?;
        return Some(t.inverse_cdf(1.0 - TAIL));
    }
    // Abramowitz and Stegun 26.7.5, exact to 12 digits from here on.
    let z = Normal::standard().inverse_cdf(1.0 - TAIL);
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
            close(student(freedom).unwrap(), t);
        }
    }

    /// From the tables of chi-squared: χ²(2) 0.0506356 and 7.3777589, χ²(4)
    /// 0.4844186 and 11.1432868, χ²(20) 9.5907774 and 34.1696069, χ²(58)
    /// 38.8435 and 80.9356.
    #[test]
    fn few_games_have_the_interval_of_exponential_lines() {
        for (games, low, high) in [
            (1, 7.377_758_9, 0.050_635_6),
            (2, 11.143_286_8, 0.484_418_6),
            (10, 34.169_606_9, 9.590_777_4),
        ] {
            let ([found_low, found_high], method) =
                of_mean(games, 100.0, Some(1e6), false).unwrap();
            let twice = 200.0 * games as f64;
            assert!((found_low / (twice / low) - 1.0).abs() < 1e-6);
            assert!((found_high / (twice / high) - 1.0).abs() < 1e-5);
            assert_eq!(method, Method::ChiSquared);
        }
        let ([low, high], _) = of_mean(29, 1.0, None, false).unwrap();
        assert!((low - 58.0 / 80.935_6).abs() < 1e-4 && (high - 58.0 / 38.843_5).abs() < 1e-4);
        let none = of_mean(3, 0.0, Some(0.0), false).unwrap();
        assert_eq!(none.0, [0.0, 0.0]);
    }

    /// Of exponential games the interval holds the true mean 95 times in 100.
    #[test]
    fn the_interval_of_few_games_covers_the_mean_as_often_as_it_says() {
        let mut random = crate::train::random::Random::new(1);
        for games in [2, 5, 20] {
            let covered = (0..4_000).filter(|_| {
                let lines = (0..games).map(|_| -(1.0 - random.uniform()).ln());
                let mean = lines.sum::<f64>() / games as f64;
                let ([low, high], _) = of_mean(games, mean, None, false).unwrap();
                low <= 1.0 && 1.0 <= high
            });
            let share = covered.count() as f64 / 4_000.0;
            assert!((0.94..0.96).contains(&share), "{games}: {share}");
        }
    }

    #[test]
    fn many_games_and_cut_ones_have_the_normal_interval_above_zero() {
        let ([low, high], method) = of_mean(100, 10.0, Some(5.0), false).unwrap();
        assert_eq!(method, Method::Normal);
        close(low, 10.0 - 1.984_216_9 * 0.5);
        close(high, 10.0 + 1.984_216_9 * 0.5);
        let ([low, high], method) = of_mean(4, 1.0, Some(9.0), true).unwrap();
        assert_eq!((low, method), (0.0, Method::Normal));
        assert!(high > 10.0);
        assert_eq!(of_mean(1, 1.0, None, true), None);
        assert_eq!(of_mean(0, 1.0, None, false), None);
    }
}
