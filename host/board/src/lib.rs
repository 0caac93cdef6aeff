//! A virtual board: the RTL, simulated at its serial pins, behind a pseudo-terminal or a TCP port.
//!
//! Read in this order:
//! - [`VirtualBoard`] and `model`: the model on a thread of its own, bytes in and bytes out;
//!   [`Pace`]: the speed of its time.
//!   With a monitor it shows the pictures of the board's pins ([`Screen`]).
//! - [`Listener`]: accepts clients at an [`Endpoint`], one after the other; `pty`
//!   and `pty_link`: a pseudo-terminal and its stable path.
//! - [`LineFaults`]: seeded faults on the line; faults of bytes are in `lockstep::link::faults`.
//! - [`Server`]: connects each client with the board; [`Served`]: its counts; `error`: all errors.

#[cfg(test)]
#[path = "../../session/tests/toy/a_hang.rs"]
mod a_hang;
mod error;
mod faults;
mod listener;
mod model;
#[cfg(target_os = "linux")]
mod pty;
#[cfg(target_os = "linux")]
mod pty_link;
mod server;
mod virtual_board;

pub use error::BoardError;
pub use faults::{FaultOption, LineFaultCounts, LineFaults};
pub use listener::{Address, DEFAULT_PORT, Endpoint, Line, Listen, Listener};
pub use server::{Options, Served, Server};
pub use virtual_board::{Buttons, Pace, Power, Progress, Screen, VirtualBoard};
