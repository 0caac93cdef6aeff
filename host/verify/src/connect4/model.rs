//! The search as docs/wire.md defines it, on an array of cells.

use protocol::layout::connect4::{COLUMNS, ROWS, WIN};

use super::CELLS;

/// Owner of a stone: the side to move at the root. 0 is an empty cell.
pub const OWN: u8 = 1;
/// Owner of a stone: the other side.
pub const OPPONENT: u8 = 2;
/// Both, in the order in which they move.
pub const OWNERS: [u8; 2] = [OWN, OPPONENT];

/// Columns in the order in which they are tried.
pub const ORDER: [usize; COLUMNS] = [3, 2, 4, 1, 5, 0, 6];

const BOUND: i32 = 32_000;

/// The owner of each cell, column by column, the bottom row first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Board(pub [[u8; ROWS]; COLUMNS]);

impl Board {
    /// Whether the column has room.
    pub fn is_open(&self, column: usize) -> bool {
        self.0[column][ROWS - 1] == 0
    }

    /// Drops a stone into a column with room.
    pub fn drop_stone(&mut self, column: usize, owner: u8) {
        if let Some(cell) = self.0[column].iter_mut().find(|cell| **cell == 0) {
            *cell = owner;
        }
    }

    /// Whether four stones of a side are in a line.
    pub fn has_four(&self, owner: u8) -> bool {
        let is = |column: i32, row: i32| {
            let cell = self.0.get(column as usize).map(|c| c.get(row as usize));
            cell.flatten() == Some(&owner)
        };
        (0..COLUMNS as i32).any(|c| {
            (0..ROWS as i32).any(|r| {
                let lines = [(1, 0), (0, 1), (1, 1), (1, -1)];
                lines
                    .iter()
                    .any(|(dc, dr)| (0..4).all(|k| is(c + k * dc, r + k * dr)))
            })
        })
    }

    /// Whether no cell is empty.
    pub fn is_full(&self) -> bool {
        (0..COLUMNS).all(|column| !self.is_open(column))
    }

    /// Whether a side has won, or no cell is empty.
    pub fn is_over(&self) -> bool {
        self.is_full() || OWNERS.iter().any(|owner| self.has_four(*owner))
    }

    /// The stones of a side: a byte per column, bit r is row r.
    pub fn stones(&self, owner: u8) -> [u8; COLUMNS] {
        self.0.map(|column| {
            let bits = column.iter().enumerate();
            bits.fold(0, |byte, (row, cell)| {
                byte | u8::from(*cell == owner) << row
            })
        })
    }

    /// Number of cells without a stone.
    pub fn empty_cells(&self) -> u32 {
        let cells = self.0.iter().flatten();
        cells.filter(|cell| **cell == 0).count() as u32
    }
}

/// The result of a search at one depth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// The last depth completed.
    pub depth: u32,
    /// Column chosen.
    pub column: usize,
    /// Its value.
    pub value: i32,
    /// Stones dropped.
    pub nodes: u64,
    /// Clock cycles of the core without stalls.
    pub cycles: u64,
}

/// The candidate of a trace for one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// Column.
    pub column: usize,
    /// Whether it has room.
    pub legal: bool,
    /// Its value.
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
    let depths = 1..=depth.min(board.empty_cells());
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
    let depth = depth.min(board.empty_cells());
    let candidates = ORDER.map(|column| {
        let legal = board.is_open(column);
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
            if !self.board.is_open(column) {
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
        let before = self.board;
        let owner = OWNERS[ply as usize % 2];
        self.nodes += 1;
        self.board.drop_stone(column, owner);
        let value = if self.board.has_four(owner) {
            i32::from(WIN) - (ply as i32 + 1)
        } else if self.board.is_full() {
            0
        } else if depth == 1 {
            self.score(owner)
        } else {
            self.inner += 1;
            -self.search(ply + 1, depth - 1, -beta, -alpha).0
        };
        self.board = before;
        value
    }

    fn score(&self, mover: u8) -> i32 {
        let cells = self.board.0.iter().flatten().zip(self.weights);
        cells
            .map(|(cell, weight)| match *cell {
                0 => 0,
                owner if owner == mover => i32::from(*weight),
                _ => -i32::from(*weight),
            })
            .sum()
    }
}
