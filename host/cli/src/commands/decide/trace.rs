//! `lockstep decide --trace`

use std::io::{self, Write};

use lockstep::Identity;
use lockstep::compare::{Difference, first_difference};
use lockstep::text::ForeignText;
use lockstep_games::{Explain, Field, Trace};
use serde::Serialize;

use super::write;
use crate::games::CliGame;
use crate::output::table::plain;
use crate::output::{count, kind};

/// One line of output with `--json`.
#[derive(Serialize)]
#[serde(bound = "")]
struct Line<'a, G: CliGame> {
    /// The first backend's candidates.
    #[serde(rename = "weighed")]
    candidates: &'a [G::Candidate],
    decision: &'a G::Decision,
    /// The first difference of each backend that differs from it.
    differences: Vec<Differs<'a>>,
}

#[derive(Serialize)]
struct Differs<'a> {
    backend: &'a ForeignText,
    #[serde(flatten)]
    difference: Difference,
}

/// Writes traces: candidates as JSON, or as text the first difference of each other backend.
///
/// Returns whether all backends agreed.
pub fn write_traces<G: CliGame>(
    batch: &[(u64, G::Position)],
    rows: &[Vec<Trace<G>>],
    backends: &[Identity],
    json: bool,
    out: &mut impl Write,
) -> io::Result<bool> {
    let mut agreed = true;
    for ((number, position), traces) in batch.iter().zip(rows) {
        let Some((first, others)) = traces.split_first() else {
            continue;
        };
        let others = others.iter().zip(backends.iter().skip(1));
        let differences: Vec<Differs<'_>> = others
            .filter_map(|(trace, backend)| {
                Some(Differs {
                    backend: &backend.name,
                    difference: first_difference(first, trace)?,
                })
            })
            .collect();
        agreed &= differences.is_empty();
        if json {
            let line = Line::<G> {
                candidates: &first.candidates,
                decision: &first.decision,
                differences,
            };
            write(out, &line)?;
            continue;
        }
        write!(out, "position {number}")?;
        match kind::<G>(position) {
            Some(class) => writeln!(out, ", {} {class}", G::WORDS.step.one)?,
            None => writeln!(out)?,
        }
        if backends.len() == 1 {
            out.write_all(table(first).as_bytes())?;
        } else if differences.is_empty() {
            let candidates = count(first.candidates.len() as u64, G::CANDIDATE);
            writeln!(out, "  all agree on {candidates} and the decision")?;
        }
        for differs in &differences {
            let difference = sentence(&differs.difference, first);
            let (other, reference) = (differs.backend, &backends[0].name);
            writeln!(out, "  {other} differs from {reference} first {difference}")?;
        }
    }
    Ok(agreed)
}

/// The first difference of another trace from this one.
fn sentence<G: Explain>(difference: &Difference, from: &Trace<G>) -> String {
    let Difference {
        candidate,
        difference,
    } = difference;
    let place = candidate.and_then(|number| Some((number, from.candidates.get(number)?)));
    let place = place.map_or("in the decision".into(), |(number, candidate)| {
        let (one, label) = (G::CANDIDATE.one, G::label(candidate));
        format!("at {one} {number} ({label})")
    });
    format!("{place}: {difference}")
}

/// A table of all candidates; the chosen one has a star.
fn table<G: Explain>(trace: &Trace<G>) -> String {
    let rows: Vec<Vec<Field>> = trace.candidates.iter().map(G::candidate_fields).collect();
    // The values of an illegal candidate are dashes.
    let shown = |field: &&Field| field.name != "legal";
    let header = rows.first().into_iter().flatten().filter(shown);
    let header = header.map(|field| field.name.replace('_', "\n"));
    let chosen = G::chosen(&trace.candidates, &trace.decision);
    let row = |(number, fields): (usize, &Vec<Field>)| -> Vec<String> {
        let mark = if chosen == Some(number) { "*" } else { "" };
        let values = fields.iter().filter(shown).map(|f| f.value.to_string());
        std::iter::once(mark.to_owned()).chain(values).collect()
    };
    plain(
        std::iter::once(String::new())
            .chain(header)
            .collect::<Vec<_>>(),
        rows.iter().enumerate().map(row),
        1..,
    )
}
