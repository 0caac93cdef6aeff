//! The order of replies, as `docs/wire.md` defines it.

use std::collections::VecDeque;

use protocol::layout::{Message as Definition, PART, link};
use sim::Bits;

use super::{header_of, rate_of};
use crate::core::byte_core::game::{GAME, Game};
use crate::core::responder::{Message, comes_between};
use crate::{Failure, Trial};

/// Maximum number of requests that the game holds at a time, the one whose reply is being sent
/// included.
const AHEAD: usize = 2;
/// Maximum number of cycles without progress: as many as it takes to read a ping's payload.
const IDLE: u32 = 14;
/// Cycles until a waiting request is decoded.
const DECODED: u32 = 4;
const MOST_CREDIT: u64 = 255;

#[derive(Clone)]
pub(super) struct Request {
    pub(super) kind: u8,
    pub(super) slot: u64,
    pub(super) payload: Vec<u8>,
    seq: u16,
    busy: bool,
    reply: Message,
    for_game: bool,
}

impl Request {
    /// A request with the dispatcher's own reply; the game replies to requests of its own.
    pub(super) fn new(
        kind: u8,
        seq: u16,
        slot: u64,
        busy: bool,
        payload: Vec<u8>,
        mut replies: Vec<Message>,
    ) -> Self {
        let refused = replies[0].0 == link::ERROR.id;
        Self {
            for_game: kind >= GAME && !refused,
            reply: replies.swap_remove(0),
            kind,
            slot,
            payload,
            seq,
            busy,
        }
    }

    /// Whether it is this request of the link and is not refused.
    pub(super) fn is(&self, message: Definition) -> bool {
        self.kind == message.id && self.reply.0 != link::ERROR.id
    }

    /// As `request_t` of the RTL.
    pub(super) fn bits(&self) -> Bits {
        let length = self.payload.len() as u64;
        let busy = (self.busy.into(), 1);
        let header = [(self.kind.into(), 8), (self.seq.into(), 16)];
        Bits::packed(&[header[0], header[1], (length, 8), (self.slot, 4), busy])
    }

    /// Cycles from its offer to its reply's header, if nothing else is under way.
    fn latency(&self) -> u64 {
        let served = !self.busy && self.payload.len() == usize::from(self.bytes());
        match self.kind {
            kind if kind == link::PING.id && served => 12,
            kind if kind == link::SET_RATE.id && served => 10,
            _ => 2,
        }
    }

    fn bytes(&self) -> u8 {
        match self.kind {
            kind if kind == link::PING.id => 8,
            kind if kind == link::SET_RATE.id => 4,
            _ => 0,
        }
    }
}

/// The inputs and outputs of a cycle.
pub(super) struct Offers<'a> {
    pub(super) now: u64,
    /// The oldest request, unless the game reads it.
    pub(super) head: Option<&'a Request>,
    /// Whether it is given to the game in this cycle.
    pub(super) given: bool,
    /// Whether it is offered to the game.
    pub(super) offers_request: bool,
    /// The reply that the game offers.
    pub(super) reply: Option<&'a Message>,
    pub(super) cancelling: bool,
    pub(super) credit: bool,
    /// The outputs `game_owes_o` and `stopped_o`.
    pub(super) owes: bool,
    pub(super) stopped: bool,
    /// The header offered to the transmitter, and whether it is taken.
    pub(super) header: Option<Vec<u64>>,
    pub(super) header_left: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReplySource {
    Head,
    GamePart,
    GameEnd,
}

/// The model of the order: requests without their last reply, the oldest first.
#[derive(Default)]
pub(super) struct Order {
    unanswered: VecDeque<Request>,
    /// Number of requests that the game was given.
    given: usize,
    /// Whether a part of the oldest request's reply was sent.
    streaming: bool,
    /// Number of parts for which there is credit, during a stream.
    credit: u64,
    /// The reply being sent, and its remaining bytes.
    under_way: Option<(ReplySource, VecDeque<u8>)>,
    answered_head: bool,
    /// Cycle in which the header of a single request is expected.
    header_at: Option<u64>,
    offered: Option<u16>,
    idle: u32,
    /// Cycles in which nothing can be sent until the host acts.
    stopped: u32,
    /// Replies in a row of the other source, while the dispatcher or the game had one to send.
    head_passed: u32,
    game_passed: u32,
}

impl Order {
    pub(super) fn push(&mut self, request: &Request) {
        self.unanswered.push_back(request.clone());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.unanswered.is_empty()
    }

    /// Number of parts that may be sent; 1 before the first part.
    pub(super) fn credit(&self) -> u64 {
        if self.streaming { self.credit } else { 1 }
    }

    /// Whether the last byte of the dispatcher's own reply was sent in this cycle.
    pub(super) fn has_answered_head(&mut self) -> bool {
        std::mem::take(&mut self.answered_head)
    }

    /// Whether the oldest request may be served now.
    fn may_serve(&self, head: &Request) -> bool {
        let before = self
            .unanswered
            .iter()
            .take_while(|request| request.seq != head.seq)
            .count();
        match before {
            _ if head.for_game => self.given < AHEAD,
            0 => true,
            1 => self.streaming && comes_between(head.kind, &head.reply),
            _ => false,
        }
    }

