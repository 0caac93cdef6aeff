//! The clock cycles of the core with lanes: its queues, cycle by cycle.
//!
//! The core scans a board from the stack's top down, two rows in each cycle (with 8 lanes four).
//! Then each lane takes a placement in each cycle. A placement that removes rows is only flagged:
//! its board is made, and scanned like that of a request. With lookahead, the board of each
//! placement is made and decided in turn, while the lanes work on others.

use std::collections::{BTreeMap, VecDeque};

use super::super::piece::width;
use super::super::{Board, Piece};

/// Cycles from a placement to its landing, and to its score.
const LANDED: u64 = 6;
const SCORED: u64 = 14;
/// Pieces under way at most.
const MOST_PIECES: usize = 15;
/// Cycles of the division that gives a mean.
const DIVISION: u32 = 55;

/// The clock cycles of a decision; `next` are the pieces that may follow, none without lookahead.
pub(super) fn cycles(board: &Board, piece: Piece, next: &[Piece], lanes: u8) -> u32 {
    let results = |count| Lanes::deciding(board, piece, next, lanes).results(count);
    if next.is_empty() {
        return results(1)[0] as u32 + 1;
    }
    let firsts: Vec<_> = steps(board, piece, lanes.into())
        .into_iter()
        .flatten()
        .collect();
    if firsts.is_empty() {
        return results(1)[0] as u32 + 3;
    }
    // The best placement survives with the most pieces.
    let survive = |first: &Landed| {
        let is_legal = |next: &&Piece| {
            steps(&first.after, **next, lanes.into())
                .iter()
                .any(|s| !s.is_empty())
        };
        next.iter().filter(is_legal).count()
    };
    let survivors = firsts.iter().map(survive).max().unwrap_or(0);
    let last = results(1 + firsts.len() * next.len()).pop().unwrap_or(0);
    last as u32 + 6 + if survivors > 1 { DIVISION } else { 0 }
}

/// A landing of a piece: the rows it removes, and the board after it.
#[derive(Debug, Clone)]
struct Landed {
    rows: u32,
    after: Board,
}

/// A queue of landings, and the maker of their boards after it.
#[derive(Debug, Clone, Default)]
struct Making {
    /// A board is begun in the cycle in which the one before is given, not in the next one.
    takes_early: bool,
    /// Landings that came together, and of the first ones those that are left.
    queue: VecDeque<VecDeque<Landed>>,
    head: VecDeque<Landed>,
    /// A board, and the cycle from which it is offered.
    made: Option<(u64, Board)>,
}

impl Making {
    fn new(lanes: u8) -> Self {
        Self {
            takes_early: lanes >= 8,
            ..Self::default()
        }
    }

    fn offered(&self, cycle: u64) -> Option<&Board> {
        let made = self.made.as_ref().filter(|(from, _)| *from <= cycle);
        made.map(|(_, board)| board)
    }

    /// Ends a cycle in which the made board was `given` or not, and landings `came`. Returns
    /// whether the last landing of those that came together has left the queue.
    fn end_cycle(&mut self, cycle: u64, given: bool, came: VecDeque<Landed>) -> bool {
        let is_free = self.made.is_none() || (given && self.takes_early);
        if given {
            self.made = None;
        }
        let had_some = !self.head.is_empty();
        if is_free {
            let next = self.head.pop_front();
            self.made = next.map(|landed| (cycle + u64::from(landed.rows) + 3, landed.after));
        }
        if !came.is_empty() {
            self.queue.push_back(came);
        }
        if self.head.is_empty() {
            self.head = self.queue.pop_front().unwrap_or_default();
            return had_some;
        }
        false
    }
}

/// A board on its way to the lanes, or in them: its pieces that are still to begin.
#[derive(Debug, Clone)]
pub(super) struct Work {
    board: Board,
    pieces: VecDeque<Piece>,
    /// Its landings are those that lookahead begins with.
    is_request: bool,
    /// From this cycle on, the lanes can begin.
    from: u64,
}

impl Work {
    /// A board that is requested to be decided.
    pub(super) fn request(board: &Board, piece: Piece) -> Self {
        Self {
            board: board.clone(),
            pieces: VecDeque::from([piece]),
            is_request: true,
            from: 0,
        }
    }
}

