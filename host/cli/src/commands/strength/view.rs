//! A strength measurement as text: title, progress, result.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use indicatif::{FormattedDuration, HumanCount, ProgressBar, ProgressState};
use lockstep_games::tetris::{Arithmetic, PieceSource, Search};
use lockstep_lab::strength::summary::StrengthReport;
use lockstep_lab::strength::tetris::GameSettings;

use super::histogram::bars;
use crate::output;
use crate::output::numbers::{Short, decimal};
use crate::output::{GAMES, count};

/// The games to be played, in one line.
pub fn title(terms: &GameSettings) -> String {
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

/// A progress bar of games, with the pieces placed; `shown`: whether standard error shows it.
pub fn bar(games: u64, finished: u64, pieces: &Arc<AtomicU64>, shown: bool) -> ProgressBar {
    let pieces = Arc::clone(pieces);
    let style = "  {human_pos}/{human_len} games  {pieces} pieces  {eta} left  {wide_bar}";
    let bar = output::bar(games, style, shown);
    let placed = move |_: &ProgressState, out: &mut dyn fmt::Write| {
        // A bar that cannot be drawn cannot be reported either.
        let _ = write!(out, "{}", Short(pieces.load(Relaxed) as f64));
    };
    bar.set_style(bar.style().with_key("pieces", placed));
    bar.set_position(finished);
    bar.reset_eta();
    // A short run may end before the first tick.
    bar.force_draw();
    bar
}

/// Whether a run without a progress bar reports its progress after this many finished games: after
/// every tenth of them but the last, which the result follows.
pub fn is_milestone(finished: u64, games: u64) -> bool {
    finished < games && finished.is_multiple_of(games.div_ceil(10))
}

/// The progress in one line.
pub fn line(bar: &ProgressBar, pieces: &AtomicU64) -> String {
    let games = HumanCount(bar.position());
    let of = HumanCount(bar.length().unwrap_or(0));
    let pieces = Short(pieces.load(Relaxed) as f64);
    let left = FormattedDuration(bar.eta());
    format!("{games}/{of} games  {pieces} pieces  {left} left")
}

/// The result.
pub fn report(report: &StrengthReport) -> String {
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
    let bars = bars(&report.lines);
    let pieces = HumanCount(report.pieces);
    text + &format!("\n{bars}\n  pieces    {pieces}\n  pieces/s  {rate}\n")
}

#[cfg(test)]
mod tests {
    use lockstep_lab::strength::summary::Speed;
    use lockstep_lab::strength::{EndReason, GameResult};

    use super::*;

    #[test]
    fn milestones_are_nine_at_most() {
        let lines = |games| (1..=games).filter(|n| is_milestone(*n, games)).count();
        assert_eq!([1, 3, 10, 11, 100, 109].map(lines), [0, 2, 9, 5, 9, 9]);
        assert!(is_milestone(20, 100) && !is_milestone(21, 100));
    }

    fn of(lines: &[u64]) -> StrengthReport {
        let played = |&lines: &u64| GameResult {
            pieces: 1_000 * lines,
            lines,
            end: EndReason::Lost,
        };
        let games: Vec<GameResult> = lines.iter().map(played).collect();
        let speed = Speed {
            pieces_per_second: Some(1_234_567.5),
            ..Speed::default()
        };
        StrengthReport::of(&games, speed).expect("games")
    }

    #[test]
    fn report_has_all_numbers() {
        let text = report(&of(&[1, 2, 3, 4_000]));
        let expected = "4 games, lines per game:
  mean      1,001.50
  95 % CI   456.93 to 3,675.68 (chi-squared)
  std dev   1,999.00
  median    2.50

        1 - 334  3  ############################################################
      335 - 668  0
";
        assert!(text.starts_with(expected), "{text}");
        let end = "\n\n  pieces    4,006,000\n  pieces/s  1,234,567\n";
        assert!(text.ends_with(end), "{text}");
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        assert!(!text.contains("lower bound"), "{text}");
        let many = report(&of(&[7; 30]));
        assert!(
            many.contains("  95 % CI   7.00 to 7.00 (normal)\n"),
            "{many}"
        );
    }
}
