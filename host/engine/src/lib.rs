//! Fast engines: decide as the golden models do, written independently from the games' definitions.
//!
//! The tests of the workspace compare them with the golden models. Read in this order:
//! - [`connect4`]: alpha-beta search on bitboards.
//! - [`gomoku`]: alpha-beta search on lines of bits.
//! - [`tetris`]: linear controllers on boards up to 12x32, with SIMD instructions where the machine
//!   has them.

pub mod connect4;
pub mod gomoku;
pub mod tetris;
