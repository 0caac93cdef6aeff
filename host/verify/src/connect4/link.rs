//! The model of the link at a game's port: offers requests from a memory and takes replies.

use std::collections::VecDeque;

use sim::Bits;

use crate::random::{Pace, Random};
use crate::{Failure, Trial};

/// Size of a slot in bytes.
const SLOT: usize = 128;
/// Number of slots.
const SLOTS: u64 = 16;

/// A request: message number and payload.
#[derive(Debug, Clone)]
pub struct Request {
    /// Number of the message.
    pub message: u8,
    /// Its payload.
    pub payload: Vec<u8>,
}

/// A reply, or a part of a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// Number of the message.
    pub message: u8,
    /// Whether more replies follow.
    pub part: bool,
    /// Its payload.
    pub payload: Vec<u8>,
}

/// The behaviour of the link for some time.
#[derive(Debug, Clone, Copy)]
pub struct Behaviour {
    /// Whether it takes every header and byte at once.
    pub ready: bool,
    /// Whether there is room for a part: always, never or sometimes.
    pub room: Option<bool>,
}

/// The link's end of `game_req_t` and `game_rsp_t`.
pub struct Link {
    memory: Vec<u8>,
    /// The byte that arrives in this cycle, and in the next one.
    reading: [Option<u8>; 2],
    /// Requests that are not offered yet, with their slots.
    waiting: VecDeque<(u64, Request)>,
    /// The request being offered or read, and whether it is offered.
    reads: Option<(u64, Request, bool)>,
    slot: u64,
    offers: Pace,
    replies: Pace,
    rooms: Pace,
    /// The reply being received.
    reply: Option<Reply>,
    /// Whether streams must end.
    pub cancel: bool,
    /// The present behaviour.
    pub behaviour: Behaviour,
}

/// The members of `game_rsp_t` in their order.
struct Response {
    ready: bool,
    loaded: bool,
    mem_en: bool,
    mem_addr: usize,
    reply_valid: bool,
    reply: Reply,
    empty: bool,
    byte_valid: bool,
    byte: u8,
    last: bool,
}

impl Link {
    /// A link at the ports `req_i` and `rsp_o` of a module.
    pub fn new() -> Self {
        Self {
            memory: vec![0; SLOT * SLOTS as usize],
            reading: [None; 2],
            waiting: VecDeque::new(),
            reads: None,
            slot: 0,
            offers: Pace::default(),
            replies: Pace::default(),
            rooms: Pace::default(),
            reply: None,
            cancel: false,
            behaviour: Behaviour {
                ready: true,
                room: Some(true),
            },
        }
    }

    /// Queues a request.
    pub fn ask(&mut self, request: Request) {
        self.slot = (self.slot + 1) % SLOTS;
        let at = SLOT * self.slot as usize;
        self.memory[at..at + request.payload.len()].copy_from_slice(&request.payload);
        self.waiting.push_back((self.slot, request));
    }

    /// Resets the module and drops all requests and replies.
    pub fn reset(&mut self, trial: &mut Trial) -> Result<(), Failure> {
        self.waiting.clear();
        (self.reads, self.reply, self.reading) = (None, None, [None; 2]);
        self.cancel = false;
        trial.put("req_i", 0_u64);
        trial.reset()
    }