/// The landings of the placements that lanes begin together.
#[derive(Debug, Clone)]
struct Step {
    landings: VecDeque<Landed>,
    is_last: bool,
    is_request: bool,
}

/// The queues of a core.
#[derive(Debug, Clone)]
pub(super) struct Lanes {
    lanes: usize,
    next: VecDeque<Piece>,
    /// The board that is offered.
    pub(super) request: Option<Work>,
    /// The scan is free from this cycle on; a board after removal is read until then.
    free: u64,
    reads_removed: bool,
    waiting: Option<Work>,
    current: Option<Work>,
    /// Steps to be given, the first one in the next cycle.
    steps: VecDeque<Step>,
    /// Steps in the lanes, by the cycle in which they land.
    in_lanes: VecDeque<(u64, Step)>,
    /// Steps that removed rows or still may, until their boards are made.
    reserved: usize,
    removals: Making,
    firsts: Making,
    /// Removals of the piece that lands.
    removing: usize,
    /// Pieces that are scored except for their removals: from which cycle on, and how many.
    scored: VecDeque<(u64, usize)>,
    /// The cycles in which boards after removal are scored, and how many of the first piece count.
    removed: VecDeque<u64>,
    counted: usize,
    pieces_under_way: usize,
}

impl Lanes {
    /// A core that decides a board at once.
    fn deciding(board: &Board, piece: Piece, next: &[Piece], lanes: u8) -> Self {
        Self {
            next: next.iter().copied().collect(),
            request: Some(Work::request(board, piece)),
            ..Self::new(lanes)
        }
    }

    /// A core without a board.
    pub(super) fn new(lanes: u8) -> Self {
        Self {
            lanes: lanes.into(),
            next: VecDeque::new(),
            request: None,
            free: 0,
            reads_removed: false,
            waiting: None,
            current: None,
            steps: VecDeque::new(),
            in_lanes: VecDeque::new(),
            reserved: 0,
            removals: Making::new(lanes),
            firsts: Making::new(lanes),
            removing: 0,
            scored: VecDeque::new(),
            removed: VecDeque::new(),
            counted: 0,
            pieces_under_way: 0,
        }
    }

    /// The maker of boards begins one in the cycle in which the one before is given.
    pub(super) fn takes_early(&self) -> bool {
        self.removals.takes_early
    }

    /// Cycles that the scan of a board takes.
    fn scan(&self, board: &Board) -> u64 {
        let stack = (0..board.columns())
            .map(|column| board.height(column))
            .max();
        let rows = if self.lanes < 8 { 2 } else { 4 };
        stack.unwrap_or(0).div_ceil(rows).max(1) as u64
    }

    /// The cycles in which the best placements of `count` pieces are given.
    fn results(&mut self, count: usize) -> Vec<u64> {
        let mut results = Vec::new();
        let mut given = false;
        for cycle in 0.. {
            results.extend(given.then_some(cycle));
            if results.len() == count {
                break;
            }
            given = self.step(cycle, given);
        }
        results
    }

    /// Begins the next piece of the board in the lanes, or the board that waits, if there is one.
    fn begin(&mut self, cycle: u64) -> bool {
        if self
            .current
            .as_ref()
            .is_none_or(|work| work.pieces.is_empty())
        {
            let Some(work) = self.waiting.take_if(|work| work.from <= cycle) else {
                return false;
            };
            self.current = Some(work);
        }
        let Some(work) = &mut self.current else {
            return false;
        };
        let Some(piece) = work.pieces.pop_front() else {
            return false;
        };
        let steps = steps(&work.board, piece, self.lanes);
        let last = steps.len() - 1;
        let is_request = work.is_request;
        self.steps.extend(
            steps
                .into_iter()
                .enumerate()
                .map(|(number, landings)| Step {
                    landings,
                    is_last: number == last,
                    is_request,
                }),
        );
        true
    }

