//! The result of a measurement: statistics of the lines of many games, and the speed.

use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF as _, Normal, StudentsT};

use super::{EndReason, GameResult};

/// Statistics of the lines of games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Number of games.
    pub games: u64,
    /// Mean of the lines.
    pub mean: f64,
    /// Median; for an even number of games the mean of the middle two.
    pub median: f64,
    /// Standard deviation of the sample (n − 1); `None` for one game.
    pub stddev: Option<f64>,
    /// 95 % confidence interval of the mean: low, high; `None` for a single game that was cut.
    pub ci95: Option<[f64; 2]>,
    /// Method by which the interval was computed.
    pub interval: Option<Method>,
    /// Games cut at the limit of pieces. With any, mean and interval are lower bounds.
    pub cut: u64,
}

impl Summary {
    /// The statistics of games; `None` if there are none.
    pub fn of(games: &[GameResult]) -> Option<Self> {
        let mut sorted: Vec<u64> = games.iter().map(|played| played.lines).collect();
        sorted.sort_unstable();
        let cut = games
            .iter()
            .filter(|played| played.end == EndReason::Cut)
            .count();
        let middle = sorted.len() / 2;
        let upper = *sorted.get(middle)? as f64;
        let median = if sorted.len().is_multiple_of(2) {
            f64::midpoint(sorted[middle - 1] as f64, upper)
        } else {
            upper
        };
        let n = games.len() as f64;
        // A sum of integers is exact.
        let mean = sorted.iter().map(|&l| u128::from(l)).sum::<u128>() as f64 / n;
        // Summed in sorted order, so that the order of the games does not change the last digit.
        let squares: f64 = sorted.iter().map(|&l| (l as f64 - mean).powi(2)).sum();
        let stddev = (n > 1.0).then(|| (squares / (n - 1.0)).sqrt());
        let interval = interval(games.len() as u64, mean, stddev, cut > 0);
        Some(Self {
            games: games.len() as u64,
            mean,
            median,
            stddev,
            ci95: interval.map(|(interval, _)| interval),
            interval: interval.map(|(_, method)| method),
            cut: cut as u64,
        })
    }
}

/// Method by which a confidence interval is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// For fewer than 30 games, all lost: lines are nearly exponential, so twice their sum over
    /// the true mean is chi-squared with 2n degrees of freedom.
    ChiSquared,
    /// For many games, whose mean is nearly normal, and for games that were cut: Student's t,
    /// never below 0.
    Normal,
}

impl Method {
    /// Its name in text.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ChiSquared => "few games: chi-squared",
            Self::Normal => "normal",
        }
    }
}

/// Minimum number of games whose mean is taken as normal.
const MANY_GAMES: u64 = 30;

/// Probability on each side of a 95 % interval.
const TAIL: f64 = 0.025;

/// The 95 % confidence interval of the mean of `games` games: low, high and method.
///
/// `cut`: whether some games were cut. `None` for a single game that was cut.
fn interval(games: u64, mean: f64, stddev: Option<f64>, cut: bool) -> Option<([f64; 2], Method)> {
    let n = games as f64;
    if games < MANY_GAMES && !cut {
        let chi = ChiSquared::new(2.0 * n).ok()?;
        let bound = |p| 2.0 * n * mean / chi.inverse_cdf(p);
        return Some(([bound(1.0 - TAIL), bound(TAIL)], Method::ChiSquared));
    }
    let half = quantile(n - 1.0)? * stddev? / n.sqrt();
    Some(([(mean - half).max(0.0), mean + half], Method::Normal))
}

/// Degrees of freedom above which Student's t is taken as normal, equal to three digits: the time
/// of statrs 0.19 grows with them.
const NORMAL: f64 = 10_000.0;

/// The 97.5 % quantile of Student's t.
fn quantile(freedom: f64) -> Option<f64> {
    if freedom >= NORMAL {
        return Some(Normal::standard().inverse_cdf(1.0 - TAIL));
    }
    let t = StudentsT::new(0.0, 1.0, freedom).ok()?;
    Some(t.inverse_cdf(1.0 - TAIL))
}

/// Statistics of all finished games, and the speed.
#[derive(Debug, Serialize)]
pub struct StrengthReport {
    /// Statistics of the lines.
    #[serde(flatten)]
    pub summary: Summary,
    /// Pieces of all games.
    pub pieces: u64,
    /// Lines of each game, by game number.
    pub lines: Vec<u64>,
    /// Speed of the last run; the rest does not depend on it.
    pub speed: Speed,
}

