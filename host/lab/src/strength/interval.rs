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
    let half = quantile(n - 1.0)? * stddev? / n.sqrt();
    Some(([(mean - half).max(0.0), mean + half], Method::Normal))
}

/// Degrees of freedom from which on Student's t is normal to three digits: statrs 0.19 takes ever
/// longer beyond.
const NORMAL: f64 = 10_000.0;

/// The 97.5 % quantile of Student's t.
fn quantile(freedom: f64) -> Option<f64> {
    if freedom >= NORMAL {
        return Some(Normal::standard().inverse_cdf(1.0 - TAIL));
    }
    let t = StudentsT::new(0.0, 1.0, freedom).ok()?;
    Some(t.inverse_cdf(1.0 - TAIL))
}

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

    /// From the tables of Student's t, and of the normal distribution.
    #[test]
    fn quantile_is_that_of_tables() {
        for (freedom, t) in [(1.0, 12.706_204_7), (29.0, 2.045_229_6), (1e8, 1.959_964_0)] {
            close(quantile(freedom).unwrap(), t);
        }
    }

    /// Of exponential games the interval holds the true mean 95 times in 100.
    #[test]
    fn interval_of_few_games_covers_mean_95_of_100_times() {
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
    fn interval_of_many_or_cut_games_is_normal_above_zero() {
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
