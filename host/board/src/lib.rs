//! A virtual board: the RTL, simulated at its serial pins, where a board's serial
//! port would be.
//!
//! Read in this order:
//! - [`VirtualBoard`]: the model on a thread of its own, bytes in and bytes out;
//!   [`Pace`] says how fast its time passes.
//! - [`Server`]: lets one client after the other have it, through a
//!   pseudo-terminal or a TCP port ([`Entrance`]).
//! - [`LineFaults`]: what is done to the bytes on their way, on purpose and by a
//!   seed; [`Served`]: what passed.

mod counts;
mod door;
mod error;
mod faults;
mod line;
mod listen;
mod model;
mod pace;
#[cfg(target_os = "linux")]
mod place;
#[cfg(target_os = "linux")]
mod pty;
mod server;
mod virtual_board;

pub use counts::Served;
pub use door::{Address, Entrance};
pub use error::BoardError;
pub use faults::{FaultOption, FaultOptionError, LineFaults, LineStruck};
pub use listen::{DEFAULT_PORT, Listen};
pub use pace::Pace;
pub use server::{Options, Server};
pub use virtual_board::{Power, Progress, VirtualBoard};
