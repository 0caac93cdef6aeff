//! The search as docs/wire.md defines it.

use lockstep_games::connect4::board::ORDER;
use lockstep_games::connect4::{Board, Stone};
use protocol::layout::connect4::{COLUMNS, ROWS, WIN};

use super::{CELLS, OWNERS};

const BOUND: i32 = 32_000;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// The last depth completed.
    pub depth: u32,
    pub column: usize,
    pub value: i32,
    /// Stones dropped.
    pub nodes: u64,
    /// Clock cycles of the core without stalls.
    pub cycles: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    pub column: usize,
    /// Whether it has room.
    pub legal: bool,
    pub value: i32,
    /// Stones dropped in its search.
    pub nodes: u64,
}

/// The results of a search at each depth, in order.
pub fn search(board: &Board, weights: &[i8; CELLS], depth: u32) -> Vec<Progress> {
    let mut run = Run {
        board: *board,
        weights,
        nodes: 0,
        inner: 0,
    };
    let depths = 1..=depth.min(empty_cells(board));
    depths
        .map(|depth| {
            let (value, column) = run.search(0, depth, -BOUND, BOUND);
            Progress {
                depth,
                column,
                value,
                nodes: run.nodes,
                cycles: CELLS as u64 + 1 + u64::from(depth) + 4 * run.nodes + run.inner,
            }
        })
        .collect()
}

/// The candidates of a trace, and its result.
pub fn trace(board: &Board, weights: &[i8; CELLS], depth: u32) -> (Vec<Candidate>, Progress) {
    let mut run = Run {
        board: *board,
        weights,
        nodes: 0,
        inner: 0,
    };
    let depth = depth.min(empty_cells(board));
    let candidates = ORDER.map(|column| {
        let legal = board.has_room(column);
        let before = run.nodes;
        let value = match legal {
            true => run.value(column, 0, depth, -BOUND, BOUND),
            false => 0,
        };
        let nodes = run.nodes - before;
        Candidate {
            column,
            legal,
            value,
            nodes,
        }
    });
    let mut result = Progress {
        depth,
        value: -BOUND,
        nodes: run.nodes,
        ..Progress::default()
    };
    for candidate in candidates.iter().filter(|c| c.legal) {
        if candidate.value > result.value {
            (result.column, result.value) = (candidate.column, candidate.value);
        }
    }
    (candidates.to_vec(), result)
}

struct Run<'a> {
    board: Board,
    weights: &'a [i8; CELLS],
    nodes: u64,
    /// Number of stones after which the search went deeper.
    inner: u64,
}

impl Run<'_> {
    /// The best value and its column.
    fn search(&mut self, ply: u32, depth: u32, mut alpha: i32, beta: i32) -> (i32, usize) {
        let mut best = (-BOUND, 0);
        for column in ORDER {
            if !self.board.has_room(column) {
                continue;
            }
            let value = self.value(column, ply, depth, alpha, beta);
            if value > best.0 {
                best = (value, column);
            }
            alpha = alpha.max(best.0);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The value of a stone in a column, for the side that drops it.
    fn value(&mut self, column: usize, ply: u32, depth: u32, alpha: i32, beta: i32) -> i32 {
        let owner = OWNERS[ply as usize % 2];
        self.nodes += 1;
        let row = self.board.drop(column, owner).unwrap_or(0);
        let value = if self.board.makes_four(column, row) {
            i32::from(WIN) - (ply as i32 + 1)
        } else if self.board.is_full() {
            0
        } else if depth == 1 {
            self.score(owner)
        } else {
            self.inner += 1;
            -self.search(ply + 1, depth - 1, -beta, -alpha).0
        };
        self.board.take(column);
        value
    }

    fn score(&self, mover: Stone) -> i32 {
        let weight = |(cell, weight): (usize, &i8)| {
            let weight = i32::from(*weight);
            match self.board.stone(cell / ROWS, cell % ROWS) {
                None => 0,
                Some(owner) if owner == mover => weight,
                Some(_) => -weight,
            }
        };
        self.weights.iter().enumerate().map(weight).sum()
    }
}

pub fn empty_cells(board: &Board) -> u32 {
    (COLUMNS * ROWS - board.stones()) as u32
}
