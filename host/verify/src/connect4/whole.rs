//! `cosim_connect4` behind its UART: whole conversations, of which the reader's bench knows one
//! end only. Credit, what is answered between parts, a cancel, a reset in a search.

use std::collections::VecDeque;

use protocol::Decoder;
use protocol::layout::connect4::{self as wire, COLUMNS, Found, Progress, Search, Weights};
use protocol::layout::{Message, PART, REPLY, link};
use protocol::payload::link::Info;

use super::model::{self, Board, OPPONENT, OWN};
use super::{CELLS, any_position, any_weights};
use crate::{Failure, Trial, cobs, frames};

/// Clock cycles without a reply after which the core hangs.
const HANGS: u64 = 400_000;
/// Clock cycles from a cancel to the end of its stream, when the line takes all at once.
const ENDS: u64 = 600;

struct Talk<'a> {
    trial: &'a mut Trial,
    to_core: VecDeque<u8>,
    decoder: Decoder,
    /// How often the line takes a byte that is offered, in percent.
    line: u64,
    seq: u16,
}

/// A reply as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Reply {
    seq: u16,
    kind: u8,
    payload: Vec<u8>,
}

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    trial.put("byte_link_i", true);
    trial.put("uart_rx_i", true);
    let mut talk = Talk {
        to_core: VecDeque::new(),
        decoder: Decoder::new(),
        line: 100,
        seq: 0,
        trial,
    };
    let info = talk.asked(link::INFO, &[])?;
    let read = Info::decode(&info.payload).map(|i| (i.game, i.layout_hash));
    let known = (wire::GAME.number, wire::GAME.layout_hash());
    talk.trial.same("game and layout", &read, &Ok(known))?;
    for _ in 0..6 {
        let weights = any_weights(&mut talk.trial.random);
        let bytes = weights.map(|w| w as u8);
        talk.asked(wire::SET_WEIGHTS, &bytes)?;
        let got = talk.asked(wire::GET_WEIGHTS, &[])?;
        let expected = Ok(Weights { weights: bytes });
        talk.trial
            .same("the weights", &Weights::decode(&got.payload), &expected)?;
        // On a slow line parts are made faster than they leave.
        talk.line = talk.trial.random.choice(&[100, 40, 3, 3, 3, 3]);
        talk.decides(&weights)?;
        talk.line = 100;
        talk.watches(&weights)?;
    }
    Ok(())
}

