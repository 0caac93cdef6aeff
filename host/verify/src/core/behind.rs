//! `byte_core`, with a window and numbers of its own: a made-up game behind it,
//! and a line whose rate is about to change now and then.

pub(crate) mod game;
pub(crate) mod requests;
mod streams;

use std::collections::{BTreeSet, VecDeque};

use protocol::Decoder;
use protocol::layout::{PART, REPLY, link};
use protocol::payload::link::Stats;

use game::{ENDLESS, GAME, game_replies};
use requests::increment_of;

use crate::core::responder::Message;
use crate::random::{Pace, Random};
use crate::stream::{Sink, Source};
use crate::{Failure, Trial, frames};

/// What it is built with, in `rtl/benches.txt`.
const WINDOW: usize = 3;
/// Requests that it remembers.
const REMEMBERED: usize = 16;
/// A request of the link that there is not: its refusal is the shortest reply.
const UNKNOWN: u8 = 8;
/// Cycles from a delimiter to its frame's verdict
const VERDICT: u64 = 2;
/// More cycles than any answer takes.
const PATIENCE: u64 = 5_000;
/// Cycles after which a core that was left alone has done all it can.
const QUIET: u64 = 600;

/// A reply that is to come: its sequence number, and its messages in their order. The
/// dispatcher's own one between the parts of another, if it may.
struct Due {
    seq: u16,
    messages: VecDeque<Message>,
    between: bool,
    begun: bool,
}

/// What follows from a byte's having gone in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Nothing,
    Good,
    Reset,
}

struct Core<'a> {
    trial: &'a mut Trial,
    tx: Sink,
    requests: Sink,
    replies: Source,
    bytes: Source,

    line: VecDeque<(u8, bool, After)>,
    arrivals: Pace,
    /// Whether the line's rate is about to change: it may be whenever one was given,
    /// and before a reply is there
    is_busy: bool,
    /// Whether it stays so
    hold: bool,
    was_given: bool,
    /// The line takes nothing
    stalled: bool,
    decoder: Decoder,
    come: VecDeque<(u16, Message)>,
    /// Cycles in which a frame is good, and those in which it resets
    good_at: BTreeSet<u64>,
    reset_at: BTreeSet<u64>,
    /// Requests of the game with their slots, and rates, that are still to come
    game: VecDeque<(u8, u64)>,
    rates: VecDeque<u32>,
    next_slot: u64,
    /// Of the made-up game: the request that is being read, those that were, whether it
    /// may be done with that, and whether an endless stream is under way
    reading: Option<u8>,
    read: VecDeque<u8>,
    may_load: bool,
    endless: bool,
    stats: Stats,
    /// Bad frames since power-up, and how many of them were told
    bad_frames: u64,
    told_bad: u64,
    build_id: u32,
    seq: u16,
}

