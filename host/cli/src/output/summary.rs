//! The totals of a session as text.

use std::io::{self, Write};

use indicatif::HumanCount;
use lockstep::backend::Kind;
use lockstep::backend::wire::Latency;
use lockstep::record::outcome_phrase;
use lockstep::report::{BackendTotals, Totals};
use lockstep_games::{Game, Noun};

use super::{BAD, DECISIONS, GAMES, GOOD, count, table};

pub fn verdict(out: &mut dyn Write, totals: &Totals) -> io::Result<()> {
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
            let colour = if diverged == 0 { GOOD } else { BAD };
            writeln!(
                out,
                "{compared} compared: {colour}{good} agreed, {bad} diverged{colour:#}"
            )?;
        }
    }
    if totals.interrupted {
        writeln!(out, "{BAD}interrupted{BAD:#} before the end")?;
    }
    Ok(())
}

/// Writes the summary of a session; `record` is the file of its record.
pub fn summary<G: Game>(
    out: &mut dyn Write,
    totals: &Totals,
    record: Option<&str>,
) -> io::Result<()> {
    verdict(out, totals)?;
    if totals.games > 0 {
        write!(out, "{}", count(totals.games, GAMES))?;
        let Noun { many, .. } = G::WORDS.score;
        if let Some(Some(score)) = totals.score.get(many) {
            write!(out, ", {}", count(*score, G::WORDS.score))?;
        }
        for (outcome, games) in &totals.outcomes {
            write!(out, ", {}: {}", outcome_phrase(outcome), HumanCount(*games))?;
        }
        writeln!(out)?;
    }
    if !totals.backends.is_empty() {
        write!(out, "{}", backends(totals))?;
        if let Some(links) = links(totals) {
            write!(out, "{links}")?;
        }
    }
    if let Some(record) = record {
        writeln!(out, "record: {record}")?;
    }
    Ok(())
}

/// The traffic of links to boards, and of links to simulated cores if these have lost frames.
fn links(totals: &Totals) -> Option<String> {
    let listed = |b: &&BackendTotals| {
        let lossy = b
            .link
            .as_ref()
            .is_some_and(|link| link.counts.lost + link.counts.damaged > 0);
        b.kind == Kind::Link || lossy
    };
    let millis = |micros: u64| format!("{:.2}", micros as f64 / 1e3);
    let rows: Vec<_> = totals
        .backends
        .iter()
        .filter(listed)
        .filter_map(|b| {
            let link = b.link.as_ref()?;
            let latency = |of: fn(&Latency) -> u64| {
                link.latency.as_ref().map_or("-".into(), |l| millis(of(l)))
            };
            Some([
                b.name.to_string(),
                link.rate
                    .map_or("-".into(), |rate| HumanCount(rate.into()).to_string()),
                HumanCount(link.counts.lost).to_string(),
                HumanCount(link.counts.damaged).to_string(),
                HumanCount(link.counts.recovered).to_string(),
                latency(|l| l.p50),
                latency(|l| l.p99),
                latency(|l| l.p999),
                latency(|l| l.max),
            ])
        })
        .collect();
    let header = [
        "link",
        "baud",
        "retries",
        "damaged",
        "recovered",
        "latency ms: p50",
        "p99",
        "p99.9",
        "max",
    ];
    (!rows.is_empty()).then(|| table::plain(header, rows, 1..))
}

fn backends(totals: &Totals) -> String {
    let rows = totals.backends.iter().map(|b| {
        let mean = b.cycles.mean.map(|mean| format!("{mean:.1}"));
        let max = b.cycles.max.map(|max| HumanCount(max).to_string());
        [
            b.label(),
            HumanCount(b.decisions).to_string(),
            b.diverged.map_or("-".into(), |n| HumanCount(n).to_string()),
            mean.unwrap_or_else(|| "-".into()),
            max.unwrap_or_else(|| "-".into()),
        ]
    });
    let header = ["backend", "decisions", "diverged", "cycles: mean", "max"];
    table::plain(header, rows, 1..)
}
