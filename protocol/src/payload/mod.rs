//! Each message's payload as a Rust type, encoded from the layout table.
//!
//! [`link`] holds the messages every core answers, [`tetris`] those of its
//! game; a second game is a second file.

pub mod link;
pub mod tetris;

use crate::layout::{MAX_PAYLOAD, Message, Slot};

/// Bytes of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Payload {
    bytes: [u8; MAX_PAYLOAD],
    len: usize,
}

impl Payload {
    /// A payload of zeros, as long as the message's.
    pub const fn of(message: &Message) -> Self {
        Self {
            bytes: [0; MAX_PAYLOAD],
            len: message.bytes(),
        }
    }

    fn put(&mut self, slot: Slot, value: u64) {
        let bytes = value.to_le_bytes();
        self.bytes[slot.start..slot.start + slot.len].copy_from_slice(&bytes[..slot.len]);
    }

    fn put_bytes(&mut self, slot: Slot, value: &[u8]) {
        self.bytes[slot.start..slot.start + slot.len].copy_from_slice(value);
    }
}

impl AsRef<[u8]> for Payload {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Why a payload is not that of its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PayloadError {
    /// Wrong length.
    #[error("{message}: {got} bytes of payload, expected {expected}")]
    Length {
        /// Name of the message.
        message: &'static str,
        /// Bytes it has by the layout table.
        expected: usize,
        /// Bytes found.
        got: usize,
    },
    /// A field holds what it must not.
    #[error("{message}.{field}: {got} is not {expected}")]
    Value {
        /// Name of the message.
        message: &'static str,
        /// Name of the field.
        field: &'static str,
        /// What it may hold.
        expected: &'static str,
        /// What it holds.
        got: i64,
    },
}

/// A payload whose length was checked against its message.
#[derive(Clone, Copy)]
struct Fields<'a> {
    message: &'static Message,
    bytes: &'a [u8],
}

impl<'a> Fields<'a> {
    fn of(message: &'static Message, bytes: &'a [u8]) -> Result<Self, PayloadError> {
        if bytes.len() == message.bytes() {
            return Ok(Self { message, bytes });
        }
        Err(PayloadError::Length {
            message: message.name,
            expected: message.bytes(),
            got: bytes.len(),
        })
    }

    fn bytes(&self, slot: Slot) -> &'a [u8] {
        &self.bytes[slot.start..slot.start + slot.len]
    }

    /// The field's value, sign-extended when it is signed.
    fn get(&self, slot: Slot) -> i64 {
        let mut bytes = [0; 8];
        bytes[..slot.len].copy_from_slice(self.bytes(slot));
        let value = i64::from_le_bytes(bytes);
        let unused = 64 - 8 * slot.len as u32;
        if slot.signed {
            value << unused >> unused
        } else {
            value
        }
    }

    fn reject(&self, field: &'static str, expected: &'static str, got: i64) -> PayloadError {
        PayloadError::Value {
            message: self.message.name,
            field,
            expected,
            got,
        }
    }
}
