//! A core that answers with streams, behind a link that loses the frames of a script.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use lockstep::backend::wire::client::Parts;
use protocol::Frame;
use protocol::layout::tetris::{DecideFields, PLACEMENT, TRACE};
use protocol::layout::{self, ErrorCode, REPLY, link as table};
use protocol::payload::link::Refusal;
use protocol::payload::{Payload, PayloadError};

use crate::fake::{Peer, frame};

/// The payload of a request for a stream with that tag and that many parts. Only games have streams,
/// so this core uses the messages of one.
pub fn stream_payload(tag: u8, parts: u8) -> Payload {
    let mut board = [0; 25];
    (board[0], board[1]) = (tag, parts);
    DecideFields {
        board,
        ..DecideFields::default()
    }
    .encode()
}

/// The message of that name in a table of cases.
pub fn message(name: &str) -> u8 {
    match name {
        "ask" => TRACE.id,
        "part" => PLACEMENT.id,
        "end" => TRACE.id | REPLY,
        "credit" => table::CREDIT.id,
        "credited" => table::CREDIT.id | REPLY,
        "cancel" => table::CANCEL.id,
        "cancelled" => table::CANCEL.id | REPLY,
        "ping" => table::PING.id,
        "pong" => table::PING.id | REPLY,
        other => panic!("no message is called {other}"),
    }
}

/// A frame with a bit turned.
pub fn damaged(frame: &Bytes) -> Bytes {
    let mut damaged = frame.to_vec();
    damaged[1] ^= 0x80;
    damaged.into()
}

/// The outcome of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Passes,
    Lost,
    Damaged,
    /// The core refuses the request, or ends the stream as cancelled.
    Refused(ErrorCode),
}

/// The outcome of a frame, by its message and its number among the frames of the message from 0 on.
pub type Script = dyn FnMut(u8, u64) -> Outcome + Send;

/// A request in the core.
struct Request {
    seq: u16,
    kind: u8,
    payload: Vec<u8>,
    /// Parts that have left.
    parts: u8,
    credit: u64,
    cancelled: bool,
    refused: Option<ErrorCode>,
}

impl Request {
    fn is_stream(&self) -> bool {
        self.kind == TRACE.id
    }

    /// The last or only reply.
    fn reply(&self) -> (u16, u8, Vec<u8>) {
        if let Some(code) = self.refused {
            let request = self.kind;
            let refusal = Refusal { code, request }.encode();
            return (self.seq, table::ERROR.id, refusal.as_ref().to_vec());
        }
        let kind = self.kind | REPLY;
        let message = layout::GAMES[0].message(kind).expect("it has a reply");
        let mut payload = vec![0; message.bytes()];
        if self.is_stream() {
            (payload[0], payload[2]) = (self.parts, self.cancelled.into());
            payload[3] = self.payload[0];
        } else if self.kind == table::PING.id {
            payload.copy_from_slice(&self.payload);
        }
        (self.seq, kind, payload)
    }
}

/// The frames that passed.
#[derive(Default)]
pub struct Passed {
    /// Their messages in order, with those of lost frames.
    pub kinds: Vec<u8>,
    /// Maximum number of requests that were unanswered at a time.
    pub most: usize,
    /// Number of waits that ended with a timeout.
    pub silences: usize,
}

impl Passed {
    pub fn count(&self, kind: u8) -> usize {
        self.kinds.iter().filter(|other| **other == kind).count()
    }

    /// The place of the frame with that message and number, from 0 on.
    pub fn place(&self, kind: u8, number: usize) -> usize {
        let mut places = self.kinds.iter().enumerate().filter(|(_, k)| **k == kind);
        places.nth(number).expect("it passed").0
    }
}

pub struct Streaming {
    requests: VecDeque<Request>,
    script: Box<Script>,
    /// Whether a request of the link is answered before the next part.
    link_turn: bool,
    passed: Arc<Mutex<Passed>>,
}

impl Streaming {
    pub fn new(
        script: impl FnMut(u8, u64) -> Outcome + Send + 'static,
    ) -> (Self, Arc<Mutex<Passed>>) {
        let passed = Arc::default();
        let core = Self {
            requests: VecDeque::new(),
            script: Box::new(script),
            link_turn: false,
            passed: Arc::clone(&passed),
        };
        (core, passed)
    }

