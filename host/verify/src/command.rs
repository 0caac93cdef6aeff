//! `command`: requests of every kind, answered in the order of `docs/wire.md`. The bench models the
//! request queue with its memory and a fictitious game, and resets at any time.

mod order;

use std::collections::VecDeque;

use protocol::layout::{PART, REPLY, link};
use protocol::payload::link::{Buttons, Info, Stats};
use sim::Bits;

use self::order::{Order, Request};
use crate::core::byte_core::game::{ENDLESS, GAME, Game};
use crate::core::byte_core::requests::{USUAL, answer, any_payload, increment_of, info};
use crate::core::responder::Message;
use crate::random::{Pace, Random};
use crate::stream::Sink;
use crate::{Failure, Trial};

/// Maximum number of requests in the queue.
const DEPTH: usize = 5;
/// Cycles until a request is offered, from its arrival or the end of the previous one.
const OFFERED: u64 = 2;
/// Timeout in clock cycles: longer than some streams with the largest credit.
const TIMEOUT: u64 = 40_000;

struct Dispatcher<'a> {
    trial: &'a mut Trial,
    headers: Sink,
    bytes: Sink,
    game: Game,

    info: Info,
    stats: Stats,
    buttons: Buttons,
    seq: u16,
    /// The queue, and the cycle from which on its first request is offered.
    queue: VecDeque<Request>,
    offered_at: u64,
    /// The memory's data in this cycle and in the next one.
    read: [Option<u8>; 2],
    order: Order,
    /// Probability of additional credit, in percent of the cycles.
    credits: u64,
}

/// A struct of the RTL from its bytes, the lowest first.
pub(crate) fn struct_of(bytes: &[u8]) -> Bits {
    let mut bits = Bits::default();
    bytes.iter().for_each(|byte| bits.push((*byte).into(), 8));
    bits
}

impl Dispatcher<'_> {
    fn random(&mut self) -> &mut Random {
        &mut self.trial.random
    }

    /// A random request, usually one that is served.
    fn any_request(&mut self) -> Request {
        let kinds = [&USUAL[..], &[link::STATS.id, ENDLESS]].concat();
        let mut kind = self.random().choice(&kinds);
        if self.random().chance(20) {
            kind = self.random().bits() as u8;
            // The end of such a stream would look like a part.
            if kind & (PART | REPLY) == PART {
                kind = GAME;
            }
        }
        let payload = any_payload(self.random(), kind, 15);
        let busy = self.random().chance(10);
        self.request(kind, payload, busy)
    }

    fn cancel(&mut self) -> Request {
        self.request(link::CANCEL.id, Vec::new(), false)
    }

    fn request(&mut self, kind: u8, payload: Vec<u8>, busy: bool) -> Request {
        self.seq = self.seq.wrapping_add(self.random().choice(&[1, 0x100]));
        let replies = match busy {
            true => vec![(link::ERROR.id, vec![link::BUSY.number, kind])],
            false => answer(kind, &payload, &self.info, &self.stats, &self.buttons),
        };
        let slot = self.random().below(16);
        Request::new(kind, self.seq, slot, busy, payload, replies)
    }

    /// Runs one clock cycle, in which a request may arrive.
    fn step(&mut self, incoming: Option<Request>) -> Result<(), Failure> {
        let now = self.trial.cycles();
        let cancelling = self.queue.iter().any(|request| request.is(link::CANCEL));
        let credit = incoming.as_ref().is_some_and(|r| r.is(link::CREDIT))
            || self.credits > 0 && self.trial.random.chance(self.credits);
        let head = self.queue.front().filter(|_| now >= self.offered_at);
        let taken = self.game.is_reading();
        let trial = &mut *self.trial;
        trial.put("credit_i", credit);
        trial.put("cancelling_i", cancelling);
        trial.put("req_valid_i", head.is_some());
        trial.put_some("req_i", head.map(Request::bits));
        trial.put_some("mem_rdata_i", self.read[0]);
        self.headers.drive(trial);
        self.bytes.drive(trial);
        let loaded = self.game.drive(trial, cancelling, 10);
        trial.settle()?;

        // The payload is read byte by byte.
        let reads = trial.is("mem_en_o");
        let [slot, offset] = trial.bits("mem_addr_o").members([4, 7]);
        let read = head.filter(|request| reads && request.slot == slot);
        let read = read.and_then(|request| request.payload.get(offset as usize).copied());
        if reads && read.is_none() {
            return trial.differs(format!("it reads byte {offset} of slot {slot}"));
        }
        self.read = [self.read[1], read];

        let given = self.game.take(trial);
        if let Some(given) = given {
            let expected = head.map(|request| (request.kind, request.slot));
            trial.same("the game's request", &Some(given), &expected)?;
        }
        let offers = order::Offers {
            now,
            head: head.filter(|_| !taken),
            given: given.is_some(),
            offers_request: self.game.offers_request(trial),
            reply: self.game.offers_reply(),
            cancelling,
            credit,
            owes: trial.is("game_owes_o"),
            stopped: trial.is("stopped_o"),
            header: self.headers.offered(trial),
            header_left: self.headers.take(trial).is_some(),
        };
        let rate = self.order.header(trial, &offers, &self.game)?;
        let got = (trial.is("rate_valid_o")).then(|| trial.get("rate_inc_o") as u32);
        trial.same("the rate", &got, &rate)?;
        let byte = self.bytes.take(trial);
        let byte = byte.map(|byte| (byte[0] as u8, byte[1] == 1));
        self.order.byte(trial, byte)?;
        self.game.clock(trial);
        let ends = loaded || self.order.has_answered_head();
        trial.expect("req_ready_o", ends)?;

        if ends {
            self.queue.pop_front();
            self.offered_at = now + OFFERED;
        }
        if let Some(request) = incoming {
            if self.queue.is_empty() {
                self.offered_at = self.offered_at.max(now + OFFERED);
            }
            self.order.push(&request);
            self.queue.push_back(request);
        }
        self.trial.clock()
    }

    fn steps(&mut self, cycles: u64) -> Result<(), Failure> {
        (0..cycles).try_for_each(|_| self.step(None))
    }

    /// Resets the module and drops all requests and replies, as a `reset` request does.
    fn reset(&mut self) -> Result<(), Failure> {
        self.queue.clear();
        self.order = Order::default();
        self.game.clear(self.trial);
        for quiet in ["req_valid_i", "credit_i", "cancelling_i"] {
            self.trial.put(quiet, false);
        }
        self.trial.reset()
    }

    /// Sends requests for some time, then resets or waits for all replies.
    fn round(&mut self) -> Result<(), Failure> {
        let mut arrivals = Pace::default();
        let cycles = self.random().choice(&[50, 200, 1_000]);
        for _ in 0..cycles {
            let arrives = arrivals.go(self.random()) && self.random().chance(30);
            let has_room = self.queue.len() < DEPTH;
            let request = match has_room {
                true => arrives.then(|| self.any_request()),
                // Only a cancel ends a stream without an end.
                false => self.random().below(200).eq(&0).then(|| self.cancel()),
            };
            self.step(request)?;
        }
        match self.random().chance(60) {
            true => self.reset(),
            false => self.drain(),
        }
    }

    /// An endless stream uses up all credit, which arrives at several rates, and is cancelled.
    fn exhaust(&mut self) -> Result<(), Failure> {
        let stream = self.request(ENDLESS, Vec::new(), false);
        self.step(Some(stream))?;
        // About as much as is used, then more than can be counted.
        for chance in [2, 5, 2, 5, 2, 5, 2, 5, 60] {
            self.credits = chance;
            let cycles = self.random().below(300);
            self.steps(cycles)?;
            self.credits = 0;
            let end = self.trial.cycles() + TIMEOUT;
            while self.order.credit() != 0 && self.trial.cycles() < end {
                self.step(None)?;
            }
            // Without credit no part is sent, but replies to other requests are.
            let info = self.request(link::INFO.id, Vec::new(), false);
            self.step(Some(info))?;
            self.steps(30)?;
        }
        // The game takes one more request; the next one waits for the stream and does not count as
        // work.
        for _ in 0..2 {
            let waits = self.request(GAME, Vec::new(), false);
            self.step(Some(waits))?;
        }
        self.steps(60)?;
        let cancel = self.cancel();
        self.step(Some(cancel))?;
        self.drain()
    }

    fn drain(&mut self) -> Result<(), Failure> {
        let end = self.trial.cycles() + TIMEOUT;
        while !self.order.is_empty() {
            // A cancel ends an endless stream.
            let last = self.queue.back();
            let cancels = last.is_some_and(|request| request.is(link::CANCEL));
            let endless = self.game.is_endless() || !self.queue.is_empty();
            let cancel = endless && !cancels && self.random().chance(5);
            let cancel = cancel.then(|| self.cancel());
            self.step(cancel)?;
            let late = self.trial.cycles() > end;
            self.trial.never("a request is not answered", late)?;
        }
        Ok(())
    }
}

