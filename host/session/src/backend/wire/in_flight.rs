//! The requests in flight, and what a reply shows about them.
//!
//! A core answers in order, so a reply shows that every unanswered request before its own is lost.
//! Streams are the exception: the link's requests after a stream are answered between its parts, so
//! their replies say nothing about the stream.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use protocol::layout::link::{CANCEL, ERROR, MESSAGES, STREAM_CREDIT};
use protocol::layout::{Message, PART, REPLY};

use super::batch::Replies;

/// A request in flight.
#[derive(Debug)]
pub(super) struct Sent {
    pub(super) seq: u16,
    pub(super) message: &'static Message,
    pub(super) at: Instant,
    pub(super) wanted: Wanted,
    /// Whether it may still be in the core; false after a timeout.
    pub(super) held: bool,
    /// The progress of its stream; `None` if it has one reply.
    pub(super) stream: Option<Progress>,
    /// Time that its next reply may take beyond that of a single answer.
    pub(super) pause: Duration,
}

impl Sent {
    fn is_of_the_link(&self) -> bool {
        is_of_the_link(self.message) && self.message.id != CANCEL.id
    }
}

/// Whether the link answers it, not the game.
pub(super) fn is_of_the_link(message: &Message) -> bool {
    MESSAGES.iter().any(|of_link| of_link.id == message.id)
}

/// Who needs a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The current batch: the request with that index.
    By(usize),
    /// This client: a credit for the stream with that sequence number.
    Credit(u16),
    /// This client: a cancel.
    Cancel,
    /// This client: a ping, to see whether a searching core is alive.
    Probe,
    /// Nobody any more: the request is orphaned.
    No,
}

/// The progress of a stream.
#[derive(Debug, Clone, Copy)]
pub(super) struct Progress {
    /// Maximum number of parts, if known.
    most: Option<u64>,
    /// Parts received, without a gap from number 0.
    pub(super) received: u64,
    /// Parts that came, also after it was orphaned.
    pub(super) came: u64,
    /// Credits given to it, and those sent: a lost one is given again.
    credits: u64,
    sent_credits: u64,
    /// Whether it is a search: its parts may be lost.
    pub(super) search: bool,
    /// When its last part came; before the first, when it was sent.
    pub(super) heard: Instant,
    /// Pings answered since then.
    pub(super) probes: u32,
}

impl Progress {
    /// Parts of a credit.
    const CREDIT: u64 = STREAM_CREDIT as u64;
    /// Credits of earlier streams that may be taken for its own.
    const STRAY: u64 = 8;

    pub(super) fn new(most: Option<u64>) -> Self {
        Self {
            most,
            received: 0,
            came: 0,
            credits: 0,
            sent_credits: 0,
            search: false,
            heard: Instant::now(),
            probes: 0,
        }
    }

    /// The initial progress of a request's stream, if it has one.
    pub(super) fn of(replies: Replies) -> Option<Self> {
        match replies {
            Replies::One => None,
            Replies::Stream(most) => Some(Self::new(most)),
            Replies::Search => Some(Self {
                search: true,
                ..Self::new(None)
            }),
        }
    }

    /// Whether more parts came than all credits allow. Those of an earlier stream that were sent again
    /// may have been added to its own.
    pub(super) fn is_beyond_credit(&self) -> bool {
        self.came > Self::CREDIT * (self.sent_credits + 1 + Self::STRAY)
    }

    /// Whether it can end without more credit.
    fn is_fed(&self) -> bool {
        let allowed = Self::CREDIT * (self.credits + 1);
        self.most.is_some_and(|most| most <= allowed)
    }

    /// Whether a credit is due, one ahead: one with the first part, when the core has begun the
    /// stream, and one for every [`Self::CREDIT`] parts.
    fn wants_credit(&self) -> bool {
        self.received > 0 && self.credits <= self.received / Self::CREDIT && !self.is_fed()
    }
}

/// The requests in flight, in the order they were sent.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    sent: VecDeque<Sent>,
}

/// The effect of a reply on the requests in flight.
pub(super) struct Settled {
    pub(super) reply: Settles,
    /// Whether it was sent between the parts of a stream, and says nothing about the stream.
    pub(super) interleaved: bool,
    /// The requests that are lost, in the order they were sent.
    pub(super) lost: Vec<Sent>,
}

