//! Whole games for people: what is played, how far it is, and what came of it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{
    FormattedDuration, HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use lockstep_games::tetris::{Arithmetic, PieceSource, Search};
use lockstep_lab::strength::estimate::Moment;
use lockstep_lab::strength::histogram::Histogram;
use lockstep_lab::strength::progress::Progress;
use lockstep_lab::strength::report::Report;
use lockstep_lab::strength::tetris::Terms;

use super::histogram::bars;
use super::numbers::{Short, decimal};
use super::{GAMES, count};

/// How often the bar is drawn anew.
const TICK: Duration = Duration::from_millis(250);

/// What is played, in one line.
pub fn title(terms: &Terms) -> String {
    let (name, setup) = (&terms.controller.name, &terms.setup);
    let mut parts = Vec::new();
    if terms.own_rules {
        parts.push(format!("{name} by its own rules"));
    } else {
        parts.push(format!("{name} on {}", setup.board));
        parts.push(match setup.piece_source {
            PieceSource::Uniform => "uniform pieces".into(),
            PieceSource::Bag => "pieces from a bag".into(),
        });
        if setup.next_known {
            parts.push("the next one known".into());
        }
        let search = terms.controller.linear().map(|linear| linear.search);
        if let Some(search) = search.filter(|search| *search != Search::ONE) {
            parts.push(search.to_string());
        }
        match terms.arithmetic {
            Arithmetic::Fixed => {}
            Arithmetic::Float => parts.push("floating point".into()),
            Arithmetic::Bits(bits) => parts.push(format!("weights of {bits} bits")),
        }
    }
    parts.push(format!("seed {}", setup.seed));
    if let Some(most) = terms.max_pieces {
        parts.push(format!("at most {} pieces a game", HumanCount(most)));
    }
    parts.join(", ")
}

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
                let _ = out.write_str(&line(&progress.now()));
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

/// How far it is, in one line: for a terminal of 80 columns with a short bar
/// beside it.
pub fn line(now: &Moment) -> String {
    let (games, of) = (HumanCount(now.games()), HumanCount(now.plan.games));
    let pieces = Short(now.all_pieces() as f64);
    let mut parts = vec![format!("{games}/{of} games"), format!("{pieces} pieces")];
    if let Some(rate) = now.rate() {
        parts.push(format!("{}/s", Short(rate)));
    }
    if let Some(mean) = now.mean() {
        parts.push(format!("mean {}", Short(mean)));
    }
    parts.push(match now.left() {
        Some(left) => format!("{} left", FormattedDuration(left)),
        None => "estimating".into(),
    });
    parts.join("  ")
}

/// What came of it.
pub fn report(report: &Report) -> String {
    let dash = || "-".to_owned();
    let places = |value| decimal(value, 2);
    let summary = &report.summary;
    let interval = summary.ci95.zip(summary.interval);
    let interval = interval.map(|([low, high], method)| {
        format!("{} to {} ({})", places(low), places(high), method.name())
    });
    let games = count(summary.games, GAMES);
    let mut text = format!("{games}, lines per game:\n");
    for (name, value) in [
        ("mean", places(summary.mean)),
        ("95 % CI", interval.unwrap_or_else(dash)),
        ("std dev", summary.stddev.map_or_else(dash, places)),
        ("median", places(summary.median)),
    ] {
        text += &format!("  {name:<8}  {value}\n");
    }
    if summary.cut > 0 {
        let (cut, all) = (HumanCount(summary.cut), HumanCount(summary.games));
        text += &format!("  {cut} of {all} stopped at --max-pieces: the mean is a lower bound\n");
    }
    let rate = report.speed.pieces_per_second;
    let rate = rate.map_or_else(dash, |rate| HumanCount(rate as u64).to_string());
    let bars = bars(&Histogram::of(&report.lines));
    let pieces = HumanCount(report.pieces);
    text + &format!("\n{bars}\n  pieces    {pieces}\n  pieces/s  {rate}\n")
}

#[cfg(test)]
mod tests {
    use lockstep_lab::strength::estimate::Plan;
    use lockstep_lab::strength::{End, Played};

    use super::*;

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
        assert_eq!(line(&begun), text);
        let later = Moment {
            finished: 370,
            finished_pieces: 500_000_000_000,
            finished_lines: 200_000_000_000,
            ..begun
        };
        let text = "370/1,000 games  512G pieces  5.12M/s  mean 554M  2d 00:19:44 left";
        assert_eq!(line(&later), text);
        assert!(text.len() < 74, "no room for a bar");
    }

    #[test]
    fn there_are_nine_lines_of_progress_at_most() {
        let lines = |games| (1..=games).filter(|n| is_milestone(*n, games)).count();
        assert_eq!([1, 3, 10, 11, 100, 109].map(lines), [0, 2, 9, 5, 9, 9]);
        assert!(is_milestone(20, 100) && !is_milestone(21, 100));
    }

    fn of(lines: &[u64], end: End) -> Report {
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
        Report::of(&games, &end).expect("games")
    }

    #[test]
    fn a_report_has_all_the_numbers() {
        let text = report(&of(&[1, 2, 3, 4_000], End::Lost));
        let expected = "4 games, lines per game:
  mean      1,001.50
  95 % CI   456.93 to 3,675.68 (chi-squared)
  std dev   1,999.00
  median    2.50

        0 - 499  3  ############################################################
      500 - 999  0
";
        assert!(text.starts_with(expected), "{text}");
        let end = "\n\n  pieces    4,006,000\n  pieces/s  1,234,567\n";
        assert!(text.ends_with(end), "{text}");
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        assert!(!text.contains("lower bound"), "{text}");
        let many = report(&of(&[7; 30], End::Lost));
        assert!(
            many.contains("  95 % CI   7.00 to 7.00 (normal)\n"),
            "{many}"
        );
    }

    #[test]
    fn what_one_game_cannot_tell_is_a_dash() {
        let text = report(&of(&[100], End::Lost));
        assert!(
            text.contains("  95 % CI   27.11 to 3,949.79 (chi-squared)\n"),
            "{text}"
        );
        assert!(text.contains("  std dev   -\n"), "{text}");
        assert!(text.starts_with("1 game, lines"), "{text}");
        let text = report(&of(&[100], End::Cut));
        assert!(text.contains("  95 % CI   -\n  std dev   -\n"), "{text}");
    }

    #[test]
    fn cut_games_make_the_mean_a_lower_bound() {
        let text = report(&of(&[5, 5], End::Cut));
        let told = "2 of 2 stopped at --max-pieces: the mean is a lower bound";
        assert!(text.contains(told), "{text}");
    }
}
