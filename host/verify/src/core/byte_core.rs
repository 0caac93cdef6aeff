//! `byte_core` with another window and info, a fictitious game, and a line whose rate changes
//! sometimes.

pub(crate) mod game;
pub(crate) mod requests;
mod streams;

use std::collections::{BTreeSet, VecDeque};

use protocol::Decoder;
use protocol::layout::link;
use protocol::payload::link::{Buttons, Stats};

use game::{GAME, Game};
use requests::increment_of;

use crate::command::struct_of;
use crate::core::responder::Message;
use crate::random::{Pace, Random};
use crate::stream::Sink;
use crate::{Failure, Trial, frames};

/// The window, a parameter in `rtl/benches.txt`.
const WINDOW: usize = 3;
/// Capacity of its queue in requests.
const QUEUE_CAPACITY: usize = 16;
/// An unknown request of the link; its refusal is the shortest reply.
const UNKNOWN: u8 = 9;
/// Cycles from a delimiter to its frame's verdict.
const VERDICT: u64 = 2;
/// Timeout of an answer in clock cycles.
const TIMEOUT: u64 = 5_000;
/// Cycles without input after which the core is idle.
const QUIET: u64 = 600;

/// An expected reply: its sequence number and its messages in order.
///
/// `between`: the dispatcher may send it between the parts of another reply.
struct ExpectedReply {
    seq: u16,
    messages: VecDeque<Message>,
    between: bool,
    begun: bool,
}

/// The effect of a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Nothing,
    Good,
    Reset,
}

struct Core<'a> {
    trial: &'a mut Trial,
    tx: Sink,
    game: Game,
    line: VecDeque<(u8, bool, After)>,
    arrivals: Pace,
    /// Whether the line's rate is about to change.
    is_busy: bool,
    /// Whether `is_busy` stays set.
    hold: bool,
    was_given: bool,
    decoder: Decoder,
    received: VecDeque<(u16, Message)>,
    /// Cycles in which a good frame ends.
    good_at: BTreeSet<u64>,
    reset_at: BTreeSet<u64>,
    /// Expected requests to the game, each with its slot.
    requests: VecDeque<(u8, u64)>,
    /// Expected rates.
    rates: VecDeque<u32>,
    next_slot: u64,
    /// Number of parts of the endless stream, until its cancel, for which credit was sent.
    credit: Option<u64>,
    /// Whether the game makes a part of it only when there is room.
    waits_for_room: bool,
    /// Whether the game may end reading a request.
    may_load: bool,
    stats: Stats,
    buttons: Buttons,
    /// Bad frames since power-up.
    bad_frames: u64,
    /// Bad frames reported by `bad_o`.
    reported_bad: u64,
    build_id: u32,
    seq: u16,
}

