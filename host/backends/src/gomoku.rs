//! Gomoku with third-party programs and boards.
//!
//! - [`player`]: the board as such a protocol sees it, own stones and the opponent's.
//! - [`brain`], [`gomocup`]: the two sides of the Gomocup protocol, program and manager.
//! - [`wujian`]: both sides of the serial protocol of an earlier player on an FPGA.

pub mod brain;
pub mod gomocup;
pub mod player;
pub mod wujian;
