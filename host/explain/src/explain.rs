//! The first difference between two backends: its field, its candidate and its kind.

use std::collections::BTreeSet;

use lockstep::Spec;
use lockstep::compare::{Column, FieldDifference, Mismatch, columns, compare, first_difference};
use lockstep_games::{Explain, Game, Golden, Trace, Value};
use serde::{Deserialize, Serialize};

use crate::ExplainError;
use crate::case::Case;
use crate::runner::{CaseOutcome, CaseResult, CaseRunner};

/// The answers of two backends to a case, and their first difference.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Explanation<G: Game> {
    /// The last position of the case.
    pub position: G::Position,
    /// The reference's answer.
    pub expected: CaseResult<G>,
    /// The other backend's answer.
    pub got: CaseResult<G>,
    /// The fields of the answer that differ, including clock cycles.
    pub mismatches: Vec<Mismatch>,
    /// The fields of candidates that differ, each with all its candidates.
    pub columns: Vec<Column>,
    /// The kind of the first difference.
    pub verdict: Verdict,
}

impl<G: Game> Explanation<G> {
    /// Indices of the candidates that differ in some field, ascending.
    pub fn differing(&self) -> Vec<usize> {
        let differs = self.columns.iter().flat_map(|column| &column.differs);
        let indices: BTreeSet<usize> = differs.map(|(index, ..)| *index).collect();
        indices.into_iter().collect()
    }
}

/// A field of a candidate whose evaluation the marker of a waveform shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaveTarget {
    /// Index of the candidate.
    pub candidate: usize,
    /// Name of the field.
    pub field: &'static str,
}

/// The first difference of two backends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Verdict {
    /// No difference.
    Agrees,
    /// A field of a candidate differs.
    #[serde(rename = "weighs")]
    Candidate {
        /// The first field that differs, in the order of the definitions, and its values for the
        /// candidate.
        #[serde(flatten)]
        difference: FieldDifference,
        /// Index of the first candidate in which it differs.
        #[serde(rename = "weighed")]
        candidate: usize,
        /// Number of candidates in which it differs.
        #[serde(rename = "places")]
        count: usize,
        /// Definition of the field.
        definition: Option<&'static str>,
    },
    /// The numbers of candidates differ.
    #[serde(rename = "counts")]
    CandidateCount {
        /// Number of candidates of the reference.
        expected: usize,
        /// Number of candidates of the backend compared with it.
        got: usize,
        /// Index of the first candidate that differs or that one of them lacks.
        first: usize,
    },
    /// The candidates are equal, and the chosen ones differ.
    #[serde(rename = "chooses")]
    Choice {
        /// Index of the candidate that should be chosen, if any.
        expected: Option<usize>,
        /// Index of the candidate that was chosen, if any.
        got: Option<usize>,
    },
    /// Candidates and choice are equal, and a field of the traced decision differs.
    #[serde(rename = "tells")]
    TracedDecision(FieldDifference),
    /// The traces are equal, and a field of the answer differs.
    #[serde(rename = "answers")]
    Answer(FieldDifference),
    /// The answers are equal, and the numbers of clock cycles differ.
    #[serde(rename = "takes")]
    Cycles {
        /// The expected clock cycles.
        expected: Value,
        /// The clock cycles it took.
        got: Value,
    },
    /// A field of the answer differs, and the backend reports no candidates.
    #[serde(rename = "untold")]
    Untraced(FieldDifference),
    /// The simulated core stopped itself, or fell silent.
    #[serde(rename = "stops")]
    Stopped {
        /// Its last message.
        why: String,
    },
}

/// A verdict without its values: a smaller case must have the same one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symptom {
    /// Name of the verdict.
    pub kind: String,
    /// Its field or assertion; empty if it has none.
    pub what: String,
}

impl Verdict {
    /// The field that differs, if the verdict is about one.
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::Candidate { difference, .. }
            | Self::TracedDecision(difference)
            | Self::Answer(difference)
            | Self::Untraced(difference) => Some(difference.field),
            Self::Cycles { .. } => Some("cycles"),
            _ => None,
        }
    }

    /// The candidate whose evaluation by the wrong core a waveform should show, if any.
    pub fn wave_target(&self) -> Option<WaveTarget> {
        let target = |candidate, field| Some(WaveTarget { candidate, field });
        match self {
            Self::Candidate {
                candidate,
                difference,
                ..
            } => target(*candidate, difference.field),
            // The chosen one or, if it chose none, the one that should be chosen.
            Self::Choice { expected, got } => target(got.or(*expected)?, "score"),
            _ => None,
        }
    }

    /// The verdict without its values; `None` without a difference.
    pub fn symptom(&self) -> Option<Symptom> {
        let what = match self {
            Self::Agrees => return None,
            Self::Stopped { why } => stopped_at(why),
            Self::Cycles { .. } => String::new(),
            _ => self.field().unwrap_or_default().into(),
        };
        let named = serde_json::to_value(self).ok()?;
        let kind = named.get("kind")?.as_str()?.into();
        Some(Symptom { kind, what })
    }
}

