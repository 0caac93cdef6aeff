//! Compares decisions, traces, runs and cycle counts, field by field.

use std::fmt::{self, Debug};

use lockstep_games::{Batches as _, Field, Game, Note, RunResult, Sums, Trace, Value};
use serde::Serialize;

use crate::backend::Answer;

/// A field with its two values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldDifference {
    /// Name of the field.
    pub field: &'static str,
    /// Its expected value.
    pub expected: Value,
    /// Its value in what is compared.
    pub got: Value,
}

impl FieldDifference {
    fn of((expected, got): (Field, Field)) -> Self {
        Self {
            field: expected.name,
            expected: expected.value,
            got: got.value,
        }
    }
}

impl fmt::Display for FieldDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: expected {}, got {}",
            self.field, self.expected, self.got
        )
    }
}

/// A field in which an answer differs from the expected decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// Index of the backend that gave the answer.
    pub backend: usize,
    /// The field that differs, and its values.
    #[serde(flatten)]
    pub difference: FieldDifference,
}

/// Compares the answers of the backends with these indices with the expected decision.
///
/// The result is empty exactly when all decisions equal the expected one in the fields that both
/// report, all clock cycles are as expected, and all notes that backends promise ([`Note::promised`])
/// agree. A field that the expected decision lacks is compared with the first answer that reports it.
pub fn compare<G: Game>(
    expected: &G::Decision,
    asked: &[usize],
    answers: &[Answer<G>],
) -> Vec<Mismatch> {
    let by_backend = || asked.iter().copied().zip(answers);
    by_backend()
        .flat_map(|(backend, answer)| {
            let decided = differences("decision", expected, &answer.decision, G::fields);
            let lacking = lacking(expected, answers, &answer.decision);
            let notes = answer.notes.iter().filter_map(move |note| {
                let promised = |other: &&Note| other.promised && other.name == note.name;
                let mut notes = by_backend().flat_map(|(_, answer)| &answer.notes);
                // The first backend that promises the note gives the expected value.
                let first = notes.find(promised)?;
                (note.promised && note.value != first.value).then(|| FieldDifference {
                    field: note.name,
                    expected: first.value.clone(),
                    got: note.value.clone(),
                })
            });
            let decided = decided.into_iter().chain(lacking);
            let all = decided.chain(notes).chain(cycles(answer));
            all.map(move |difference| Mismatch {
                backend,
                difference,
            })
        })
        .collect()
}

/// The fields that the expected decision does not report, and in which a decision differs from the
/// first answer that does.
fn lacking<G: Game>(
    expected: &G::Decision,
    answers: &[Answer<G>],
    got: &G::Decision,
) -> Vec<FieldDifference> {
    if expected == got {
        return Vec::new();
    }
    let unknown = |field: &Field| field.value == Value::Unknown;
    let fields = G::fields(expected).into_iter().zip(G::fields(got));
    let fields = fields.enumerate();
    let pairs = fields.filter_map(|(index, (expected, got))| {
        let mut reported = answers.iter().filter_map(|answer| {
            let field = G::fields(&answer.decision).into_iter().nth(index)?;
            (!unknown(&field)).then_some(field)
        });
        let first = unknown(&expected).then(|| reported.next()).flatten()?;
        (!unknown(&got) && got != first).then_some((first, got))
    });
    pairs.map(FieldDifference::of).collect()
}

/// Name of the field for clock cycles.
pub(crate) const CYCLES: &str = "cycles";

/// The difference of an answer with a wrong number of clock cycles.
fn cycles<G: Game>(answer: &Answer<G>) -> Option<FieldDifference> {
    let number = |cycles: Option<u64>| cycles.map_or(Value::Nothing, Value::Number);
    answer.has_wrong_cycles().then(|| FieldDifference {
        field: CYCLES,
        expected: number(answer.expected_cycles),
        got: number(answer.cycles),
    })
}

/// Names of the fields in which two answers differ: fields of their decisions, notes that both
/// promise, and the clock cycles if one of them took a wrong number and the other did not take the
/// same.
pub(crate) fn fields_apart<G: Game>(one: &Answer<G>, other: &Answer<G>) -> Vec<&'static str> {
    let answers = [one.clone(), other.clone()];
    let mismatches = compare(&one.decision, &[0, 1], &answers).into_iter();
    let names = mismatches
        .filter(|m| m.backend == 1)
        .map(|m| m.difference.field);
    let mut names: Vec<_> = names.filter(|name| *name != CYCLES).collect();
    let [one, other] = answers.map(|answer| {
        let is_wrong = answer.has_wrong_cycles();
        is_wrong.then_some((answer.expected_cycles, answer.cycles))
    });
    if one != other {
        names.push(CYCLES);
    }
    names
}

