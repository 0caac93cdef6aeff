//! Decisions, candidates and notes.

use serde::{Deserialize, Serialize};

use crate::{Note, Value};

/// The chosen column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "a column and its value")]
pub struct Decision {
    /// The column.
    pub column: usize,
    /// The value of the column for the side to move.
    pub value: i32,
}

/// A column, full or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Candidate {
    /// The column.
    pub column: usize,
    /// The value of the column for the side to move; `None` if it is full.
    pub value: Option<i32>,
}

/// The first candidate with the highest value, if any.
pub fn best(candidates: &[Candidate]) -> Option<Decision> {
    let mut best: Option<Decision> = None;
    for candidate in candidates {
        let column = candidate.column;
        let Some(value) = candidate.value else {
            continue;
        };
        if best.is_none_or(|best| value > best.value) {
            best = Some(Decision { column, value });
        }
    }
    best
}

/// The note of a search's depth in stones; only a complete search promises it.
pub fn depth(depth: u64, promised: bool) -> Note {
    Note {
        name: "depth",
        value: Value::Number(depth),
        promised,
    }
}

/// The note of how many stones a search dropped; only a complete alpha-beta search promises it.
pub fn nodes(nodes: u64, promised: bool) -> Note {
    Note {
        name: "nodes",
        value: Value::Number(nodes),
        promised,
    }
}
