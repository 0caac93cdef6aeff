//! The first difference between two backends: its field, its candidate and its kind.

use std::collections::BTreeSet;

use lockstep::Spec;
use lockstep::compare::{Column, Mismatch, columns, compare, first_difference};
use lockstep_games::{Explain, Game, Golden, Trace, Value};
use serde::{Deserialize, Serialize};

use crate::ExplainError;
use crate::ask::{Asker, Said, Told};
use crate::case::Case;

/// The answers of two backends to a case, and their first difference.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Explanation<G: Game> {
    /// The last position of the case.
    pub position: G::Position,
    /// The reference's answer.
    pub expected: Told<G>,
    /// The other backend's answer.
    pub got: Told<G>,
    /// The fields of the answer that differ, clock cycles among them.
    pub mismatches: Vec<Mismatch>,
    /// The fields of candidates that differ, each with all its candidates.
    pub columns: Vec<Column>,
    /// The kind of the first difference.
    pub verdict: Verdict,
}

impl<G: Game> Explanation<G> {
    /// Indices of the candidates that differ in some field, ascending.
    pub fn differing(&self) -> Vec<usize> {
        let places = self.columns.iter().flat_map(|column| &column.differs);
        let numbers: BTreeSet<usize> = places.map(|(number, ..)| *number).collect();
        numbers.into_iter().collect()
    }
}

/// A field of a candidate at the last position of a case, to be found in a waveform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sought {
    /// Index of the candidate.
    pub weighed: usize,
    /// Name of the field.
    pub field: &'static str,
}

impl Verdict {
    /// The candidate that shows it in a waveform of the wrong core, if any does.
    pub fn sought(&self) -> Option<Sought> {
        match *self {
            Self::Weighs { weighed, field, .. } => Some(Sought { weighed, field }),
            // The candidate that it chose; the one it should have chosen where it chose none.
            Self::Chooses { expected, got } => got.or(expected).map(|weighed| Sought {
                weighed,
                field: "score",
            }),
            _ => None,
        }
    }
}

/// The first difference of two backends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Verdict {
    /// They agree.
    Agrees,
    /// A field of a candidate differs.
    Weighs {
        /// The first field that differs, in the order of the definitions.
        field: &'static str,
        /// Index of the first candidate in which it differs.
        weighed: usize,
        /// Its value there for the reference.
        expected: Value,
        /// Its value there for the other one.
        got: Value,
        /// Number of candidates in which it differs.
        places: usize,
        /// What the field is by the definitions.
        definition: Option<&'static str>,
    },
    /// One has candidates that the other has not.
    Counts {
        /// Candidates of the reference.
        expected: usize,
        /// Candidates of the other one.
        got: usize,
        /// Index of the first candidate that is not the same.
        first: usize,
    },
    /// The candidates are equal, and the chosen ones differ.
    Chooses {
        /// Index of the candidate that should be chosen, if any.
        expected: Option<usize>,
        /// Index of the candidate that was chosen, if any.
        got: Option<usize>,
    },
    /// Candidates and choice are equal, and a field of the traced decision differs.
    Tells {
        /// The first field that differs.
        field: &'static str,
        /// Its value for the reference.
        expected: Value,
        /// Its value for the other one.
        got: Value,
    },
    /// The traces are equal, and the answer differs.
    Answers {
        /// The first field of the answer that differs.
        field: &'static str,
        /// Its value for the reference.
        expected: Value,
        /// Its value for the other one.
        got: Value,
    },
    /// The answers are equal, and the number of clock cycles is not the expected one.
    Takes {
        /// The expected clock cycles.
        expected: Value,
        /// The clock cycles it took.
        got: Value,
    },
    /// The answer differs, and the backend reports no candidates.
    Untold {
        /// The first field of the answer that differs.
        field: &'static str,
        /// Its value for the reference.
        expected: Value,
        /// Its value for the other one.
        got: Value,
    },
    /// The simulated core stopped itself, or fell silent.
    Stops {
        /// Its last words.
        why: String,
    },
}

/// A verdict without its values: a smaller case must have the same one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symptom {
    /// Name of the verdict.
    pub kind: String,
    /// Its field or assertion; empty where it has none.
    pub what: String,
}

impl Verdict {
    /// The verdict without its values; `None` where nothing is wrong.
    pub fn symptom(&self) -> Option<Symptom> {
        let (kind, what) = match self {
            Self::Agrees => return None,
            Self::Weighs { field, .. } => ("weighs", (*field).into()),
            Self::Counts { .. } => ("counts", String::new()),
            Self::Chooses { .. } => ("chooses", String::new()),
            Self::Tells { field, .. } => ("tells", (*field).into()),
            Self::Answers { field, .. } => ("answers", (*field).into()),
            Self::Takes { .. } => ("takes", String::new()),
            Self::Untold { field, .. } => ("untold", (*field).into()),
            Self::Stops { why } => ("stops", place(why)),
        };
        Some(Symptom {
            kind: kind.into(),
            what,
        })
    }
}

