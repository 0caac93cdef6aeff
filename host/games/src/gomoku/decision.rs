//! Answers of a search, decisions and candidates.

use protocol::layout::gomoku::{COLUMNS, TRACE_NODES};
use serde::{Deserialize, Serialize};

use super::board::POINTS;
use crate::{Field, Value};

/// The result of a search, which exists for positions in which the game is over, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// The point chosen, if any.
    pub point: Option<usize>,
    /// The value for the side to move.
    pub value: i32,
    /// Number of stones put on the board by the search.
    pub nodes: u64,
}

impl Answer {
    /// An answer that needs no search.
    pub const fn immediate(point: Option<usize>, value: i32) -> Self {
        let nodes = 0;
        Self {
            point,
            value,
            nodes,
        }
    }

    /// The decision, if a point is chosen.
    pub fn decision(self) -> Option<Decision> {
        let Self {
            point,
            value,
            nodes,
        } = self;
        point.map(|point| Decision::new(point, value, nodes))
    }
}

/// The chosen point.
///
/// A third-party program or board may report neither value nor nodes; in JSON they are then `null`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "x, y, value and nodes")]
pub struct Decision {
    /// The column of the stone.
    pub x: usize,
    /// The row of the stone.
    pub y: usize,
    /// The value for the side to move; `None` if it is not reported.
    #[serde(deserialize_with = "Option::deserialize")]
    pub value: Option<i32>,
    /// Number of stones put on the board by the search; `None` if it is not reported.
    #[serde(deserialize_with = "Option::deserialize")]
    pub nodes: Option<u64>,
}

impl Decision {
    /// The decision for a point.
    pub const fn new(point: usize, value: i32, nodes: u64) -> Self {
        Self {
            x: point % COLUMNS,
            y: point / COLUMNS,
            value: Some(value),
            nodes: Some(nodes),
        }
    }

    /// The decision of a backend that reports only the point.
    pub const fn only(x: usize, y: usize) -> Self {
        let (value, nodes) = (None, None);
        Self { x, y, value, nodes }
    }

    /// The point; `None` if it is not on the board.
    pub fn point(&self) -> Option<usize> {
        let row = self.y.checked_mul(COLUMNS).filter(|_| self.x < COLUMNS)?;
        row.checked_add(self.x).filter(|point| *point < POINTS)
    }

    pub(super) fn fields(&self) -> Vec<Field> {
        vec![
            Field::new("x", self.x),
            Field::new("y", self.y),
            Field::new("value", self.value.map_or(Value::Unknown, Value::from)),
            Field::new("nodes", self.nodes.map_or(Value::Unknown, Value::from)),
        ]
    }
}

/// A node of the search: a stone that was put on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Candidate {
    /// Number of stones since the root, this one included.
    pub ply: u8,
    /// The column of the stone.
    pub x: u8,
    /// The row of the stone.
    pub y: u8,
    /// The value of the node as its parent compares it.
    pub value: i32,
}

impl Candidate {
    /// The node of a stone on a point of the board.
    pub const fn new(ply: u8, point: u8, value: i32) -> Self {
        let columns = COLUMNS as u8;
        Self {
            ply,
            x: point % columns,
            y: point / columns,
            value,
        }
    }

    pub(super) fn fields(&self) -> Vec<Field> {
        vec![
            Field::new("ply", usize::from(self.ply)),
            Field::new("x", usize::from(self.x)),
            Field::new("y", usize::from(self.y)),
            Field::new("value", self.value),
        ]
    }
}

/// The nodes of a search in the order in which it leaves them, as many as a trace reports.
#[derive(Debug, Clone, Default)]
pub struct Nodes(Vec<Candidate>);

impl Nodes {
    /// Adds a node, unless a trace reports no more.
    pub fn push(&mut self, node: Candidate) {
        if !is_cut(&self.0) {
            self.0.push(node);
        }
    }

    /// The nodes.
    pub fn into_inner(self) -> Vec<Candidate> {
        self.0
    }
}

/// Whether a trace has as many nodes as it may report, so that the search may have more.
pub fn is_cut(nodes: &[Candidate]) -> bool {
    nodes.len() >= usize::from(TRACE_NODES)
}

/// Index of the first child of the root with the highest value, if any.
///
/// `None` for a trace that may lack nodes.
pub fn best(nodes: &[Candidate]) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (index, node) in nodes.iter().enumerate().filter(|(_, node)| node.ply == 1) {
        if best.is_none_or(|best| node.value > nodes[best].value) {
            best = Some(index);
        }
    }
    best.filter(|_| !is_cut(nodes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decision_point_outside_is_none() {
        let decision = |x, y| Decision {
            x,
            y,
            ..Decision::new(0, 0, 0)
        };
        assert_eq!(decision(14, 14).point(), Some(224));
        assert_eq!(Decision::new(32, 0, 0).point(), Some(32));
        for (x, y) in [(15, 0), (0, 15), (usize::MAX, 1), (1, usize::MAX)] {
            assert_eq!(decision(x, y).point(), None, "({x}, {y})");
        }
    }

    #[test]
    fn best_node_is_first_highest_child_of_root() {
        let nodes = [(2, 9), (1, 3), (1, 4), (3, 8), (1, 4)];
        let nodes = nodes.map(|(ply, value)| Candidate::new(ply, 0, value));
        assert_eq!(best(&nodes), Some(2));
        assert_eq!(best(&nodes[..1]), None);
    }

    #[test]
    fn trace_cut_off_has_first_nodes_and_no_best() {
        let mut nodes = Nodes::default();
        for (n, has_best) in [(65_534, true), (1, false), (1, false)] {
            for _ in 0..n {
                nodes.push(Candidate::new(1, 224, 0));
            }
            assert_eq!(best(&nodes.0).is_some(), has_best, "{}", nodes.0.len());
        }
        let nodes = nodes.into_inner();
        assert_eq!(nodes.len(), 65_535);
        assert_eq!((nodes[0].x, nodes[0].y), (14, 14));
    }
}