    fn outcome(&mut self, kind: u8) -> Outcome {
        let mut passed = self.passed.lock().expect("not poisoned");
        let number = passed.count(kind) as u64;
        passed.kinds.push(kind);
        (self.script)(kind, number)
    }

    /// The next reply, if there is one.
    fn next_reply(&mut self) -> Option<(u16, u8, Vec<u8>)> {
        let first = self.requests.front()?;
        let is_own = |r: &Request| r.kind < 0x10 && r.kind != table::CANCEL.id;
        let under_way = first.is_stream() && first.parts > 0;
        let next = self.requests.get(1).filter(|r| under_way && is_own(r));
        let done = first.cancelled || first.parts == first.payload.get(1).copied().unwrap_or(0);
        let waits = first.is_stream() && !done && first.credit == 0;
        if next.is_some() && (self.link_turn || waits) {
            self.link_turn = false;
            return Some(self.requests.remove(1)?.reply());
        }
        if waits {
            return None;
        }
        self.link_turn = true;
        if first.is_stream() && first.refused.is_none() && !done {
            let first = self.requests.front_mut()?;
            first.credit -= 1;
            first.parts += 1;
            let mut payload = vec![0; PLACEMENT.bytes()];
            (payload[0], payload[2]) = (first.parts - 1, first.payload[0]);
            return Some((first.seq, PLACEMENT.id, payload));
        }
        Some(self.requests.pop_front()?.reply())
    }
}

impl Peer for Streaming {
    fn take(&mut self, asked: &Frame<'_>) -> Vec<Bytes> {
        let refused = match self.outcome(asked.kind) {
            Outcome::Lost | Outcome::Damaged => return Vec::new(),
            Outcome::Passes => None,
            Outcome::Refused(code) => Some(code),
        };
        let credit = table::STREAM_CREDIT.into();
        if refused.is_none() && asked.kind == table::CANCEL.id {
            let streams = self.requests.iter_mut().filter(|r| r.is_stream());
            streams.for_each(|r| r.cancelled = true);
        }
        if refused.is_none() && asked.kind == table::CREDIT.id {
            let under_way = self.requests.front_mut().filter(|r| r.parts > 0);
            under_way.into_iter().for_each(|r| r.credit += credit);
        }
        self.requests.push_back(Request {
            seq: asked.seq,
            kind: asked.kind,
            payload: asked.payload.to_vec(),
            parts: 0,
            credit,
            cancelled: false,
            refused,
        });
        let mut passed = self.passed.lock().expect("not poisoned");
        passed.most = passed.most.max(self.requests.len());
        Vec::new()
    }

    fn wait(&mut self, _: Duration) -> Option<Bytes> {
        while let Some((seq, kind, mut payload)) = self.next_reply() {
            match self.outcome(kind) {
                Outcome::Passes => {}
                Outcome::Lost => continue,
                Outcome::Damaged => return Some(damaged(&frame(seq, kind, &payload))),
                // The end of a stream.
                Outcome::Refused(_) => payload[2] = 1,
            }
            return Some(frame(seq, kind, &payload));
        }
        self.passed.lock().expect("not poisoned").silences += 1;
        None
    }
}

/// The parts of streams.
#[derive(Debug, Default)]
pub struct ReceivedParts {
    /// The parts of each stream since it began last, by their tags and numbers.
    pub parts: HashMap<usize, Vec<(u8, u8)>>,
    /// How often each stream began.
    pub begun: HashMap<usize, usize>,
}

impl Parts for ReceivedParts {
    fn begins(&mut self, stream: usize) {
        self.parts.insert(stream, Vec::new());
        *self.begun.entry(stream).or_default() += 1;
    }

    fn part(&mut self, stream: usize, payload: &[u8]) -> Result<(), PayloadError> {
        let parts = self.parts.get_mut(&stream).expect("it has begun");
        parts.push((payload[2], payload[0]));
        Ok(())
    }
}
