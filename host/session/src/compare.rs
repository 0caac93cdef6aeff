//! Where two decisions differ, or a decision took another time than it has to.

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
/// backend; empty exactly when all are equal to it and took the clock cycles they
/// have to.
pub fn compare<G: Game>(expected: &G::Decision, answers: &[Answer<G>]) -> Vec<Mismatch> {
    let answers = answers.iter().enumerate();
    answers
        .flat_map(|(backend, answer)| {
            let differ = mismatches::<G>(backend, expected, &answer.decision);
            differ.into_iter().chain(cycles(backend, answer))
        })
        .collect()
}

/// Clock cycles that are not those it has to take.
fn cycles<G: Game>(backend: usize, answer: &Answer<G>) -> Option<Mismatch> {
    let number = |cycles: Option<u32>| cycles.map_or(Value::Nothing, |n| Value::Number(n.into()));
    let differ = answer.due.is_some() && answer.due != answer.cycles;
    differ.then(|| Mismatch {
        backend,
        field: "cycles",
        expected: number(answer.due),
        got: number(answer.cycles),
    })
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
