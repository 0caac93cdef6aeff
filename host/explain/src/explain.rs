//! In what a backend differs from another one, and where that begins.

use std::collections::BTreeSet;

use lockstep::Spec;
use lockstep::compare::{Column, Mismatch, columns, compare, first_difference};
use lockstep_games::{Explain, Game, Golden, Trace, Value};
use serde::{Deserialize, Serialize};

use crate::ExplainError;
use crate::ask::{Asker, Said, Told};
use crate::case::Case;

/// What two backends say of a case, and where they part.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Explanation<G: Game> {
    /// What was asked last.
    pub position: G::Position,
    /// What the reference says.
    pub expected: Told<G>,
    /// What the other one says.
    pub got: Told<G>,
    /// The fields of the answer that differ, clock cycles among them.
    pub mismatches: Vec<Mismatch>,
    /// The fields of what is weighed that differ, each with all places.
    pub columns: Vec<Column>,
    /// What that comes to.
    pub verdict: Verdict,
}

impl<G: Game> Explanation<G> {
    /// Which of all that is weighed differs in some field, each once, in order.
    pub fn differing(&self) -> Vec<usize> {
        let places = self.columns.iter().flat_map(|column| &column.differs);
        let numbers: BTreeSet<usize> = places.map(|(number, ..)| *number).collect();
        numbers.into_iter().collect()
    }
}

/// What is looked for in a waveform: a field of one of all that is weighed at the last
/// position of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sought {
    /// Which of all that is weighed it is, from 0 on.
    pub weighed: usize,
    /// Name of the field.
    pub field: &'static str,
}

impl Verdict {
    /// What shows it in a waveform of the one that is wrong; `None` where that is nothing that
    /// is weighed.
    pub fn sought(&self) -> Option<Sought> {
        match *self {
            Self::Weighs { weighed, field, .. } => Some(Sought { weighed, field }),
            // What it takes for the best; what it passes over where it finds none.
            Self::Chooses { expected, got } => got.or(expected).map(|weighed| Sought {
                weighed,
                field: "score",
            }),
            _ => None,
        }
    }
}

/// Where two backends part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Verdict {
    /// They agree.
    Agrees,
    /// They weigh something otherwise.
    Weighs {
        /// The first field that differs, in the order of the definitions.
        field: &'static str,
        /// The first of all that is weighed in which it does, from 0 on.
        weighed: usize,
        /// Its value there for the reference.
        expected: Value,
        /// Its value there for the other one.
        got: Value,
        /// In how many places it differs.
        places: usize,
        /// What the field is by the definitions.
        definition: Option<&'static str>,
    },
    /// What one of them weighs the other one does not.
    Counts {
        /// How much the reference weighs.
        expected: usize,
        /// How much the other one does.
        got: usize,
        /// The first of all that is weighed that is not the same, from 0 on.
        first: usize,
    },
    /// They weigh the same and choose otherwise.
    Chooses {
        /// Which of all that is weighed is to be chosen; `None` if none of it.
        expected: Option<usize>,
        /// Which one is.
        got: Option<usize>,
    },
    /// They weigh and choose the same, and tell something else of what they choose.
    Tells {
        /// The first field that differs.
        field: &'static str,
        /// Its value for the reference.
        expected: Value,
        /// Its value for the other one.
        got: Value,
    },
    /// They weigh the same and choose the same when they tell what they weigh, but the
    /// answer is another.
    Answers {
        /// The first field of the answer that differs.
        field: &'static str,
        /// Its value for the reference.
        expected: Value,
        /// Its value for the other one.
        got: Value,
    },
    /// The answer is the same and took another number of clock cycles than it has to.
    Takes {
        /// Those it has to take.
        expected: Value,
        /// Those it took.
        got: Value,
    },
    /// The answer is another, and the backend does not tell what it weighs.
    Untold {
        /// The first field of the answer that differs.
        field: &'static str,
        /// Its value for the reference.
        expected: Value,
        /// Its value for the other one.
        got: Value,
    },
    /// The simulated core stopped itself, or said nothing any more.
    Stops {
        /// What it said.
        why: String,
    },
}

/// A verdict without the values, to tell whether a smaller case shows the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symptom {
    /// Name of the verdict.
    pub kind: String,
    /// The field, or the assertion, that it is about; empty where it is about none.
    pub what: String,
}

impl Verdict {
    /// What stays the same of it in a smaller case; `None` where nothing is wrong.
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

/// The assertion that failed; where none did, what was said without its numbers, which are
/// those of clock cycles.
fn place(why: &str) -> String {
    const FAILED: &str = "Assertion failed in ";
    match why.split_once(FAILED) {
        Some((_, rest)) => rest.split([':', ' ']).next().unwrap_or(rest).into(),
        None => why.chars().filter(|c| !c.is_ascii_digit()).collect(),
    }
}

/// Asks a case of two backends, and where they part. Where the reference does not tell what
/// it weighs the golden model is taken for that.
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

/// Something is left out, or too much.
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

/// What is weighed is the same, and what is chosen of it, or what is told of that, another.
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
