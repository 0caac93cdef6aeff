//! Where two decisions differ.

use std::fmt;

use serde::Serialize;

use crate::games::Game;

/// A named field of a decision.
pub type Field = (&'static str, Value);

/// A field's value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// The decision has no such field.
    Nothing,
    /// True or false.
    Flag(bool),
    /// A whole number.
    Number(u64),
    /// Anything else, as people write it.
    Text(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.pad("-"),
            Self::Flag(flag) => f.pad(if *flag { "yes" } else { "no" }),
            Self::Number(number) => f.pad(&number.to_string()),
            Self::Text(text) => f.pad(text),
        }
    }
}

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

/// All fields in which an answer differs from the expected decision; empty
/// exactly when they are equal.
pub fn mismatches<G: Game>(
    backend: usize,
    expected: &G::Decision,
    got: &G::Decision,
) -> Vec<Mismatch> {
    if expected == got {
        return Vec::new();
    }
    let pairs = G::fields(expected).into_iter().zip(G::fields(got));
    pairs
        .filter(|(expected, got)| expected != got)
        .map(|((field, expected), (_, got))| Mismatch {
            backend,
            field,
            expected,
            got,
        })
        .collect()
}
