//! A fast decision engine for linear controllers.
//!
//! [`Engine`] is made from a [`Linear`](lockstep_games::tetris::Linear) controller, a
//! board size and a [`Path`]; it answers one board at a time ([`Engine::decide`])
//! or plays a [`Game`] ([`Engine::play`]). All paths give the same decisions, with
//! exact scores, for any weights. Written from the definitions (the README.md of
//! Tetris in the games), not from the golden model, and compared with it.
//!
//! What makes it fast: a dropped piece changes the board only around itself, so
//! placements are ranked by the *change* of the score, read off a window of four
//! rows, the column heights and the depth of the empty cells below. No board is
//! built and no loop runs over rows or columns; placements that fill rows get a
//! correction. The instruction-set paths score all columns of a rotation at once.
//!
//! Modules, in the order to read them:
//! - `limits`, `shape`, `feature`, `path`: the vocabulary
//! - `evaluate`, `brute`: features in full; boards that hold full rows
//! - `scale`, `formulas`: weights reduced, rounded and bounded; which features count
//! - `stack`, `measure`, `sums`, `clear`: the board in play, and what a move changes
//! - `scalar`: the portable path, and the exact judge of near ties
//! - `lanes`: the AVX-512 and AVX2 paths
//! - `run`, `core`, `game`: dispatch, [`Engine`], games and their counters
//! - `lookahead`: more than one piece; `float`: double precision, to compare with
//! - `implementation`: the engine as a backend asks it

mod brute;
mod clear;
mod core;
mod evaluate;
mod feature;
mod float;
mod formulas;
mod game;
mod implementation;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod limits;
mod lookahead;
mod measure;
mod path;
#[allow(
    unsafe_code,
    reason = "calls functions compiled for instructions that a path proves to be there"
)]
mod run;
mod scalar;
mod scale;
mod shape;
mod stack;
mod sums;

pub use core::{Engine, EngineError};
pub use float::Float;
pub use game::{Game, Tally};
pub use implementation::FastTetris;
pub use path::{Path, PathError};
