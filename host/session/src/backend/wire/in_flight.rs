//! Tracks the requests in flight, and finds which of them a reply shows to be lost.
//!
//! A core answers in order, so a reply shows that every unanswered request before its own is lost.
//! Streams are the exception: requests of the link that follow a stream are answered between its
//! parts, so their replies do not show that the stream is over.

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
    pub(super) purpose: Purpose,
    /// Whether it may still be in the core and counts against its window; false after a timeout.
    pub(super) in_core: bool,
    /// The progress of its stream; `None` if it has one reply.
    pub(super) stream: Option<StreamProgress>,
    /// Time that its next reply may take beyond the timeout of other replies.
    pub(super) extra_time: Duration,
}

impl Sent {
    /// Whether it is answered between the parts of a stream.
    fn is_interleaved(&self) -> bool {
        is_of_the_link(self.message) && self.message.id != CANCEL.id
    }
}

/// Whether the link answers that message, not the game.
pub(super) fn is_of_the_link(message: &Message) -> bool {
    MESSAGES.iter().any(|of_link| of_link.id == message.id)
}

/// What a request was sent for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The request with that index in the current batch.
    Request(usize),
    /// A credit for the stream with that sequence number.
    Credit(u16),
    /// A cancel.
    Cancel,
    /// A ping, to see whether a searching core is alive.
    Probe,
    /// Nothing any more: its reply will be dropped.
    Orphan,
}

/// The progress of a stream.
#[derive(Debug, Clone, Copy)]
pub(super) struct StreamProgress {
    /// Maximum number of parts, if known.
    max_parts: Option<u64>,
    /// Parts received, without a gap from number 0.
    pub(super) received: u64,
    /// Parts that arrived, also after it was orphaned, to detect a core that ignores credit.
    pub(super) arrived: u64,
    /// Credits that the core has, as far as known.
    credits: u64,
    /// All credits sent: a lost one is sent again.
    sent_credits: u64,
    /// Whether it is a search, which goes on after a lost part.
    pub(super) search: bool,
    /// When its last part arrived; before the first, when it was sent.
    pub(super) last_part: Instant,
    /// Pings answered since [`Self::last_part`].
    pub(super) probes: u32,
}

impl StreamProgress {
    /// Parts of a credit.
    const CREDIT: u64 = STREAM_CREDIT as u64;
    /// Credits of earlier streams that the core may have added to its own.
    const STRAY: u64 = 8;

    /// The initial progress of a request's stream, if it has one.
    pub(super) fn of(replies: Replies) -> Option<Self> {
        let max_parts = match replies {
            Replies::One => return None,
            Replies::Stream(max_parts) => max_parts,
            Replies::Search => None,
        };
        Some(Self {
            max_parts,
            received: 0,
            arrived: 0,
            credits: 0,
            sent_credits: 0,
            search: replies == Replies::Search,
            last_part: Instant::now(),
            probes: 0,
        })
    }

    /// Whether more parts arrived than all credits allow.
    pub(super) fn is_beyond_credit(&self) -> bool {
        self.arrived > Self::CREDIT * (self.sent_credits + 1 + Self::STRAY)
    }

    /// Whether the stream can end without more credit.
    fn needs_no_credit(&self) -> bool {
        let allowed = Self::CREDIT * (self.credits + 1);
        self.max_parts.is_some_and(|max_parts| max_parts <= allowed)
    }

    /// Whether the next credit should be sent. Credit is sent one ahead: the first one after the
    /// first part, which shows that the core has begun the stream, then one for every
    /// [`Self::CREDIT`] parts.
    fn wants_credit(&self) -> bool {
        self.received > 0 && self.credits <= self.received / Self::CREDIT && !self.needs_no_credit()
    }
}

/// The requests in flight, in the order they were sent.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    pub(super) sent: VecDeque<Sent>,
}

pub(super) struct Search<'a> {
    /// Index of its request in the batch.
    pub(super) index: usize,
    pub(super) message: &'static Message,
    pub(super) progress: &'a mut StreamProgress,
}

