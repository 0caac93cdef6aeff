//! Progress for people: a bar on a terminal, a line now and then elsewhere.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{
    FormattedDuration, HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};

use super::estimate::Moment;
use super::progress::Progress;

/// How often the bar is drawn anew.
const TICK: Duration = Duration::from_millis(250);

/// A bar on standard error that moves within games too; `shown`: whether there
/// is anything to see.
pub fn bar(progress: &Arc<Progress>, shown: bool) -> ProgressBar {
    if !shown {
        return ProgressBar::hidden();
    }
    let now = progress.now();
    let bar = ProgressBar::with_draw_target(Some(now.plan.games), ProgressDrawTarget::stderr());
    let progress = Arc::clone(progress);
    let style = ProgressStyle::with_template("  {moment}  {wide_bar}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key(
            "moment",
            move |_: &ProgressState, out: &mut dyn fmt::Write| {
                // Nobody can be told that the bar cannot be drawn.
                let _ = write!(out, "{}", progress.now());
            },
        );
    let bar = bar.with_style(style).with_position(now.games());
    // From here on a thread of its own draws it, which a short run may not await.
    bar.force_draw();
    bar.enable_steady_tick(TICK);
    bar
}

/// Whether a run without a bar says how far it is, now that this many of its
/// games are finished: at every tenth but the last, which the result follows.
pub fn is_milestone(finished: u64, games: u64) -> bool {
    finished < games && finished.is_multiple_of(games.div_ceil(10))
}

/// One line, for a terminal of 80 columns with a short bar beside it.
impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (games, of) = (HumanCount(self.games()), HumanCount(self.plan.games));
        let pieces = Short(self.all_pieces() as f64);
        write!(f, "{games}/{of} games  {pieces} pieces")?;
        if let Some(rate) = self.rate() {
            write!(f, "  {}/s", Short(rate))?;
        }
        if let Some(mean) = self.mean() {
            write!(f, "  mean {}", Short(mean))?;
        }
        match self.left() {
            Some(left) => write!(f, "  {} left", FormattedDuration(left)),
            None => write!(f, "  estimating"),
        }
    }
}

/// A number in three digits: `4.12M`.
pub(super) struct Short(pub f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut value, mut unit) = (self.0, "");
        for next in ["k", "M", "G", "T", "P", "E"] {
            // What would be rounded to 1000 is 1 of the next unit.
            if value.abs() < 999.5 {
                break;
            }
            (value, unit) = (value / 1000.0, next);
        }
        let places = match value.abs() {
            // Whole numbers stay whole.
            v if unit.is_empty() && v.fract() == 0.0 => 0,
            v if v < 9.995 => 2,
            v if v < 99.95 => 1,
            _ => 0,
        };
        write!(f, "{value:.places$}{unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::estimate::Plan;

    #[test]
    fn numbers_have_three_digits() {
        let short = |value| Short(value).to_string();
        for (value, text) in [
            (0.0, "0"),
            (7.0, "7"),
            (27.41, "27.4"),
            (9.996, "10.0"),
            (999.0, "999"),
            (999.6, "1.00k"),
            (1_234.0, "1.23k"),
            (99_960.0, "100k"),
            (35_123_456.0, "35.1M"),
            (4.1e11, "410G"),
        ] {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn a_long_run_fits_eighty_columns() {
        let plan = Plan {
            games: 1_000,
            threads: 8,
            ..Plan::default()
        };
        let begun = Moment {
            plan,
            elapsed: Duration::from_secs(100_000),
            pieces: 512_345_678_901,
            finished: 0,
            finished_pieces: 0,
            finished_lines: 0,
        };
        let text = "0/1,000 games  512G pieces  5.12M/s  estimating";
        assert_eq!(begun.to_string(), text);
        let later = Moment {
            finished: 370,
            finished_pieces: 500_000_000_000,
            finished_lines: 200_000_000_000,
            ..begun
        };
        let text = "370/1,000 games  512G pieces  5.12M/s  mean 554M  2d 00:19:44 left";
        assert_eq!(later.to_string(), text);
        assert!(text.len() < 74, "no room for a bar");
    }

    #[test]
    fn there_are_nine_lines_of_progress_at_most() {
        let lines = |games| (1..=games).filter(|n| is_milestone(*n, games)).count();
        assert_eq!([1, 3, 10, 11, 100, 109].map(lines), [0, 2, 9, 5, 9, 9]);
        assert!(is_milestone(20, 100) && !is_milestone(21, 100));
    }
}
