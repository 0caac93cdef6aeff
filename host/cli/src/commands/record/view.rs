//! Recorded decisions and statistics as text.

use std::io::{self, Write};

use indicatif::HumanCount;
use lockstep::record::{Entry, Head, outcome_phrase};
use lockstep::report::text::side_by_side;
use lockstep_games::Value;

use super::stats::{BackendStats, Stats};
use super::{ends, players};
use crate::games::CliGame;
use crate::output::failure::shown as safe;
use crate::output::{BAD, DECISIONS, GAMES, STRONG, count, kind, table};

/// Writes the controllers, board, seed and backends of a record.
pub fn header<G: CliGame>(out: &mut dyn Write, head: &Head<G>) -> io::Result<()> {
    let board = head
        .board
        .map(|(columns, rows)| format!(", board {columns}x{rows}"));
    let seed = head.seed.map(|seed| format!(", seed {seed}"));
    let pieces = head
        .generator
        .as_ref()
        .map(|g| format!(", {} {}", G::WORDS.step.many, g.name));
    let controller = players(head);
    let [board, seed, pieces] = [board, seed, pieces].map(Option::unwrap_or_default);
    let line = format!("controller {controller}{board}{pieces}{seed}");
    writeln!(out, "{}", safe(&line))?;
    let width = head.backends.iter().map(|b| b.name.width()).max();
    for b in &head.backends {
        let (name, width) = (&b.name, width.unwrap_or(0));
        let description = &b.description;
        writeln!(out, "  {STRONG}{name:<width$}{STRONG:#}  {description}")?;
    }
    Ok(())
}

/// Writes a decision: its picture, and beside it the pictures of those that differ.
pub fn decision<G: CliGame>(
    out: &mut dyn Write,
    head: &Head<G>,
    entry: &Entry<G>,
    width: usize,
) -> io::Result<()> {
    let (game, step) = (HumanCount(entry.game), HumanCount(entry.step));
    let asked = head.asked(&entry.position).into_iter();
    let mut asked = asked.filter_map(|index| head.backends.get(index));
    let reference = asked
        .next()
        .map_or("decision".into(), |b| b.name.to_string());
    let differ = entry
        .diverged
        .iter()
        .map(|(name, decision)| (safe(name), decision));
    let differ: Vec<_> = differ.collect();
    write!(out, "\n{STRONG}game {game}, move {step}{STRONG:#}")?;
    match kind::<G>(&entry.position) {
        Some(class) => writeln!(out, ": {class}")?,
        None => writeln!(out)?,
    }
    let own = G::picture(&entry.position, Some(&entry.decision));
    let mut pictures = vec![(reference.as_str(), own)];
    for (name, decision) in &differ {
        pictures.push((name, G::picture(&entry.position, Some(decision))));
    }
    writeln!(
        out,
        "{}",
        side_by_side(&pictures, width).trim_end_matches('\n')
    )?;
    writeln!(out, "  {reference}: {}", fields::<G>(&entry.decision))?;
    for (name, decision) in &differ {
        writeln!(out, "  {BAD}{name}{BAD:#}: {}", fields::<G>(decision))?;
    }
    for (name, cycles) in &entry.cycles {
        let expected = entry.expected_cycles.get(name);
        let expected = expected.map(|expected| format!("expected {expected}, got "));
        let (name, expected) = (safe(name), expected.unwrap_or_default());
        writeln!(out, "  {name}: {expected}{cycles} clock cycles")?;
    }
    Ok(())
}

/// The fields of a decision, in one line.
fn fields<G: CliGame>(decision: &G::Decision) -> String {
    let fields = G::fields(decision).into_iter();
    let none = |value: &Value| matches!(value, Value::Flag(_) | Value::Nothing | Value::Unknown);
    let shown = fields.filter(|field| !none(&field.value));
    let shown = shown.map(|field| format!("{} {}", field.name.replace('_', " "), field.value));
    match shown.collect::<Vec<_>>() {
        none if none.is_empty() => format!("no {} is legal", G::CANDIDATE.one),
        shown => shown.join(", "),
    }
}

/// Writes the statistics of one record.
pub fn stats(out: &mut dyn Write, stats: &Stats) -> io::Result<()> {
    let name = safe(stats.record.display());
    let controller = safe(&stats.controller);
    let (_, ends) = ends(stats.ending);
    writeln!(
        out,
        "{STRONG}{name}{STRONG:#}: controller {controller}, {ends}"
    )?;
    let number = |n: u64| HumanCount(n).to_string();
    let gained = &stats.gained;
    let moves = gained.moves.as_ref().map_or(String::new(), |moves| {
        let (least, most) = (number(moves.least), number(moves.most));
        let (many, mean) = (gained.step, moves.mean);
        match least == most {
            true => format!(" of {least} {many}"),
            false => format!(" of {least} to {most} {many}, {mean:.1} on average"),
        }
    });
    let (decisions, games) = (count(stats.decisions, DECISIONS), count(stats.games, GAMES));
    let points = gained.points.map_or(String::new(), |(name, points)| {
        format!(", {} {}", number(points), name.replace('_', " "))
    });
    write!(out, "  {decisions}, {games}{moves}{points}")?;
    for (outcome, games) in &stats.outcomes {
        let outcome = safe(outcome_phrase(outcome));
        write!(out, ", {outcome}: {}", number(*games))?;
    }
    writeln!(out)?;
    if let (Some(agreed), Some(diverged)) = (stats.agreed, stats.diverged) {
        let (agreed, bad) = (number(agreed), number(diverged));
        match diverged {
            0 => writeln!(out, "  {agreed} agreed, 0 diverged")?,
            _ => writeln!(out, "  {agreed} agreed, {BAD}{bad} diverged{BAD:#}")?,
        }
    }
    let cell = |value: Option<u64>| value.map_or("-".into(), number);
    let rows = stats.backends.iter().map(|b: &BackendStats| {
        let mean = b
            .cycles
            .mean
            .map_or("-".into(), |mean| format!("{mean:.1}"));
        [
            b.name.to_string(),
            number(b.diverged),
            mean,
            cell(b.cycles.p50),
            cell(b.cycles.p99),
            cell(b.cycles.max),
        ]
    });
    let header = ["backend", "diverged", "cycles: mean", "p50", "p99", "max"];
    write!(out, "{}", table::plain(header, rows, 1..))
}
