//! The clock cycles of self-play, whose decisions may overlap.

use super::super::{Placement, Position};
use super::Core;

/// The clock cycles of a core in which a decision is under way, counted as it plays games side by
/// side.
#[derive(Debug, Clone)]
pub struct Interleaved {
    core: Core,
    /// Clock cycles since they were last taken.
    cycles: u64,
}

impl Interleaved {
    /// A core before the first decision, which plays so many games, at least one.
    ///
    /// Of one game the cycles are the sum of the decisions' [`Core::cycles`].
    pub const fn new(core: Core, _games: u8) -> Self {
        Self { core, cycles: 0 }
    }

    /// Adds the next decision: the position without a next piece, and its placement if there is
    /// one.
    pub fn push(&mut self, position: &Position, _placement: Option<&Placement>) {
        self.cycles += u64::from(self.core.cycles(position));
    }

    /// Ends all decisions; the clock cycles since it was last called.
    pub const fn settle(&mut self) -> u64 {
        std::mem::replace(&mut self.cycles, 0)
    }
}
