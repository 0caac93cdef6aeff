//! A core that answers by streams, on a link that loses what it is told to.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt as _};
use lockstep::link::{Link, LinkError, LinkStatistics};
use protocol::layout::tetris::{DecideFields, PLACEMENT, TRACE};
use protocol::layout::{self, ErrorCode, REPLY, link as table};
use protocol::payload::link::Refusal;
use protocol::payload::{Payload, PayloadError};
use protocol::{Decoder, Frame};

use crate::answering::frame;

/// A request that asks for the stream of that tag, of so many parts. What there is of
/// streams on the wire is a game's; this core makes something else of it.
pub fn asks(tag: u8, parts: u8) -> Payload {
    let mut board = [0; 25];
    (board[0], board[1]) = (tag, parts);
    DecideFields {
        board,
        ..DecideFields::default()
    }
    .encode()
}

/// What becomes of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Comes,
    Lost,
    Damaged,
    /// The core refuses it, or a stream says that it was cancelled.
    Refused(ErrorCode),
}

/// What becomes of the frame of that message, the how many-th from 0 on.
pub type Script = dyn FnMut(u8, u64) -> Fate + Send;

/// A request in the core.
struct Asked {
    seq: u16,
    kind: u8,
    payload: Vec<u8>,
    /// Parts that have left.
    parts: u8,
    credit: u64,
    cancelled: bool,
    refused: Option<ErrorCode>,
}

/// What passed.
#[derive(Default)]
pub struct Passed {
    /// The messages of all frames, in order, those that were lost among them.
    pub kinds: Vec<u8>,
    /// Most requests that were unanswered at a time.
    pub most: usize,
    /// How often the host waited in vain.
    pub silences: usize,
}

impl Passed {
    pub fn count(&self, kind: u8) -> usize {
        self.kinds.iter().filter(|other| **other == kind).count()
    }

    /// Where the how many-th frame of that message is, from 0 on.
    pub fn place(&self, kind: u8, number: usize) -> usize {
        let mut places = self.kinds.iter().enumerate().filter(|(_, k)| **k == kind);
        places.nth(number).expect("it passed").0
    }
}

/// A core on a link.
pub struct Streaming {
    decoder: Decoder,
    requests: VecDeque<Asked>,
    script: Box<Script>,
    counts: HashMap<u8, u64>,
    /// A request of the link comes before the next part.
    turn: bool,
    passed: Arc<Mutex<Passed>>,
}

impl Streaming {
    pub fn new(script: impl FnMut(u8, u64) -> Fate + Send + 'static) -> (Self, Arc<Mutex<Passed>>) {
        let passed = Arc::default();
        let core = Self {
            decoder: Decoder::new(),
            requests: VecDeque::new(),
            script: Box::new(script),
            counts: HashMap::new(),
            turn: false,
            passed: Arc::clone(&passed),
        };
        (core, passed)
    }

    fn fate(&mut self, kind: u8) -> Fate {
        self.passed.lock().expect("not poisoned").kinds.push(kind);
        let count = self.counts.entry(kind).or_default();
        *count += 1;
        (self.script)(kind, *count - 1)
    }

    /// Takes a request.
    fn hear(&mut self, asked: Asked) {
        let fate = self.fate(asked.kind);
        let refused = match fate {
            Fate::Lost | Fate::Damaged => return,
            Fate::Comes => None,
            Fate::Refused(code) => Some(code),
        };
        let streams = self.requests.iter_mut().filter(|r| r.kind == TRACE.id);
        match asked.kind {
            _ if refused.is_some() => {}
            kind if kind == table::CANCEL.id => streams.for_each(|r| r.cancelled = true),
            kind if kind == table::CREDIT.id => {
                let under_way = self.requests.front_mut().filter(|r| r.parts > 0);
                if let Some(stream) = under_way {
                    stream.credit += u64::from(table::STREAM_CREDIT);
                }
            }
            _ => {}
        }
        self.requests.push_back(Asked { refused, ..asked });
        let mut passed = self.passed.lock().expect("not poisoned");
        passed.most = passed.most.max(self.requests.len());
    }