/// The kind of reply.
pub(super) enum Settles {
    /// A part of the stream that is now [`InFlight::first`].
    Part,
    /// The last or only reply to a request.
    Last(Sent),
}

impl InFlight {
    pub(super) fn clear(&mut self) {
        self.sent.clear();
    }

    pub(super) fn push(&mut self, sent: Sent) {
        self.sent.push_back(sent);
    }

    /// Whether a reply with that sequence number may still come.
    pub(super) fn awaits(&self, seq: u16) -> bool {
        self.sent.iter().any(|sent| sent.seq == seq)
    }

    /// Number of requests that may be in the core.
    pub(super) fn in_core(&self) -> usize {
        self.sent.iter().filter(|sent| sent.held).count()
    }

    /// Orphans all requests in flight.
    pub(super) fn orphan_all(&mut self) {
        for sent in &mut self.sent {
            sent.wanted = Wanted::No;
        }
    }

    /// The oldest request in flight.
    pub(super) fn first(&mut self) -> Option<&mut Sent> {
        self.sent.front_mut()
    }

    pub(super) fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Sent> {
        self.sent.iter_mut()
    }

    /// Time that the next reply may take beyond that of a single answer.
    pub(super) fn pause(&self) -> Duration {
        let pauses = self.sent.iter().map(|sent| sent.pause);
        pauses.max().unwrap_or(Duration::ZERO)
    }

    fn streams(&self) -> impl Iterator<Item = (&Sent, &Progress)> {
        let streams = self.sent.iter();
        streams.filter_map(|sent| Some((sent, sent.stream.as_ref()?)))
    }

    /// Whether an orphaned stream may be in progress: it must be cancelled, or it stays in the core
    /// for ever.
    pub(super) fn has_orphan_stream(&self) -> bool {
        self.streams().any(|(sent, _)| sent.wanted == Wanted::No)
    }

    /// Whether a cancel is on its way.
    pub(super) fn is_cancelling(&self) -> bool {
        let mut held = self.sent.iter().filter(|sent| sent.held);
        held.any(|sent| sent.message.id == CANCEL.id)
    }

    /// The search in progress: its index among the requests (unless orphaned), its request and its
    /// progress.
    pub(super) fn search(&self) -> Option<(usize, &Sent, &Progress)> {
        self.streams()
            .find_map(|(sent, progress)| match sent.wanted {
                Wanted::By(index) if progress.search => Some((index, sent, progress)),
                _ => None,
            })
    }

    /// The progress of the search in progress.
    pub(super) fn searched(&mut self) -> Option<&mut Progress> {
        let wanted = self.sent.iter_mut().filter(|s| s.wanted != Wanted::No);
        let mut streams = wanted.filter_map(|sent| sent.stream.as_mut());
        streams.find(|progress| progress.search)
    }

    /// Whether a ping to a searching core is in flight.
    pub(super) fn is_probing(&self) -> bool {
        let mut held = self.sent.iter().filter(|sent| sent.held);
        held.any(|sent| sent.wanted == Wanted::Probe)
    }

    /// Counts the ping in flight as lost.
    pub(super) fn drop_probe(&mut self) {
        let probes = self.sent.iter_mut().filter(|s| s.wanted == Wanted::Probe);
        probes.for_each(|probe| probe.held = false);
    }

    /// Whether a core with that window has room for one more request.
    ///
    /// With streams one place is kept free for credits and cancels. A request of the game delays
    /// the replies to credits after it, so it waits until the streams before it need no more
    /// credit.
    pub(super) fn has_room(&self, message: &Message, streams: bool, window: usize) -> bool {
        let streams = streams || self.streams().next().is_some();
        let places = if streams {
            window.saturating_sub(1).max(1)
        } else {
            window
        };
        let fed = || self.streams().all(|(_, progress)| progress.is_fed());
        self.in_core() < places && (is_of_the_link(message) || fed())
    }

