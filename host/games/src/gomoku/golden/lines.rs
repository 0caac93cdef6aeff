//! The profile `lines`.

use protocol::layout::gomoku::{MAX_DEPTH, SHAPES};

use super::super::board::{Board, Cell, DIRECTIONS, place};
use super::super::controller::Lines;
use super::super::decision::Answer;
use super::super::{Black, Stone, White};
use super::shape::{CellView, FIVE, FOUR, Neighbours, OPEN_FOUR};
use super::{CENTRE, Ended, Tree};

/// The value of five in a row on the board; each stone until it takes 1 off.
pub const WIN: i32 = 30_000;

/// Largest magnitude of a score.
const LIMIT: i32 = 28_000;

/// Magnitude of alpha and beta at the root; all values are smaller.
const BOUND: i32 = 32_000;

/// Decides on a board with stones and empty points, without five in a row.
pub(super) fn decide(
    board: &Board,
    own: Stone,
    depth: usize,
    weights: &Lines,
    tree: &mut Tree<'_>,
) -> Result<Answer, Ended> {
    if let Some((point, shape)) = Look::at(board).win(own) {
        let stones = if shape == FIVE { 1 } else { 3 };
        return Ok(Answer::immediate(Some(point), WIN - stones));
    }
    let mut search = Search {
        board: *board,
        own,
        weights,
        tree,
    };
    search.search(0, depth, -BOUND, BOUND)?;
    let answer = tree.so_far();
    if answer.point.is_some() {
        return Ok(answer);
    }
    // No candidate: nobody can make five in a row any more.
    let point = match board.is_empty(CENTRE) {
        true => Some(CENTRE),
        false => board.empty_points().next(),
    };
    Ok(Answer::immediate(point, 0))
}

/// Number of points that a core looks at until it finds the one at which `own` wins at once, if any.
///
/// They have a five for either side; without a five for `own`, a four or more.
pub(in super::super) fn looked_at(board: &Board, own: Stone) -> Option<u64> {
    let look = Look::at(board);
    let (win, shape) = look.win(own)?;
    let least = if shape == FIVE { FIVE } else { FOUR };
    let points = look.0.iter().filter(|point| point.greatest() >= least);
    Some(points.filter(|point| point.point <= win).count() as u64)
}

/// An empty point with its shapes.
struct Point {
    point: usize,
    /// The shapes in the four directions, by seat.
    shapes: [[u8; 4]; 2],
}

impl Point {
    fn of(board: &Board, point: usize) -> Self {
        let (x, y) = place(point);
        let mut shapes = [[0; 4]; 2];
        for (direction, (right, down)) in DIRECTIONS.into_iter().enumerate() {
            let mut seen = [Neighbours::default(); 2];
            for distance in [-4, -3, -2, -1, 1, 2, 3, 4] {
                let cell = board.cell(x + distance * right, y + distance * down);
                for side in [Black, White] {
                    seen[side.seat()].add(match cell {
                        Cell::Empty => CellView::Empty,
                        Cell::Stone(stone) if stone == side => CellView::Own,
                        Cell::Stone(_) | Cell::Outside => CellView::Blocked,
                    });
                }
            }
            for side in [Black, White] {
                shapes[side.seat()][direction] = seen[side.seat()].shape();
            }
        }
        Self { point, shapes }
    }

    fn shapes_of(&self, side: Stone) -> [u8; 4] {
        self.shapes[side.seat()]
    }

    /// Whether it has that shape for a side in some direction.
    fn has(&self, side: Stone, shape: u8) -> bool {
        self.shapes_of(side).contains(&shape)
    }

    /// The greatest of its shapes.
    fn greatest(&self) -> u8 {
        self.shapes.into_iter().flatten().fold(0, u8::max)
    }

    fn key(&self, weights: &Lines) -> u32 {
        let shapes = self.shapes.iter().flatten();
        let keys = shapes.map(|&shape| weight(&weights.key, shape));
        keys.map(u32::from).sum()
    }
}

