//! Reads the number of a part, and how many parts a stream had.

use protocol::layout::{GameTable, Message};
use protocol::payload::PayloadError;

use super::client::Reply;

/// A number in a payload, and its width in bytes.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) value: u64,
    bytes: usize,
}

impl Number {
    /// Reads the field of that name in a reply.
    ///
    /// # Errors
    /// When the reply's message has no such field, or the payload is too short.
    pub(super) fn in_reply(
        game: &GameTable,
        reply: &Reply,
        name: &str,
    ) -> Result<Self, PayloadError> {
        let message = game.message(reply.kind);
        let slot = message.and_then(|message| message.slot(name));
        let found = slot.and_then(|slot| Self::read(reply.payload.get(slot.start..)?, slot.len));
        found.ok_or(PayloadError::Length {
            payload: message.map_or("reply", |message| message.name),
            expected: message.map_or(0, Message::bytes),
            got: reply.payload.len(),
        })
    }

    fn read(from: &[u8], bytes: usize) -> Option<Self> {
        let mut all = [0; 8];
        all.get_mut(..bytes)?.copy_from_slice(from.get(..bytes)?);
        let value = u64::from_le_bytes(all);
        Some(Self { value, bytes })
    }

    /// A 64-bit count truncated to the width of this number.
    pub(super) fn truncate(self, count: u64) -> u64 {
        let bits = 8 * self.bytes as u32;
        count & u64::MAX.checked_shr(64 - bits).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_of_count_is_truncated() {
        let number = |bytes: &[u8]| Number::read(bytes, bytes.len()).expect("a number");
        assert_eq!(number(&[0x34, 0x12]).value, 0x1234);
        assert_eq!(number(&[0, 0]).truncate(0x1_0002), 2);
        assert_eq!(number(&[0; 8]).truncate(u64::MAX), u64::MAX);
        assert!(Number::read(&[1], 2).is_none());
        assert!(Number::read(&[1; 9], 9).is_none());
    }
}