    /// Takes a due credit: returns its stream's sequence number and counts it as given.
    pub(super) fn credit(&mut self) -> Option<u16> {
        let mut wanted = self.sent.iter_mut().filter(|s| s.wanted != Wanted::No);
        wanted.find_map(|sent| {
            let progress = sent.stream.as_mut().filter(|p| p.wants_credit())?;
            progress.credits += 1;
            progress.sent_credits += 1;
            Some(sent.seq)
        })
    }

    /// Takes back a lost credit of the stream with that sequence number.
    pub(super) fn uncredit(&mut self, stream: u16) {
        let sent = self.sent.iter_mut().find(|sent| sent.seq == stream);
        if let Some(progress) = sent.and_then(|sent| sent.stream.as_mut()) {
            progress.credits = progress.credits.saturating_sub(1);
        }
    }

    /// Applies a reply with that sequence number and message; `None` if no request has the number.
    ///
    /// A reply of the game shows that all requests before it are over. So does a reply of the link,
    /// or a refusal (which may be the link's), except for a stream with no request of the game
    /// between the two.
    pub(super) fn settle(&mut self, seq: u16, kind: u8) -> Option<Settled> {
        let place = self.sent.iter().position(|sent| sent.seq == seq)?;
        let sent = self.sent.get(place)?;
        let is_part = sent.stream.is_some() && kind == sent.message.id | REPLY | PART;
        let of_the_link = sent.is_of_the_link() || kind == ERROR.id;
        // The cancel of a search may be lost; then the search goes on.
        let searching = self.search().is_some();
        let passed =
            |sent: &Sent| sent.is_of_the_link() || searching && sent.message.id == CANCEL.id;
        let spared = (0..place)
            .rev()
            .find(|&at| !passed(&self.sent[at]))
            .filter(|&at| of_the_link && self.sent[at].stream.is_some());
        let (mut lost, mut stream) = (Vec::new(), None);
        for (at, sent) in self.sent.drain(..place).enumerate() {
            if Some(at) == spared {
                stream = Some(sent);
            } else {
                lost.push(sent);
            }
        }
        let interleaved = stream.is_some();
        let reply = match is_part {
            true => Settles::Part,
            false => Settles::Last(self.sent.pop_front()?),
        };
        if let Some(stream) = stream {
            self.sent.push_front(stream);
        }
        Some(Settled {
            reply,
            interleaved,
            lost,
        })
    }
}

#[cfg(test)]
mod tests {
    use protocol::layout::GAMES;
    use protocol::layout::link::{CREDIT, PING};

    use super::*;

    fn is_streamed(message: &&Message) -> bool {
        GAMES[0].message(message.id | REPLY | PART).is_some()
    }

