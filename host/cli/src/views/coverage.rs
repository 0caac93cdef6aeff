//! What was reached of the RTL, in the terminal.

use std::fmt::Write as _;

use lockstep_lab::coverage::document::{place, told};
use lockstep_lab::coverage::report::{Figure, Report, Source};

use super::table::plain;

/// Figures by source and group of bins, and what was not reached.
pub fn text(report: &Report) -> String {
    let of = |figure: Figure| format!("{}/{}", figure.reached, figure.reachable);
    let row =
        |name: &str, lines, branches, bits| [name.to_owned(), of(lines), of(branches), of(bits)];
    let sources = report.sources.iter();
    let sources = sources.map(|s| row(&s.name, s.lines_reached(), s.branches(), s.bits));
    let all = row(
        "all",
        report.total(Source::lines_reached),
        report.total(Source::branches),
        report.total(|source| source.bits),
    );
    let header = ["source", "lines", "branches", "bits"];
    let mut text = plain(header, sources.chain([all]), 1..4);
    text.push('\n');
    let bins = report.seen.bins.iter();
    let bins = bins.map(|counted| [counted.name.clone(), told(counted.figure())]);
    text += &plain(["bins", "filled"], bins, 1..2);
    let places = || report.sources.iter().flat_map(|source| &source.places);
    let waived = places().filter(|place| place.reason.is_some()).count();
    let holes: Vec<String> = report.holes().map(|(s, hole)| place(s, hole)).collect();
    // Text takes all that is written to it.
    let _ = writeln!(
        text,
        "\nnever reached: {waived} for a known reason, {} without one",
        holes.len()
    );
    for hole in holes {
        let _ = writeln!(text, "  {hole}");
    }
    text
}