impl Core<'_> {
    fn step(&mut self) -> Result<(), Failure> {
        let trial = &mut *self.trial;
        let now = trial.cycles();
        let byte = match self.arrivals.go(&mut trial.random) {
            true => self.line.pop_front(),
            false => None,
        };
        let offered = byte.map(|(byte, bad, _)| [byte.into(), bad.into()]);
        trial.offer("rx_valid_i", ["rx_data_i", "rx_err_i"], offered);
        let stays = self.is_busy || self.was_given;
        self.is_busy = self.hold || stays && trial.random.chance(90);
        trial.put("rate_busy_i", self.is_busy);
        self.tx.drive(trial);
        if self.stalled {
            self.tx.refuse(trial);
        }
        self.requests.drive(trial);
        self.replies.drive(trial);
        self.bytes.drive(trial);
        if self.reading.is_some() {
            self.requests.refuse(trial);
        }
        let loads = self.may_load && trial.random.chance(20);
        let read = self.reading.take_if(|_| loads);
        trial.put("game_rsp_i.load.loaded", read.is_some());
        trial.settle()?;

        trial.expect("good_o", self.good_at.remove(&now))?;
        self.told_bad += trial.get("bad_o");
        let resets = self.reset_at.remove(&now);
        trial.expect("rate_abort_o", resets)?;
        trial.expect("game_rst_no", !resets)?;
        if self.tx.offered(trial).is_some() {
            trial.expect("sending_o", true)?;
        }
        self.was_given = trial.is("rate_valid_o");
        if self.was_given {
            trial.same("rate_busy_i while a rate is given", &self.is_busy, &false)?;
            let rate = trial.get("rate_inc_o") as u32;
            trial.same("rate_inc_o", &Some(rate), &self.rates.pop_front())?;
        }
        if let Some(byte) = self.tx.take_number(trial)
            && let Some(frame) = self.decoder.push(byte as u8)
        {
            match frame {
                Ok(frame) => {
                    let message = (frame.kind, frame.payload.to_vec());
                    self.come.push_back((frame.seq, message));
                }
                Err(e) => return trial.differs(format!("it sent what is no frame: {e}")),
            }
        }
        self.replies.take(trial);
        self.bytes.take(trial);
        if let Some(request) = self.requests.take(trial) {
            let [kind, slot] = [0, 1].map(|i: usize| request[i].to_u64());
            trial.same(
                "the game's request",
                &Some((kind as u8, slot)),
                &self.game.pop_front(),
            )?;
            self.reading = Some(kind as u8);
        }
        self.read.extend(read);
        if !self.endless
            && let Some(kind) = self.read.pop_front()
        {
            match kind {
                ENDLESS => self.endless = true,
                _ => game_replies(kind).iter().for_each(|m| self.reply(m)),
            }
        }
        if self.endless && self.replies.left() < 2 && self.is_done_with_bytes() {
            let cancelled = self.trial.is("game_req_o.cancel");
            let kind = if cancelled { REPLY } else { REPLY | PART };
            self.reply(&(ENDLESS | kind, vec![ENDLESS]));
            self.endless = !cancelled;
        }
        let trial = &mut *self.trial;
        match byte {
            Some((.., After::Good)) => drop(self.good_at.insert(now + VERDICT)),
            Some((.., After::Reset)) => {
                self.good_at.insert(now + VERDICT);
                self.reset_at.insert(now + VERDICT + 1);
            }
            _ => {}
        }
        trial.clock()
    }

    /// The game's reply, offered from the next cycle on.
    fn reply(&mut self, (kind, payload): &Message) {
        let part = kind & PART != 0;
        self.replies
            .push(vec![(*kind).into(), payload.is_empty().into(), part.into()]);
        for (i, byte) in payload.iter().enumerate() {
            let last = i + 1 == payload.len();
            self.bytes.push(vec![(*byte).into(), last.into()]);
        }
    }

    /// Whether it says that it works on an answer.
    fn is_at_work(&self, expected: bool) -> Result<(), Failure> {
        self.trial.expect("busy_o", expected)
    }

    /// Whether the bytes of all replies but the next one are gone.
    fn is_done_with_bytes(&self) -> bool {
        self.bytes.left() < 2
    }

    fn random(&mut self) -> &mut Random {
        &mut self.trial.random
    }

    /// A frame that came: the next message of the oldest reply due, or the dispatcher's
    /// own one behind a stream that has begun.
    fn came(&mut self, due: &mut VecDeque<Due>, seq: u16, message: Message) -> Result<(), Failure> {
        let begun = due.front().is_some_and(|first| first.begun);
        let place = match due.get(1) {
            Some(second) if begun && second.between && second.seq == seq => 1,
            _ => 0,
        };
        let expected = due.get_mut(place).and_then(|due| {
            due.begun = true;
            due.messages.pop_front().map(|message| (due.seq, message))
        });
        if due.get(place).is_some_and(|due| due.messages.is_empty()) {
            due.remove(place);
        }
        self.trial
            .same("the reply", &Some((seq, message)), &expected)
    }

    fn receive(&mut self) -> Result<(u16, Message), Failure> {
        let end = self.trial.cycles() + PATIENCE;
        while self.come.is_empty() && self.trial.cycles() < end {
            self.step()?;
        }
        match self.come.pop_front() {
            Some(frame) => Ok(frame),
            None => self.trial.differs("a reply does not come".into()),
        }
    }

    /// Some requests, which all come before the first reply leaves unless it is one alone.
    fn round(&mut self) -> Result<(), Failure> {
        self.arrivals = Pace::default();
        if self.random().chance(20) {
            let after = After::Nothing;
            self.line.extend([(1, true, after), (0, false, after)]);
            self.stats.malformed += 1;
            self.bad_frames += 1;
        }
        if self.random().chance(20) {
            let mut raw = frames::raw([0; 3], &[]);
            raw[0] ^= 1 << self.random().below(8);
            self.wire(&raw, After::Nothing);
            self.stats.bad_crc += 1;
            self.bad_frames += 1;
        }
        let alone = self.random().chance(50);
        let count = match alone {
            true => 1,
            false => self.random().between(1, 20) as usize,
        };
        (self.hold, self.is_busy) = (!alone, self.random().chance(50));
        self.may_load = !self.hold;
        let mut due = VecDeque::new();
        for place in 0..count {
            let (kind, payload, reply) = self.send(alone);
            if place < WINDOW {
                let first = reply.messages[0].0;
                if first == link::SET_RATE_REPLY.id {
                    self.rates.push_back(increment_of(&payload));
                }
                if (GAME..0x80).contains(&kind) && first != link::ERROR.id {
                    self.game.push_back((kind, self.next_slot));
                }
                self.next_slot = (self.next_slot + 1) % WINDOW as u64;
                due.push_back(reply);
            } else {
                self.stats.overrun += 1;
                self.bad_frames += 1;
                if place < REMEMBERED {
                    let refused = (link::ERROR.id, vec![link::BUSY.number, kind]);
                    due.push_back(Due {
                        between: true,
                        ..Due::of(reply.seq, vec![refused])
                    });
                }
            }
        }
        self.finish(due)
    }

    /// More good frames than eight bits count, and the statistics.
    fn many_frames(&mut self) -> Result<(), Failure> {
        for place in 0..260 {
            let kind = if place < 259 { UNKNOWN } else { link::STATS.id };
            let due = self.send_request(kind, &[]);
            self.next_slot = (self.next_slot + 1) % WINDOW as u64;
            self.finish(VecDeque::from([due]))?;
        }
        Ok(())
    }

    /// Sends what waits for the line, and compares the replies that are due.
    fn finish(&mut self, mut due: VecDeque<Due>) -> Result<(), Failure> {
        while !self.line.is_empty() {
            self.step()?;
        }
        // The last one is judged before a reply makes room for it.
        for _ in 0..2 * VERDICT + self.random().below(20) {
            self.step()?;
        }
        // None of them was answered while the rate was about to change.
        if self.hold {
            self.is_at_work(true)?;
        }
        (self.hold, self.may_load) = (false, true);
        while !due.is_empty() {
            let (seq, message) = self.receive()?;
            self.came(&mut due, seq, message)?;
        }
        self.is_at_work(false)?;
        let (told, bad) = (&self.told_bad, &self.bad_frames);
        self.trial.same("cycles of bad_o", told, bad)?;
        self.trial.same("rates not given", &self.rates.len(), &0)
    }
}

