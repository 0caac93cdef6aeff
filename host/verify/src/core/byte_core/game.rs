//! The fictitious game behind the dispatcher.

use protocol::layout::{PART, REPLY};

use crate::core::responder::Message;

/// The lowest number of its requests.
pub(crate) const GAME: u8 = 0x10;
/// A request that the game answers with a stream that lasts until it is cancelled.
pub(crate) const ENDLESS: u8 = 0x1f;

/// The replies to a request, derived from its number: non-empty parts, then the end.
pub(crate) fn game_replies(request: u8) -> Vec<Message> {
    let parts = if request.is_multiple_of(3) {
        request % 5
    } else {
        0
    };
    let payload = |n: u8, least: u8| {
        (0..((request ^ n) % 7).max(least))
            .map(|i| request.wrapping_mul(i + 3).wrapping_add(n))
            .collect()
    };
    let part = |n| (request | REPLY | PART, payload(n, 1));
    let end = (request | REPLY, payload(parts, 0));
    (0..parts).map(part).chain([end]).collect()
}
