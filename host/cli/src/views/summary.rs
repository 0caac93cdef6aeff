//! A session's numbers for people.

use std::io::{self, Write};

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use indicatif::HumanCount;
use lockstep::report::Totals;
use lockstep_games::{Game, Noun};

use super::{BAD, DECISIONS, GAMES, GOOD, count};

/// Writes the summary of a session of a game. `record`: where it was recorded.
pub fn summary<G: Game>(
    out: &mut dyn Write,
    totals: &Totals,
    record: Option<&str>,
) -> io::Result<()> {
    let decisions = count(totals.decisions, DECISIONS);
    match (totals.compared, totals.diverged) {
        (0, _) if totals.decisions > 0 => writeln!(
            out,
            "{decisions}, none compared: name two backends to compare"
        )?,
        (0, _) => writeln!(out, "{decisions}")?,
        (compared, diverged) => {
            let (agreed, diverged) = (totals.agreed.unwrap_or(0), diverged.unwrap_or(0));
            let (good, bad) = (HumanCount(agreed), HumanCount(diverged));
            let compared = count(compared, DECISIONS);
            match diverged {
                0 => writeln!(
                    out,
                    "{compared} compared: {GOOD}{good} agreed{GOOD:#}, 0 diverged"
                )?,
                _ => writeln!(
                    out,
                    "{compared} compared: {good} agreed, {BAD}{bad} diverged{BAD:#}"
                )?,
            }
        }
    }
    if totals.interrupted {
        writeln!(out, "{BAD}interrupted{BAD:#} before the end")?;
    }
    if totals.games > 0 {
        write!(out, "{}", count(totals.games, GAMES))?;
        let Noun { many, .. } = G::WORDS.score;
        if let Some(Some(score)) = totals.score.get(many) {
            write!(out, ", {}", count(*score, G::WORDS.score))?;
        }
        writeln!(out)?;
    }
    if !totals.backends.is_empty() {
        writeln!(out, "{}", backends(totals))?;
    }
    if let Some(record) = record {
        writeln!(out, "record: {record}")?;
    }
    Ok(())
}

fn backends(totals: &Totals) -> String {
    let mut table = Table::new();
    table.load_preset(NOTHING);
    table.set_header(["  backend", "decisions", "diverged", "cycles: mean", "max"]);
    for b in &totals.backends {
        let mean = b
            .cycles
            .mean
            .map_or("-".into(), |mean| format!("{mean:.1}"));
        let max = b.cycles.max.map(|max| HumanCount(max.into()).to_string());
        table.add_row([
            format!("  {}", b.name),
            HumanCount(b.decisions).to_string(),
            HumanCount(b.diverged).to_string(),
            mean,
            max.unwrap_or_else(|| "-".into()),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let text = table.to_string();
    let lines = text.lines().map(|line| line.trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}
