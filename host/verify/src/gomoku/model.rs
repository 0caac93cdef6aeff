//! The expected progress, nodes and answer of a core's search, from the golden model.

use lockstep_games::gomoku::golden::answer_of;
use lockstep_games::gomoku::{Board, Candidate, Gomoku};
use lockstep_games::{Codec as _, Golden as _};
use protocol::layout::gomoku::{NO_POINT, PROFILE_LINES, Weights};
use protocol::payload::link::Info;

use super::{controller, position_of};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// The best point of the root so far.
    pub point: u8,
    pub value: i32,
    pub nodes: u64,
    pub cycles: u64,
}

impl Progress {
    /// Before the first point of the root has been searched.
    pub const NONE: Self = Self {
        point: NO_POINT,
        value: 0,
        nodes: 0,
        cycles: 0,
    };

    /// Whether `other` has the same point and value.
    pub fn is_result(&self, other: &Self) -> bool {
        (self.point, self.value) == (other.point, other.value)
    }
}

/// A search that is complete.
#[derive(Debug)]
pub struct Model {
    /// The nodes in the order in which they are left.
    pub nodes: Vec<Candidate>,
    /// The best point of the root, each time that there is a better one; the last is the answer.
    pub results: Vec<Progress>,
}

impl Model {
    /// The search of a board.
    ///
    /// # Panics
    /// When the golden model knows no cycles of its own decision.
    pub fn of(weights: &Weights, board: &Board, depth: u8) -> Self {
        let controller = controller(weights, depth);
        let position = position_of(board);
        let answer = answer_of(board, position.to_move, &controller);
        let trace = Gomoku::trace(&controller, &position).ok().flatten();
        let cycles = match answer.decision() {
            Some(decision) => {
                Gomoku::expected_cycles(&controller, &position, &decision, &Info::default())
                    .expect("the search is short")
            }
            // A board that is full, or on which a side has five in a row.
            None if answer.value == 0 => {
                let pick = if weights.profile == PROFILE_LINES {
                    6
                } else {
                    2
                };
                15 + 2 * board.stones() as u64 + pick
            }
            None => 11 + 2 * board.stones() as u64,
        };
        let nodes = trace.map_or_else(Vec::new, |trace| trace.candidates);
        let mut results = vec![Progress::NONE];
        let mut best = None;
        for (node, number) in nodes.iter().zip(1..).filter(|(node, _)| node.ply == 1) {
            if best.is_none_or(|best| node.value > best) {
                best = Some(node.value);
                results.push(Progress {
                    point: 15 * node.y + node.x,
                    value: node.value,
                    nodes: number,
                    cycles: 0,
                });
            }
        }
        let last = Progress {
            point: answer.point.map_or(NO_POINT, |point| point as u8),
            value: answer.value,
            nodes: answer.nodes,
            cycles,
        };
        results.pop_if(|result| result.is_result(&last));
        results.push(last);
        Self { nodes, results }
    }

    pub fn answer(&self) -> Progress {
        self.results.last().copied().unwrap_or_default()
    }
}
