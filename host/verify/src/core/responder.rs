//! A plain model of the Tetris core's end of the wire, by `docs/wire.md`.

use lockstep_games::tetris::timing::Core;
use lockstep_games::tetris::{Board, Linear, Piece, Position, Search, lookahead};
use protocol::layout::{ErrorCode, REPLY, link, tetris};
use protocol::payload::link::{Buttons, Info, Stats};

use super::byte_core::requests::served_by_link;
use super::played::{self, Game};
use super::requests::{Request, most_games};
use crate::tetris::{every_placement, linear};

/// A message number and its payload.
pub type Message = (u8, Vec<u8>);

/// The lowest numbers of a game's requests and of its error codes.
const FIRST_OF_GAME: (u8, u8) = (0x10, 0x40);

/// Whether a request is answered between the parts of an earlier stream: every request of the link
/// except a cancel, and every refusal by the link.
pub fn comes_between(request: u8, reply: &Message) -> bool {
    match reply.0 == link::ERROR.id {
        true => reply.1[0] < FIRST_OF_GAME.1,
        false => request < FIRST_OF_GAME.0 && request != link::CANCEL.id,
    }
}

/// The model of an idle core.
pub struct Responder {
    pub info: Info,
    weights: Option<[i32; 14]>,
    /// Statistics since the last reset.
    pub stats: Stats,
    /// Presses of the board's buttons.
    pub buttons: Buttons,
}

pub struct Answer {
    /// Whether it is a stream, even one without parts.
    pub stream: bool,
    /// The parts before the reply.
    pub parts: Vec<Message>,
    /// The reply; the cycles in the reply to a trace are the least possible.
    pub message: Message,
    /// Clock cycles from the request's delimiter to the first byte, with nothing else under way.
    pub latency: u64,
}

impl Responder {
    /// The state after power-up.
    pub fn new(info: Info) -> Self {
        Self {
            info,
            weights: None,
            stats: Stats::default(),
            buttons: Buttons::default(),
        }
    }

    /// Clears settings and statistics.
    pub fn reset(&mut self) {
        self.weights = None;
        self.stats = Stats::default();
    }

    /// The answer to a request that is not refused as busy.
    pub fn answer(&mut self, request: &Request) -> Answer {
        self.answer_to(request, None)
    }

    /// The answer to a request; `stop` is the piece before which a game was cancelled.
    pub fn answer_to(&mut self, request: &Request, stop: Option<u32>) -> Answer {
        let (request, payload) = (request.kind, &request.payload[..]);
        let (mut result, took) = self.serve(request, payload);
        let mut parts = Vec::new();
        let mut stream = result.is_ok() && request == tetris::TRACE.id;
        if stream {
            parts = self.placements(payload);
        }
        let game = match request {
            _ if request == tetris::PLAY.id => Some(Game::given as fn(Board, &[u8]) -> Game),
            _ if request == tetris::SELF_PLAY.id => Some(Game::drawn as _),
            _ => None,
        };
        if result.is_ok()
            && let Some(game) = game
            && let Some(weights) = self.weights
        {
            let game = game(board(payload), &payload[25..]);
            let (sent, end) = played::play(game, &weights, Core::of(&self.info), stop);
            (stream, parts, result) = (true, sent, Ok(end));
        }
        let message = result.map_or_else(
            |code| (link::ERROR.id, vec![code.number, request]),
            |payload| (request | REPLY, payload),
        );
        let latency = 17 + message.1.len() as u64 + took;
        Answer {
            stream,
            parts,
            message,
            latency,
        }
    }

    /// The parts of a trace: every placement, legal or not.
    fn placements(&self, payload: &[u8]) -> Vec<Message> {
        let (Some(position), Some(weights)) = (position(payload), self.weights) else {
            return Vec::new();
        };
        let parts = every_placement(&position, &weights).into_iter().zip(0u16..);
        parts
            .map(|((place, features, score), part)| {
                let mut payload = part.to_le_bytes().to_vec();
                payload.extend(place.map(|n| n as u8));
                let features = features.iter().map(|f| *f as u16);
                payload.extend(features.flat_map(u16::to_le_bytes));
                payload.extend(score.to_le_bytes());
                (tetris::PLACEMENT.id, payload)
            })
            .collect()
    }