impl Core<'_> {
    fn step(&mut self) -> Result<(), Failure> {
        let trial = &mut *self.trial;
        let now = trial.cycles();
        let byte = self.arrivals.next(&mut trial.random, &mut self.line);
        let offered = byte.map(|(byte, bad, _)| [byte.into(), bad.into()]);
        trial.offer("rx_valid_i", &["rx_data_i", "rx_err_i"], offered);
        let stays = self.is_busy || self.was_given;
        self.is_busy = self.hold || stays && trial.random.chance(90);
        trial.put("rate_busy_i", self.is_busy);
        self.tx.drive(trial);
        let cancelling = trial.is("game_req_o.cancel");
        let loads = if self.may_load { 20 } else { 0 };
        self.game.may_make = !self.waits_for_room || trial.is("game_req_o.room");
        self.game.drive(trial, cancelling, loads);
        trial.settle()?;

        trial.expect("good_o", self.good_at.remove(&now))?;
        self.reported_bad += trial.get("bad_o");
        let resets = self.reset_at.remove(&now);
        trial.expect("rate_abort_o", resets)?;
        trial.expect("game_rst_no", !resets)?;
        if self.tx.offered(trial).is_some() {
            trial.expect("sending_o", true)?;
        }
        // Within a reply the game does not use it.
        let uses_credit = |credit| self.game.bytes_left() == 0 && self.game.parts_taken >= credit;
        if self.credit.is_some_and(uses_credit) {
            trial.expect("game_req_o.room", false)?;
        }
        self.was_given = trial.is("rate_valid_o");
        if self.was_given {
            trial.never("rate_busy_i while a rate is given", self.is_busy)?;
            let rate = trial.get("rate_inc_o") as u32;
            trial.same("rate_inc_o", &Some(rate), &self.rates.pop_front())?;
        }
        if let Some(byte) = self.tx.take(trial)
            && let Some(frame) = self.decoder.push(byte[0] as u8)
        {
            match frame {
                Ok(frame) => {
                    let message = (frame.kind, frame.payload.to_vec());
                    self.received.push_back((frame.seq, message));
                }
                Err(e) => return trial.differs(format!("it sent a malformed frame: {e}")),
            }
        }
        if let Some(request) = self.game.take(trial) {
            trial.same(
                "the game's request",
                &Some(request),
                &self.requests.pop_front(),
            )?;
        }
        self.game.clock(trial);
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

    /// Checks `busy_o`.
    fn is_at_work(&self, expected: bool) -> Result<(), Failure> {
        self.trial.expect("busy_o", expected)
    }

    fn random(&mut self) -> &mut Random {
        &mut self.trial.random
    }

    /// Compares a frame with the next message of the oldest expected reply.
    ///
    /// During a stream, it may be the dispatcher's own reply instead.
    fn check_reply(
        &mut self,
        pending: &mut VecDeque<ExpectedReply>,
        seq: u16,
        message: Message,
    ) -> Result<(), Failure> {
        let begun = pending.front().is_some_and(|first| first.begun);
        let place = match pending.get(1) {
            Some(second) if begun && second.between && second.seq == seq => 1,
            _ => 0,
        };
        let expected = pending.get_mut(place).and_then(|pending| {
            pending.begun = true;
            pending
                .messages
                .pop_front()
                .map(|message| (pending.seq, message))
        });
        if pending
            .get(place)
            .is_some_and(|pending| pending.messages.is_empty())
        {
            pending.remove(place);
        }
        self.trial
            .same("the reply", &Some((seq, message)), &expected)
    }

    fn receive(&mut self) -> Result<(u16, Message), Failure> {
        let end = self.trial.cycles() + TIMEOUT;
        while self.received.is_empty() && self.trial.cycles() < end {
            self.step()?;
        }
        match self.received.pop_front() {
            Some(frame) => Ok(frame),
            None => self.trial.differs("a reply is missing".into()),
        }
    }

    /// Sends one request, or several before the first reply is sent, and compares the replies.
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
        let mut pending = VecDeque::new();
        for place in 0..count {
            let (kind, payload, reply) = self.send(alone);
            if place < WINDOW {
                let first = reply.messages[0].0;
                if first == link::SET_RATE_REPLY.id {
                    self.rates.push_back(increment_of(&payload));
                }
                if (GAME..0x80).contains(&kind) && first != link::ERROR.id {
                    self.requests.push_back((kind, self.next_slot));
                }
                self.next_slot = (self.next_slot + 1) % WINDOW as u64;
                pending.push_back(reply);
            } else {
                self.stats.overrun += 1;
                self.bad_frames += 1;
                if place < QUEUE_CAPACITY {
                    let refused = (link::ERROR.id, vec![link::BUSY.number, kind]);
                    pending.push_back(ExpectedReply {
                        between: true,
                        ..ExpectedReply::of(reply.seq, vec![refused])
                    });
                }
            }
        }
        self.finish(pending)
    }

    /// Sends more good frames than eight bits can count, then requests the statistics.
    fn many_frames(&mut self) -> Result<(), Failure> {
        for place in 0..260 {
            let kind = if place < 259 { UNKNOWN } else { link::STATS.id };
            let pending = self.send_request(kind, &[]);
            self.next_slot = (self.next_slot + 1) % WINDOW as u64;
            self.finish(VecDeque::from([pending]))?;
        }
        Ok(())
    }

    /// Sends the queued bytes and compares the expected replies.
    fn finish(&mut self, mut pending: VecDeque<ExpectedReply>) -> Result<(), Failure> {
        while !self.line.is_empty() {
            self.step()?;
        }
        // The last frame is checked before a reply makes room for it.
        for _ in 0..2 * VERDICT + self.random().below(20) {
            self.step()?;
        }
        // No request is answered while the rate is about to change.
        if self.hold {
            self.is_at_work(true)?;
        }
        (self.hold, self.may_load) = (false, true);
        while !pending.is_empty() {
            let (seq, message) = self.receive()?;
            self.check_reply(&mut pending, seq, message)?;
        }
        self.is_at_work(false)?;
        self.trial.expect("game_req_o.room", true)?;
        let (reported, bad) = (&self.reported_bad, &self.bad_frames);
        self.trial.same("cycles of bad_o", reported, bad)?;
        self.trial.same("rates not given", &self.rates.len(), &0)
    }
}

impl ExpectedReply {
    /// A reply that is sent in the order of the requests.
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
    let requests = Sink::new("game_req_o.load.valid", "game_rsp_i.load.ready", &request);
    let loaded = "game_rsp_i.load.loaded";
    let mut core = Core {
        tx: Sink::new("tx_valid_o", "tx_ready_i", &["tx_data_o"]),
        game: Game::new(requests, loaded, "game_rsp_i.reply", "game_req_o.reply"),
        line: VecDeque::new(),
        arrivals: Pace::default(),
        is_busy: false,
        hold: false,
        was_given: false,
        decoder: Decoder::new(),
        received: VecDeque::new(),
        good_at: BTreeSet::new(),
        reset_at: BTreeSet::new(),
        requests: VecDeque::new(),
        rates: VecDeque::new(),
        next_slot: 0,
        credit: None,
        waits_for_room: false,
        may_load: true,
        stats: Stats::default(),
        buttons: Buttons {
            presses: std::array::from_fn(|_| trial.random.byte()),
        },
        bad_frames: 0,
        reported_bad: 0,
        build_id: trial.random.bits() as u32,
        seq: trial.random.bits() as u16,
        trial,
    };
    core.trial.put("build_id_i", core.build_id);
    core.trial
        .put("buttons_i", struct_of(&core.buttons.presses));
    // The reset is registered and ends one cycle later.
    core.trial.clock()?;
    for _ in 0..40 {
        core.round()?;
    }
    core.many_frames()?;
    for number in 0..6 {
        core.waits_for_room = number % 2 == 1;
        core.stream()?;
        core.round()?;
    }
    Ok(())
}
