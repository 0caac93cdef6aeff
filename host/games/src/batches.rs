//! Many moves at one request: runs and self-play. A game without them uses [`NoBatches`].

use std::fmt::Debug;

use serde::Serialize;

use crate::field::Field;

/// The types of a game's runs and self-plays.
pub trait Batches: 'static {
    /// A run: moves to decide and make at one request. In Tetris a board and the pieces to put on
    /// it.
    type Run: Clone + Debug + PartialEq + Send + Sync;
    /// Self-play: games with random draws from a seed.
    type SelfPlay: Clone + Debug + PartialEq + Send + Sync;
    /// A move of a run.
    type Move: Clone + Debug + PartialEq + Send + Sync + Serialize;
    /// The results of a run or a self-play, in sums.
    type Sums: Clone + Debug + PartialEq + Send + Sync + Serialize;

    /// The fields of a move, the same ones in the same order for every move.
    fn move_fields(played: &Self::Move) -> Vec<Field>;

    /// The fields of sums, always the same ones in the same order; an unknown one is
    /// [`Value::Nothing`](crate::Value::Nothing).
    fn sums_fields(sums: &Self::Sums) -> Vec<Field>;
}

/// A game without runs and self-play.
#[derive(Debug)]
pub enum NoBatches {}

/// A type without values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Never {}

impl Batches for NoBatches {
    type Run = Never;
    type SelfPlay = Never;
    type Move = Never;
    type Sums = Never;

    fn move_fields(played: &Never) -> Vec<Field> {
        match *played {}
    }

    fn sums_fields(sums: &Never) -> Vec<Field> {
        match *sums {}
    }
}