    /// Checks the header of a cycle; returns the rate that it sets.
    pub(super) fn header(
        &mut self,
        trial: &Trial,
        offers: &Offers,
        game: &Game,
    ) -> Result<Option<u32>, Failure> {
        let head_may = offers.head.filter(|head| self.may_serve(head));
        let part = |reply: &&Message| reply.0 & PART != 0;
        let arrives = offers
            .head
            .is_some_and(|head| self.offered != Some(head.seq));
        let pays = !self.streaming || self.credit > 0 || offers.cancelling;
        let reply_may = offers.reply.filter(|reply| pays || !part(reply));
        self.alone(trial, offers)?;
        let may = head_may.is_some() || reply_may.is_some();
        self.progress(trial, offers, may)?;
        trial.same("game_owes_o", &offers.owes, &(self.given > 0))?;
        let waits = offers.reply.is_some() && !may && self.under_way.is_none();
        // A request that arrives while a part waits must be decoded first.
        self.stopped = match waits && !arrives {
            true => self.stopped + 1,
            false => 0,
        };
        self.stopped(trial, offers, waits)?;
        if self.streaming && offers.credit {
            self.credit = MOST_CREDIT.min(self.credit + u64::from(link::STREAM_CREDIT));
        }
        if offers.given {
            let may = head_may.is_some_and(|head| head.for_game);
            trial.same("whether the game may be given it", &true, &may)?;
            self.given += 1;
        }
        let Some(header) = &offers.header else {
            return Ok(None);
        };
        let (seq, kind, empty) = header_of(header);
        let own = head_may.filter(|head| !head.for_game && head.seq == seq);
        let oldest = self.unanswered.front().map(|request| request.seq);
        let game_reply = game.made.front().filter(|_| oldest == Some(seq));
        let (source, message) = match (own, game_reply) {
            (Some(head), _) => (ReplySource::Head, &head.reply),
            (None, Some(reply)) if part(&reply) => (ReplySource::GamePart, reply),
            (None, Some(reply)) => (ReplySource::GameEnd, reply),
            _ => {
                return trial.differs(format!(
                    "an unexpected reply {kind:02x} to request {seq:04x}"
                ));
            }
        };
        let expected = (message.0, message.1.is_empty());
        trial.same("the header", &(kind, empty), &expected)?;
        if source == ReplySource::GamePart {
            trial.holds("a part has credit", pays)?;
        }
        if !offers.header_left {
            return Ok(None);
        }
        self.header_at = None;
        let (passed, may) = match source {
            ReplySource::Head => (&mut self.game_passed, reply_may.is_some()),
            _ => (
                &mut self.head_passed,
                own.or(head_may).is_some_and(|h| !h.for_game),
            ),
        };
        *passed = if may { *passed + 1 } else { 0 };
        let passed = *passed;
        match source {
            ReplySource::Head => self.head_passed = 0,
            _ => self.game_passed = 0,
        }
        trial.never("two replies pass another one", passed >= 2)?;
        let rate = own.and_then(|head| rate_of(head, message));
        self.under_way = Some((source, message.1.iter().copied().collect()));
        if source == ReplySource::GamePart {
            match self.streaming {
                true => self.credit = self.credit.saturating_sub(1),
                false => self.credit = u64::from(link::STREAM_CREDIT) - 1,
            }
            self.streaming = true;
        }
        if empty {
            self.over();
        }
        Ok(rate)
    }

    /// Checks that a single request is answered after a fixed time.
    fn alone(&mut self, trial: &Trial, offers: &Offers) -> Result<(), Failure> {
        let head = offers.head.map(|head| head.seq);
        if let Some(head) = offers.head
            && self.offered != Some(head.seq)
            && self
                .unanswered
                .front()
                .is_some_and(|request| request.seq == head.seq)
            && self.under_way.is_none()
            && !head.for_game
        {
            self.header_at = Some(offers.now + head.latency());
        }
        self.offered = head;
        match self.header_at {
            Some(at) => trial.same(
                "header_valid_o",
                &offers.header.is_some(),
                &(offers.now >= at),
            ),
            None => Ok(()),
        }
    }

    /// Checks that a reply that may be sent is sent soon.
    fn progress(&mut self, trial: &Trial, offers: &Offers, may: bool) -> Result<(), Failure> {
        let rests = offers.header.is_none() && !offers.offers_request && self.under_way.is_none();
        self.idle = if may && rests { self.idle + 1 } else { 0 };
        match self.idle > IDLE {
            true => trial.differs(format!("nothing is sent for {IDLE} cycles")),
            false => Ok(()),
        }
    }

    /// Checks `stopped_o`, which follows some cycles after a part waits for credit.
    fn stopped(&self, trial: &Trial, offers: &Offers, waits: bool) -> Result<(), Failure> {
        let settled = !waits || self.stopped > DECODED;
        match settled && offers.stopped != waits {
            true => trial.differs(format!("stopped_o is {}", offers.stopped)),
            false => Ok(()),
        }
    }

    /// Checks the byte sent in a cycle; `true` marks the last one.
    pub(super) fn byte(&mut self, trial: &Trial, byte: Option<(u8, bool)>) -> Result<(), Failure> {
        let Some(byte) = byte else { return Ok(()) };
        let bytes = self.under_way.as_mut().map(|(_, bytes)| bytes);
        let expected = bytes.and_then(|bytes| Some((bytes.pop_front()?, bytes.is_empty())));
        trial.same("the byte", &Some(byte), &expected)?;
        if byte.1 {
            self.over();
        }
        Ok(())
    }

    /// Ends the reply being sent.
    fn over(&mut self) {
        let Some((source, _)) = self.under_way.take() else {
            return;
        };
        match source {
            ReplySource::GamePart => {}
            ReplySource::GameEnd => {
                self.unanswered.pop_front();
                self.given -= 1;
                self.streaming = false;
            }
            ReplySource::Head => {
                // The requests before it are the game's.
                self.unanswered.remove(self.given);
                self.answered_head = true;
            }
        }
    }
}