impl Talk<'_> {
    fn send(&mut self, message: Message, payload: &[u8]) -> u16 {
        self.seq += 1;
        let raw = frames::request(self.seq, message.id, payload);
        self.to_core.extend(cobs::encoded(&raw));
        self.seq
    }

    /// The next reply.
    fn hear(&mut self) -> Result<Reply, Failure> {
        let began = self.trial.cycles();
        loop {
            let hangs = self.trial.cycles() - began > HANGS;
            self.trial.same("it hangs", &hangs, &false)?;
            if let Some(reply) = self.cycle()? {
                return Ok(reply);
            }
        }
    }

    /// A clock cycle; a reply whose last byte came in it.
    fn cycle(&mut self) -> Result<Option<Reply>, Failure> {
        let byte = self.to_core.pop_front();
        let takes = self.trial.random.chance(self.line);
        self.trial.put("byte_valid_i", byte.is_some());
        self.trial.put("byte_data_i", byte.unwrap_or(0));
        self.trial.put("byte_ready_i", takes);
        self.trial.settle()?;
        let mut reply = None;
        if takes && self.trial.is("byte_valid_o") {
            let byte = self.trial.get("byte_data_o") as u8;
            reply = match self.decoder.push(byte) {
                Some(Ok(frame)) => Some(Reply {
                    seq: frame.seq,
                    kind: frame.kind,
                    payload: frame.payload.to_vec(),
                }),
                Some(Err(e)) => return self.trial.differs(e.to_string()),
                None => None,
            };
        }
        self.trial.clock()?;
        Ok(reply)
    }

    /// The reply to a request that has one alone.
    fn asked(&mut self, message: Message, payload: &[u8]) -> Result<Reply, Failure> {
        let seq = self.send(message, payload);
        let reply = self.hear()?;
        let number = (reply.seq, reply.kind);
        self.trial
            .same("the reply", &number, &(seq, message.id | REPLY))?;
        Ok(reply)
    }

    /// A search from beginning to end without any credit.
    fn decides(&mut self, weights: &[i8; CELLS]) -> Result<(), Failure> {
        // More depths than there is credit for, but soon over
        let (board, depths) = loop {
            let board = any_position(&mut self.trial.random);
            if !(10..=12).contains(&board.empty_cells()) {
                continue;
            }
            let depths = model::search(&board, weights, 42);
            if depths.last().is_some_and(|d| d.cycles < HANGS / 2) {
                break (board, depths);
            }
        };
        let seq = self.send(wire::SEARCH, search(&board, 42).encode().as_ref());
        let mut parts = 0;
        let found = loop {
            let reply = self.hear()?;
            self.trial.same("whose reply it is", &reply.seq, &seq)?;
            if reply.kind != wire::SEARCH.id | REPLY | PART {
                break Found::decode(&reply.payload);
            }
            parts += 1;
        };
        let allowed = parts <= u16::from(link::STREAM_CREDIT);
        self.trial.same("parts without credit", &allowed, &true)?;
        let last = depths.last().copied().unwrap_or_default();
        let expected = Found {
            parts,
            cancelled: 0,
            column: last.column as u8,
            value: last.value as i16,
            depth: last.depth as u8,
            nodes: last.nodes,
            cycles: last.cycles,
        };
        self.trial.same("the answer", &found, &Ok(expected))
    }

    /// A search without end: pings between its parts, then a cancel or a reset.
    fn watches(&mut self, weights: &[i8; CELLS]) -> Result<(), Failure> {
        let board = Board::default();
        let seq = self.send(wire::SEARCH, search(&board, 42).encode().as_ref());
        let first = self.hear()?;
        let part = Progress::decode(&first.payload).map(|p| (p.part, p.depth, p.column));
        self.trial.same(
            "the first part",
            &(first.seq, part),
            &(seq, Ok((0, 0, 0xff))),
        )?;
        for _ in 0..3 {
            let nonce = self.trial.random.bytes(8);
            let ping = self.send(link::PING, &nonce);
            let pong = loop {
                let reply = self.hear()?;
                if reply.kind == link::PONG.id {
                    break reply;
                }
                self.trial.same("a part", &reply.seq, &seq)?;
            };
            self.trial
                .same("the pong", &(pong.seq, pong.payload), &(ping, nonce))?;
        }
        for _ in 0..self.trial.random.below(3_000) {
            self.cycle()?;
        }
        if self.trial.random.chance(30) {
            self.send(link::RESET, &[]);
            while self.hear()?.kind != link::RESET_REPLY.id {}
            let refused = self.send(wire::GET_WEIGHTS, &[]);
            let reply = self.hear()?;
            let expected = (
                refused,
                vec![wire::WEIGHTS_UNSET.number, wire::GET_WEIGHTS.id],
            );
            return self.trial.same(
                "weights behind a reset",
                &(reply.seq, reply.payload),
                &expected,
            );
        }
        let cancel = self.send(link::CANCEL, &[]);
        let asked = self.trial.cycles();
        let end = loop {
            let reply = self.hear()?;
            self.trial.same("whose reply it is", &reply.seq, &seq)?;
            if reply.kind == wire::FOUND.id {
                break Found::decode(&reply.payload);
            }
        };
        let late = self.trial.cycles() - asked > ENDS;
        self.trial.same("it ends late", &late, &false)?;
        let depth = end.as_ref().map_or(0, |found| found.depth);
        let depths = model::search(&board, weights, depth.into());
        let result = depths
            .last()
            .map_or((0xff, 0), |d| (d.column as u8, d.value as i16));
        let got = end.map(|found| (found.cancelled, (found.column, found.value)));
        self.trial.same("what was found", &got, &Ok((1, result)))?;
        let reply = self.hear()?;
        let expected = (cancel, link::CANCEL_REPLY.id);
        self.trial
            .same("the cancel's reply", &(reply.seq, reply.kind), &expected)
    }
}

fn search(board: &Board, depth: u8) -> Search {
    let (own, opponent): ([u8; COLUMNS], _) = (board.stones(OWN), board.stones(OPPONENT));
    Search {
        own,
        opponent,
        depth,
    }
}
