//! The lines of many games as bars of text.

use indicatif::HumanCount;
use lockstep_lab::strength::histogram::{Bin, Histogram};

/// Columns of text that a histogram fills.
const WIDTH: usize = 80;

/// A bar of `#` for each bin.
pub fn bars(histogram: &Histogram) -> String {
    let label = |bin: &Bin| match bin {
        Bin { low, high, .. } if low == high => HumanCount(*low).to_string(),
        Bin { low, high, .. } => format!("{} - {}", HumanCount(*low), HumanCount(*high)),
    };
    let widest = |text: &dyn Fn(&Bin) -> String| {
        let lengths = histogram.bins.iter().map(|bin| text(bin).len());
        lengths.max().unwrap_or(0)
    };
    let games = |bin: &Bin| HumanCount(bin.games).to_string();
    let (labels, counts) = (widest(&label), widest(&games));
    let room = WIDTH.saturating_sub(2 + labels + 2 + counts + 2).max(1) as u128;
    let most = histogram.bins.iter().map(|bin| bin.games).max();
    let most = u128::from(most.unwrap_or(0).max(1));
    let line = |bin: &Bin| {
        let length = u128::from(bin.games) * room / most;
        // A game is never so rare that it does not show.
        let bar = "#".repeat(length.max(u128::from(bin.games.min(1))) as usize);
        let line = format!("  {:>labels$}  {:>counts$}  {bar}", label(bin), games(bin));
        line.trim_end().to_owned() + "\n"
    };
    histogram.bins.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_fill_eighty_columns_and_the_rarest_shows() {
        let mut lines = vec![1_500; 1_000];
        lines.extend([0, 11_999]);
        let text = bars(&Histogram::of(&lines));
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows[0], "          0 - 999      1  #");
        assert_eq!(rows[1].len(), 80, "{text}");
        assert_eq!(rows[2], "    2,000 - 2,999      0");
        assert_eq!(rows[11], "  11,000 - 11,999      1  #");
        assert_eq!(bars(&Histogram::of(&[])), "");
    }
}
