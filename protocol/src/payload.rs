//! Payloads as bytes, and checks of their fields.
//!
//! The tables in [`crate::layout`] define a struct for each payload, with `encode` and `decode`. A
//! game's codec converts its own types to these structs; [`link`] does it for the link's replies.

pub mod link;

use core::ops::RangeInclusive;

use crate::layout::{FieldValue, MAX_PAYLOAD, Message};

/// The bytes of a payload, at most [`MAX_PAYLOAD`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Payload {
    bytes: [u8; MAX_PAYLOAD],
    len: usize,
}

impl Payload {
    /// No bytes.
    pub const EMPTY: Self = Self {
        bytes: [0; MAX_PAYLOAD],
        len: 0,
    };

    /// A payload of zeros, as long as the message's.
    pub const fn of(message: &Message) -> Self {
        Self {
            bytes: [0; MAX_PAYLOAD],
            len: message.bytes(),
        }
    }

    /// Appends bytes; the compile-time checks of the tables ensure that they fit.
    pub(crate) fn append(&mut self, bytes: &[u8]) {
        let end = self.len + bytes.len();
        self.bytes[self.len..end].copy_from_slice(bytes);
        self.len = end;
    }
}

/// Numbers of one width, each little-endian, in their order.
///
/// # Panics
/// When they take more than [`MAX_PAYLOAD`] bytes.
impl<S: FieldValue> FromIterator<S> for Payload {
    fn from_iter<I: IntoIterator<Item = S>>(numbers: I) -> Self {
        let mut payload = Self::EMPTY;
        numbers
            .into_iter()
            .for_each(|number| number.put(&mut payload));
        payload
    }
}

impl AsRef<[u8]> for Payload {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Why received bytes are not a valid payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PayloadError {
    /// Wrong length.
    #[error("{payload}: {got} bytes of payload, expected {expected}")]
    Length {
        /// Name of the payload.
        payload: &'static str,
        /// Length in the table, in bytes.
        expected: usize,
        /// Length received, in bytes.
        got: usize,
    },
    /// A field has a value that is not allowed.
    #[error("{payload}.{field} is {got}, expected {expected}")]
    Value {
        /// Name of the payload.
        payload: &'static str,
        /// Name of the field.
        field: &'static str,
        /// The allowed values, in words.
        expected: &'static str,
        /// The value received.
        got: i64,
    },
}

/// Checks that a byte lies within a range; `expected` is the range in words.
///
/// # Errors
/// When it lies outside.
pub fn range(
    payload: &'static str,
    field: &'static str,
    byte: u8,
    range: RangeInclusive<u8>,
    expected: &'static str,
) -> Result<u8, PayloadError> {
    let got = byte.into();
    let is_in = range.contains(&byte);
    is_in.then_some(byte).ok_or(PayloadError::Value {
        payload,
        field,
        expected,
        got,
    })
}

/// Reads a byte that must be 0 or 1.
///
/// # Errors
/// When it is neither.
pub fn flag(payload: &'static str, field: &'static str, byte: u8) -> Result<bool, PayloadError> {
    range(payload, field, byte, 0..=1, "0 or 1").map(|byte| byte == 1)
}
