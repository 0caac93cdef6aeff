//! A histogram of the lines of many games, as text.

use indicatif::HumanCount;
use lockstep_report::bars::{Bar, gather};

/// Width of a histogram in columns of text.
const WIDTH: usize = 80;
/// Largest number of bars.
const BARS: u64 = 12;

/// A bar of `#` for each range of lines.
pub fn bars(lines: &[u64]) -> String {
    let lines: Vec<(u64, u64)> = lines.iter().map(|&lines| (lines, 1)).collect();
    let bars = gather(&lines, BARS);
    let label = |bar: &Bar| match bar {
        Bar { low, high, .. } if low == high => HumanCount(*low).to_string(),
        Bar { low, high, .. } => format!("{} - {}", HumanCount(*low), HumanCount(*high)),
    };
    let count = |bar: &Bar| HumanCount(bar.count).to_string();
    let widest = |text: &dyn Fn(&Bar) -> String| {
        let lengths = bars.iter().map(|bar| text(bar).len());
        lengths.max().unwrap_or(0)
    };
    let (labels, counts) = (widest(&label), widest(&count));
    let room = WIDTH.saturating_sub(2 + labels + 2 + counts + 2).max(1) as u128;
    let most = bars.iter().map(|bar| bar.count).max();
    let most = u128::from(most.unwrap_or(0).max(1));
    let line = |bar: &Bar| {
        // A rare game still shows.
        let length = (u128::from(bar.count) * room / most).max(u128::from(bar.count.min(1)));
        let (label, count, bar) = (label(bar), count(bar), "#".repeat(length as usize));
        let line = format!("  {label:>labels$}  {count:>counts$}  {bar}");
        line.trim_end().to_owned() + "\n"
    };
    bars.iter().map(line).collect()
}
