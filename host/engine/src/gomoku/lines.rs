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
use super::tree::{Node, Step, Tree, Window};
pub use cache::Cache;
use effect::{Effect, Sums, Weights};
pub use pick::Picker;
use pick::Words;

/// The value of five in a row on the board; each stone until it takes 1 off.
pub const WIN: i32 = 30_000;
/// Largest magnitude of a score.
const LIMIT: i32 = 28_000;
/// The last ply at which a block continues a search.
const LAST_PLY: usize = 24;
/// The least depth of a node whose children threads share.
const SPLIT: usize = 5;

/// Spots before the first one of the board; what a stone changes outside of the board is 0.
const MARGIN: usize = 72;

/// Cells before the first and after the last cell of a line.
const EDGE: u32 = 8;

/// A board in a search.
#[derive(Clone)]
pub struct State {
    /// For each direction and line the stones of each side, cell n at bit n + 8 of a half. Cells
    /// outside of the board are set in both halves.
    lines: [u64; 4 * LINES],
    /// A word for each spot, of its shapes in all directions.
    words: [u32; 512],
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
        let mut words = [0; 512];
        for spot in (0..225).map(spot) {
            words[MARGIN + spot] = effect::word(spot);
        }
        Self {
            lines,
            words,
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

    /// Places a stone of a side on an empty spot.
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
            let word = &mut self.words[place & 511];
            *word = by(*word, change);
        }
    }

    /// Places a stone on the lines, or takes it off.
    #[inline]
    fn flip(&mut self, spot: usize, side: usize) {
        let through = &THROUGH[spot & 255];
        for (line, place) in through.line.into_iter().zip(through.place) {
            let bit = u32::from(place) + EDGE + 32 * side as u32;
            self.lines[usize::from(line) & 127] ^= 1 << (bit & 63);
        }
    }

    /// The words of the spots on the board.
    #[inline]
    fn words(&self) -> &Words {
        const NONE: &Words = &[0; 240];
        self.words[MARGIN..].first_chunk().unwrap_or(NONE)
    }
}

/// A search with its weights.
pub struct Search {
    weights: Weights,
    width: usize,
    extend: bool,
    depth: usize,
    picker: Picker,
    empty: State,
}

impl Search {
    pub fn new(lines: &Lines, depth: usize, picker: Picker) -> Self {
        Self {
            weights: Weights::new(lines),
            width: match lines.width {
                0 => usize::MAX,
                width => width.into(),
            },
            extend: lines.extend,
            depth,
            picker,
            empty: State::empty(),
        }
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
        let first = |is: &dyn Fn(usize) -> bool| (0..225).find(|point| is(spot(*point)));
        if state.sums.fives(0) > 0 {
            let words = state.words();
            let point = first(&|spot| words[spot] & effect::FIVE[0] != 0);
            return point.map(|point| (point, WIN - 1));
        }
        if state.sums.fives(1) > 0 || state.sums.open_fours(0) == 0 {
            return None;
        }
        let shape = |spot, direction| effect::shape_of_middle(state.cells(spot, direction));
        let point = first(&|spot| (0..4).any(|direction| shape(spot, direction) == 6));
        point.map(|point| (point, WIN - 3))
    }

    /// The next step after the stone that leads to these sums at `ply`, with `depth` plies left.
    #[inline]
    fn next(&self, sums: &Sums, ply: usize, depth: usize) -> Step<()> {
        let (side, other) = (ply % 2, (ply + 1) % 2);
        if sums.fives(side) > 0 {
            return Step::Known(-(WIN - (ply as i32 + 1)));
        }
        let block = sums.fives(other) > 0;
        if !block && sums.open_fours(side) > 0 {
            return Step::Known(-(WIN - (ply as i32 + 3)));
        }
        if depth == 0 && !(block && self.extend && ply < LAST_PLY) {
            return Step::Known(-sums.scores[side].clamp(-LIMIT, LIMIT));
        }
        Step::Node((), Node { ply, depth, block })
    }

    /// The mask of a node's candidates, and how many are searched.
    #[inline]
    fn candidates(&self, state: &State, node: &Node) -> (u32, usize) {
        let other = (node.ply + 1) % 2;
        if node.block {
            (effect::FIVE[other], 1)
        } else if state.sums.open_fours(other) > 0 {
            (effect::ANY_FOUR, self.width)
        } else {
            (effect::ALIVE, self.width)
        }
    }
}

impl Tree for Search {
    type State = State;
    type Cache = Cache;

    const BOUND: i32 = 32_000;

    fn cache(&self) -> Cache {
        Cache::new(&self.weights)
    }

    fn root(&self, state: &State) -> Node {
        Node {
            ply: 0,
            depth: self.depth,
            block: state.sums.fives(1) > 0,
        }
    }

    fn splits(&self, node: &Node) -> bool {
        node.depth >= SPLIT && !node.block
    }

    fn children(&self, state: &State, node: &Node) -> Vec<usize> {
        let (mask, width) = self.candidates(state, node);
        let mut last = u32::MAX;
        let words = std::iter::from_fn(|| {
            last = self.picker.next(state.words(), mask, last);
            (last > 0).then_some(last)
        });
        words.take(width).map(effect::spot).collect()
    }

    fn step(&self, state: &State, cache: &mut Cache, node: &Node, spot: usize) -> Step<State> {
        let side = node.ply % 2;
        let sums = state.sums_with(cache, spot, side);
        match self.next(&sums, node.ply + 1, node.depth.saturating_sub(1)) {
            Step::Known(value) => Step::Known(value),
            Step::Node((), node) => {
                let mut state = state.clone();
                state.put(cache, spot, side, sums);
                Step::Node(state, node)
            }
        }
    }

    fn child_window(Window { alpha, beta }: Window) -> Window {
        Window {
            alpha: -beta,
            beta: -alpha,
        }
    }

    fn expand<const TRACE: bool>(
        &self,
        state: &mut State,
        cache: &mut Cache,
        node: Node,
        mut window: Window,
        progress: &mut Progress<'_>,
    ) -> Result<i32, Ended> {
        let (ply, side) = (node.ply, node.ply % 2);
        let (mask, width) = self.candidates(state, &node);
        let depth = node.depth.saturating_sub(1);
        let mut last = u32::MAX;
        let mut best = -Self::BOUND;
        for _ in 0..width {
            last = self.picker.next(state.words(), mask, last);
            if last == 0 {
                break;
            }
            let spot = effect::spot(last);
            progress.enter()?;
            let sums = state.sums_with(cache, spot, side);
            let value = match self.next(&sums, ply + 1, depth) {
                Step::Known(value) => value,
                Step::Node((), child) => {
                    let before = state.sums;
                    state.put(cache, spot, side, sums);
                    let below = Self::child_window(window);
                    let value = self.expand::<TRACE>(state, cache, child, below, progress)?;
                    state.take(cache, spot, side, before);
                    -value
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
            window.alpha = window.alpha.max(value);
            if window.alpha >= window.beta {
                break;
            }
        }
        Ok(if best == -Self::BOUND { 0 } else { best })
    }
}
