//! Batches: many moves at one request, as runs or as self-play.

use std::fmt::Debug;

use serde::Serialize;

use crate::field::Field;

/// The types of a game's runs and self-plays; a game without them uses [`NoBatches`].
pub trait Batches: 'static {
    /// A run: moves to decide and make at one request; in Tetris a board and the pieces to place.
    type Run: Clone + Debug + PartialEq + Send + Sync;
    /// A self-play: games with random draws from a seed.
    type SelfPlay: Clone + Debug + PartialEq + Send + Sync;
    /// A move of a run.
    type Move: Clone + Debug + PartialEq + Send + Sync + Serialize;
    /// The totals of a run or a self-play, such as moves and score.
    type Sums: Clone + Debug + PartialEq + Send + Sync + Serialize;

    /// The fields of a move; every move has the same fields in the same order.
    fn move_fields(played: &Self::Move) -> Vec<Field>;

    /// The fields of the totals; always the same fields in the same order.
    ///
    /// The value of an unknown one is [`Value::Nothing`](crate::Value::Nothing).
    fn sums_fields(sums: &Self::Sums) -> Vec<Field>;
}

/// The batches of a game without runs and self-play; it has no values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum NoBatches {}

impl Batches for NoBatches {
    type Run = Self;
    type SelfPlay = Self;
    type Move = Self;
    type Sums = Self;

    fn move_fields(played: &Self) -> Vec<Field> {
        match *played {}
    }

    fn sums_fields(sums: &Self) -> Vec<Field> {
        match *sums {}
    }
}