impl Due {
    /// Replies in their turn.
    fn of(seq: u16, messages: Vec<Message>) -> Self {
        Self {
            seq,
            messages: messages.into(),
            between: false,
            begun: false,
        }
    }
}

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let request = ["game_req_o.load.msg", "game_req_o.load.slot"];
    let reply = [
        "game_rsp_i.reply.msg",
        "game_rsp_i.reply.empty",
        "game_rsp_i.reply.part",
    ];
    let byte = ["game_rsp_i.reply.byte_data", "game_rsp_i.reply.byte_last"];
    let mut core = Core {
        tx: Sink::new("tx_valid_o", "tx_ready_i", &["tx_data_o"]),
        requests: Sink::new("game_req_o.load.valid", "game_rsp_i.load.ready", &request),
        replies: Source::new("game_rsp_i.reply.valid", "game_req_o.reply.ready", &reply),
        bytes: Source::new(
            "game_rsp_i.reply.byte_valid",
            "game_req_o.reply.byte_ready",
            &byte,
        ),
        line: VecDeque::new(),
        arrivals: Pace::default(),
        is_busy: false,
        hold: false,
        was_given: false,
        stalled: false,
        decoder: Decoder::new(),
        come: VecDeque::new(),
        good_at: BTreeSet::new(),
        reset_at: BTreeSet::new(),
        game: VecDeque::new(),
        rates: VecDeque::new(),
        next_slot: 0,
        reading: None,
        read: VecDeque::new(),
        may_load: true,
        endless: false,
        stats: Stats::default(),
        bad_frames: 0,
        told_bad: 0,
        build_id: trial.random.bits() as u32,
        seq: trial.random.bits() as u16,
        trial,
    };
    core.trial.put("build_id_i", core.build_id);
    // What hangs on the reset's register comes out of it a cycle later.
    core.trial.clock()?;
    for _ in 0..40 {
        core.round()?;
    }
    core.many_frames()?;
    for _ in 0..6 {
        core.stream()?;
        core.round()?;
    }
    core.flood()?;
    core.round()
}
