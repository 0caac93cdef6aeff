//! The fictitious game behind `command`: it reads a request, works, and replies.

use std::collections::VecDeque;

use protocol::layout::{PART, REPLY};

use crate::Trial;
use crate::core::byte_core::game::{ENDLESS, game_replies};
use crate::core::responder::Message;
use crate::stream::{Sink, Source};

pub(super) struct Game {
    requests: Sink,
    replies: Source,
    bytes: Source,
    /// The request being read, and the requests read before.
    reading: Option<u8>,
    read: VecDeque<u8>,
    /// The request being processed, and its remaining cycles.
    work: Option<(u8, u64)>,
    /// Number of parts of the endless stream.
    parts: u8,
    /// Replies whose header has not been sent.
    pub(super) made: VecDeque<Message>,
}

impl Game {
    pub(super) fn new() -> Self {
        let request = ["game_req_msg_o", "game_req_slot_o"];
        let reply = [
            "game_reply_i.msg",
            "game_reply_i.empty",
            "game_reply_i.part",
        ];
        let byte = ["game_reply_i.byte_data", "game_reply_i.byte_last"];
        Self {
            requests: Sink::new("game_req_valid_o", "game_req_ready_i", &request),
            replies: Source::new("game_reply_i.valid", "game_ack_o.ready", &reply),
            bytes: Source::new("game_reply_i.byte_valid", "game_ack_o.byte_ready", &byte),
            reading: None,
            read: VecDeque::new(),
            work: None,
            parts: 0,
            made: VecDeque::new(),
        }
    }

    /// Whether a request is being read.
    pub(super) fn is_reading(&self) -> bool {
        self.reading.is_some()
    }

    pub(super) fn is_endless(&self) -> bool {
        self.work.is_some_and(|(kind, _)| kind == ENDLESS) || self.read.contains(&ENDLESS)
    }

    /// The reply whose header is offered.
    pub(super) fn offers_reply(&self) -> Option<&Message> {
        self.made.front().filter(|_| self.replies.is_offered())
    }

    /// Drives a cycle; returns whether the request has been read completely at its end.
    pub(super) fn drive(&mut self, trial: &mut Trial, cancelling: bool) -> bool {
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
            Some((_, 0)) if self.replies.left() == 0 => {
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
        self.replies.drive(trial);
        self.bytes.drive(trial);
        let loads = self.reading.is_some() && trial.random.chance(10);
        trial.put("game_loaded_i", loads);
        if loads {
            self.read.extend(self.reading.take());
        }
        loads
    }

    fn reply(&mut self, reply: Message) {
        let (kind, payload) = &reply;
        let part = kind & PART != 0;
        self.replies
            .push(vec![(*kind).into(), payload.is_empty().into(), part.into()]);
        for (byte, left) in payload.iter().zip((0..payload.len()).rev()) {
            self.bytes.push(vec![(*byte).into(), (left == 0).into()]);
        }
        self.made.push_back(reply);
    }

    /// Whether a request is offered to the game.
    pub(super) fn offers_request(&self, trial: &Trial) -> bool {
        self.requests.offered(trial).is_some()
    }

    /// The number and slot of the request taken in this cycle.
    pub(super) fn take(&mut self, trial: &Trial) -> Option<(u8, u64)> {
        let item = self.requests.take(trial)?;
        let (kind, slot) = (item[0] as u8, item[1]);
        self.reading = Some(kind);
        Some((kind, slot))
    }

    /// Ends a cycle: removes the reply that was taken.
    pub(super) fn clock(&mut self, trial: &Trial) {
        if self.replies.take(trial).is_some() {
            self.made.pop_front();
        }
        self.bytes.take(trial);
    }

    /// Resets the game.
    pub(super) fn clear(&mut self, trial: &mut Trial) {
        self.replies.clear();
        self.bytes.clear();
        self.made.clear();
        self.read.clear();
        (self.reading, self.work) = (None, None);
        self.replies.drive(trial);
        self.bytes.drive(trial);
        trial.put("game_loaded_i", false);
    }
}
