//! Reads the number of a part, and how many parts a stream had.

use protocol::layout::{GameTable, Message};
use protocol::payload::PayloadError;

use super::client::Reply;

/// A number in a payload.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) value: u64,
    /// The bits that its field has.
    mask: u64,
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
        let bytes = slot.and_then(|slot| reply.payload.get(slot.start..slot.start + slot.len));
        bytes.map(Self::read).ok_or(PayloadError::Length {
            payload: message.map_or("reply", |message| message.name),
            expected: message.map_or(0, Message::bytes),
            got: reply.payload.len(),
        })
    }

    fn read(bytes: &[u8]) -> Self {
        let value = bytes.iter().rev();
        Self {
            value: value.fold(0, |value, byte| value << 8 | u64::from(*byte)),
            mask: bytes.iter().fold(0, |mask, _| mask << 8 | 0xff),
        }
    }

    /// A 64-bit count truncated to the width of this number.
    pub(super) fn truncate(self, count: u64) -> u64 {
        count & self.mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_of_count_is_truncated() {
        assert_eq!(Number::read(&[0x34, 0x12]).value, 0x1234);
        assert_eq!(Number::read(&[0, 0]).truncate(0x1_0002), 2);
        assert_eq!(Number::read(&[0; 8]).truncate(u64::MAX), u64::MAX);
    }
}
