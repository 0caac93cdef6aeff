//! `lockstep decide --trace`

use std::io::{self, Write};

use lockstep::Identity;
use lockstep::compare::{Difference, first_difference};
use lockstep_games::Trace;
use lockstep_games::tetris::{Placement, Position, Tetris, Weighed};
use serde::Serialize;

use super::write;
use crate::views::trace::{sentence, table};

/// One line of output with `--json`.
#[derive(Serialize)]
struct Line<'a> {
    /// Every placement as the first backend weighs it.
    weighed: &'a [Weighed],
    /// The placement it chose.
    decision: Option<Placement>,
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
pub fn tell(
    batch: &[(u64, Position)],
    rows: &[Vec<Trace<Tetris>>],
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
            let line = Line {
                weighed: &first.weighed,
                decision: first.decision,
                differences,
            };
            write(out, &line)?;
            continue;
        }
        writeln!(out, "position {number}, piece {:?}", position.piece)?;
        if backends.len() == 1 {
            out.write_all(table(first).as_bytes())?;
        } else if differences.is_empty() {
            let placements = first.weighed.len();
            writeln!(
                out,
                "  all agree on {placements} placements and the decision"
            )?;
        }
        for differs in &differences {
            let said = sentence(&differs.difference, first);
            let (other, reference) = (differs.backend, &backends[0].name);
            writeln!(out, "  {other} differs from {reference} first {said}")?;
        }
    }
    Ok(agreed)
}
