//! What was sent and may still be answered, and what a reply says of it.
//!
//! A core answers in order, so a reply tells what is lost: whatever was sent before its
//! request and is not answered yet. But for streams: the link's requests behind one are
//! answered between its parts, so that their replies say nothing of it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use protocol::layout::link::{CANCEL, ERROR, MESSAGES, STREAM_CREDIT};
use protocol::layout::{Message, PART, REPLY};

use super::asked::Replies;

/// A request that was sent.
#[derive(Debug)]
pub(super) struct Sent {
    pub(super) seq: u16,
    pub(super) message: &'static Message,
    pub(super) at: Instant,
    pub(super) wanted: Wanted,
    /// Whether it may still lie in the core; not after silence.
    pub(super) held: bool,
    /// How far its stream has come; `None` if it has one reply.
    pub(super) stream: Option<Progress>,
    /// How much longer than a single answer its next reply may take.
    pub(super) pause: Duration,
}

impl Sent {
    fn is_of_the_link(&self) -> bool {
        is_of_the_link(self.message) && self.message.id != CANCEL.id
    }
}

/// Whether a core answers it by itself, not by its game.
pub(super) fn is_of_the_link(message: &Message) -> bool {
    MESSAGES.iter().any(|of_link| of_link.id == message.id)
}

/// Who waits for a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The request of that index, of those being asked now.
    By(usize),
    /// This end: it is a credit for the stream of that sequence number.
    Credit(u16),
    /// This end: it is a cancel.
    Cancel,
    /// This end: it is a ping, to see whether a core that searches is alive.
    Probe,
    /// Nobody any more.
    No,
}

/// How far a stream has come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Progress {
    /// Parts it can have, where that is known.
    most: Option<u64>,
    /// Parts that came, all from number 0 on.
    pub(super) received: u64,
    /// Credits given to it.
    credits: u64,
    /// Whether it is a search: its parts may be lost.
    pub(super) search: bool,
    /// When its last part came; before the first, when it was sent.
    pub(super) heard: Instant,
    /// Probes answered since then.
    pub(super) probes: u32,
}

impl Progress {
    /// Parts of a credit.
    const CREDIT: u64 = STREAM_CREDIT as u64;

    pub(super) fn new(most: Option<u64>) -> Self {
        Self {
            most,
            received: 0,
            credits: 0,
            search: false,
            heard: Instant::now(),
            probes: 0,
        }
    }

    /// That of the stream a request is answered by, if any.
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

    /// Whether it can come to its end without more credit.
    fn is_fed(&self) -> bool {
        let allowed = Self::CREDIT * (self.credits + 1);
        self.most.is_some_and(|most| most <= allowed)
    }

    /// One ahead: a credit with the first part, when the core has heard of the stream, and
    /// one for every so many parts.
    fn wants_credit(&self) -> bool {
        self.received > 0 && self.credits <= self.received / Self::CREDIT && !self.is_fed()
    }
}

/// What was sent and may still be answered, in the order it was sent.
#[derive(Debug, Default)]
pub(super) struct Flight {
    sent: VecDeque<Sent>,
}

/// What a reply settles.
pub(super) struct Settled {
    pub(super) reply: Settles,
    /// Whether it says nothing of a stream under way.
    pub(super) besides: bool,
    /// What will not be answered any more, in the order it was sent.
    pub(super) lost: Vec<Sent>,
}

/// Whose reply it is.
pub(super) enum Settles {
    /// A part of the stream that is now [`Flight::first`].
    Part,
    /// The last or only reply to a request.
    Last(Sent),
}

impl Flight {
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

    /// Requests that may lie in the core.
    pub(super) fn in_core(&self) -> usize {
        self.sent.iter().filter(|sent| sent.held).count()
    }

    /// Nobody waits any more for anything that was sent.
    pub(super) fn disown(&mut self) {
        for sent in &mut self.sent {
            sent.wanted = Wanted::No;
        }
    }

    /// What was sent first.
    pub(super) fn first(&mut self) -> Option<&mut Sent> {
        self.sent.front_mut()
    }

    pub(super) fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Sent> {
        self.sent.iter_mut()
    }

    /// How much longer than a single answer the next reply may take.
    pub(super) fn pause(&self) -> Duration {
        let pauses = self.sent.iter().map(|sent| sent.pause);
        pauses.max().unwrap_or(Duration::ZERO)
    }

    fn streams(&self) -> impl Iterator<Item = (&Sent, &Progress)> {
        let streams = self.sent.iter();
        streams.filter_map(|sent| Some((sent, sent.stream.as_ref()?)))
    }

