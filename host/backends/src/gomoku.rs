//! Gomoku with programs and boards of others.
//!
//! - [`player`]: the board as such a protocol sees it, own stones and the opponent's.
//! - [`brain`], [`gomocup`]: the sides of the Gomocup protocol: a program, and its manager.
//! - [`wujian`]: both sides of the serial protocol of an earlier player on an FPGA.

pub mod brain;
pub mod gomocup;
pub mod player;
pub mod wujian;