    /// The reply's payload or the refusal, and its additional cycles.
    fn serve(&mut self, request: u8, payload: &[u8]) -> (Result<Vec<u8>, ErrorCode>, u64) {
        let length = match tetris::GAME.message(request) {
            Some(message) if message.is_request() => message.bytes(),
            _ => return (Err(link::UNKNOWN_TYPE), 0),
        };
        if payload.len() != length {
            return (Err(link::BAD_LENGTH), 0);
        }
        let id = |message: protocol::layout::Message| message.id == request;
        if request < FIRST_OF_GAME.0 {
            let more = match request {
                _ if id(link::PING) => 10,
                _ if id(link::SET_RATE) => 8,
                _ => 0,
            };
            return (
                served_by_link(request, payload, &self.info, &self.stats, &self.buttons),
                more,
            );
        }
        if id(tetris::SET_WEIGHTS) {
            let (words, _) = payload.as_chunks::<4>();
            self.weights = Some(std::array::from_fn(|n| i32::from_le_bytes(words[n])));
            (Ok(Vec::new()), 64)
        } else if id(tetris::GET_WEIGHTS) {
            let weights = self.weights.ok_or(tetris::WEIGHTS_UNSET);
            (
                weights.map(|w| w.iter().flat_map(|w| w.to_le_bytes()).collect()),
                7,
            )
        } else if id(tetris::PLAY) || id(tetris::SELF_PLAY) {
            let (refused, more) = match id(tetris::PLAY) {
                true => (played::refused(&payload[25..]), 115),
                false => {
                    let most = most_games(self.info.lanes);
                    (played::refused_drawn(&payload[25..], most), 58)
                }
            };
            let refused = refused.or(self.weights.is_none().then_some(tetris::WEIGHTS_UNSET));
            // The end is computed with the parts.
            (refused.map_or(Ok(Vec::new()), Err), more)
        } else {
            match self.decide(request, payload) {
                Ok((decision, cycles)) if id(tetris::DECIDE) => (Ok(decision), 36 + cycles),
                Ok((decision, cycles)) => {
                    let parts = self.placements(payload).len() as u16;
                    let head = [&parts.to_le_bytes()[..], &[0]].concat();
                    (Ok([head, decision].concat()), 36 + cycles)
                }
                Err(code) => (Err(code), 35),
            }
        }
    }

    fn decide(&self, request: u8, payload: &[u8]) -> Result<(Vec<u8>, u64), ErrorCode> {
        Piece::from_number(payload[25]).ok_or(tetris::BAD_PIECE)?;
        let (ahead, next) = match payload[26] {
            tetris::NO_PIECE => (false, None),
            tetris::ANY_PIECE => (true, None),
            next => (
                true,
                Some(Piece::from_number(next).ok_or(tetris::BAD_NEXT_PIECE)?),
            ),
        };
        if ahead && (!self.info.has(link::LOOKAHEAD) || request == tetris::TRACE.id) {
            return Err(link::UNSUPPORTED);
        }
        let weights = self.weights.ok_or(tetris::WEIGHTS_UNSET)?;
        let position = Position {
            next,
            ..position(payload).ok_or(tetris::BAD_PIECE)?
        };
        let linear = Linear {
            search: Search::new(if ahead { 2 } else { 1 }, None).unwrap_or(Search::ONE),
            ..linear(&weights)
        };
        let cycles = Core::of(&self.info).and_then(|core| match ahead {
            true => core.cycles_ahead(&position),
            false => Some(core.cycles(&position)),
        });
        let cycles = cycles.unwrap_or(0);
        let best = lookahead::best(&position.board, position.piece, next, &linear);
        let (fields, score) = best.map_or(([0; 5], 0), |(best, score)| {
            let cleared = best.features.rows_cleared as usize;
            let place = [1, best.rotation, best.column, best.row, cleared];
            (place.map(|n| n as u8), score.0)
        });
        let parts = [&fields[..], &score.to_le_bytes(), &cycles.to_le_bytes()];
        Ok((parts.concat(), cycles.into()))
    }
}

/// The position of a `decide` or `trace` request; `None` for an invalid piece.
fn position(payload: &[u8]) -> Option<Position> {
    let piece = Piece::from_number(payload[25])?;
    Some(crate::tetris::position(board(payload), piece))
}

/// The board at the beginning of a payload: ten bits per row, the lowest row first.
fn board(payload: &[u8]) -> Board {
    Board::from_cells(10, 20, |column, row| {
        let at = 10 * row + column;
        payload[at / 8] >> (at % 8) & 1 == 1
    })
}