    /// What the core says next, if it has something to say.
    fn say(&mut self) -> Option<(u16, u8, Vec<u8>)> {
        let first = self.requests.front()?;
        let is_own = |r: &Asked| r.kind < 0x10 && r.kind != table::CANCEL.id;
        let under_way = first.kind == TRACE.id && first.parts > 0;
        let next = self.requests.get(1).filter(|r| under_way && is_own(r));
        let done = first.cancelled || first.parts == first.payload.get(1).copied().unwrap_or(0);
        let waits = first.kind == TRACE.id && !done && first.credit == 0;
        if next.is_some() && (self.turn || waits) {
            self.turn = false;
            let own = self.requests.remove(1)?;
            return Some(Self::reply(&own));
        }
        if waits {
            return None;
        }
        self.turn = true;
        if first.kind == TRACE.id && first.refused.is_none() && !done {
            let first = self.requests.front_mut()?;
            first.credit -= 1;
            first.parts += 1;
            let mut payload = vec![0; PLACEMENT.bytes()];
            (payload[0], payload[2]) = (first.parts - 1, first.payload[0]);
            return Some((first.seq, PLACEMENT.id, payload));
        }
        let first = self.requests.pop_front()?;
        Some(Self::reply(&first))
    }

    /// The last or only reply to a request.
    fn reply(asked: &Asked) -> (u16, u8, Vec<u8>) {
        if let Some(code) = asked.refused {
            let request = asked.kind;
            let refusal = Refusal { code, request }.encode();
            return (asked.seq, table::ERROR.id, refusal.as_ref().to_vec());
        }
        let kind = asked.kind | REPLY;
        let message = layout::GAMES[0].message(kind).expect("it has a reply");
        let mut payload = vec![0; message.bytes()];
        if asked.kind == TRACE.id {
            (payload[0], payload[2]) = (asked.parts, asked.cancelled.into());
            payload[3] = asked.payload[0];
        } else if asked.kind == table::PING.id {
            payload.copy_from_slice(&asked.payload);
        }
        (asked.seq, kind, payload)
    }
}

impl Link for Streaming {
    fn describe(&self) -> String {
        "streams".into()
    }

    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), LinkError>> {
        for byte in bytes {
            let Some(Ok(Frame { seq, kind, payload })) = self.decoder.push(*byte) else {
                continue;
            };
            let asked = Asked {
                seq,
                kind,
                payload: payload.to_vec(),
                parts: 0,
                credit: table::STREAM_CREDIT.into(),
                cancelled: false,
                refused: None,
            };
            self.hear(asked);
        }
        async { Ok(()) }.boxed()
    }

    fn receive(&mut self, _: Duration) -> BoxFuture<'_, Result<Bytes, LinkError>> {
        let came = loop {
            let Some((seq, kind, mut payload)) = self.say() else {
                break None;
            };
            match self.fate(kind) {
                Fate::Comes => {}
                Fate::Lost => continue,
                Fate::Damaged => {
                    let mut damaged = frame(seq, kind, &payload).to_vec();
                    damaged[1] ^= 0x80;
                    break Some(damaged.into());
                }
                // That of a stream's end.
                Fate::Refused(_) => payload[2] = 1,
            }
            break Some(frame(seq, kind, &payload));
        };
        if came.is_none() {
            self.passed.lock().expect("not poisoned").silences += 1;
        }
        async { came.ok_or_else(|| LinkError::Silent("nothing came".into())) }.boxed()
    }

    fn reopen(&mut self) -> BoxFuture<'_, Result<(), LinkError>> {
        async { Ok(()) }.boxed()
    }

    fn statistics(&self) -> LinkStatistics {
        LinkStatistics::default()
    }
}

/// What came of some streams.
#[derive(Debug, Default)]
pub struct Came {
    /// The parts of each stream since it began last, by their tags and numbers.
    pub parts: HashMap<usize, Vec<(u8, u8)>>,
    /// How often each began.
    pub begun: HashMap<usize, usize>,
}

impl lockstep::backend::wire::client::Parts for Came {
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