/// The effect of a reply on the requests in flight.
pub(super) struct Settled {
    /// The request, if it is the last or only reply to it; `None` for a part of a stream, whose
    /// request is now the first one in flight.
    pub(super) ended: Option<Sent>,
    /// Whether it came between the parts of a stream, which goes on.
    pub(super) interleaved: bool,
    /// The requests that are lost, in the order they were sent.
    pub(super) lost: Vec<Sent>,
}

impl InFlight {
    /// Whether a reply with that sequence number may still come.
    pub(super) fn awaits(&self, seq: u16) -> bool {
        self.sent.iter().any(|sent| sent.seq == seq)
    }

    /// Number of requests that may be in the core.
    pub(super) fn in_core(&self) -> usize {
        self.sent.iter().filter(|sent| sent.in_core).count()
    }

    pub(super) fn orphan_all(&mut self) {
        for sent in &mut self.sent {
            sent.purpose = Purpose::Orphan;
        }
    }

    /// Time that the next reply may take beyond the timeout of other replies.
    pub(super) fn extra_time(&self) -> Duration {
        let times = self.sent.iter().map(|sent| sent.extra_time);
        times.max().unwrap_or(Duration::ZERO)
    }

    fn streams(&self) -> impl Iterator<Item = (&Sent, &StreamProgress)> {
        let streams = self.sent.iter();
        streams.filter_map(|sent| Some((sent, sent.stream.as_ref()?)))
    }

    /// Whether an orphaned stream may be in progress. It must be cancelled: without credit it stays
    /// in the core for ever.
    pub(super) fn has_orphan_stream(&self) -> bool {
        self.streams()
            .any(|(sent, _)| sent.purpose == Purpose::Orphan)
    }

    /// Whether a cancel is on its way.
    pub(super) fn is_cancelling(&self) -> bool {
        let mut in_core = self.sent.iter().filter(|sent| sent.in_core);
        in_core.any(|sent| sent.message.id == CANCEL.id)
    }

