//! Fast engines: implementations of the games' decisions that are written from
//! the definitions, not from the golden models, and proved equal to them by the
//! tests of the workspace.
//!
//! - [`tetris`]: linear controllers on boards up to 12x32, on the instruction
//!   sets this machine has.
//! - [`connect4`]: alpha-beta on bitboards.

pub mod connect4;
pub mod tetris;
