//! Decisions, candidates and notes.

use serde::{Deserialize, Serialize};

use crate::{Field, Note, Value};

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

impl Decision {
    pub(super) fn fields(&self) -> Vec<Field> {
        vec![
            Field::new("column", self.column),
            Field::new("value", self.value),
        ]
    }
}

impl Candidate {
    /// The fields, with the names of the wire's table.
    pub(super) fn fields(&self) -> Vec<Field> {
        vec![
            Field::new("column", self.column),
            Field::new("legal", self.value.is_some()),
            Field::new("value", self.value),
        ]
    }
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