    /// The search in progress, unless it is orphaned.
    pub(super) fn search(&mut self) -> Option<Search<'_>> {
        self.sent.iter_mut().find_map(|sent| {
            let progress = sent.stream.as_mut().filter(|progress| progress.search)?;
            match sent.purpose {
                Purpose::Request(index) => Some(Search {
                    index,
                    message: sent.message,
                    progress,
                }),
                _ => None,
            }
        })
    }

    /// Whether a ping to a searching core is in flight.
    pub(super) fn is_probing(&self) -> bool {
        let mut in_core = self.sent.iter().filter(|sent| sent.in_core);
        in_core.any(|sent| sent.purpose == Purpose::Probe)
    }

    /// Counts the ping to a searching core as lost.
    pub(super) fn lose_probe(&mut self) {
        let probes = self.sent.iter_mut().filter(|s| s.purpose == Purpose::Probe);
        probes.for_each(|probe| probe.in_core = false);
    }

    /// Whether a core with that window has room for one more request.
    ///
    /// With a stream in progress one place is kept free for credits and cancels. A game's
    /// request that waits for the end of a stream delays the replies to the credits after it, so it
    /// is sent only when the streams before it need no more credit.
    pub(super) fn has_room(&self, message: &Message, streams: bool, window: usize) -> bool {
        let streams = streams || self.streams().next().is_some();
        let places = if streams {
            window.saturating_sub(1).max(1)
        } else {
            window
        };
        let fed = || {
            self.streams()
                .all(|(_, progress)| progress.needs_no_credit())
        };
        self.in_core() < places && (is_of_the_link(message) || fed())
    }

    /// Returns the sequence number of a stream that wants credit, and counts the credit as sent.
    pub(super) fn credit(&mut self) -> Option<u16> {
        let mut purpose = self
            .sent
            .iter_mut()
            .filter(|s| s.purpose != Purpose::Orphan);
        purpose.find_map(|sent| {
            let progress = sent.stream.as_mut().filter(|p| p.wants_credit())?;
            progress.credits += 1;
            progress.sent_credits += 1;
            Some(sent.seq)
        })
    }

    /// Counts a credit of the stream with that sequence number as lost.
    pub(super) fn uncredit(&mut self, stream: u16) {
        let sent = self.sent.iter_mut().find(|sent| sent.seq == stream);
        if let Some(progress) = sent.and_then(|sent| sent.stream.as_mut()) {
            progress.credits = progress.credits.saturating_sub(1);
        }
    }

    /// Applies a reply with that sequence number and message; `None` if no request in flight has the
    /// number.
    ///
    /// A reply of the game shows that all requests before its own are over. So does a reply of the
    /// link, or a refusal (which may be the link's), with one exception: the last stream before it,
    /// if only requests of the link are between the two, may still go on.
    pub(super) fn settle(&mut self, seq: u16, kind: u8) -> Option<Settled> {
        let place = self.sent.iter().position(|sent| sent.seq == seq)?;
        // The cancel of a search may be lost; then the search goes on.
        let searching = self.search().is_some();
        let sent = self.sent.get(place)?;
        let is_part = sent.stream.is_some() && kind == sent.message.id | REPLY | PART;
        let may_interleave = sent.is_interleaved() || kind == ERROR.id;
        let is_passed =
            |sent: &Sent| sent.is_interleaved() || searching && sent.message.id == CANCEL.id;
        let stream_at = (0..place)
            .rev()
            .find(|&at| !is_passed(&self.sent[at]))
            .filter(|&at| may_interleave && self.sent[at].stream.is_some());
        let (mut lost, mut stream) = (Vec::new(), None);
        for (at, sent) in self.sent.drain(..place).enumerate() {
            if Some(at) == stream_at {
                stream = Some(sent);
            } else {
                lost.push(sent);
            }
        }
        let interleaved = stream.is_some();
        let ended = match is_part {
            true => None,
            false => self.sent.pop_front(),
        };
        if let Some(stream) = stream {
            self.sent.push_front(stream);
        }
        Some(Settled {
            ended,
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

    /// A game's request that has a single reply.
    fn single() -> &'static Message {
        requests()
            .find(|m| !is_streamed(m))
            .expect("a game has one")
    }

    /// Requests in flight, with sequence numbers from 0 on.
    fn in_flight(messages: &[&'static Message]) -> InFlight {
        let mut in_flight = InFlight::default();
        for (seq, message) in (0..).zip(messages) {
            let streams = message.id == streamed().id;
            let replies = if streams {
                Replies::Stream(None)
            } else {
                Replies::One
            };
            in_flight.sent.push_back(Sent {
                seq,
                message,
                at: Instant::now(),
                purpose: Purpose::Request(seq.into()),
                in_core: true,
                stream: StreamProgress::of(replies),
                extra_time: Duration::ZERO,
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

    /// Requests in flight, by letter: `p`ing, `c`redit, `x` cancel, `s`tream, `o`ne reply of the
    /// game. The reply to the last one shows which of those before it are lost.
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
            // A reply of the link does not show that the stream before it is over.
            ("pscp", reply, &[0, 2]),
            ("pscp", error, &[0, 2]),
            ("sp", reply, &[]),
            ("sp", error, &[]),
            // It waits for the end of the first stream, and comes between the parts of the second.
            ("ssc", reply, &[0]),
            ("sop", reply, &[0, 1]),
            // A reply of the game, or to a cancel, shows that streams before it are over.
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
            assert!(part.is_some_and(|part| part.ended.is_none()));
            assert_eq!(in_flight.in_core(), 1);
        }
        let end = in_flight.settle(0, stream.id | REPLY);
        assert!(end.is_some_and(|end| end.ended.is_some()));
        assert_eq!(in_flight.in_core(), 0);
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
        streams.sent[0].stream = StreamProgress::of(Replies::Stream(Some(8)));
        assert!(streams.has_room(stream, true, 4));
        assert!(!streams.has_room(&PING, false, 3));
        assert!(
            in_flight(&[]).has_room(stream, true, 1),
            "it would wait for ever"
        );
    }
}