/// The weight of a shape; that of shape 0 is 0.
fn weight<T: Copy + Default>(table: &[T; SHAPES], shape: u8) -> T {
    match usize::from(shape).checked_sub(1) {
        None => T::default(),
        Some(index) => table[index],
    }
}

/// The empty points of a board, in ascending order.
struct Look(Vec<Point>);

impl Look {
    fn at(board: &Board) -> Self {
        let empty = board.empty_points();
        Self(empty.map(|point| Point::of(board, point)).collect())
    }

    /// The first point that has that shape for a side.
    fn first(&self, side: Stone, shape: u8) -> Option<usize> {
        let found = self.0.iter().find(|point| point.has(side, shape));
        found.map(|found| found.point)
    }

    /// The point at which a side that moves wins at once, and its shape there.
    fn win(&self, side: Stone) -> Option<(usize, u8)> {
        let five = self.first(side, FIVE);
        let open = || match self.first(side.other(), FIVE) {
            None => self.first(side, OPEN_FOUR),
            Some(_) => None,
        };
        let five = five.map(|point| (point, FIVE));
        five.or_else(|| open().map(|point| (point, OPEN_FOUR)))
    }

    fn score(&self, side: Stone, weights: &Lines) -> i32 {
        let mut sum = 0;
        for point in &self.0 {
            for shape in point.shapes_of(side) {
                sum += i32::from(weight(&weights.attack, shape));
            }
            for shape in point.shapes_of(side.other()) {
                sum -= i32::from(weight(&weights.defend, shape));
            }
        }
        sum.clamp(-LIMIT, LIMIT)
    }
}

struct Search<'a, 'w> {
    board: Board,
    own: Stone,
    weights: &'a Lines,
    tree: &'a mut Tree<'w>,
}

impl Search<'_, '_> {
    /// The value for the side to move after `ply` stones.
    fn search(
        &mut self,
        ply: usize,
        depth: usize,
        mut alpha: i32,
        beta: i32,
    ) -> Result<i32, Ended> {
        let side = match ply % 2 {
            0 => self.own,
            _ => self.own.other(),
        };
        let other = side.other();
        let look = Look::at(&self.board);
        if ply > 0 && look.first(side, FIVE).is_some() {
            return Ok(WIN - (ply as i32 + 1));
        }
        let block = look.first(other, FIVE).is_some();
        if ply > 0 && !block && look.first(side, OPEN_FOUR).is_some() {
            return Ok(WIN - (ply as i32 + 3));
        }
        let extends = block && self.weights.extend && ply < usize::from(MAX_DEPTH);
        if depth == 0 && !extends {
            return Ok(look.score(side, self.weights));
        }
        let mut best = None;
        for point in candidates(&look, other, block, self.weights) {
            self.tree.enter()?;
            self.board.put(point, side);
            let value = -self.search(ply + 1, depth.saturating_sub(1), -beta, -alpha)?;
            self.board.take(point);
            self.tree.leave(ply + 1, point, value);
            if best.is_none_or(|best| value > best) {
                best = Some(value);
                if ply == 0 {
                    self.tree.take(point, value);
                }
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        Ok(best.unwrap_or(0))
    }
}

/// The points to search, in their order; `other` is the side that does not move.
fn candidates(look: &Look, other: Stone, block: bool, weights: &Lines) -> Vec<usize> {
    let threat = look.first(other, OPEN_FOUR).is_some();
    let is_candidate = |point: &&Point| match (block, threat) {
        (true, _) => point.has(other, FIVE),
        (false, true) => point.greatest() >= FOUR,
        (false, false) => point.greatest() >= 1,
    };
    let mut candidates: Vec<&Point> = look.0.iter().filter(is_candidate).collect();
    // The sort is stable: of equal keys the lowest point stays first.
    candidates.sort_by_key(|point| std::cmp::Reverse(point.key(weights)));
    let width = match (block, weights.width) {
        (true, _) => 1,
        (false, 0) => candidates.len(),
        (false, width) => width.into(),
    };
    let kept = candidates.into_iter().take(width);
    kept.map(|point| point.point).collect()
}
