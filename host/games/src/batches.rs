//! Many moves at one request: runs and self-play. A game without them uses [`NoBatches`].

use std::fmt::Debug;

use protocol::layout::Message;
use protocol::payload::{Payload, PayloadError};
use serde::Serialize;

use crate::field::Field;
use crate::game::Game;

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

/// A run of the game `G`.
pub type Run<G> = <<G as Game>::Batches as Batches>::Run;
/// A self-play of the game `G`.
pub type SelfPlay<G> = <<G as Game>::Batches as Batches>::SelfPlay;
/// A move of a run of the game `G`.
pub type Move<G> = <<G as Game>::Batches as Batches>::Move;
/// The sums of a run or a self-play of the game `G`.
pub type Sums<G> = <<G as Game>::Batches as Batches>::Sums;

/// The result of a run.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Played<G: Game> {
    /// Its moves, in their order.
    pub moves: Vec<Move<G>>,
    /// Their sums.
    pub sums: Sums<G>,
}

/// The messages of runs and self-play.
#[derive(Debug)]
pub struct Playing<G: Game> {
    /// A run: the parts hold its moves.
    pub play: Stream<G, Run<G>, Vec<Move<G>>>,
    /// A self-play: the parts are checkpoints.
    pub self_play: Stream<G, SelfPlay<G>, Sums<G>>,
    /// Most clock cycles of a decision and its move.
    pub slowest: u32,
}

/// A request that is answered by a stream, with sums at its end.
#[derive(Debug)]
pub struct Stream<G: Game, Q, P> {
    /// The request.
    pub request: &'static Message,
    /// Its payload.
    pub encode: fn(&Q) -> Result<Payload, G::Error>,
    /// The most parts that there can be.
    pub most: fn(&Q) -> u64,
    /// The most decisions from one part to the next, or to the end.
    pub pause: fn(&Q) -> u64,
    /// Reads a part.
    pub part: fn(&[u8]) -> Result<P, PayloadError>,
    /// Reads the end.
    pub end: fn(&[u8]) -> Result<Sums<G>, PayloadError>,
}