    /// Whether a stream may be under way that nobody waits for: it has to be ended, or it
    /// lies in the core for ever.
    pub(super) fn is_haunted(&self) -> bool {
        self.streams().any(|(sent, _)| sent.wanted == Wanted::No)
    }

    /// Whether a cancel is on its way.
    pub(super) fn is_cancelling(&self) -> bool {
        let mut held = self.sent.iter().filter(|sent| sent.held);
        held.any(|sent| sent.message.id == CANCEL.id)
    }

    /// The search under way: its index among the requests, if that is still wanted, and how
    /// far it has come.
    pub(super) fn search(&self) -> Option<(usize, &Sent, &Progress)> {
        self.streams()
            .find_map(|(sent, progress)| match sent.wanted {
                Wanted::By(index) if progress.search => Some((index, sent, progress)),
                _ => None,
            })
    }

    /// How far the search under way has come.
    pub(super) fn searched(&mut self) -> Option<&mut Progress> {
        let wanted = self.sent.iter_mut().filter(|s| s.wanted != Wanted::No);
        let mut streams = wanted.filter_map(|sent| sent.stream.as_mut());
        streams.find(|progress| progress.search)
    }

    /// Whether a reply to a probe may still come.
    pub(super) fn is_probing(&self) -> bool {
        let mut held = self.sent.iter().filter(|sent| sent.held);
        held.any(|sent| sent.wanted == Wanted::Probe)
    }

    /// Takes the probe on its way for lost.
    pub(super) fn drop_probe(&mut self) {
        let probes = self.sent.iter_mut().filter(|s| s.wanted == Wanted::Probe);
        probes.for_each(|probe| probe.held = false);
    }

    /// Whether there is room for one more request in a core with such a window.
    ///
    /// Where there are streams a place is kept free for credits and cancels. A request of
    /// the game keeps the credits behind it from being answered, so that it waits until
    /// the streams before it need none.
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

    /// Sequence number of a stream that is to be given credit now, which is counted as
    /// given.
    pub(super) fn credit(&mut self) -> Option<u16> {
        let mut wanted = self.sent.iter_mut().filter(|s| s.wanted != Wanted::No);
        wanted.find_map(|sent| {
            let progress = sent.stream.as_mut().filter(|p| p.wants_credit())?;
            progress.credits += 1;
            Some(sent.seq)
        })
    }

    /// A credit that was given to the stream of that sequence number did not come.
    pub(super) fn uncredit(&mut self, stream: u16) {
        let sent = self.sent.iter_mut().find(|sent| sent.seq == stream);
        if let Some(progress) = sent.and_then(|sent| sent.stream.as_mut()) {
            progress.credits = progress.credits.saturating_sub(1);
        }
    }

