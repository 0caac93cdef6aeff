//! The profile `lines`.
//!
//! A stone changes the shapes of at most eight spots in each direction, and what it changes there
//! follows from the 17 cells around it. `effect` computes that for 17 cells and `cache` keeps it, so
//! that a search mostly adds up four effects for each stone. A stone at the horizon is scored by
//! their sums alone; it is never put on the board.

mod cache;
mod effect;
mod pick;

use lockstep_games::gomoku::{Board, Candidate, Lines, Stone};

use super::geometry::{LINES, STEPS, Set, THROUGH, point, spot};
use super::progress::{Ended, Progress};
pub use cache::Cache;
use effect::{Effect, Sums, Weights};
use pick::Picks;

/// The value of five in a row on the board; each stone until it takes 1 off.
pub const WIN: i32 = 30_000;
/// Largest magnitude of a score.
const LIMIT: i32 = 28_000;
/// Magnitude of alpha and beta at the root; all values are smaller.
const BOUND: i32 = 32_000;
/// The last ply at which a block continues a search.
const LAST_PLY: usize = 24;

/// Spots before the first one of the board and behind the last one; what a stone changes outside
/// of the board is 0.
const MARGIN: usize = 72;

/// Cells before the first one of a line, and behind the last one.
const EDGE: u32 = 8;

/// A board in a search.
#[derive(Clone)]
pub struct State {
    /// For each direction and line the stones of each side, cell n at bit n + 8 of a half. Cells
    /// outside of the board are set in both halves.
    lines: [u64; 4 * LINES],
    /// A word for each spot, of its shapes in all directions.
    words: [u32; 2 * MARGIN + 256],
    sums: Sums,
}

impl State {
    fn empty() -> Self {
        let mut lines = [u64::MAX; 4 * LINES];
        for through in (0..225).map(|point| THROUGH[spot(point)]) {
            for (line, place) in through.line.into_iter().zip(through.place) {
                lines[usize::from(line)] &= !(0x1_0000_0001 << (u32::from(place) + EDGE));
            }
        }
        Self {
            lines,
            words: [0; 2 * MARGIN + 256],
            sums: Sums::default(),
        }
    }

    /// The cells around a spot in one direction.
    #[inline]
    fn cells(&self, spot: usize, direction: usize) -> u64 {
        let through = &THROUGH[spot & 255];
        let line = self.lines[usize::from(through.line[direction]) & 127];
        line >> (through.place[direction] & 15) & effect::CELLS
    }

    /// The sums with a stone of a side on an empty spot.
    #[inline]
    fn sums_with(&self, cache: &mut Cache, spot: usize, side: usize) -> Sums {
        let mut sums = self.sums;
        for direction in 0..4 {
            sums.add(&cache.effect(self.cells(spot, direction), side).sums);
        }
        sums
    }

    /// Puts a stone of a side on an empty spot.
    #[inline]
    fn put(&mut self, cache: &mut Cache, spot: usize, side: usize, sums: Sums) {
        self.sums = sums;
        for direction in 0..4 {
            let cells = self.cells(spot, direction);
            let effect = cache.effect(cells, side);
            self.change(spot, direction, effect, u32::wrapping_add);
        }
        self.flip(spot, side);
    }

    /// Takes a stone off again.
    #[inline]
    fn take(&mut self, cache: &mut Cache, spot: usize, side: usize, sums: Sums) {
        self.sums = sums;
        self.flip(spot, side);
        for direction in 0..4 {
            let cells = self.cells(spot, direction);
            let effect = cache.effect(cells, side);
            self.change(spot, direction, effect, u32::wrapping_sub);
        }
    }

    #[inline]
    fn change(&mut self, spot: usize, direction: usize, effect: &Effect, by: fn(u32, u32) -> u32) {
        let first = (MARGIN + spot).wrapping_add_signed(-4 * STEPS[direction]);
        for (n, change) in effect.words.into_iter().enumerate() {
            let place = first.wrapping_add_signed(n as isize * STEPS[direction]);
            if let Some(word) = self.words.get_mut(place) {
                *word = by(*word, change);
            }
        }
    }

    /// Puts a stone on the lines, or takes it off.
    #[inline]
    fn flip(&mut self, spot: usize, side: usize) {
        let through = &THROUGH[spot & 255];
        for (line, place) in through.line.into_iter().zip(through.place) {
            let bit = u32::from(place) + EDGE + 32 * side as u32;
            self.lines[usize::from(line) & 127] ^= 1 << (bit & 63);
        }
    }

    /// The words of the spots on the board.
    fn words(&self) -> &[u32; 256] {
        self.words[MARGIN..].first_chunk().unwrap_or(&[0; 256])
    }
}

/// A search with its weights.
pub struct Search {
    weights: Weights,
    width: usize,
    extend: bool,
    depth: usize,
    empty: State,
}

/// What a search does after a stone.
enum Next {
    /// The value is known, for the side that put the stone.
    Known(i32),
    /// The other side moves; the flag is whether it must block.
    Children(bool),
}