/// The sequence number and message of a header, and whether it has no payload.
fn header_of(item: &[u64]) -> (u16, u8, bool) {
    (item[0] as u16, (item[0] >> 16) as u8, item[1] == 1)
}

/// The rate that a request sets when its reply is sent.
fn rate_of(request: &Request, reply: &Message) -> Option<u32> {
    (reply.0 == link::SET_RATE_REPLY.id).then(|| increment_of(&request.payload))
}

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let random = &mut trial.random;
    let info = info(random.bits() as u32);
    let stats = Stats {
        frames_good: random.bits() as u32,
        bad_crc: random.bits() as u32,
        ..Stats::default()
    };
    let buttons = Buttons {
        presses: std::array::from_fn(|_| random.byte()),
    };
    let seq = random.bits() as u16;
    trial.put("buttons_i", struct_of(&buttons.presses));
    trial.put("info_i", struct_of(info.encode().as_ref()));
    trial.put("stats_i", struct_of(stats.encode().as_ref()));
    let bytes = ["payload_data_o", "payload_last_o"];
    let headers = ["header_o", "header_empty_o"];
    let request = ["game_req_msg_o", "game_req_slot_o"];
    let requests = Sink::new("game_req_valid_o", "game_req_ready_i", &request);
    let mut dispatcher = Dispatcher {
        headers: Sink::new("header_valid_o", "header_ready_i", &headers),
        bytes: Sink::new("payload_valid_o", "payload_ready_i", &bytes),
        game: Game::new(requests, "game_loaded_i", "game_reply_i", "game_ack_o"),
        info,
        stats,
        buttons,
        seq,
        queue: VecDeque::new(),
        offered_at: 0,
        read: [None; 2],
        order: Order::default(),
        credits: 0,
        trial,
    };
    for _ in 0..60 {
        dispatcher.round()?;
    }
    (0..3).try_for_each(|_| dispatcher.exhaust())
}