    /// A cycle. `given`: a best placement is, the one before found it. Whether this one does.
    pub(super) fn step(&mut self, cycle: u64, given: bool) -> bool {
        let reads_removed = self.reads_removed && cycle <= self.free;
        let removed = self.removals.offered(cycle).filter(|_| !reads_removed);
        let removed = removed.map(|board| self.scan(board));

        // The lanes.
        let most = [34, 18, 9, 9][self.lanes.ilog2() as usize];
        let depth = if self.lanes < 4 { 64 } else { 32 };
        let can_begin = self.reserved <= depth - most
            && self.steps.len() <= 1
            && self.pieces_under_way < MOST_PIECES;
        if let Some(step) = self.steps.pop_front() {
            self.reserved += 1;
            self.in_lanes.push_back((cycle + LANDED, step));
        }
        // With 8 lanes a board is taken while the one before goes to the lanes, too.
        let waits = self.waiting.is_some();
        let begins = can_begin && self.begin(cycle);
        let is_free = cycle >= self.free;
        let takes_work = is_free
            && removed.is_none()
            && !(waits && (self.lanes < 8 || self.waiting.is_some()))
            && self.pieces_under_way < MOST_PIECES - 1;
        let lands = self.in_lanes.pop_front_if(|(at, _)| *at == cycle);
        let (mut landed, mut firsts) = (VecDeque::new(), VecDeque::new());
        if let Some((_, step)) = lands {
            if step.is_request && !self.next.is_empty() {
                firsts.clone_from(&step.landings);
            }
            landed = step.landings;
            landed.retain(|landed| landed.rows > 0);
            self.reserved -= usize::from(landed.is_empty());
            self.removing += landed.len();
            if step.is_last {
                let scored = cycle - LANDED + SCORED + u64::from(self.lanes.ilog2()) + 2;
                self.scored.push_back((scored, self.removing));
                self.removing = 0;
            }
        }

        // The scan.
        let is_given = is_free && removed.is_some();
        if let (true, Some(scan)) = (is_given, removed) {
            self.free = cycle + scan;
            self.reads_removed = true;
            // Its features come four cycles after the scan, and its score six later.
            self.removed.push_back(self.free + 10);
        }
        let first = self.firsts.offered(cycle).cloned();
        let mut is_first_given = false;
        if takes_work {
            let work = self.request.take().or_else(|| {
                is_first_given = first.is_some();
                first.map(|board| Work {
                    board,
                    pieces: self.next.clone(),
                    is_request: false,
                    from: 0,
                })
            });
            if let Some(mut work) = work {
                // A request is read for two cycles at least.
                let scan = self.scan(&work.board).max(2);
                self.free = cycle + scan;
                self.reads_removed = false;
                work.from = cycle + 2.max(scan - 1);
                self.waiting = Some(work);
            }
        }
        let left = self.removals.end_cycle(cycle, is_given, landed);
        self.reserved -= usize::from(left);
        self.firsts.end_cycle(cycle, is_first_given, firsts);

        self.pieces_under_way += usize::from(begins);
        self.pieces_under_way -= usize::from(given);
        let Some((_, removals)) = self.scored.front().filter(|(from, _)| *from <= cycle) else {
            return false;
        };
        let done = *removals == self.counted;
        if done {
            self.scored.pop_front();
            self.counted = 0;
        } else if self
            .removed
            .pop_front_if(|scored| *scored <= cycle)
            .is_some()
        {
            self.counted += 1;
        }
        done
    }
}

/// The legal landings of each step: of one rotation, in as many neighbouring columns as there are
/// lanes. Rotations 1 and 3 share a step where each would take one for column 8 alone.
fn steps(board: &Board, piece: Piece, lanes: usize) -> Vec<VecDeque<Landed>> {
    let mut steps: BTreeMap<_, VecDeque<Landed>> = BTreeMap::new();
    for (rotation, cells) in piece.rotations().iter().enumerate() {
        for column in 0..=board.columns() - width(cells) {
            let shares = lanes >= 4 && rotation == 3 && column == 8;
            let rotation = if shares { 1 } else { rotation };
            let step = steps.entry((rotation, column / lanes)).or_default();
            step.extend(board.landing_row(cells, column).map(|row| {
                let mut after = board.clone();
                after.place(cells, column, row);
                let rows = after.clear_full_rows().len() as u32;
                Landed { rows, after }
            }));
        }
    }
    steps.into_values().collect()
}
