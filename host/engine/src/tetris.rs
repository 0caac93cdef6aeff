//! A fast engine for linear controllers of Tetris.
//!
//! An [`Engine`] has a [`Linear`](lockstep_games::tetris::Linear) controller, a board size and a
//! [`Path`]. It decides single positions ([`Engine::decide`]) or plays an [`EngineGame`]
//! ([`Engine::play`]). All paths make the same decisions, with exact scores, for any weights. The
//! engine is written from the definitions (`host/games/src/tetris/README.md`), not from the golden
//! model.
//!
//! A dropped piece changes the board only around itself. So placements are ranked by the *change*
//! of the score, which follows from a window of four rows, the column heights and the depth of the
//! empty cells below. No board is built and no loop runs over rows or columns; the scores of
//! placements that fill rows are corrected. The SIMD paths score all columns of a rotation at once.
//!
//! Modules, in the order to read them:
//! - `limits`, `shape`, `feature`: constants and types that the others use
//! - `evaluate`, `brute`: all features of a board; boards that hold full rows, and
//!   double precision, for comparison
//! - `scale`: the prepared weights, and the features that they need
//! - `stack`, `measure`, `clear`: the board, and what a placement changes
//! - `scalar`: the portable path, and exact scores of near ties
//! - `lanes`: the AVX-512 and AVX2 paths
//! - `run`, `core`, `game`: dispatch, [`Engine`] and its [`Path`]s, games and their counters
//! - `lookahead`: controllers that look ahead
//! - `batch`: many positions, given as arrays
//! - `implementation`: the engine as a backend

mod batch;
mod brute;
mod clear;
mod core;
mod evaluate;
mod feature;
mod game;
mod implementation;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod limits;
mod lookahead;
mod measure;
#[allow(
    unsafe_code,
    reason = "calls functions compiled for instructions whose presence a token proves"
)]
mod run;
mod scalar;
mod scale;
mod shape;
mod stack;

pub use batch::{PlacedNumbers, PositionError, Positions};
pub use brute::Float;
pub use core::Path;
pub use core::{Engine, EngineError};
pub use game::{EngineGame, EngineTotals};
pub use implementation::FastTetris;
