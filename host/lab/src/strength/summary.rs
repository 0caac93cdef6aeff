//! The lines of many games in a few numbers.

use serde::Serialize;

use super::interval::{self, Method};
use super::{End, Played};

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
    /// 95 % confidence interval of the mean: low, high; `None` for one game that
    /// was cut.
    pub ci95: Option<[f64; 2]>,
    /// How that interval was found.
    pub interval: Option<Method>,
    /// Games stopped at the most pieces a game may have; with any, mean and
    /// interval are lower bounds.
    pub cut: u64,
}

impl Summary {
    /// Sums games up by their lines; `None` when there are none.
    pub fn of(games: &[Played]) -> Option<Self> {
        let mut sorted: Vec<u64> = games.iter().map(|played| played.lines).collect();
        sorted.sort_unstable();
        let cut = games.iter().filter(|played| played.end == End::Cut).count();
        let middle = sorted.len() / 2;
        let upper = *sorted.get(middle)? as f64;
        let median = if sorted.len().is_multiple_of(2) {
            f64::midpoint(sorted[middle - 1] as f64, upper)
        } else {
            upper
        };
        let n = games.len() as f64;
        // Whole numbers first: the sum is exact.
        let mean = sorted.iter().map(|&l| u128::from(l)).sum::<u128>() as f64 / n;
        // In order of size, so that no order of the games shows in the last digit.
        let squares: f64 = sorted.iter().map(|&l| (l as f64 - mean).powi(2)).sum();
        let stddev = (n > 1.0).then(|| (squares / (n - 1.0)).sqrt());
        let interval = interval::of_mean(games.len() as u64, mean, stddev, cut > 0);
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

    /// Lost games of so many lines.
    fn of(lines: &[u64]) -> Option<Summary> {
        let played = |&lines: &u64| Played {
            pieces: 0,
            lines,
            end: End::Lost,
        };
        Summary::of(&lines.iter().map(played).collect::<Vec<_>>())
    }

    /// By hand: sum 40, squares of the differences 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16
    /// = 32, over 7.
    #[test]
    fn a_summary_is_what_it_is_by_hand() {
        let summary = of(&[2, 4, 4, 4, 5, 5, 7, 9]).unwrap();
        assert_eq!((summary.games, summary.mean, summary.median), (8, 5.0, 4.5));
        close(summary.stddev.unwrap(), 2.138_089_935);
        // 80 / 28.845351 and 80 / 6.907664, chi-squared with 16 degrees of freedom.
        let [low, high] = summary.ci95.unwrap();
        close(low, 2.773_410_7);
        close(high, 11.581_339_1);
        assert_eq!(summary.interval, Some(Method::ChiSquared));
    }

    /// Thirty games, or one that was cut: the interval is another.
    #[test]
    fn the_interval_says_how_it_was_found() {
        let many = of(&[1; 30]).unwrap();
        assert_eq!(many.interval, Some(Method::Normal));
        let mut games = [Played {
            pieces: 9,
            lines: 3,
            end: End::Lost,
        }; 4];
        games[2].end = End::Cut;
        let cut = Summary::of(&games).unwrap();
        assert_eq!((cut.interval, cut.cut), (Some(Method::Normal), 1));
    }

    #[test]
    fn the_order_of_the_games_does_not_matter() {
        let some = [9, 1, 100, 3, 0, 77, 12_345];
        let mut turned = some;
        turned.reverse();
        assert_eq!(of(&some), of(&turned));
        assert_eq!(of(&some).unwrap().median, 9.0);
    }

    #[test]
    fn one_game_has_no_spread_and_no_games_no_summary() {
        let one = of(&[7]).unwrap();
        assert_eq!((one.mean, one.median), (7.0, 7.0));
        assert_eq!(one.stddev, None);
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn equal_games_have_no_spread() {
        for lines in [0, 5, u64::MAX] {
            let summary = of(&[lines; 3]).unwrap();
            let lines = lines as f64;
            assert_eq!((summary.mean, summary.median), (lines, lines));
            assert_eq!(summary.stddev, Some(0.0));
            let [low, high] = summary.ci95.unwrap();
            assert!(low <= lines && lines <= high, "{summary:?}");
        }
    }
}
