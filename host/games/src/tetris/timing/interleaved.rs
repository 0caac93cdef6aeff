//! The clock cycles of a self-play whose games a core with lanes plays side by side.

use std::collections::VecDeque;

use super::super::{Placement, Position};
use super::Core;
use super::lanes::{Lanes, Work};

/// Cycles between two moves that are signed.
const SIGNED: u64 = 3;

/// Counts the clock cycles in which a core has at least one decision of a self-play under way.
///
/// A core with lanes decides the boards of up to `games` games at once, in the order of the pieces.
/// A board is offered again once its piece is placed. The serial core decides one board at a time.
#[derive(Debug, Clone)]
pub struct Interleaved {
    core: Core,
    games: u8,
    lanes: Lanes,
    cycle: u64,
    /// A best placement is given in this cycle.
    given: bool,
    /// The board of the next piece is there.
    has_next: bool,
    /// A board was taken in the last cycle.
    took: bool,
    /// Pieces taken and not placed yet.
    under_way: usize,
    /// Of these, the ones that are being decided.
    deciding: usize,
    /// Of the pieces under way, the rows that each removes; `None` if it has no placement.
    pieces: VecDeque<Option<u32>>,
    /// Decisions whose pieces wait to be placed, without the next one.
    results: usize,
    /// The decision whose piece is placed next is known.
    has_result: bool,
    /// From this cycle on, the board that is made is there.
    made: Option<u64>,
    /// A lost game's board is emptied.
    lost: bool,
    /// From this cycle on, the next move can be signed.
    signs: u64,
    /// Cycles with at least one decision under way.
    busy: u64,
}

impl Interleaved {
    /// A self-play of `games` games, at least 1.
    pub fn new(core: Core, games: u8) -> Self {
        Self {
            core,
            games,
            lanes: Lanes::new(core.lanes),
            cycle: 0,
            given: false,
            has_next: true,
            took: false,
            under_way: 0,
            deciding: 0,
            pieces: VecDeque::new(),
            results: 0,
            has_result: false,
            made: None,
            lost: false,
            signs: 0,
            busy: 0,
        }
    }

    /// Adds the next decision.
    pub fn push(&mut self, position: &Position, placement: Option<&Placement>) {
        if self.core.lanes == 0 {
            self.busy += u64::from(self.core.cycles(position));
            return;
        }
        let rows = placement.map(|placement| placement.rows_cleared as u32);
        self.pieces.push_back(rows);
        let mut work = Some(Work::request(&position.board, position.piece));
        while work.is_some() {
            self.step(&mut work);
        }
    }

    /// The clock cycles since the last call, once all decisions are carried out.
    pub fn settle(&mut self) -> u64 {
        while self.under_way > 0 {
            self.step(&mut None);
        }
        std::mem::replace(self, Self::new(self.core, self.games)).busy
    }

    /// A cycle, in which the core may take the board of `next`.
    fn step(&mut self, next: &mut Option<Work>) {
        let cycle = self.cycle;
        if self.has_next && !self.took {
            self.lanes.request = next.take();
        }
        let offered = self.lanes.request.is_some();
        let found = self.lanes.step(cycle, self.given);
        let takes = offered && self.lanes.request.is_none();
        if !takes {
            *next = self.lanes.request.take().or(next.take());
        }
        self.busy += u64::from(takes || self.deciding > 0);

        // A piece is placed on its board, and its move added to the signature.
        let is_made = self.made.is_some_and(|from| from <= cycle);
        let result = self.pieces.front().filter(|_| self.has_result).copied();
        let is_free = self.made.is_none() || (is_made && self.lanes.takes_early());
        let makes = is_free && cycle >= self.signs;
        let result = result.filter(|_| makes);
        let loses = result.is_some_and(|rows| rows.is_none());
        let loads = !self.has_next && self.under_way < usize::from(self.games);
        if is_made {
            self.made = None;
        }
        if let Some(rows) = result {
            self.pieces.pop_front();
            self.has_result = false;
            self.signs = cycle + SIGNED;
            self.made = rows.map(|rows| cycle + 3 + u64::from(rows));
        }
        if !self.has_result && self.results > 0 {
            self.has_result = true;
            self.results -= 1;
        }
        self.results += usize::from(self.given);
        self.under_way += usize::from(takes);
        self.under_way -= usize::from(is_made || self.lost);
        self.lost = loses;
        self.deciding += usize::from(takes);
        self.deciding -= usize::from(self.given);
        self.has_next = loads || (self.has_next && !takes);
        self.took = takes;
        self.given = found;
        self.cycle += 1;
    }
}
