//! The wire between the host and the FPGA, defined once.
//!
//! Read in this order: [`layout`] is the table of all messages; [`frame`] puts
//! a payload on the wire and finds it again in a stream of bytes; [`payload`]
//! gives each message a Rust type; [`rate`] turns a baud rate into what a core
//! is sent; [`svgen`] writes the same table as
//! SystemVerilog packages and [`docgen`] as the tables of `docs/wire.md`.
//!
//! A position goes out, and comes in at the other end:
//!
//! ```
//! use lockstep_protocol::layout::tetris::{DECIDE, ROWS};
//! use lockstep_protocol::payload::tetris::Decide;
//! use lockstep_protocol::{Decoder, Frame, frame};
//!
//! let mut rows = [0; ROWS];
//! rows[0] = 0b11_1111_0000; // the four left cells of the bottom row are empty
//! let position = Decide { rows, piece: 0, next_piece: None };
//! let payload = position.encode();
//! let sent = frame::encode(&Frame { seq: 7, kind: DECIDE.id, payload: payload.as_ref() })?;
//!
//! let mut decoder = Decoder::new();
//! let (delimiter, inside) = sent.as_ref().split_last().ok_or("no bytes")?;
//! assert!(inside.iter().all(|byte| decoder.push(*byte).is_none()));
//! let received = decoder.push(*delimiter).ok_or("no frame")??;
//! assert_eq!((received.seq, received.kind), (7, DECIDE.id));
//! assert_eq!(Decide::decode(received.payload)?, position);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate is `no_std`, allocates nothing and never panics on what a peer
//! sends.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod docgen;
pub mod frame;
pub mod layout;
pub mod payload;
pub mod rate;
pub mod svgen;

pub use frame::{Decoder, Frame, FrameError};
pub use layout::ErrorCode;
