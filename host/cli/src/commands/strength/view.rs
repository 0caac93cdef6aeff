//! A strength measurement as text: title and result.

use indicatif::HumanCount;
use lockstep_lab::strength::summary::StrengthReport;
use lockstep_lab::strength::tetris::GameSettings;
use lockstep_report::bars::gather;

use crate::output::{GAMES, count, table};

/// The games to be played, in one line.
pub fn title(terms: &GameSettings) -> String {
    let (name, setup) = (&terms.controller.name, &terms.setup);
    let search = terms.controller.linear().map(|linear| linear.search);
    let mut parts = match terms.own_rules {
        true => vec![format!("{name} by its own rules")],
        false => vec![
            format!("{name} on {}", setup.board),
            format!("{} pieces", setup.piece_source),
            format!("{} arithmetic", terms.arithmetic),
        ],
    };
    parts.extend(search.map(|search| search.to_string()));
    parts.extend(setup.next_known.then(|| "the next piece known".into()));
    parts.push(format!("seed {}", setup.seed));
    let limit = terms.max_pieces.map(HumanCount);
    parts.extend(limit.map(|most| format!("at most {most} pieces a game")));
    parts.join(", ")
}

pub fn report(report: &StrengthReport) -> String {
    let dash = || "-".to_owned();
    let places = |value: f64| format!("{value:.2}");
    let summary = &report.summary;
    let interval = summary.ci95.zip(summary.interval);
    let interval =
        interval.map(|([low, high], method)| format!("{low:.2} to {high:.2} ({})", method.name()));
    let rate = report.speed.pieces_per_second;
    let rate = rate.map(|rate| HumanCount(rate as u64).to_string());
    let mut text = format!("{}, lines per game:\n", count(summary.games, GAMES));
    for (name, value) in [
        ("mean", places(summary.mean)),
        ("95 % CI", interval.unwrap_or_else(dash)),
        ("std dev", summary.stddev.map_or_else(dash, places)),
        ("median", places(summary.median)),
        ("pieces", HumanCount(report.pieces).to_string()),
        ("pieces/s", rate.unwrap_or_else(dash)),
    ] {
        text += &format!("  {name:<8}  {value}\n");
    }
    if summary.cut > 0 {
        let (cut, all) = (HumanCount(summary.cut), HumanCount(summary.games));
        text += &format!("  {cut} of {all} stopped at --max-pieces: the mean is a lower bound\n");
    }
    text + &bars(&report.lines)
}

/// A bar of `#` for each range of lines; at most 12 ranges.
fn bars(lines: &[u64]) -> String {
    let lines: Vec<_> = lines.iter().map(|&lines| (lines, 1)).collect();
    let bars = gather(&lines, 12);
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(1);
    let rows = bars.iter().map(|bar| {
        // A rare game still shows.
        let length = (bar.count * 40).div_ceil(most) as usize;
        let [low, count] = [bar.low, bar.count].map(|n| HumanCount(n).to_string());
        [low, count, "#".repeat(length)]
    });
    table::plain(["lines from", "games", ""], rows, ..2)
}