impl Search {
    pub fn new(lines: &Lines, depth: usize) -> Self {
        Self {
            weights: Weights::new(lines),
            width: match lines.width {
                0 => usize::MAX,
                width => width.into(),
            },
            extend: lines.extend,
            depth,
            empty: State::empty(),
        }
    }

    pub fn cache(&self) -> Cache {
        Cache::new(&self.weights)
    }

    /// A board without five in a row, `own` to move.
    pub fn state(&self, cache: &mut Cache, board: &Board, own: Stone) -> State {
        let mut state = self.empty.clone();
        for (side, stone) in [own, own.other()].into_iter().enumerate() {
            for spot in Set::of(board, stone).spots() {
                let sums = state.sums_with(cache, spot, side);
                state.put(cache, spot, side, sums);
            }
        }
        state
    }

    /// The point and value of a win that needs no search.
    pub fn win(&self, state: &State) -> Option<(usize, i32)> {
        let first = |mask: u32| {
            let mut spots = state.words().iter();
            spots.position(|word| word & mask != 0).map(point)
        };
        if state.sums.fives(0) > 0 {
            return first(effect::FIVE[0]).map(|point| (point, WIN - 1));
        }
        if state.sums.fives(1) > 0 || state.sums.open_fours(0) == 0 {
            return None;
        }
        first(effect::OPEN_FOUR).map(|point| (point, WIN - 3))
    }

    /// Searches from the root.
    pub fn search(
        &self,
        state: &mut State,
        cache: &mut Cache,
        progress: &mut Progress<'_>,
    ) -> Result<(), Ended> {
        let block = state.sums.fives(1) > 0;
        let mut node = Node {
            ply: 0,
            depth: self.depth,
            alpha: -BOUND,
            beta: BOUND,
            block,
        };
        match progress.is_traced() {
            true => self.expand::<true>(state, cache, &mut node, progress),
            false => self.expand::<false>(state, cache, &mut node, progress),
        }
        .map(drop)
    }

    /// What follows the stone that leads to these sums at `ply`, with that depth left.
    #[inline]
    fn next(&self, sums: &Sums, ply: usize, depth: usize) -> Next {
        let (side, other) = (ply % 2, (ply + 1) % 2);
        if sums.fives(side) > 0 {
            return Next::Known(-(WIN - (ply as i32 + 1)));
        }
        let block = sums.fives(other) > 0;
        if !block && sums.open_fours(side) > 0 {
            return Next::Known(-(WIN - (ply as i32 + 3)));
        }
        if depth == 0 && !(block && self.extend && ply < LAST_PLY) {
            return Next::Known(-sums.scores[side].clamp(-LIMIT, LIMIT));
        }
        Next::Children(block)
    }

    /// The value of a node with children, for the side to move.
    fn expand<const TRACE: bool>(
        &self,
        state: &mut State,
        cache: &mut Cache,
        node: &mut Node,
        progress: &mut Progress<'_>,
    ) -> Result<i32, Ended> {
        let Node {
            ply, depth, block, ..
        } = *node;
        let (side, other) = (ply % 2, (ply + 1) % 2);
        let (mask, width) = if block {
            (effect::FIVE[other], 1)
        } else if state.sums.open_fours(other) > 0 {
            (effect::ANY_FOUR, self.width)
        } else {
            (effect::ALIVE, self.width)
        };
        let mut picks = Picks::new(state.words(), mask);
        let depth = depth.saturating_sub(1);
        let mut best = -BOUND;
        for _ in 0..width {
            let Some(spot) = picks.next() else { break };
            progress.enter()?;
            let sums = state.sums_with(cache, spot, side);
            let value = match self.next(&sums, ply + 1, depth) {
                Next::Known(value) => value,
                Next::Children(block) => {
                    let before = state.sums;
                    state.put(cache, spot, side, sums);
                    let mut child = Node {
                        ply: ply + 1,
                        depth,
                        alpha: -node.beta,
                        beta: -node.alpha,
                        block,
                    };
                    let value = -self.expand::<TRACE>(state, cache, &mut child, progress)?;
                    state.take(cache, spot, side, before);
                    value
                }
            };
            if TRACE {
                let (ply, point) = (ply as u8 + 1, point(spot) as u8);
                progress.leave(Candidate::new(ply, point, value));
            }
            if value > best {
                best = value;
                if ply == 0 {
                    progress.take(point(spot), value);
                }
            }
            node.alpha = node.alpha.max(value);
            if node.alpha >= node.beta {
                break;
            }
        }
        Ok(if best == -BOUND { 0 } else { best })
    }
}

/// A node whose children are searched.
#[derive(Clone, Copy)]
struct Node {
    /// Stones since the root.
    ply: usize,
    depth: usize,
    alpha: i32,
    beta: i32,
    /// Whether the side to move must block five in a row.
    block: bool,
}
