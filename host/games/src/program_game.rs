//! Games of programs with rules of their own, which no backend can decide.

use crate::Picture;

/// A running game that a program plays by its own rules.
pub trait ProgramGame: Send {
    /// Plays the next move and returns its picture; `None` once the game is over.
    fn step(&mut self) -> Option<Picture>;

    /// Number of moves played so far.
    fn moves(&self) -> u64;

    /// The score so far, as the program counts it.
    fn score(&self) -> u64;
}
