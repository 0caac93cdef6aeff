//! The profile `wujian`.
//!
//! A stone changes only the runs beside it, and what the last stone of a search would add only at
//! the two empty spots next to those runs, in each direction. So the search keeps, for each spot,
//! how much the value changes by a last stone there: a node whose children are leaves adds up
//! nothing, it only looks for the highest of these numbers.

mod tables;

use lockstep_games::gomoku::{Board, Candidate, Stone};

use super::geometry::{AROUND, LINES, SPOTS, STEPS, Set, THROUGH, point};
use super::progress::{Ended, Progress};
use super::tree::{Node, Step, Tree, Window};
use tables::{Tables, left_of, right_of};

/// The value of five in a row.
pub const WIN: i32 = 100_000;
/// The least depth of a node whose children threads share.
const SPLIT: usize = 4;

/// A board in a search of one depth.
#[derive(Clone)]
pub struct State {
    /// For each direction and line two bits a cell, those of cell n from bit 2 n + 10 on: 1 is a
    /// stone of the side to move at the root, 2 one of the other side, 3 is outside of the board.
    lines: [u64; 4 * LINES],
    /// Change of the value by a last stone on each spot.
    gains: [i32; 256],
    /// The value of a leaf on this board.
    value: i32,
    stones: Set,
    /// The spots next to stones, stones among them.
    near: Set,
}

/// The changes by a stone, to undo them.
struct Undo {
    spots: [u8; 8],
    gains: [i32; 8],
    count: usize,
    value: i32,
    near: Set,
}

impl State {
    /// The empty board.
    fn empty(tables: &Tables) -> Self {
        let mut lines = [u64::MAX; 4 * LINES];
        for through in spots().map(|spot| THROUGH[spot]) {
            for (line, place) in through.line.into_iter().zip(through.place) {
                lines[usize::from(line)] &= !(3 << (2 * place + 10));
            }
        }
        let mut gains = [0; 256];
        for spot in spots() {
            let through = THROUGH[spot];
            for (line, place) in through.line.into_iter().zip(through.place) {
                gains[spot] += tables.gain(lines[usize::from(line)], place.into());
            }
        }
        Self {
            lines,
            gains,
            value: 0,
            stones: Set::default(),
            near: Set::default(),
        }
    }

    /// Places a stone of side `side` (0 moves at the root) on an empty spot.
    #[inline]
    fn put(&mut self, tables: &Tables, spot: usize, side: usize) -> Undo {
        let mut undo = Undo {
            spots: [0; 8],
            gains: [0; 8],
            count: 0,
            value: self.value,
            near: self.near,
        };
        let through = &THROUGH[spot];
        for (direction, step) in STEPS.into_iter().enumerate() {
            let place = u32::from(through.place[direction]);
            let line = &mut self.lines[usize::from(through.line[direction])];
            let before = *line;
            let after = before | (side as u64 + 1) << (2 * place + 10);
            *line = after;
            let (left, right) = (left_of(before, place), right_of(before, place));
            self.value += tables.change(side, left, right);
            // The nearest empty spot behind the run on each side sees another run now.
            for (distance, sign) in [(tables.reach(left), -1), (tables.reach(right), 1)] {
                if distance == 0 {
                    continue;
                }
                let distance = sign * distance;
                let other = spot.wrapping_add_signed(distance * step) & 255;
                let place = place.wrapping_add_signed(distance as i32);
                let gain = tables.gain(after, place) - tables.gain(before, place);
                self.gains[other] += gain;
                undo.spots[undo.count & 7] = other as u8;
                undo.gains[undo.count & 7] = gain;
                undo.count += 1;
            }
        }
        self.stones = self.stones.with(spot);
        self.near = self.near.or(AROUND[spot]);
        undo
    }

    /// Takes the stone off that was put last.
    #[inline]
    fn take(&mut self, spot: usize, undo: &Undo) {
        let through = &THROUGH[spot];
        for (line, place) in through.line.into_iter().zip(through.place) {
            self.lines[usize::from(line)] &= !(3 << (2 * place + 10));
        }
        let changed = undo.spots.iter().zip(&undo.gains).take(undo.count);
        for (spot, gain) in changed {
            self.gains[usize::from(*spot)] -= gain;
        }
        self.value = undo.value;
        self.near = undo.near;
        self.stones.0[spot / 64 % 4] &= !(1 << (spot % 64));
    }

    /// Whether a stone of a side on an empty spot makes five in a row.
    #[inline]
    fn makes_five(&self, tables: &Tables, spot: usize, side: usize) -> bool {
        let through = &THROUGH[spot];
        let lines = through.line.into_iter().zip(through.place);
        let mut lengths = lines.map(|(line, place)| {
            let line = self.lines[usize::from(line)];
            tables.length(side, left_of(line, place.into()))
                + tables.length(side, right_of(line, place.into()))
        });
        lengths.any(|length| length >= 4)
    }

