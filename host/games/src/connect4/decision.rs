//! A decision, and the candidates it is chosen from.

use serde::{Deserialize, Serialize};

use crate::{Field, Note, Value};

/// The column chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "a column and its value")]
pub struct Decision {
    /// The column.
    pub column: usize,
    /// Its value for the side to move.
    pub value: i32,
}

/// A column that can be chosen, or is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Candidate {
    /// The column.
    pub column: usize,
    /// Its value for the side to move; `None` where it is full.
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
    /// Under the names of the wire's table.
    pub(super) fn fields(&self) -> Vec<Field> {
        vec![
            Field::new("column", self.column),
            Field::new("legal", self.value.is_some()),
            Field::new("value", self.value),
        ]
    }
}

/// The first candidate with the highest value.
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

/// Note of the stones that a search has looked ahead. The definitions fix it for a complete
/// search.
pub fn depth(depth: u64, promised: bool) -> Note {
    Note {
        name: "depth",
        value: Value::Number(depth),
        promised,
    }
}

/// Note of the stones that a search has dropped. The definitions fix it for a complete
/// alpha-beta search.
pub fn nodes(nodes: u64, promised: bool) -> Note {
    Note {
        name: "nodes",
        value: Value::Number(nodes),
        promised,
    }
}