/// The failed assertion; without one, the last words without their numbers, which are clock cycles.
fn place(why: &str) -> String {
    const FAILED: &str = "Assertion failed in ";
    match why.split_once(FAILED) {
        Some((_, rest)) => rest.split([':', ' ']).next().unwrap_or(rest).into(),
        None => why.chars().filter(|c| !c.is_ascii_digit()).collect(),
    }
}

/// Runs a case on two backends and finds their first difference. Where the reference reports no
/// candidates, those of the golden model are taken.
///
/// # Errors
/// When a backend cannot be opened or fails, or the golden model does not play so;
/// [`ExplainError::Interrupted`].
pub async fn explain<G: Golden + Explain>(
    asker: &mut Asker<'_, G>,
    reference: &Spec,
    backend: &Spec,
    case: &Case<G>,
) -> Result<Explanation<G>, ExplainError> {
    let position = case.last().ok_or(ExplainError::Empty)?;
    let mut expected = asker.tell(reference, case).await?;
    let got = asker.tell(backend, case).await?;
    if expected.trace.is_none() && got.trace.is_some() {
        let trace = G::trace(&case.controller, position);
        expected.trace = trace.map_err(|e| ExplainError::Golden(e.into()))?;
    }
    let (mut mismatches, mut weighed) = (Vec::new(), Vec::new());
    if let (Said::Answer(right), Said::Answer(answer)) = (&expected.said, &got.said) {
        let answers = [right.clone(), answer.clone()];
        mismatches = compare(&right.decision, &[1, 0], &answers);
        mismatches.retain(|mismatch| mismatch.backend == 0);
    }
    if let (Some(expected), Some(got)) = (&expected.trace, &got.trace) {
        weighed = columns(expected, got);
    }
    let verdict = judge(&expected, &got, &mismatches, &weighed);
    Ok(Explanation {
        position: position.clone(),
        expected,
        got,
        mismatches,
        columns: weighed,
        verdict,
    })
}

fn judge<G: Explain>(
    expected: &Told<G>,
    got: &Told<G>,
    mismatches: &[Mismatch],
    columns: &[Column],
) -> Verdict {
    if let Said::Stopped(why) = &got.said {
        return Verdict::Stops { why: why.clone() };
    }
    let traces = expected.trace.as_ref().zip(got.trace.as_ref());
    if let Some(counts) = traces.and_then(|(expected, got)| counts(expected, got)) {
        return counts;
    }
    if let (Some(column), Some((weighed, expected, got))) = (
        columns.first(),
        columns.first().and_then(|c| c.differs.first()),
    ) {
        return Verdict::Weighs {
            field: column.field,
            weighed: *weighed,
            expected: expected.clone(),
            got: got.clone(),
            places: column.differs.len(),
            definition: G::definition(column.field),
        };
    }
    if let Some(verdict) = traces.and_then(|(expected, got)| choice(expected, got)) {
        return verdict;
    }
    let Some(first) = mismatches.first() else {
        return Verdict::Agrees;
    };
    let (field, expected, got) = (first.field, first.expected.clone(), first.got.clone());
    match (field, traces) {
        ("cycles", _) => Verdict::Takes { expected, got },
        (_, Some(_)) => Verdict::Answers {
            field,
            expected,
            got,
        },
        (_, None) => Verdict::Untold {
            field,
            expected,
            got,
        },
    }
}

/// The verdict where the numbers of candidates differ.
fn counts<G: Game>(expected: &Trace<G>, got: &Trace<G>) -> Option<Verdict> {
    let counts = [expected, got].map(|trace| trace.candidates.len());
    let mut pairs = expected.candidates.iter().zip(&got.candidates);
    let same = pairs.position(|(expected, got)| expected != got);
    (counts[0] != counts[1]).then(|| Verdict::Counts {
        expected: counts[0],
        got: counts[1],
        first: same.unwrap_or(counts[0].min(counts[1])),
    })
}

/// The verdict where all candidates are equal, and the decision differs.
fn choice<G: Explain>(expected: &Trace<G>, got: &Trace<G>) -> Option<Verdict> {
    let first = first_difference(expected, got)?;
    let right = G::choice(&expected.candidates);
    let chosen = G::chosen(&got.candidates, &got.decision);
    Some(match right == chosen {
        true => Verdict::Tells {
            field: first.field,
            expected: first.expected,
            got: first.got,
        },
        false => Verdict::Chooses {
            expected: right,
            got: chosen,
        },
    })
}
