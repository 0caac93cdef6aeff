//! What a core answers, as `docs/wire.md` says it: a plain model of the Tetris
//! core's end of the wire.

use lockstep_games::tetris::golden::best_now;
use lockstep_games::tetris::timing::serial_cycles;
use lockstep_games::tetris::{Linear, Piece, Position, Search};
use protocol::layout::{ErrorCode, REPLY, link, tetris};
use protocol::payload::link::{Info, Stats};

use crate::tetris::from_rows;

/// A frame's message and payload.
pub type Message = (u8, Vec<u8>);

/// A core with nothing under way.
pub struct Responder {
    /// What it says it is.
    pub info: Info,
    weights: Option<[i32; 14]>,
    /// Counted since the last reset.
    pub stats: Stats,
}

/// An answer, and the clock cycles from the request's delimiter to its first byte.
pub struct Answer {
    /// The reply.
    pub message: Message,
    /// Clock cycles, with nothing else under way.
    pub latency: u64,
}

impl Responder {
    /// As after power-up.
    pub fn new(info: Info) -> Self {
        Self {
            info,
            weights: None,
            stats: Stats::default(),
        }
    }

    /// Forgets settings and statistics.
    pub fn reset(&mut self) {
        self.weights = None;
        self.stats = Stats::default();
    }

    /// The answer to a request that found a place.
    pub fn answer(&mut self, request: u8, payload: &[u8]) -> Answer {
        let (result, took) = self.serve(request, payload);
        let message = result.map_or_else(
            |code| (link::ERROR.id, vec![code.number, request]),
            |payload| (request | REPLY, payload),
        );
        let latency = 17 + message.1.len() as u64 + took;
        Answer { message, latency }
    }

    /// The reply's payload or the refusal, and the cycles it takes beyond the others.
    fn serve(&mut self, request: u8, payload: &[u8]) -> (Result<Vec<u8>, ErrorCode>, u64) {
        let length = match tetris::GAME.message(request) {
            Some(message) if message.is_request() => message.bytes(),
            _ => return (Err(link::UNKNOWN_TYPE), 0),
        };
        if payload.len() != length {
            return (Err(link::BAD_LENGTH), 0);
        }
        let id = |message: protocol::layout::Message| message.id == request;
        if id(link::PING) {
            (Ok(payload.to_vec()), 10)
        } else if id(link::INFO) {
            (Ok(self.info.encode().as_ref().to_vec()), 0)
        } else if id(link::STATS) {
            (Ok(self.stats.encode().as_ref().to_vec()), 0)
        } else if id(link::RESET) {
            (Ok(Vec::new()), 0)
        } else if id(link::SET_RATE) {
            let increment = u32::from_le_bytes([payload[0], payload[1], payload[2], payload[3]]);
            let limits = link::MIN_INCREMENT..=link::MAX_INCREMENT;
            let served = limits.contains(&increment).then(Vec::new);
            (served.ok_or(link::BAD_RATE), 8)
        } else if id(tetris::SET_WEIGHTS) {
            let words = payload.chunks_exact(4).map(|b| [b[0], b[1], b[2], b[3]]);
            let mut weights = [0; 14];
            for (weight, bytes) in weights.iter_mut().zip(words) {
                *weight = i32::from_le_bytes(bytes);
            }
            self.weights = Some(weights);
            (Ok(Vec::new()), 61)
        } else if id(tetris::GET_WEIGHTS) {
            let weights = self.weights.ok_or(tetris::WEIGHTS_UNSET);
            (
                weights.map(|w| w.iter().flat_map(|w| w.to_le_bytes()).collect()),
                4,
            )
        } else {
            match self.decide(payload) {
                Ok((decision, cycles)) => (Ok(decision), 33 + cycles),
                Err(code) => (Err(code), 32),
            }
        }
    }

    fn decide(&self, payload: &[u8]) -> Result<(Vec<u8>, u64), ErrorCode> {
        let piece = Piece::from_number(payload[25]).ok_or(tetris::BAD_PIECE)?;
        let next = payload[26];
        if next != tetris::NO_PIECE {
            Piece::from_number(next).ok_or(tetris::BAD_NEXT_PIECE)?;
            return Err(link::UNSUPPORTED);
        }
        let weights = self.weights.ok_or(tetris::WEIGHTS_UNSET)?;
        // Ten bits a row, the lowest row in the lowest ones
        let cell = |at: usize| payload[at / 8] >> (at % 8) & 1;
        let row = |r: usize| (0..10).fold(0, |row, c| row | u64::from(cell(10 * r + c)) << c);
        let rows: [u64; 20] = std::array::from_fn(row);
        let position = Position {
            board: from_rows(&rows),
            piece,
            next: None,
        };
        let linear = Linear {
            weights,
            search: Search::ONE,
        };
        let cycles = serial_cycles(&position, self.info.multipliers).unwrap_or(0);
        let best = best_now(&position.board, piece, &linear);
        let (fields, score) = best.map_or(([0; 5], 0), |(best, score)| {
            let cleared = best.features.rows_cleared as usize;
            let place = [1, best.rotation, best.column, best.row, cleared];
            (place.map(|n| n as u8), score.0)
        });
        let parts = [&fields[..], &score.to_le_bytes(), &cycles.to_le_bytes()];
        Ok((parts.concat(), cycles.into()))
    }
}
