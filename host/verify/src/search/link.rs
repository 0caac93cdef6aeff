//! The model of the link at a game's port: offers requests from a memory and takes replies.

use std::collections::VecDeque;

use sim::Bits;

use crate::core::requests::Request;
use crate::game_port::GAME_RSP;
use crate::random::Pace;
use crate::{Failure, Trial};

/// Size of a slot in bytes.
const SLOT: usize = 128;
const SLOTS: u64 = 16;

/// A reply, or a part of a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    pub message: u8,
    /// Whether more replies follow.
    pub part: bool,
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
    reply: Option<Reply>,
    /// Whether streams must end.
    pub cancel: bool,
    pub behaviour: Behaviour,
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
            (offered.map_or(0, |(_, r, _)| r.kind.into()), 8),
            (offered.map_or(0, |(slot, _, _)| *slot), 4),
            (arrives.into(), 8),
            (self.cancel.into(), 1),
            (room.into(), 1),
            (takes.into(), 1),
            (takes.into(), 1),
        ];
        trial.put("req_i", Bits::packed(&members));
        trial.settle()?;
        let widths = GAME_RSP.map(|(_, width)| width);
        let [
            ready,
            loaded,
            mem_en,
            address,
            reply_valid,
            message,
            empty,
            part,
            byte_valid,
            byte,
            last,
        ] = trial.bits("rsp_o").members(widths);

        let read = match mem_en {
            1 => Some(self.read(trial, address as usize)?),
            _ => None,
        };
        self.reading = [self.reading[1], read];
        let offered = self.reads.as_mut().filter(|(_, _, offered)| *offered);
        let accepted = offered.filter(|_| ready == 1).map(|r| r.2 = false);
        if loaded == 1 {
            // From now on its slot may have other contents.
            let Some((slot, ..)) = self.reads.take().filter(|_| accepted.is_none()) else {
                return trial.differs("rsp_o.loaded without a request".into());
            };
            let at = SLOT * slot as usize;
            self.memory[at..at + SLOT].fill_with(|| trial.random.bits() as u8);
        }
        trial.same(
            "a header and a byte at once",
            &(reply_valid & byte_valid),
            &0,
        )?;
        let mut ended = false;
        if reply_valid == 1 && takes {
            trial.never("a header in a reply", self.reply.is_some())?;
            self.reply = Some(Reply {
                message: message as u8,
                part: part == 1,
                payload: Vec::new(),
            });
            ended = empty == 1;
        } else if byte_valid == 1 && takes {
            let Some(reply) = &mut self.reply else {
                return trial.differs("a byte outside of a reply".into());
            };
            reply.payload.push(byte as u8);
            ended = last == 1;
        }
        trial.clock()?;
        Ok(self.reply.take_if(|_| ended))
    }

    /// The byte read in this cycle.
    fn read(&self, trial: &Trial, address: usize) -> Result<u8, Failure> {
        let reads = self.reads.as_ref().filter(|(_, _, offered)| !offered);
        let inside = reads.is_some_and(|(slot, request, _)| {
            address / SLOT == *slot as usize && address % SLOT < request.payload.len()
        });
        trial.holds("a byte of the payload is read", inside)?;
        Ok(self.memory[address])
    }
}
