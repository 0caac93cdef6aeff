//! Requests to the core, and the expected replies.

use protocol::layout::{ErrorCode, PART, PROTOCOL_VERSION, REPLY, link};
use protocol::payload::link::{Buttons, Info, Stats};

use super::game::{ENDLESS, GAME, game_replies};
use super::{After, Core, ExpectedReply, WINDOW};
use crate::core::responder::{Message, comes_between};
use crate::random::Random;
use crate::{cobs, frames};

pub(crate) fn info(build_id: u32) -> Info {
    Info {
        protocol_version: PROTOCOL_VERSION,
        layout_hash: 0x89ab_cdef,
        build_id,
        game: 7,
        columns: 11,
        rows: 21,
        lanes: 2,
        multipliers: 9,
        window: WINDOW as u8,
        clock_hz: 12_345_678,
        capabilities: 0x8000_0001,
    }
}

/// Requests that are usually served: of the link without resets and statistics, and of the game.
pub(crate) const USUAL: [u8; 10] = [
    link::INFO.id,
    link::PING.id,
    link::SET_RATE.id,
    link::CREDIT.id,
    link::CANCEL.id,
    link::BUTTONS.id,
    GAME,
    0x12,
    0x18,
    0x5a,
];

/// The increment in the payload of a `set_rate`.
pub(crate) fn increment_of(payload: &[u8]) -> u32 {
    payload
        .iter()
        .rev()
        .fold(0, |all, byte| (all << 8) | u32::from(*byte))
}

/// The payload of a request to the link; with a probability of `long` % it is a byte too long.
pub(crate) fn any_payload(random: &mut Random, kind: u8, long: u64) -> Vec<u8> {
    let mut payload = match kind {
        _ if kind == link::PING.id => random.bytes(8),
        _ if kind == link::SET_RATE.id => any_increment(random).to_le_bytes().to_vec(),
        _ => Vec::new(),
    };
    if random.chance(long) {
        payload.push(random.byte());
    }
    payload
}

/// A random increment, at a limit or beyond it, or too large only in its upper byte.
fn any_increment(random: &mut Random) -> u32 {
    let (least, most) = (link::MIN_INCREMENT, link::MAX_INCREMENT);
    let good = random.between(least.into(), most.into()) as u32;
    match random.below(8) {
        0 => good | (random.between(1, 255) as u32) << 24,
        1 => random.choice(&[least - 1, least, most, most + 1]),
        _ => random.bits() as u32 >> random.below(32),
    }
}

/// Whether the reply to a request with this number would look like a part or an error.
fn is_part(kind: u8) -> bool {
    kind & PART != 0 && kind & REPLY == 0
}

impl Core<'_> {
    /// Sends a random request; returns its number, its payload, and the expected reply.
    pub(super) fn send(&mut self, alone: bool) -> (u8, Vec<u8>, ExpectedReply) {
        let single = [link::RESET, link::STATS, link::INFO, link::SET_RATE].map(|m| m.id);
        let kinds = if alone { &single[..] } else { &USUAL };
        let mut kind = self.random().choice(kinds);
        if !alone && self.random().chance(30) {
            kind = self.random().bits() as u8;
            // The order of statistics among other requests is not defined.
            let not_here = [link::RESET.id, link::STATS.id, ENDLESS];
            if not_here.contains(&kind) || is_part(kind) {
                kind = GAME;
            }
        }
        let payload = any_payload(self.random(), kind, 5);
        let expected = self.send_request(kind, &payload);
        (kind, payload, expected)
    }

    /// Sends a request and returns the expected reply.
    pub(super) fn send_request(&mut self, kind: u8, payload: &[u8]) -> ExpectedReply {
        self.seq = self.seq.wrapping_add(1);
        let is_reset = kind == link::RESET.id && payload.is_empty();
        let after = if is_reset { After::Reset } else { After::Good };
        self.wire(&frames::request(self.seq, kind, payload), after);
        self.stats.frames_good += 1;
        if is_reset {
            self.stats = Stats::default();
        }
        let messages = answer(
            kind,
            payload,
            &info(self.build_id),
            &self.stats,
            &self.buttons,
        );
        ExpectedReply {
            seq: self.seq,
            between: comes_between(kind, &messages[0]),
            messages: messages.into(),
            begun: false,
        }
    }

    pub(super) fn wire(&mut self, raw: &[u8], after: After) {
        let mut bytes = cobs::encoded(raw);
        bytes.pop();
        self.line
            .extend(bytes.into_iter().map(|byte| (byte, false, After::Nothing)));
        self.line.push_back((0, false, after));
    }
}

/// The replies to a request that is not refused as busy, or its refusal.
pub(crate) fn answer(
    kind: u8,
    payload: &[u8],
    info: &Info,
    stats: &Stats,
    buttons: &Buttons,
) -> Vec<Message> {
    let refused = |code: ErrorCode| vec![(link::ERROR.id, vec![code.number, kind])];
    let length = match kind {
        _ if kind == link::PING.id => 8,
        _ if kind == link::SET_RATE.id => 4,
        // The game's requests have the default length of 0.
        0 | 9..GAME | 0x80.. => return refused(link::UNKNOWN_TYPE),
        _ => 0,
    };
    if payload.len() != length {
        return refused(link::BAD_LENGTH);
    }
    if kind >= GAME {
        return game_replies(kind);
    }
    match served_by_link(kind, payload, info, stats, buttons) {
        Ok(payload) => vec![(kind | REPLY, payload)],
        Err(code) => refused(code),
    }
}

/// The payload of the reply to a request of the link, whose length is right, or its refusal.
pub(crate) fn served_by_link(
    kind: u8,
    payload: &[u8],
    info: &Info,
    stats: &Stats,
    buttons: &Buttons,
) -> Result<Vec<u8>, ErrorCode> {
    let limits = link::MIN_INCREMENT..=link::MAX_INCREMENT;
    Ok(match kind {
        _ if kind == link::SET_RATE.id && !limits.contains(&increment_of(payload)) => {
            return Err(link::BAD_RATE);
        }
        _ if kind == link::PING.id => payload.to_vec(),
        _ if kind == link::INFO.id => info.encode().as_ref().to_vec(),
        _ if kind == link::STATS.id => stats.encode().as_ref().to_vec(),
        _ if kind == link::BUTTONS.id => buttons.presses.to_vec(),
        _ => Vec::new(),
    })
}
