//! Random requests, most of them valid.

use lockstep_games::tetris::Position;
use lockstep_games::tetris::board::Board;
use protocol::layout::{MAX_PAYLOAD, Message, link, tetris};

use crate::random::Random;
use crate::tetris::{any_position, any_weights};

/// Maximum number of games side by side that a core accepts.
pub const fn most_games(lanes: u8) -> u8 {
    match lanes {
        0 => 1,
        _ => tetris::SELF_PLAY_GAMES,
    }
}

/// A message to a core.
#[derive(Debug, Clone)]
pub struct Request {
    pub kind: u8,
    pub payload: Vec<u8>,
}

impl Request {
    pub fn new(message: Message, payload: Vec<u8>) -> Self {
        let kind = message.id;
        Self { kind, payload }
    }

    /// A request without a payload.
    pub fn of(message: Message) -> Self {
        Self::new(message, Vec::new())
    }

    pub fn set_rate(increment: u32) -> Self {
        Self::new(link::SET_RATE, increment.to_le_bytes().to_vec())
    }

    pub fn set_weights(weights: &[i32; 14]) -> Self {
        let weights = weights.iter().flat_map(|w| w.to_le_bytes());
        Self::new(tetris::SET_WEIGHTS, weights.collect())
    }

    /// A `decide` request for a position's board, with the pieces as numbers.
    pub fn decide(position: &Position, piece: u8, next: u8) -> Self {
        let mut payload = cells(&position.board);
        payload.extend([piece, next]);
        Self::new(tetris::DECIDE, payload)
    }

    /// A `play` request with random pieces, and random numbers after them.
    pub fn play(random: &mut Random, pieces: u16) -> Self {
        let mut payload = cells(&any_position(random).board);
        payload.extend(pieces.to_le_bytes());
        for place in 0..tetris::PLAY_PIECES / 2 {
            let mut number = |place| match place < usize::from(pieces) {
                true => random.below(7) as u8,
                false => random.below(16) as u8,
            };
            payload.push(number(2 * place) | number(2 * place + 1) << 4);
        }
        Self::new(tetris::PLAY, payload)
    }

    /// A `self_play` request to a core with `lanes` lanes, of any number of games that it can play.
    pub fn self_play(random: &mut Random, lanes: u8, pieces: u32, spacing: u32) -> Self {
        let games = random.between(1, most_games(lanes).into());
        let mut payload = cells(&any_position(random).board);
        payload.push(games as u8);
        payload.extend(pieces.to_le_bytes());
        payload.extend(spacing.to_le_bytes());
        payload.extend(random.bytes(16));
        Self::new(tetris::SELF_PLAY, payload)
    }

    pub fn trace(position: &Position) -> Self {
        Self {
            kind: tetris::TRACE.id,
            ..Self::decide(position, position.piece.number(), tetris::NO_PIECE)
        }
    }

    pub fn is_reset(&self) -> bool {
        self.kind == link::RESET.id && self.payload.is_empty()
    }
}

fn cells(board: &Board) -> Vec<u8> {
    board.wire_bytes().unwrap_or_default().into()
}

/// A `self_play` request with a number of games that a core with `lanes` lanes refuses.
fn bad_games(random: &mut Random, lanes: u8) -> Request {
    let mut request = Request::self_play(random, lanes, 1, 1);
    let most = most_games(lanes);
    request.payload[25] = random.choice(&[0, most + 1, 0x20 | most, 0x80 | most, 0xff]);
    request
}

/// A random request to a core with `lanes` lanes, with fields over their whole range and sometimes
/// a wrong length.
pub fn any_request(random: &mut Random, lanes: u8) -> Request {
    let number = |random: &mut Random, payload: Vec<u8>| Request {
        kind: random.bits() as u8,
        payload,
    };
    let mut request = match random.below(20) {
        0 => {
            let length = random.below(121);
            let payload = random.bytes(length);
            number(random, payload)
        }
        1 => Request::of(link::INFO),
        2 | 3 => Request::of(link::STATS),
        4 => Request::of(link::RESET),
        5 | 6 => Request::new(link::PING, random.bytes(8)),
        7 | 8 => {
            let (least, most) = (link::MIN_INCREMENT, link::MAX_INCREMENT);
            let edges = [0, least - 1, least, most, most + 1, u32::MAX, 1 << 31];
            let increment = match random.chance(50) {
                true => random.choice(&edges),
                false => random.bits() as u32,
            };
            Request::set_rate(increment)
        }
        9 => Request::of(tetris::GET_WEIGHTS),
        10 => Request::of(random.choice(&[link::BUTTONS, link::CANCEL, link::CREDIT])),
        11..=13 => Request::set_weights(&any_weights(random)),
        14 => play(random, 20),
        15 => {
            let pieces = random.choice(&[0, 1, 3, 20]);
            let spacing = random.choice(&[0, 1, 2, 7, 20, u32::MAX]);
            match random.chance(90) {
                true => Request::self_play(random, lanes, pieces, spacing),
                false => bad_games(random, lanes),
            }
        }
        _ => decide(random),
    };
    if random.chance(4) {
        match random.chance(50) {
            true => request.payload.push(random.byte()),
            false => drop(request.payload.pop()),
        }
        // A longer payload would be no frame.
        request.payload.truncate(MAX_PAYLOAD);
    }
    if random.chance(2) {
        // The number of a reply.
        request.kind |= 0x80;
    }
    request
}

fn decide(random: &mut Random) -> Request {
    let position = any_position(random);
    let piece = match random.chance(80) {
        true => position.piece.number(),
        false => random.bits() as u8,
    };
    let next = match random.chance(80) {
        true => tetris::NO_PIECE,
        false => random.choice(&[0, 3, 6, 7, 0x7f, 0x80, 0xfe]),
    };
    let mut request = Request::decide(&position, piece, next);
    if random.chance(30) {
        request.kind = tetris::TRACE.id;
    }
    request
}

/// A request with invalid fields.
pub fn refused(random: &mut Random, lanes: u8) -> Request {
    let position = any_position(random);
    match random.below(4) {
        0 => Request::decide(&position, random.choice(&[7, 8, 0xff]), tetris::NO_PIECE),
        1 => Request::self_play(random, lanes, 0, 1),
        2 => bad_games(random, lanes),
        _ => play(random, 100),
    }
}

/// A `play` request; with a probability of `bad` % it has an invalid piece.
fn play(random: &mut Random, bad: u64) -> Request {
    let pieces = match random.chance(80) {
        true => random.between(1, 12) as u16,
        false => random.choice(&[0, 31, 32, 33, 64, 159, 160, 161, 0x100, 0x110, 0xffff]),
    };
    let mut request = Request::play(random, pieces);
    if random.chance(bad) {
        // Among the pieces or after them.
        let place = random.below(2 * u64::from(pieces.clamp(1, 80))) as usize;
        let bits = random.choice(&[7, 8, 15]);
        let byte = &mut request.payload[27 + place.min(159) / 2];
        *byte = match place % 2 {
            0 => *byte & 0xf0 | bits,
            _ => *byte & 0x0f | bits << 4,
        };
    }
    request
}
