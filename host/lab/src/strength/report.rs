//! What came of the games, as text.

use std::fmt;

use indicatif::HumanCount;
use serde::Serialize;

use super::estimate::Moment;
use super::histogram::Histogram;
use super::summary::Summary;
use super::{End, Played};

/// Finished games, summed up.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Their lines in numbers.
    #[serde(flatten)]
    pub summary: Summary,
    /// Games stopped at the most pieces a game may have.
    pub cut: u64,
    /// Pieces of all games.
    pub pieces: u64,
    /// Lines of each game, in their order.
    pub lines: Vec<u64>,
    /// How the last run of this program went; the rest does not depend on it.
    pub speed: Speed,
}

/// How fast it went.
#[derive(Debug, Serialize)]
pub struct Speed {
    /// Games played at the same time.
    pub threads: usize,
    /// Games that were finished before.
    pub resumed: u64,
    /// Time the others took.
    pub seconds: f64,
    /// Pieces a second; `None` when none was placed.
    pub pieces_per_second: Option<f64>,
}

impl Report {
    /// Sums games up, in their order, at the end of a run; `None` when there are
    /// none.
    pub fn of(games: &[Played], end: &Moment) -> Option<Self> {
        let lines: Vec<u64> = games.iter().map(|played| played.lines).collect();
        let pieces = games.iter().map(|played| played.pieces);
        let cut = games.iter().filter(|played| played.end == End::Cut);
        Some(Self {
            summary: Summary::of(&lines)?,
            cut: cut.count() as u64,
            pieces: pieces.fold(0, u64::saturating_add),
            lines,
            speed: Speed {
                threads: end.plan.threads,
                resumed: end.plan.finished,
                seconds: end.elapsed.as_secs_f64(),
                pieces_per_second: end.rate(),
            },
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary {
            games,
            mean,
            median,
            stddev,
            ci95,
        } = self.summary;
        let dash = || "-".to_owned();
        let interval = |[low, high]: [f64; 2]| format!("{} to {}", decimal(low), decimal(high));
        let rate = self.speed.pieces_per_second;
        let rate = rate.map_or_else(dash, |rate| HumanCount(rate as u64).to_string());
        let plural = if games == 1 { "" } else { "s" };
        writeln!(f, "{} game{plural}, lines per game:", HumanCount(games))?;
        writeln!(f, "  mean      {}", decimal(mean))?;
        writeln!(f, "  95 % CI   {}", ci95.map_or_else(dash, interval))?;
        writeln!(f, "  std dev   {}", stddev.map_or_else(dash, decimal))?;
        writeln!(f, "  median    {}", decimal(median))?;
        if self.cut > 0 {
            let (cut, all) = (HumanCount(self.cut), HumanCount(games));
            writeln!(
                f,
                "  {cut} of {all} stopped at --max-pieces: the mean is a lower bound"
            )?;
        }
        writeln!(f, "\n{}", Histogram::of(&self.lines))?;
        writeln!(f, "  pieces    {}", HumanCount(self.pieces))?;
        writeln!(f, "  pieces/s  {rate}")
    }
}

/// Two places, commas between thousands.
fn decimal(value: f64) -> String {
    let hundredths = (value.abs() * 100.0).round() as u128;
    let whole = HumanCount(u64::try_from(hundredths / 100).unwrap_or(u64::MAX));
    let sign = if value < 0.0 && hundredths > 0 {
        "-"
    } else {
        ""
    };
    format!("{sign}{whole}.{:02}", hundredths % 100)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::strength::estimate::Plan;

    fn report(lines: &[u64], end: End) -> Report {
        let played = |&lines: &u64| Played {
            pieces: 1_000 * lines,
            lines,
            end,
        };
        let games: Vec<Played> = lines.iter().map(played).collect();
        let end = Moment {
            plan: Plan::default(),
            elapsed: Duration::from_secs(2),
            pieces: 2_469_135,
            finished: 0,
            finished_pieces: 0,
            finished_lines: 0,
        };
        Report::of(&games, &end).unwrap()
    }

    #[test]
    fn a_report_has_all_the_numbers() {
        let text = report(&[1, 2, 3, 4_000], End::Lost).to_string();
        let expected = "4 games, lines per game:
  mean      1,001.50
  95 % CI   -2,179.36 to 4,182.36
  std dev   1,999.00
  median    2.50

        0 - 499  3  ############################################################
      500 - 999  0
";
        assert!(text.starts_with(expected), "{text}");
        assert!(
            text.ends_with("\n\n  pieces    4,006,000\n  pieces/s  1,234,567\n"),
            "{text}"
        );
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        assert!(!text.contains("lower bound"), "{text}");
    }

    #[test]
    fn numbers_have_two_places_and_commas() {
        for (value, text) in [
            (0.0, "0.00"),
            (-0.001, "0.00"),
            (0.999, "1.00"),
            (1_234_567.891, "1,234,567.89"),
            (-12.5, "-12.50"),
        ] {
            assert_eq!(decimal(value), text);
        }
    }

    #[test]
    fn what_one_game_cannot_tell_is_a_dash() {
        let one = report(&[0], End::Lost);
        let text = one.to_string();
        assert!(text.contains("95 % CI   -\n  std dev   -\n"), "{text}");
        assert!(text.starts_with("1 game, lines"), "{text}");
        let json = serde_json::to_value(&one).unwrap();
        assert!(json["stddev"].is_null() && json["ci95"].is_null(), "{json}");
        assert_eq!(json["games"], 1);
    }

    #[test]
    fn cut_games_make_the_mean_a_lower_bound() {
        let cut = report(&[5, 5], End::Cut);
        assert_eq!(cut.cut, 2);
        let told = "2 of 2 stopped at --max-pieces: the mean is a lower bound";
        assert!(cut.to_string().contains(told), "{cut}");
    }
}
