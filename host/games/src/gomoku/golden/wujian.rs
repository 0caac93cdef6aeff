//! The profile `wujian`.

use super::super::Stone;
use super::super::board::{Board, Cell, DIRECTIONS, place};
use super::super::decision::Answer;
use super::{Ended, Tree};

/// The value of five in a row.
pub const WIN: i32 = 100_000;

/// Magnitude of the first bounds; all values are smaller.
const INF: i32 = i32::MAX;

/// Decides on a board with stones and empty points, without five in a row.
pub(super) fn decide(
    board: &Board,
    own: Stone,
    depth: usize,
    tree: &mut Tree<'_>,
) -> Result<Answer, Ended> {
    let mut search = Search {
        board: *board,
        own,
        depth,
        tree,
    };
    let mut max = -INF;
    for point in candidates(board) {
        let value = search.node(point, own, 1, INF, max)?;
        if value > max {
            max = value;
            search.tree.take(point, value);
        }
    }
    Ok(tree.so_far())
}

/// The empty points next to a stone, in scan order.
fn candidates(board: &Board) -> Vec<usize> {
    let has_neighbour = |point: &usize| {
        let (x, y) = place(*point);
        let mut around = (-1..=1).flat_map(|down| (-1..=1).map(move |right| (right, down)));
        around.any(|(right, down)| matches!(board.cell(x + right, y + down), Cell::Stone(_)))
    };
    board.empty_points().filter(has_neighbour).collect()
}

/// The evaluation of a side: the sum over its runs.
pub(super) fn evaluation(board: &Board, side: Stone) -> i32 {
    let mut sum = 0;
    for point in board.stones_of(side) {
        let (x, y) = place(point);
        for (right, down) in DIRECTIONS {
            let cell = |n: isize| board.cell(x + n * right, y + n * down);
            let is_own = |n: isize| cell(n) == Cell::Stone(side);
            if is_own(-1) {
                continue; // It is not the first stone of its run.
            }
            let length = (1..).find(|&n| !is_own(n)).unwrap_or(1);
            let ends = [cell(-1), cell(length)];
            let open = ends.iter().filter(|end| **end == Cell::Empty).count();
            sum += run_value(length.unsigned_abs(), open);
        }
    }
    sum
}

/// The value of a run by its number of stones and of empty cells next to its ends.
fn run_value(stones: usize, open: usize) -> i32 {
    match (stones.min(5), open) {
        (5, _) => WIN,
        (stones, 2) => 10_i32.pow(stones as u32),
        (stones, 1) => 10_i32.pow(stones as u32 - 1),
        _ => 0,
    }
}

struct Search<'a, 'w> {
    board: Board,
    own: Stone,
    depth: usize,
    tree: &'a mut Tree<'w>,
}

impl Search<'_, '_> {
    /// The value of a stone of `mover`, number `ply` since the root.
    fn node(
        &mut self,
        point: usize,
        mover: Stone,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Ended> {
        self.tree.enter()?;
        self.board.put(point, mover);
        let value = self.value(point, mover, ply, alpha, beta)?;
        self.board.take(point);
        self.tree.leave(ply, point, value);
        Ok(value)
    }

    /// The value of the board with the stone on it.
    fn value(
        &mut self,
        point: usize,
        mover: Stone,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Ended> {
        let is_own = mover == self.own;
        if ply == self.depth {
            let own = evaluation(&self.board, self.own);
            let opponent = evaluation(&self.board, self.own.other());
            return Ok(own - if is_own { 10 * opponent } else { opponent });
        }
        if self.board.makes_five(point) {
            return Ok(if is_own { WIN } else { -WIN });
        }
        let candidates = candidates(&self.board);
        if candidates.is_empty() {
            return Ok(0);
        }
        let (mut max, mut min) = (-INF, INF);
        for next in candidates {
            let value = self.node(next, mover.other(), ply + 1, min, max)?;
            max = max.max(value);
            min = min.min(value);
            // After an own stone the opponent moves, and takes the minimum.
            let is_cut = match is_own {
                true => min <= beta,
                false => max >= alpha,
            };
            if is_cut {
                break;
            }
        }
        Ok(if is_own { min } else { max })
    }
}