    /// What the reply of that sequence number and message says; `None` if nothing was
    /// asked by that number.
    ///
    /// A reply of the game's says that all before it is over. One of the link, and a
    /// refusal, which may be the link's, says so but for a stream with nothing of the
    /// game's between the two.
    pub(super) fn settle(&mut self, seq: u16, kind: u8) -> Option<Settled> {
        let place = self.sent.iter().position(|sent| sent.seq == seq)?;
        let sent = self.sent.get(place)?;
        let is_part = sent.stream.is_some() && kind == sent.message.id | REPLY | PART;
        let of_the_link = sent.is_of_the_link() || kind == ERROR.id;
        // A cancel of a search may have been lost, and the search goes on.
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
        let besides = stream.is_some();
        let reply = match is_part {
            true => Settles::Part,
            false => Settles::Last(self.sent.pop_front()?),
        };
        if let Some(stream) = stream {
            self.sent.push_front(stream);
        }
        Some(Settled {
            reply,
            besides,
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
    fn flight(messages: &[&'static Message]) -> Flight {
        let mut flight = Flight::default();
        for (seq, message) in (0..).zip(messages) {
            flight.push(Sent {
                seq,
                message,
                at: Instant::now(),
                wanted: Wanted::By(seq.into()),
                held: true,
                stream: (message.id == streamed().id).then(|| Progress::new(None)),
                pause: Duration::ZERO,
            });
        }
        flight
    }

    /// What is lost when a reply to the last of these comes.
    fn lost(messages: &[&'static Message], kind: impl Fn(u8) -> u8) -> Vec<u16> {
        let last = messages.len() - 1;
        let settled = flight(messages).settle(last as u16, kind(messages[last].id));
        let settled = settled.expect("it was sent");
        settled.lost.iter().map(|sent| sent.seq).collect()
    }

    #[test]
    fn a_reply_says_that_all_before_it_is_lost() {
        let one = single();
        let reply = |id| id | REPLY;
        assert_eq!(lost(&[&PING, one, &PING], reply), [0, 1]);
        assert_eq!(lost(&[&PING, one, one], reply), [0, 1]);
        assert_eq!(lost(&[one, &PING], |_| ERROR.id), [0]);
    }

    #[test]
    fn the_link_s_replies_say_nothing_of_a_stream_before_them() {
        let stream = streamed();
        for reply in [|id| id | REPLY, |_| ERROR.id] {
            assert_eq!(lost(&[&PING, stream, &CREDIT, &PING], reply), [0, 2]);
            assert_eq!(lost(&[stream, &PING], reply), [0; 0]);
        }
    }

    /// It waits for the end of the first, and comes between the parts of the second.
    #[test]
    fn a_reply_of_the_link_behind_two_streams_says_that_the_first_is_over() {
        let stream = streamed();
        let one = single();
        let reply = |id| id | REPLY;
        assert_eq!(lost(&[stream, stream, &CREDIT], reply), [0]);
        assert_eq!(lost(&[stream, one, &PING], reply), [0, 1]);
    }

    #[test]
    fn the_game_s_replies_and_a_cancel_s_say_that_streams_before_them_are_over() {
        let stream = streamed();
        let one = single();
        let reply = |id| id | REPLY;
        assert_eq!(lost(&[stream, &PING, one], reply), [0, 1]);
        assert_eq!(lost(&[stream, stream], |id| id | REPLY | PART), [0]);
        assert_eq!(lost(&[stream, stream, &CANCEL], reply), [0, 1]);
        assert_eq!(lost(&[stream, &CANCEL, &PING], reply), [0, 1]);
    }

    #[test]
    fn a_refusal_by_the_link_says_nothing_of_a_stream_before_it() {
        let stream = streamed();
        let one = single();
        assert_eq!(lost(&[stream, one], |_| ERROR.id), [0; 0]);
    }

    #[test]
    fn a_stream_stays_in_flight_until_its_end() {
        let stream = streamed();
        let mut flight = flight(&[stream]);
        for _ in 0..3 {
            let part = flight.settle(0, stream.id | REPLY | PART);
            assert!(matches!(
                part,
                Some(Settled {
                    reply: Settles::Part,
                    ..
                })
            ));
            assert_eq!(flight.in_core(), 1);
        }
        let end = flight.settle(0, stream.id | REPLY).map(|s| s.reply);
        assert!(matches!(end, Some(Settles::Last(_))));
        assert_eq!(flight.in_core(), 0);
    }

    /// Credits that are due after each part, from none on.
    fn credits(most: Option<u64>, parts: u64) -> Vec<u64> {
        let mut flight = flight(&[streamed()]);
        let mut given = Vec::new();
        flight.sent[0].stream = Some(Progress::new(most));
        for received in 0..=parts {
            if let Some(progress) = &mut flight.sent[0].stream {
                progress.received = received;
            }
            while flight.credit().is_some() {
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
    fn a_credit_that_was_lost_is_given_again() {
        let stream = streamed();
        let mut flight = flight(&[stream]);
        flight.sent[0].stream = Some(Progress {
            received: 1,
            ..Progress::new(None)
        });
        assert_eq!((flight.credit(), flight.credit()), (Some(0), None));
        flight.uncredit(7);
        assert_eq!(flight.credit(), None, "it was another stream's");
        flight.uncredit(0);
        assert_eq!((flight.credit(), flight.credit()), (Some(0), None));
    }

    #[test]
    fn a_place_is_kept_where_there_are_streams() {
        let stream = streamed();
        let one = single();
        let singles = flight(&[one; 3]);
        assert!(singles.has_room(one, false, 4));
        assert!(!singles.has_room(stream, true, 4));
        let mut streams = flight(&[stream, &PING]);
        assert!(!streams.has_room(one, false, 4), "it may need credit");
        assert!(!streams.has_room(stream, true, 4), "it may need credit");
        assert!(streams.has_room(&PING, false, 4));
        streams.sent[0].stream = Some(Progress::new(Some(8)));
        assert!(streams.has_room(stream, true, 4));
        assert!(!streams.has_room(&PING, false, 3));
        assert!(flight(&[]).has_room(stream, true, 1), "or it never has");
    }
}