/// The fields in which two values differ; empty exactly when the values are equal in all fields that
/// both report.
fn differences<T: PartialEq + Debug>(
    name: &'static str,
    expected: &T,
    got: &T,
    fields: impl Fn(&T) -> Vec<Field>,
) -> Vec<FieldDifference> {
    if expected == got {
        return Vec::new();
    }
    let pairs: Vec<_> = fields(expected).into_iter().zip(fields(got)).collect();
    let unknown = |(expected, got): &(Field, Field)| {
        [expected, got]
            .iter()
            .any(|field| field.value == Value::Unknown)
    };
    let is_partial = pairs.iter().any(unknown);
    let differ = pairs
        .into_iter()
        .filter(|pair| pair.0 != pair.1 && !unknown(pair));
    let mut found: Vec<_> = differ.map(FieldDifference::of).collect();
    if found.is_empty() && !is_partial {
        // They differ in something that no field shows.
        let shown = |what: &T| Value::Text(format!("{what:?}"));
        found.push(FieldDifference {
            field: name,
            expected: shown(expected),
            got: shown(got),
        });
    }
    found
}

/// The first difference of two traces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Index of the candidate; `None` if all common candidates are equal, and their number or the
    /// decision differs.
    #[serde(rename = "weighed")]
    pub candidate: Option<usize>,
    /// The field that differs, and its values.
    #[serde(flatten)]
    pub difference: FieldDifference,
}

/// The first field of the first candidate that differs; `None` exactly when the traces are equal.
pub fn first_difference<G: Game>(expected: &Trace<G>, got: &Trace<G>) -> Option<Difference> {
    let pairs = expected.candidates.iter().zip(&got.candidates).enumerate();
    let mut candidates = pairs.filter_map(|(number, (expected, got))| {
        let found = differences("candidate", expected, got, G::candidate_fields);
        Some((Some(number), found.into_iter().next()?))
    });
    let count = |trace: &Trace<G>| Value::Number(trace.candidates.len() as u64);
    let counts = || {
        let (expected, got) = (count(expected), count(got));
        (expected != got).then_some(FieldDifference {
            field: "parts",
            expected,
            got,
        })
    };
    let decided = || {
        let (expected, got) = (&expected.decision, &got.decision);
        let found = differences("decision", expected, got, G::fields);
        found.into_iter().next()
    };
    let (candidate, difference) = candidates
        .next()
        .or_else(|| Some((None, counts().or_else(decided)?)))?;
    Some(Difference {
        candidate,
        difference,
    })
}

/// A field of candidates, with all candidates in which two traces differ in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Name of the field.
    pub field: &'static str,
    /// Index of each candidate that differs, with its expected and its other value; never empty.
    pub differs: Vec<(usize, Value, Value)>,
}

/// Compares the candidates that two traces have in common, field by field, in the order of the game's
/// definitions.
pub fn columns<G: Game>(expected: &Trace<G>, got: &Trace<G>) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    let pairs = expected.candidates.iter().zip(&got.candidates).enumerate();
    for (number, (expected, got)) in pairs.filter(|(_, (expected, got))| expected != got) {
        let fields = G::candidate_fields(expected);
        for (index, (expected, got)) in fields.iter().zip(G::candidate_fields(got)).enumerate() {
            if columns.len() <= index {
                columns.push(Column {
                    field: expected.name,
                    differs: Vec::new(),
                });
            }
            if expected.value != got.value {
                let pair = (number, expected.value.clone(), got.value);
                columns[index].differs.push(pair);
            }
        }
    }
    columns.retain(|column| !column.differs.is_empty());
    columns
}

/// A field in which a run differs from the expected one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Deviation {
    /// Index of the move; `None` for a field of the sums.
    pub step: Option<usize>,
    /// The field that differs, and its values.
    #[serde(flatten)]
    pub difference: FieldDifference,
}

/// Compares runs: the fields of the first move that differs, or if all moves are equal, the fields of
/// the sums that differ. Empty exactly when the runs agree.
pub fn deviations<G: Game>(expected: &RunResult<G>, got: &RunResult<G>) -> Vec<Deviation> {
    let (count, got_count) = (expected.moves.len(), got.moves.len());
    for (step, (expected, got)) in expected.moves.iter().zip(&got.moves).enumerate() {
        let differ = differences("move", expected, got, G::Batches::move_fields);
        if !differ.is_empty() {
            let step = Some(step);
            let of = |difference| Deviation { step, difference };
            return differ.into_iter().map(of).collect();
        }
    }
    if count != got_count {
        let step = count.min(got_count);
        let difference = FieldDifference {
            field: "move",
            expected: Value::Flag(count > step),
            got: Value::Flag(got_count > step),
        };
        let step = Some(step);
        return vec![Deviation { step, difference }];
    }
    sums_deviations::<G>(&expected.sums, &got.sums)
}

/// The fields in which sums differ, without fields that one of them lacks.
pub fn sums_deviations<G: Game>(expected: &Sums<G>, got: &Sums<G>) -> Vec<Deviation> {
    let pairs = G::Batches::sums_fields(expected)
        .into_iter()
        .zip(G::Batches::sums_fields(got));
    let known = |field: &Field| field.value != Value::Nothing;
    pairs
        .filter(|(expected, got)| known(expected) && known(got) && expected != got)
        .map(|pair| Deviation {
            step: None,
            difference: FieldDifference::of(pair),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_without_a_field_name_the_whole() {
        let fields = |_: &Option<u8>| Vec::new();
        let found = |expected, got| differences("decision", expected, got, fields);
        assert_eq!(found(&Some(4), &Some(4)), []);
        let differ = found(&Some(4), &None);
        assert_eq!(differ.len(), 1);
        let text = differ[0].to_string();
        assert_eq!(text, "decision: expected Some(4), got None");
    }
}
