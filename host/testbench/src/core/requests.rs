//! Requests, most of them such as a core serves.

use lockstep_games::tetris::Position;
use protocol::layout::{link, tetris};

use crate::random::Random;
use crate::tetris::{any_position, any_weights};

/// A message to a core.
#[derive(Debug, Clone)]
pub struct Request {
    pub kind: u8,
    pub payload: Vec<u8>,
}

impl Request {
    /// One without a payload.
    pub fn of(message: protocol::layout::Message) -> Self {
        Self {
            kind: message.id,
            payload: Vec::new(),
        }
    }

    pub fn set_weights(weights: &[i32; 14]) -> Self {
        Self {
            kind: tetris::SET_WEIGHTS.id,
            payload: weights.iter().flat_map(|w| w.to_le_bytes()).collect(),
        }
    }

    /// A decision of that position's board, the pieces as their numbers.
    pub fn decide(position: &Position, piece: u8, next: u8) -> Self {
        let mut payload = vec![0; 25];
        for (row, cells) in position.board.to_rows().iter().enumerate() {
            for column in (0..10).filter(|column| cells >> column & 1 == 1) {
                let at = 10 * row + column;
                payload[at / 8] |= 1 << (at % 8);
            }
        }
        payload.extend([piece, next]);
        Self {
            kind: tetris::DECIDE.id,
            payload,
        }
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

/// Any request; fields over their whole range, and sometimes a wrong length.
pub fn any_request(random: &mut Random) -> Request {
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
        5 | 6 => Request {
            kind: link::PING.id,
            payload: random.bytes(8),
        },
        7 | 8 => {
            let (least, most) = (link::MIN_INCREMENT, link::MAX_INCREMENT);
            let edges = [0, least - 1, least, most, most + 1, u32::MAX, 1 << 31];
            let increment = match random.chance(50) {
                true => random.choice(&edges),
                false => random.bits() as u32,
            };
            Request {
                kind: link::SET_RATE.id,
                payload: increment.to_le_bytes().to_vec(),
            }
        }
        9 => Request::of(tetris::GET_WEIGHTS),
        10 => Request::of(random.choice(&[tetris::GET_WEIGHTS, link::CANCEL, link::CREDIT])),
        11..=13 => Request::set_weights(&any_weights(random)),
        _ => decide(random),
    };
    if random.chance(4) {
        match random.chance(50) {
            true => request.payload.push(random.byte()),
            false => drop(request.payload.pop()),
        }
    }
    if random.chance(2) {
        // A reply's number
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
