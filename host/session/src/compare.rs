//! Where two decisions differ.

use lockstep_games::{Field, Game, Value};
use serde::Serialize;

use crate::backend::Answer;

/// One field in which an answer differs from what was expected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// Index of the backend that gave the answer.
    pub backend: usize,
    /// Name of the field.
    pub field: &'static str,
    /// Its value in the expected decision.
    pub expected: Value,
    /// Its value in the answer.
    pub got: Value,
}

/// All differences between the expected decision and the answers, one answer a
/// backend; empty exactly when all are equal to it.
pub fn compare<G: Game>(expected: &G::Decision, answers: &[Answer<G>]) -> Vec<Mismatch> {
    let answers = answers.iter().enumerate();
    answers
        .flat_map(|(backend, answer)| mismatches::<G>(backend, expected, &answer.decision))
        .collect()
}

fn mismatches<G: Game>(backend: usize, expected: &G::Decision, got: &G::Decision) -> Vec<Mismatch> {
    if expected == got {
        return Vec::new();
    }
    let pairs = G::fields(expected).into_iter().zip(G::fields(got));
    let mut found: Vec<Mismatch> = pairs
        .filter(|(expected, got)| expected != got)
        .map(|(expected, got)| Mismatch {
            backend,
            field: expected.name,
            expected: expected.value,
            got: got.value,
        })
        .collect();
    if found.is_empty() {
        // Equality is agreement, whatever the fields can show.
        let shown =
            |decision: &G::Decision| Field::new("decision", Value::Text(format!("{decision:?}")));
        let (expected, got) = (shown(expected), shown(got));
        found.push(Mismatch {
            backend,
            field: expected.name,
            expected: expected.value,
            got: got.value,
        });
    }
    found
}
