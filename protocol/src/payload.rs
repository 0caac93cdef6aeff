//! Payloads as bytes, and checks of their fields.
//!
//! Each payload's struct, with `encode` and `decode`, comes from its table in [`crate::layout`].
//! [`link`] adds what every core's replies need; a game's codec converts its own types to the
//! structs of its table.

pub mod link;

use core::ops::RangeInclusive;

use crate::layout::{MAX_PAYLOAD, Message, Scalar};

/// Bytes of a payload.
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

    /// A payload of zeros, as long as the message's: that of the tables is never
    /// over the cap.
    pub const fn of(message: &Message) -> Self {
        Self {
            bytes: [0; MAX_PAYLOAD],
            len: message.bytes(),
        }
    }

    /// The tables are checked against the cap when they are compiled.
    pub(crate) fn append(&mut self, bytes: &[u8]) {
        let end = self.len + bytes.len();
        self.bytes[self.len..end].copy_from_slice(bytes);
        self.len = end;
    }
}

/// Numbers of one width, one after the other.
///
/// # Panics
/// When they are longer than [`MAX_PAYLOAD`].
impl<S: Scalar> FromIterator<S> for Payload {
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

/// Why bytes are not the payload they should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PayloadError {
    /// Wrong length.
    #[error("{payload}: {got} bytes of payload, expected {expected}")]
    Length {
        /// Name of the payload.
        payload: &'static str,
        /// Bytes it has by the layout table.
        expected: usize,
        /// Bytes found.
        got: usize,
    },
    /// A field holds what it must not.
    #[error("{payload}.{field}: {got} is not {expected}")]
    Value {
        /// Name of the payload.
        payload: &'static str,
        /// Name of the field.
        field: &'static str,
        /// What it may hold.
        expected: &'static str,
        /// What it holds.
        got: i64,
    },
}

/// A byte within a range, which `expected` says in words.
///
/// # Errors
/// When it is not.
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

/// A byte that is 0 or 1.
///
/// # Errors
/// When it is neither.
pub fn flag(payload: &'static str, field: &'static str, byte: u8) -> Result<bool, PayloadError> {
    range(payload, field, byte, 0..=1, "0 or 1").map(|byte| byte == 1)
}