    fn requests() -> impl Iterator<Item = &'static Message> {
        GAMES[0].messages.iter().filter(|m| m.is_request())
    }

    /// A game's request that is answered by a stream.
    fn streamed() -> &'static Message {
        requests().find(is_streamed).expect("a game has one")
    }

    /// One that has a single reply.
    fn single() -> &'static Message {
        requests()
            .find(|m| !is_streamed(m))
            .expect("a game has one")
    }

    /// What was sent, with sequence numbers from 0 on.
    fn in_flight(messages: &[&'static Message]) -> InFlight {
        let mut in_flight = InFlight::default();
        for (seq, message) in (0..).zip(messages) {
            in_flight.push(Sent {
                seq,
                message,
                at: Instant::now(),
                wanted: Wanted::By(seq.into()),
                held: true,
                stream: (message.id == streamed().id).then(|| Progress::new(None)),
                pause: Duration::ZERO,
            });
        }
        in_flight
    }

    /// The requests lost when a reply to the last of these comes.
    fn lost(messages: &[&'static Message], kind: impl Fn(u8) -> u8) -> Vec<u16> {
        let last = messages.len() - 1;
        let settled = in_flight(messages).settle(last as u16, kind(messages[last].id));
        let settled = settled.expect("it was sent");
        settled.lost.iter().map(|sent| sent.seq).collect()
    }

    /// Which requests are lost when a reply comes to the last: `p`ing, `c`redit, `x` cancel, `s`tream,
    /// `o`ne reply of the game.
    #[test]
    fn settle_reply_shows_earlier_requests_lost() {
        let message = |sign: char| match sign {
            'p' => &PING,
            'c' => &CREDIT,
            'x' => &CANCEL,
            's' => streamed(),
            _ => single(),
        };
        let reply: fn(u8) -> u8 = |id| id | REPLY;
        let error: fn(u8) -> u8 = |_| ERROR.id;
        let part: fn(u8) -> u8 = |id| id | REPLY | PART;
        for (sent, kind, expected) in [
            ("pop", reply, &[0, 1][..]),
            ("poo", reply, &[0, 1]),
            ("op", error, &[0]),
            // The link's replies say nothing of a stream before them.
            ("pscp", reply, &[0, 2]),
            ("pscp", error, &[0, 2]),
            ("sp", reply, &[]),
            ("sp", error, &[]),
            // It waits for the end of the first stream, and comes between the parts of the second.
            ("ssc", reply, &[0]),
            ("sop", reply, &[0, 1]),
            // The game's replies and a cancel's say that streams before them are over.
            ("spo", reply, &[0, 1]),
            ("ss", part, &[0]),
            ("ssx", reply, &[0, 1]),
            ("sxp", reply, &[0, 1]),
            // A refusal may be the link's.
            ("so", error, &[]),
        ] {
            let messages: Vec<_> = sent.chars().map(message).collect();
            assert_eq!(lost(&messages, kind), expected, "{sent}");
        }
    }

    #[test]
    fn stream_stays_in_flight_until_its_end() {
        let stream = streamed();
        let mut in_flight = in_flight(&[stream]);
        for _ in 0..3 {
            let part = in_flight.settle(0, stream.id | REPLY | PART);
            let is_part = part.is_some_and(|part| matches!(part.reply, Settles::Part));
            assert!(is_part);
            assert_eq!(in_flight.in_core(), 1);
        }
        let end = in_flight.settle(0, stream.id | REPLY).map(|s| s.reply);
        assert!(matches!(end, Some(Settles::Last(_))));
        assert_eq!(in_flight.in_core(), 0);
    }

    /// Credits due after each number of parts, from 0 on.
    fn credits(most: Option<u64>, parts: u64) -> Vec<u64> {
        let mut in_flight = in_flight(&[streamed()]);
        let mut given = Vec::new();
        in_flight.sent[0].stream = Some(Progress::new(most));
        for received in 0..=parts {
            if let Some(progress) = &mut in_flight.sent[0].stream {
                progress.received = received;
            }
            while in_flight.credit().is_some() {
                given.push(received);
            }
        }
        given
    }

    #[test]
    fn credit_is_given_one_ahead() {
        assert_eq!(credits(None, 26), [1, 8, 16, 24]);
        assert_eq!(credits(Some(34), 34), [1, 8, 16, 24]);
        assert_eq!(credits(Some(32), 32), [1, 8, 16]);
        assert_eq!(credits(Some(8), 8), [0; 0]);
    }

    #[test]
    fn credit_lost_is_given_again() {
        let stream = streamed();
        let mut in_flight = in_flight(&[stream]);
        in_flight.sent[0].stream = Some(Progress {
            received: 1,
            ..Progress::new(None)
        });
        assert_eq!((in_flight.credit(), in_flight.credit()), (Some(0), None));
        in_flight.uncredit(7);
        assert_eq!(in_flight.credit(), None, "it was another stream's");
        in_flight.uncredit(0);
        assert_eq!((in_flight.credit(), in_flight.credit()), (Some(0), None));
    }

    #[test]
    fn window_keeps_a_place_beside_streams() {
        let stream = streamed();
        let one = single();
        let singles = in_flight(&[one; 3]);
        assert!(singles.has_room(one, false, 4));
        assert!(!singles.has_room(stream, true, 4));
        let mut streams = in_flight(&[stream, &PING]);
        assert!(!streams.has_room(one, false, 4), "it may need credit");
        assert!(!streams.has_room(stream, true, 4), "it may need credit");
        assert!(streams.has_room(&PING, false, 4));
        streams.sent[0].stream = Some(Progress::new(Some(8)));
        assert!(streams.has_room(stream, true, 4));
        assert!(!streams.has_room(&PING, false, 3));
        assert!(in_flight(&[]).has_room(stream, true, 1), "or it never has");
    }
}
