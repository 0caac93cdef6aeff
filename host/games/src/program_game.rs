//! Games of a program with rules of its own, which no backend can decide.

use crate::Picture;

/// A game under way that plays itself.
pub trait Solo: Send {
    /// Plays one more move and shows it; `None` when the game is over, and from
    /// then on.
    fn step(&mut self) -> Option<Picture>;

    /// Moves played so far.
    fn moves(&self) -> u64;

    /// The score so far, as the program counts it.
    fn score(&self) -> u64;
}
