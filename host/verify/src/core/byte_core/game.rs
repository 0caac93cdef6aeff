//! A fictitious game behind the dispatcher: it reads a request, works, and replies.

use std::collections::VecDeque;

use protocol::layout::{PART, REPLY};

use crate::Trial;
use crate::core::responder::Message;
use crate::stream::{Sink, Source};

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

pub(crate) struct Game {
    requests: Sink,
    /// The input that ends the reading of a request.
    loaded: &'static str,
    headers: Source,
    bytes: Source,
    /// The request being read, and the requests read before.
    reading: Option<u8>,
    read: VecDeque<u8>,
    /// The request being processed, and its remaining cycles.
    work: Option<(u8, u64)>,
    /// Number of parts of the endless stream.
    parts: u8,
    /// Whether the next part of the endless stream may be made.
    pub(crate) may_make: bool,
    /// Number of parts that were taken.
    pub(crate) parts_taken: u64,
    /// Replies whose header has not been sent.
    pub(crate) made: VecDeque<Message>,
}

impl Game {
    /// A game that takes requests from `requests` and replies at these struct ports.
    pub(crate) fn new(requests: Sink, loaded: &'static str, reply: &str, ack: &str) -> Self {
        let [headers, bytes] = Source::replies(reply, ack);
        Self {
            requests,
            loaded,
            headers,
            bytes,
            reading: None,
            read: VecDeque::new(),
            work: None,
            parts: 0,
            may_make: true,
            parts_taken: 0,
            made: VecDeque::new(),
        }
    }

    pub(crate) fn is_reading(&self) -> bool {
        self.reading.is_some()
    }

    pub(crate) fn is_endless(&self) -> bool {
        self.work.is_some_and(|(kind, _)| kind == ENDLESS) || self.read.contains(&ENDLESS)
    }

    /// Number of bytes that the replies made still have.
    pub(crate) fn bytes_left(&self) -> usize {
        self.bytes.left()
    }

    /// The reply whose header is offered.
    pub(crate) fn offers_reply(&self) -> Option<&Message> {
        self.made.front().filter(|_| self.headers.is_offered())
    }

    /// Drives a cycle; returns whether the request has been read completely at its end, which
    /// happens with a probability of `loads` %.
    pub(crate) fn drive(&mut self, trial: &mut Trial, cancelling: bool, loads: u64) -> bool {
        match self.work {
            Some((kind, 0)) if kind != ENDLESS => {
                game_replies(kind)
                    .into_iter()
                    .for_each(|reply| self.reply(reply));
                self.work = None;
            }
            Some((_, 0)) if cancelling => {
                self.reply((ENDLESS | REPLY, vec![ENDLESS]));
                self.work = None;
            }
            Some((_, 0)) if self.may_make && self.headers.left() == 0 => {
                self.parts = self.parts.wrapping_add(1);
                let payload = vec![self.parts; 1 + usize::from(self.parts % 3)];
                self.reply((ENDLESS | REPLY | PART, payload));
                self.work = Some((ENDLESS, trial.random.choice(&[0, 0, 3, 60])));
            }
            Some((kind, left)) => self.work = Some((kind, left.saturating_sub(1))),
            None if self.made.is_empty() => {
                let kind = self.read.pop_front();
                self.work = kind.map(|kind| (kind, trial.random.choice(&[0, 0, 5, 60])));
            }
            None => {}
        }
        self.requests.drive(trial);
        if self.reading.is_some() {
            self.requests.refuse(trial);
        }
        self.headers.drive(trial);
        self.bytes.drive(trial);
        let loads = self.reading.is_some() && trial.random.chance(loads);
        trial.put(self.loaded, loads);
        if loads {
            self.read.extend(self.reading.take());
        }
        loads
    }

    fn reply(&mut self, reply: Message) {
        let (kind, payload) = &reply;
        let part = kind & PART != 0;
        self.headers
            .push(vec![(*kind).into(), payload.is_empty().into(), part.into()]);
        self.bytes.push_bytes(payload);
        self.made.push_back(reply);
    }

    pub(crate) fn offers_request(&self, trial: &Trial) -> bool {
        self.requests.offered(trial).is_some()
    }

    /// The number and slot of the request taken in this cycle.
    pub(crate) fn take(&mut self, trial: &Trial) -> Option<(u8, u64)> {
        let item = self.requests.take(trial)?;
        let (kind, slot) = (item[0] as u8, item[1]);
        self.reading = Some(kind);
        Some((kind, slot))
    }

    /// Ends a cycle: removes the reply that was taken.
    pub(crate) fn clock(&mut self, trial: &Trial) {
        if self.headers.take(trial).is_some() {
            let is_part = |(kind, _): Message| kind & PART != 0;
            self.parts_taken += u64::from(self.made.pop_front().is_some_and(is_part));
        }
        self.bytes.take(trial);
    }

    pub(crate) fn clear(&mut self, trial: &mut Trial) {
        self.headers.clear();
        self.bytes.clear();
        self.made.clear();
        self.read.clear();
        (self.reading, self.work) = (None, None);
        self.headers.drive(trial);
        self.bytes.drive(trial);
        trial.put(self.loaded, false);
    }
}
