//! `lockstep decide --trace`

use std::io::{self, Write};

use lockstep::Identity;
use lockstep::compare::{Difference, first_difference};
use lockstep_games::Trace;
use serde::Serialize;

use super::write;
use crate::games::CliGame;
use crate::views::trace::{sentence, table};
use crate::views::{count, kind};

/// One line of output with `--json`.
#[derive(Serialize)]
#[serde(bound = "")]
struct Line<'a, G: CliGame> {
    /// Every candidate as the first backend weighs it.
    weighed: &'a [G::Candidate],
    /// What it decided.
    decision: &'a G::Decision,
    /// Where the other backends differ first from it, those that do.
    differences: Vec<Differs<'a>>,
}

#[derive(Serialize)]
struct Differs<'a> {
    backend: &'a str,
    #[serde(flatten)]
    difference: Difference,
}

/// Writes what the first backend weighs at a batch of positions, or, as text, what it and
/// others differ in first; whether all agreed.
///
/// # Errors
/// When it cannot be written.
pub fn tell<G: CliGame>(
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
                weighed: &first.candidates,
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
            let said = sentence(&differs.difference, first);
            let (other, reference) = (differs.backend, &backends[0].name);
            writeln!(out, "  {other} differs from {reference} first {said}")?;
        }
    }
    Ok(agreed)
}