    /// Runs one clock cycle; returns the reply that ended in it. `more`: whether another request
    /// may be offered.
    pub fn cycle(&mut self, trial: &mut Trial, more: bool) -> Result<Option<Reply>, Failure> {
        if self.reads.is_none() && more && self.offers.go(&mut trial.random) {
            self.reads = self.waiting.pop_front().map(|(slot, r)| (slot, r, true));
        }
        let takes = self.behaviour.ready || self.replies.go(&mut trial.random);
        let room = self
            .behaviour
            .room
            .unwrap_or_else(|| self.rooms.go(&mut trial.random));
        let offered = self.reads.as_ref().filter(|(_, _, offered)| *offered);
        let arrives = self.reading[0].unwrap_or(trial.random.bits() as u8);
        let members = [
            (offered.is_some().into(), 1),
            (offered.map_or(0, |(_, r, _)| r.message.into()), 8),
            (offered.map_or(0, |(slot, _, _)| *slot), 4),
            (arrives.into(), 8),
            (self.cancel.into(), 1),
            (room.into(), 1),
            (takes.into(), 1),
            (takes.into(), 1),
        ];
        trial.put("req_i", Bits::packed(&members));
        trial.settle()?;
        let got = response(&trial.bits("rsp_o"));

        let read = self.read(trial, &got)?;
        self.reading = [self.reading[1], read];
        let accepted = offered_and(&mut self.reads, got.ready);
        if got.loaded {
            // From now on its slot may have other contents.
            let slot = self
                .reads
                .take()
                .filter(|_| !accepted)
                .map(|(slot, ..)| slot);
            let Some(slot) = slot else {
                return trial.differs("rsp_o.loaded without a request".into());
            };
            let at = SLOT * slot as usize;
            let garbage = |random: &mut Random| random.bits() as u8;
            self.memory[at..at + SLOT].fill_with(|| garbage(&mut trial.random));
        }
        let ended = self.take(trial, got, takes)?;
        trial.clock()?;
        Ok(ended)
    }

    /// The byte read in this cycle.
    fn read(&self, trial: &Trial, got: &Response) -> Result<Option<u8>, Failure> {
        if !got.mem_en {
            return Ok(None);
        }
        let length = self.reads.as_ref().filter(|(_, _, offered)| !offered);
        let place = length.map(|(slot, r, _)| (*slot as usize, r.payload.len()));
        let inside = place.is_some_and(|(slot, length)| {
            got.mem_addr / SLOT == slot && got.mem_addr % SLOT < length
        });
        trial.same("a byte of the payload is read", &inside, &true)?;
        Ok(Some(self.memory[got.mem_addr]))
    }

    /// The reply that ends in this cycle.
    fn take(
        &mut self,
        trial: &Trial,
        got: Response,
        takes: bool,
    ) -> Result<Option<Reply>, Failure> {
        let both = got.reply_valid && got.byte_valid;
        trial.same("a header and a byte at once", &both, &false)?;
        if got.reply_valid && takes {
            trial.same("a header in a reply", &self.reply.is_some(), &false)?;
            self.reply = Some(got.reply);
            if got.empty {
                return Ok(self.reply.take());
            }
        } else if got.byte_valid && takes {
            let Some(reply) = &mut self.reply else {
                return trial.differs("a byte outside of a reply".into());
            };
            reply.payload.push(got.byte);
            if got.last {
                return Ok(self.reply.take());
            }
        }
        Ok(None)
    }
}

/// Whether the offered request is accepted in this cycle.
fn offered_and(reads: &mut Option<(u64, Request, bool)>, ready: bool) -> bool {
    let offered = reads.as_mut().filter(|(_, _, offered)| *offered && ready);
    offered.map(|(_, _, offered)| *offered = false).is_some()
}

fn response(bits: &Bits) -> Response {
    let widths = [1, 1, 1, 11, 1, 8, 1, 1, 1, 8, 1];
    let [
        ready,
        loaded,
        mem_en,
        addr,
        valid,
        message,
        empty,
        part,
        byte_valid,
        byte,
        last,
    ] = bits.members(widths);
    Response {
        ready: ready == 1,
        loaded: loaded == 1,
        mem_en: mem_en == 1,
        mem_addr: addr as usize,
        reply_valid: valid == 1,
        reply: Reply {
            message: message as u8,
            part: part == 1,
            payload: Vec::new(),
        },
        empty: empty == 1,
        byte_valid: byte_valid == 1,
        byte: byte as u8,
        last: last == 1,
    }
}
