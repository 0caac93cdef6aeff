//! A session's numbers for people.

use std::io::{self, Write};

use indicatif::HumanCount;
use lockstep::report::Totals;
use lockstep_games::{Game, Noun};

use super::{BAD, DECISIONS, GAMES, GOOD, count, table};

/// Writes the summary of a session of a game. `record`: where it was recorded.
pub fn summary<G: Game>(
    out: &mut dyn Write,
    totals: &Totals,
    record: Option<&str>,
) -> io::Result<()> {
    let decisions = count(totals.decisions, DECISIONS);
    match (totals.compared, totals.diverged) {
        (0, _) if totals.decisions > 0 => {
            writeln!(out, "{decisions} by one backend alone, none compared")?
        }
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
        write!(out, "{}", backends(totals))?;
    }
    if let Some(record) = record {
        writeln!(out, "record: {record}")?;
    }
    Ok(())
}

fn backends(totals: &Totals) -> String {
    let rows = totals.backends.iter().map(|b| {
        let mean = b.cycles.mean.map(|mean| format!("{mean:.1}"));
        let max = b.cycles.max.map(|max| HumanCount(max.into()).to_string());
        [
            b.name.clone(),
            HumanCount(b.decisions).to_string(),
            b.diverged.map_or("-".into(), |n| HumanCount(n).to_string()),
            mean.unwrap_or_else(|| "-".into()),
            max.unwrap_or_else(|| "-".into()),
        ]
    });
    let header = ["backend", "decisions", "diverged", "cycles: mean", "max"];
    table::plain(header, rows, 1..)
}