/// Speed of the last run.
#[derive(Debug, Default, Serialize)]
pub struct Speed {
    /// Games played at the same time.
    pub threads: usize,
    /// Games taken from an earlier run.
    pub resumed: u64,
    /// Duration of the last run.
    pub seconds: f64,
    /// Pieces a second; `None` if none was placed.
    pub pieces_per_second: Option<f64>,
}

impl StrengthReport {
    /// Reports games given by ascending number; `None` if there are none.
    pub fn of(games: &[GameResult], speed: Speed) -> Option<Self> {
        let pieces = games.iter().map(|played| played.pieces);
        Some(Self {
            summary: Summary::of(games)?,
            pieces: pieces.fold(0, u64::saturating_add),
            lines: games.iter().map(|played| played.lines).collect(),
            speed,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        let error = (found - expected).abs();
        let holds = error <= 1e-6 * expected.abs().max(1.0);
        assert!(holds, "got {found}, expected {expected}");
    }

    /// The summary of games with these lines, which all ended for the same reason.
    fn of(lines: &[u64], end: EndReason) -> Option<Summary> {
        let pieces = 0;
        let played = |&lines: &u64| GameResult { pieces, lines, end };
        Summary::of(&lines.iter().map(played).collect::<Vec<_>>())
    }

    /// By hand: sum 40; squares of the differences 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32, over 7.
    #[test]
    fn summary_equals_computation_by_hand_in_any_order() {
        let mut lines = [2, 4, 4, 4, 5, 5, 7, 9];
        let summary = of(&lines, EndReason::Lost).unwrap();
        assert_eq!((summary.games, summary.mean, summary.median), (8, 5.0, 4.5));
        close(summary.stddev.unwrap(), 2.138_089_935);
        // 80 / 28.845351 and 80 / 6.907664, chi-squared with 16 degrees of freedom.
        let [low, high] = summary.ci95.unwrap();
        close(low, 2.773_410_7);
        close(high, 11.581_339_1);
        assert_eq!(summary.interval, Some(Method::ChiSquared));
        lines.reverse();
        assert_eq!(of(&lines, EndReason::Lost), Some(summary));
    }

    #[test]
    fn summary_of_special_games_leaves_unknown_values_out() {
        use Method::{ChiSquared, Normal};
        let mut mixed = [GameResult {
            pieces: 9,
            lines: 3,
            end: EndReason::Lost,
        }; 4];
        mixed[2].end = EndReason::Cut;
        let (lost, cut) = (EndReason::Lost, EndReason::Cut);
        let (zero, chi, normal) = (Some(0.0), Some(ChiSquared), Some(Normal));
        for (summary, mean, stddev, interval, cut) in [
            (of(&[7], lost), 7.0, None, chi, 0),
            (of(&[7], cut), 7.0, None, None, 1),
            (of(&[0; 3], lost), 0.0, zero, chi, 0),
            (of(&[5; 30], lost), 5.0, zero, normal, 0),
            (Summary::of(&mixed), 3.0, zero, normal, 1),
        ] {
            let found = summary.unwrap();
            assert_eq!((found.mean, found.median), (mean, mean), "{found:?}");
            assert_eq!((found.stddev, found.interval), (stddev, interval));
            assert_eq!((found.ci95.is_some(), found.cut), (interval.is_some(), cut));
        }
        assert_eq!(of(&[], EndReason::Lost), None);
    }

    /// Values from tables of Student's t and of the normal distribution.
    #[test]
    fn quantile_equals_tables() {
        for (freedom, t) in [(1.0, 12.706_204_7), (29.0, 2.045_229_6), (1e8, 1.959_964_0)] {
            close(quantile(freedom).unwrap(), t);
        }
    }

    #[test]
    fn interval_of_few_games_covers_mean_95_of_100_times() {
        let mut random = crate::train::random::Random::new(1);
        for games in [2, 5, 20] {
            let covered = (0..4_000).filter(|_| {
                let lines = (0..games).map(|_| -(1.0 - random.uniform()).ln());
                let mean = lines.sum::<f64>() / games as f64;
                let ([low, high], _) = interval(games, mean, None, false).unwrap();
                low <= 1.0 && 1.0 <= high
            });
            let share = covered.count() as f64 / 4_000.0;
            assert!((0.94..0.96).contains(&share), "{games}: {share}");
        }
    }

    #[test]
    fn interval_of_many_or_cut_games_is_normal_above_zero() {
        let ([low, high], method) = interval(100, 10.0, Some(5.0), false).unwrap();
        assert_eq!(method, Method::Normal);
        close(low, 10.0 - 1.984_216_9 * 0.5);
        close(high, 10.0 + 1.984_216_9 * 0.5);
        let ([low, high], _) = interval(4, 1.0, Some(9.0), true).unwrap();
        assert!(low == 0.0 && high > 10.0);
    }
}