    fn candidates(&self) -> Set {
        self.near.without(self.stones)
    }
}

/// All spots of the board.
fn spots() -> impl Iterator<Item = usize> {
    (0..SPOTS).filter(|spot| spot % 16 < 15)
}

/// A search of one depth, without a position.
pub struct Wujian {
    depth: usize,
    tables: Tables,
    empty: State,
}

impl Wujian {
    pub fn new(depth: usize) -> Self {
        // The side to move at the root places the last stone if the depth is odd.
        let tables = Tables::new(if depth % 2 == 1 { (0, 10) } else { (1, 1) });
        let empty = State::empty(&tables);
        Self {
            depth,
            tables,
            empty,
        }
    }

    /// A board without five in a row, `own` to move.
    pub fn state(&self, board: &Board, own: Stone) -> State {
        let mut state = self.empty.clone();
        for (side, stone) in [own, own.other()].into_iter().enumerate() {
            for spot in Set::of(board, stone).spots() {
                state.put(&self.tables, spot, side);
            }
        }
        state
    }

    /// The value of a last stone, for the side that puts it.
    #[inline]
    fn last(&self, state: &State, ply: usize, spot: usize) -> i32 {
        sign(ply) * (state.value + state.gains[spot & 255])
    }
}

/// 1 if the side to move at the root places stone `ply` + 1, otherwise -1.
const fn sign(ply: usize) -> i32 {
    1 - 2 * (ply as i32 % 2)
}

impl Tree for Wujian {
    type State = State;
    type Cache = ();

    const BOUND: i32 = i32::MAX;

    fn cache(&self) {}

    fn root(&self, _: &State) -> Node {
        Node {
            ply: 0,
            depth: self.depth,
            block: false,
        }
    }

    fn splits(&self, node: &Node) -> bool {
        node.depth >= SPLIT
    }

    fn children(&self, state: &State, _: &Node) -> Vec<usize> {
        state.candidates().spots().collect()
    }

    fn step(&self, state: &State, (): &mut (), node: &Node, spot: usize) -> Step<State> {
        let Node { ply, depth, block } = *node;
        if depth == 1 {
            return Step::Known(self.last(state, ply, spot));
        }
        if state.makes_five(&self.tables, spot, ply % 2) {
            return Step::Known(WIN);
        }
        let mut state = state.clone();
        state.put(&self.tables, spot, ply % 2);
        let node = Node {
            ply: ply + 1,
            depth: depth - 1,
            block,
        };
        Step::Node(state, node)
    }

    /// A child knows the bound of its parent and no other.
    fn child_window(window: Window) -> Window {
        Window {
            alpha: -Self::BOUND,
            beta: -window.alpha,
        }
    }

    fn expand<const TRACE: bool>(
        &self,
        state: &mut State,
        (): &mut (),
        node: Node,
        mut window: Window,
        progress: &mut Progress<'_>,
    ) -> Result<i32, Ended> {
        let Node { ply, depth, block } = node;
        let candidates = state.candidates();
        if candidates.is_empty() {
            return Ok(0);
        }
        if depth == 1 && ply > 0 && !TRACE {
            return Ok(last(state, candidates, sign(ply), window.beta, progress));
        }
        let child = Node {
            ply: ply + 1,
            depth: depth.saturating_sub(1),
            block,
        };
        for spot in candidates.spots() {
            progress.enter()?;
            let value = if depth == 1 {
                self.last(state, ply, spot)
            } else if state.makes_five(&self.tables, spot, ply % 2) {
                WIN
            } else {
                let undo = state.put(&self.tables, spot, ply % 2);
                let below = Self::child_window(window);
                let value = self.expand::<TRACE>(state, &mut (), child, below, progress)?;
                state.take(spot, &undo);
                -value
            };
            if TRACE {
                let (ply, point) = (ply as u8 + 1, point(spot) as u8);
                progress.leave(Candidate::new(ply, point, sign(node.ply) * value));
            }
            if value > window.alpha {
                window.alpha = value;
                if ply == 0 {
                    progress.take(point(spot), value);
                }
            }
            if window.alpha >= window.beta {
                break;
            }
        }
        // Alpha began below all values.
        Ok(window.alpha)
    }
}

/// The value of a board whose children are leaves.
#[inline]
fn last(state: &State, candidates: Set, sign: i32, bound: i32, progress: &mut Progress<'_>) -> i32 {
    let mut best = i32::MIN;
    let mut nodes = 0;
    'all: for (word, mut bits) in candidates.0.into_iter().enumerate() {
        while bits != 0 {
            let spot = 64 * word + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            nodes += 1;
            best = best.max(sign * (state.value + state.gains[spot & 255]));
            if best >= bound {
                break 'all;
            }
        }
    }
    progress.count(nodes);
    best
}
