//! The search of the definitions, on bitboards.

use lockstep_games::connect4::board::ORDER;
use lockstep_games::connect4::decision::{depth, nodes};
use lockstep_games::connect4::{Candidate, Connect4, Controller, Decision, Position};
use lockstep_games::{Note, SearchControl, SearchProgress, SearchResult, Trace, Watch};

/// Bits from one column to the next: bit 7 c + r is row r of column c.
///
/// The bit above the six rows is always 0, so that no line of four continues in the next column.
const STRIDE: usize = 7;
/// The bits of a column of six rows.
const COLUMN: u64 = 0x3f;
/// All 42 cells.
const FULL: u64 = COLUMN * 0x0000_0408_1020_4081;

const WIN: i32 = 10_000;
/// Magnitude of alpha and beta at the root; all values are smaller.
const BOUND: i32 = 32_000;
/// Stones dropped between two calls of [`Watch::control`].
const CHECK_EVERY: u64 = 4_096;

/// A position for the side to move.
#[derive(Clone, Copy)]
struct Node {
    own: u64,
    taken: u64,
    /// Sum of the weights of its own stones, less the sum of the opponent's.
    score: i32,
}

impl Node {
    /// The bit of the cell to which a stone in that column falls; 0 if the column is full.
    const fn cell(self, column: usize) -> u64 {
        let column = column * STRIDE;
        // The addition carries through the stones of the column.
        (self.taken + (1 << column)) & COLUMN << column
    }
}

/// Whether the stones have four in a row, a column or a diagonal.
const fn four(stones: u64) -> bool {
    const fn along(stones: u64, step: usize) -> bool {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step) != 0
    }
    along(stones, 1)
        || along(stones, STRIDE)
        || along(stones, STRIDE - 1)
        || along(stones, STRIDE + 1)
}

/// The watch ended the search.
struct Ended;

/// A search from a position in which the game is not over.
pub struct Search<'a> {
    root: Node,
    /// The depth to search, in stones.
    last: u32,
    weights: [i32; STRIDE * STRIDE],
    nodes: u64,
    watch: &'a mut dyn Watch<Connect4>,
    /// The watch's last answer.
    control: SearchControl,
}

impl<'a> Search<'a> {
    pub fn new(
        controller: &Controller,
        position: &Position,
        watch: &'a mut dyn Watch<Connect4>,
    ) -> Self {
        let stones = |side| {
            let bytes = position.board.bytes(side).into_iter().rev();
            bytes.fold(0, |stones, byte| stones << STRIDE | u64::from(byte))
        };
        let mut weights = [0; STRIDE * STRIDE];
        for (column, cells) in controller.weights.iter().enumerate() {
            for (row, &weight) in cells.iter().enumerate() {
                weights[column * STRIDE + row] = i32::from(weight);
            }
        }
        let (own, other) = (stones(position.to_move), stones(position.to_move.other()));
        let sum = |stones: u64| -> i32 {
            let cells = weights.iter().enumerate();
            let cells = cells.filter(|(bit, _)| stones >> bit & 1 == 1);
            cells.map(|(_, weight)| weight).sum()
        };
        let taken = own | other;
        Self {
            root: Node {
                own,
                taken,
                score: sum(own) - sum(other),
            },
            last: u32::from(controller.depth).min((FULL & !taken).count_ones()),
            weights,
            nodes: 0,
            watch,
            control: SearchControl::Continue,
        }
    }

    /// Searches depth by depth; `None` after [`SearchControl::Abandon`].
    ///
    /// Depth 1 is always completed: it has at most seven nodes.
    pub fn decide(mut self) -> Option<SearchResult<Connect4>> {
        let mut found = None;
        for now in 1..=self.last {
            let best = self.best(self.root, 0, now, -BOUND, BOUND);
            let Ok((value, column)) = best else {
                break;
            };
            let decision = Decision { column, value };
            found = Some((decision, now));
            self.watch.progress(SearchProgress {
                best: Some(decision),
                notes: self.notes(now, false),
                cycles: None,
            });
            if now < self.last && self.ends() {
                break;
            }
        }
        let (decision, now) = found.filter(|_| self.control != SearchControl::Abandon)?;
        let notes = self.notes(now, self.control == SearchControl::Continue);
        Some(SearchResult { decision, notes })
    }

    /// Searches every column with a full window, so that every value is exact.
    pub fn trace(mut self) -> Option<Trace<Connect4>> {
        let mut candidates = Vec::new();
        let mut decision: Option<Decision> = None;
        for column in ORDER {
            let mut value = None;
            if let stone @ 1.. = self.root.cell(column) {
                let exact = self
                    .value(self.root, stone, 0, self.last, -BOUND, BOUND)
                    .ok()?;
                if decision.is_none_or(|decision| exact > decision.value) {
                    decision = Some(Decision {
                        column,
                        value: exact,
                    });
                }
                value = Some(exact);
            }
            candidates.push(Candidate { column, value });
        }
        let decision = decision?;
        Some(Trace {
            candidates,
            decision,
        })
    }

    fn notes(&self, now: u32, promised: bool) -> Vec<Note> {
        vec![depth(now.into(), promised), nodes(self.nodes, promised)]
    }

    fn ends(&mut self) -> bool {
        self.control = self.watch.control();
        self.control != SearchControl::Continue
    }

    /// The highest value that the side to move can reach, and its column.
    fn best(
        &mut self,
        node: Node,
        ply: i32,
        depth: u32,
        mut alpha: i32,
        beta: i32,
    ) -> Result<(i32, usize), Ended> {
        let mut best = (-BOUND, 0);
        for column in ORDER {
            let stone = node.cell(column);
            if stone == 0 {
                continue;
            }
            let value = self.value(node, stone, ply, depth, alpha, beta)?;
            if value > best.0 {
                best = (value, column);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// The value of dropping `stone`, for the side that drops it.
    fn value(
        &mut self,
        node: Node,
        stone: u64,
        ply: i32,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Ended> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CHECK_EVERY) && self.ends() {
            return Err(Ended);
        }
        let own = node.own | stone;
        let taken = node.taken | stone;
        let score = node.score + self.weights[stone.trailing_zeros() as usize];
        Ok(if four(own) {
            WIN - (ply + 1)
        } else if taken == FULL {
            0
        } else if depth == 1 {
            score
        } else {
            let after = Node {
                own: taken ^ own,
                taken,
                score: -score,
            };
            -self.best(after, ply + 1, depth - 1, -beta, -alpha)?.0
        })
    }
}
