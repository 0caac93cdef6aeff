//! The wire between the host and the FPGA, defined once.
//!
//! Read in this order: [`layout`] is the table of all messages; [`frame`] puts
//! a payload on the wire and finds it again in a stream of bytes; [`payload`]
//! gives each message a Rust type; [`svgen`] writes the same table as a
//! SystemVerilog package.
//!
//! The crate is `no_std`, allocates nothing and never panics on what a peer
//! sends.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod frame;
pub mod layout;
pub mod payload;
pub mod svgen;

pub use frame::{Decoder, Frame, FrameError};
pub use layout::ErrorCode;
