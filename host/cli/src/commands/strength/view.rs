//! A strength measurement as text: title, progress, result.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use indicatif::{FormattedDuration, HumanCount, ProgressBar, ProgressState};
use lockstep::backend::wire::Bucket;
use lockstep_games::tetris::{Arithmetic, PieceSource, Search};
use lockstep_lab::strength::summary::StrengthReport;
use lockstep_lab::strength::tetris::GameSettings;
use lockstep_report::bars::gather;

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

/// Width of a histogram in columns of text.
const WIDTH: usize = 80;
/// Largest number of bars.
const BARS: u64 = 12;

/// A bar of `#` for each range of lines.
fn bars(lines: &[u64]) -> String {
    let lines: Vec<(u64, u64)> = lines.iter().map(|&lines| (lines, 1)).collect();
    let bars = gather(&lines, BARS);
    let label = |bar: &Bucket| match bar {
        Bucket { low, high, .. } if low == high => HumanCount(*low).to_string(),
        Bucket { low, high, .. } => format!("{} - {}", HumanCount(*low), HumanCount(*high)),
    };
    let count = |bar: &Bucket| HumanCount(bar.count).to_string();
    let widest = |text: &dyn Fn(&Bucket) -> String| {
        let lengths = bars.iter().map(|bar| text(bar).len());
        lengths.max().unwrap_or(0)
    };
    let (labels, counts) = (widest(&label), widest(&count));
    let room = WIDTH.saturating_sub(2 + labels + 2 + counts + 2).max(1) as u128;
    let most = bars.iter().map(|bar| bar.count).max();
    let most = u128::from(most.unwrap_or(0).max(1));
    let line = |bar: &Bucket| {
        // A rare game still shows.
        let length = (u128::from(bar.count) * room / most).max(u128::from(bar.count.min(1)));
        let (label, count, bar) = (label(bar), count(bar), "#".repeat(length as usize));
        let line = format!("  {label:>labels$}  {count:>counts$}  {bar}");
        line.trim_end().to_owned() + "\n"
    };
    bars.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::is_milestone;

    #[test]
    fn milestones_are_nine_at_most() {
        let lines = |games| (1..=games).filter(|n| is_milestone(*n, games)).count();
        assert_eq!([1, 3, 10, 11, 100, 109].map(lines), [0, 2, 9, 5, 9, 9]);
        assert!(is_milestone(20, 100) && !is_milestone(21, 100));
    }
}
