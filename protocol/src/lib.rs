//! The wire between the host and the FPGA, defined once.
//!
//! Read in this order: [`layout`] is the table of all messages; [`frame`] puts
//! a payload on the wire and finds it again in a stream of bytes; [`payload`]
//! holds payloads and checks their fields; [`rate`] turns a baud rate into the increment that a
//! core is sent; [`svgen`] writes the same table as SystemVerilog packages and [`docgen`] as the
//! tables of `docs/wire.md`.
//!
//! A position goes out, and comes in at the other end:
//!
//! ```
//! use lockstep_protocol::layout::tetris::{DECIDE, DecideFields, NO_PIECE};
//! use lockstep_protocol::{Decoder, Frame, frame};
//!
//! let mut board = [0; 25];
//! [board[0], board[1]] = [0xf0, 0x03]; // the four left cells of the bottom row are empty
//! let position = DecideFields { board, piece: 0, next_piece: NO_PIECE };
//! let payload = position.encode();
//! let sent = frame::encode(&Frame { seq: 7, kind: DECIDE.id, payload: payload.as_ref() })?;
//!
//! let mut decoder = Decoder::new();
//! let (delimiter, inside) = sent.as_ref().split_last().ok_or("no bytes")?;
//! assert!(inside.iter().all(|byte| decoder.push(*byte).is_none()));
//! let received = decoder.push(*delimiter).ok_or("no frame")??;
//! assert_eq!((received.seq, received.kind), (7, DECIDE.id));
//! assert_eq!(DecideFields::decode(received.payload)?, position);
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
