//! Numbers of streams: a part's, and how many parts there were.

use protocol::layout::{GameTable, Message};
use protocol::payload::PayloadError;

use super::client::Reply;

/// A number and its width in bytes.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) is: u64,
    bytes: usize,
}

impl Number {
    /// A number in a reply, by its field's name in the table.
    pub(super) fn of_reply(
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
        let is = u64::from_le_bytes(all);
        Some(Self { is, bytes })
    }

    /// A 64-bit count truncated to this width.
    pub(super) fn of(self, count: u64) -> u64 {
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
        assert_eq!(number(&[0x34, 0x12]).is, 0x1234);
        assert_eq!(number(&[0, 0]).of(0x1_0002), 2);
        assert_eq!(number(&[0; 8]).of(u64::MAX), u64::MAX);
        assert!(Number::read(&[1], 2).is_none());
        assert!(Number::read(&[1; 9], 9).is_none());
    }
}
