//! The wire between the host and the FPGA, defined once.
//!
//! Read in this order:
//! - [`layout`]: the tables of all messages.
//! - [`payload`]: the bytes of a payload, and checks of its fields.
//! - [`frame`]: encodes a payload as a frame, and finds frames in a stream of bytes.
//! - [`rate`]: the UART increment of a baud rate.
//! - [`svgen`], [`docgen`]: write the tables as SystemVerilog packages, and as the tables of
//!   `docs/wire.md`.
//!
//! Sends a position and receives it:
//!
//! ```
//! use lockstep_protocol::layout::tetris::{DECIDE, DecideFields, NO_PIECE};
//! use lockstep_protocol::{Decoder, Frame, frame};
//!
//! let mut board = [0; 25];
//! [board[0], board[1]] = [0xf0, 0x03]; // the four left cells of the bottom row are empty
//! let position = DecideFields { board, piece: 0, next_piece: NO_PIECE };
//! let payload = position.encode();
//! let encoded = frame::encode(&Frame { seq: 7, kind: DECIDE.id, payload: payload.as_ref() })?;
//!
//! let mut decoder = Decoder::new();
//! let (delimiter, inside) = encoded.as_ref().split_last().ok_or("no bytes")?;
//! assert!(inside.iter().all(|byte| decoder.push(*byte).is_none()));
//! let received = decoder.push(*delimiter).ok_or("no frame")??;
//! assert_eq!((received.seq, received.kind), (7, DECIDE.id));
//! assert_eq!(DecideFields::decode(received.payload)?, position);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! But for `svgen` and `docgen`, which need the feature `std`, the crate is `no_std` and allocates
//! nothing. It never panics on received bytes.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(any(test, feature = "std"))]
extern crate std;

#[cfg(test)]
#[path = "../../host/session/tests/toy/a_hang.rs"]
mod a_hang;
#[cfg(feature = "std")]
pub mod docgen;
pub mod frame;
pub mod layout;
pub mod payload;
pub mod rate;
#[cfg(feature = "std")]
pub mod svgen;

pub use frame::{Decoder, Frame, FrameError};
pub use layout::ErrorCode;