/// The failed assertion; without one, the message without its numbers, which are clock cycles.
fn stopped_at(why: &str) -> String {
    const FAILED: &str = "Assertion failed in ";
    match why.split_once(FAILED) {
        Some((_, rest)) => rest.split([':', ' ']).next().unwrap_or(rest).into(),
        None => why.chars().filter(|c| !c.is_ascii_digit()).collect(),
    }
}

/// Runs a case on two backends and finds their first difference. If the reference reports no
/// candidates, the golden model's are compared.
///
/// # Errors
/// When a backend cannot be opened or fails, or the golden model refuses the case;
/// [`ExplainError::Interrupted`].
pub async fn explain<G: Golden + Explain>(
    runner: &mut CaseRunner<'_, G>,
    reference: &Spec,
    backend: &Spec,
    case: &Case<G>,
) -> Result<Explanation<G>, ExplainError> {
    let position = case.last().ok_or(ExplainError::Empty)?;
    let mut expected = runner.run(reference, case).await?;
    let got = runner.run(backend, case).await?;
    if expected.trace.is_none() && got.trace.is_some() {
        let trace = G::trace(&case.controller, position);
        expected.trace = trace.map_err(|e| ExplainError::Golden(e.into()))?;
    }
    let mut mismatches = Vec::new();
    if let (Some(right), Some(answer)) = (expected.outcome.answer(), got.outcome.answer()) {
        let answers = [right.clone(), answer.clone()];
        mismatches = compare(&right.decision, &[1, 0], &answers);
        mismatches.retain(|mismatch| mismatch.backend == 0);
    }
    let columns = match (&expected.trace, &got.trace) {
        (Some(expected), Some(got)) => columns(expected, got),
        _ => Vec::new(),
    };
    let verdict = judge(&expected, &got, &mismatches, &columns);
    Ok(Explanation {
        position: position.clone(),
        expected,
        got,
        mismatches,
        columns,
        verdict,
    })
}

fn judge<G: Explain>(
    expected: &CaseResult<G>,
    got: &CaseResult<G>,
    mismatches: &[Mismatch],
    columns: &[Column],
) -> Verdict {
    if let CaseOutcome::Stopped(why) = &got.outcome {
        return Verdict::Stopped { why: why.clone() };
    }
    let traces = expected.trace.as_ref().zip(got.trace.as_ref());
    if let Some(counts) = traces.and_then(|(expected, got)| counts(expected, got)) {
        return counts;
    }
    let column = columns.first().and_then(|c| Some((c, c.differs.first()?)));
    if let Some((column, (candidate, expected, got))) = column {
        return Verdict::Candidate {
            difference: FieldDifference {
                field: column.field,
                expected: expected.clone(),
                got: got.clone(),
            },
            candidate: *candidate,
            count: column.differs.len(),
            definition: G::definition(column.field),
        };
    }
    if let Some(verdict) = traces.and_then(|(expected, got)| choice(expected, got)) {
        return verdict;
    }
    let Some(first) = mismatches.first() else {
        return Verdict::Agrees;
    };
    let difference = first.difference.clone();
    match traces {
        _ if difference.field == "cycles" => Verdict::Cycles {
            expected: difference.expected,
            got: difference.got,
        },
        Some(_) => Verdict::Answer(difference),
        None => Verdict::Untraced(difference),
    }
}

/// The verdict if the numbers of candidates differ.
fn counts<G: Game>(expected: &Trace<G>, got: &Trace<G>) -> Option<Verdict> {
    let counts = [expected, got].map(|trace| trace.candidates.len());
    let mut pairs = expected.candidates.iter().zip(&got.candidates);
    let differs = pairs.position(|(expected, got)| expected != got);
    (counts[0] != counts[1]).then(|| Verdict::CandidateCount {
        expected: counts[0],
        got: counts[1],
        first: differs.unwrap_or(counts[0].min(counts[1])),
    })
}

/// The verdict if all candidates are equal, and the decision differs.
fn choice<G: Explain>(expected: &Trace<G>, got: &Trace<G>) -> Option<Verdict> {
    let first = first_difference(expected, got)?;
    let right = G::choice(&expected.candidates);
    let chosen = G::chosen(&got.candidates, &got.decision);
    Some(match right == chosen {
        true => Verdict::TracedDecision(first.difference),
        false => Verdict::Choice {
            expected: right,
            got: chosen,
        },
    })
}
