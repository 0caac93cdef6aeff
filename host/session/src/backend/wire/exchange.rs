//! Matches replies with the requests of a batch.
//!
//! `in_flight.rs` decides which requests a reply shows to be lost. So a lost frame is detected at the
//! next reply, or by a timeout if there is none. A stream gets credit as its parts come. A stream
//! that lost a part, or whose future was dropped, is cancelled before the next request.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use protocol::layout::{self, Message, REPLY, link as table};
use protocol::payload::link::Refusal;
use tracing::debug;

use super::batch::{Batch, Replies, Request};
use super::client::{ATTEMPTS, Client, Reply};
use super::in_flight::{Progress, Sent, Settles, Wanted};
use super::number::Number;
use super::traffic::Watched;
use crate::backend::{BackendError, BackendErrorKind};
use crate::link::LinkError;

type Result<T = ()> = std::result::Result<T, BackendError>;

/// Most `busy` refusals between two other answers.
const BUSY: u32 = 100;

/// Most breaks of streams, and most lost cancels of searches, between two streams that end.
const BROKEN: u32 = 8;

/// Most parts of a search that report no decision once its best so far is wanted.
const UNDECIDED: u32 = 1_000;

/// How long a search may report nothing while its core answers pings, if its interval is not known
/// yet; also the upper limit if it is.
const QUIET: Duration = Duration::from_secs(10);

/// Fewest answered pings before a search counts as over.
const PROBES: u32 = 8;

/// The lower limit of that time if the interval is known.
const FLOOR: Duration = Duration::from_secs(2);

/// A batch on its way.
pub(super) struct Exchange<'t, 'a> {
    client: &'t mut Client,
    batch: &'t mut Batch<'a>,
    /// Indices of the requests to send, in order.
    waiting: VecDeque<usize>,
    /// Timeouts since the last answer.
    timeouts: u32,
    /// A damaged frame came that is not attributed to a request yet.
    damaged: bool,
    /// `busy` refusals since the last answer.
    busy: u32,
    /// Streams broken off since one ended.
    broken: u32,
    /// Cancels lost since a stream ended.
    cancels: u32,
    /// Whether searches should end with their best answers so far.
    finishes: bool,
    /// Parts without a decision since then.
    undecided: u32,
}

impl<'t, 'a> Exchange<'t, 'a> {
    pub(super) fn new(client: &'t mut Client, batch: &'t mut Batch<'a>) -> Self {
        Self {
            client,
            waiting: batch.unanswered(),
            batch,
            timeouts: 0,
            damaged: false,
            busy: 0,
            broken: 0,
            cancels: 0,
            finishes: false,
            undecided: 0,
        }
    }

    /// Sends and receives until all requests are answered.
    pub(super) async fn run(mut self) -> Result {
        while self.batch.is_open() {
            self.send().await?;
            let finish = self.batch.finish.clone();
            let received = tokio::select! {
                biased;
                received = self.client.receive() => received,
                () = finish.wait(), if !self.finishes => {
                    self.finishes = true;
                    continue;
                }
            };
            match received {
                Ok(frames) => {
                    for frame in frames {
                        match frame {
                            Some(reply) => self.take(reply)?,
                            None => self.damaged = true,
                        }
                    }
                }
                Err(LinkError::Silent(why)) => self.timed_out(why).await?,
                Err(why) => return self.client.named(Err(why)),
            }
            // The damaged frame was the only reply expected, so it is lost; a search goes on.
            let in_flight = &self.client.in_flight;
            if self.damaged && in_flight.in_core() == 1 && in_flight.search().is_none() {
                self.resend("a frame was damaged")?;
            }
        }
        Ok(())
    }

    /// Sends everything again after a timeout; pings a search that has reported progress instead.
    async fn timed_out(&mut self, why: String) -> Result {
        let search = self.client.in_flight.search();
        let searching = search.is_some_and(|(_, _, progress)| progress.received > 0);
        if !searching || self.client.in_flight.is_probing() {
            self.timeouts += 1;
            if self.timeouts == ATTEMPTS {
                return self.client.named(Err(LinkError::Silent(why)));
            }
            self.client.timer.silent();
        }
        if searching {
            self.client.in_flight.drop_probe();
            let nonce = self.client.seq();
            return self.client.ping(nonce, Wanted::Probe).await.map(drop);
        }
        debug!(name = self.client.name, self.timeouts, why, "asking again");
        self.resend("nothing more came")
    }

    /// The request to send next.
    fn next(&mut self) -> Option<usize> {
        while let Some(&index) = self.waiting.front() {
            if self.batch.replies[index].is_none() {
                return Some(index);
            }
            self.waiting.pop_front();
        }
        None
    }

    /// Sends a cancel if a stream must end; otherwise credit, and requests while there is room.
    async fn send(&mut self) -> Result {
        let orphan = self.client.in_flight.has_orphan_stream();
        let search = self.client.in_flight.search().map(|(index, ..)| index);
        let finishes = self.finishes && search.is_some_and(|index| self.batch.can_finish(index));
        let has_place = |client: &Client| client.in_flight.in_core() < client.window;
        if (orphan || finishes) && !self.client.in_flight.is_cancelling() && has_place(self.client)
        {
            let cancel = Request::empty(&table::CANCEL);
            self.client.send(&cancel, Wanted::Cancel).await?;
        }
        if orphan {
            return Ok(());
        }
        while has_place(self.client)
            && let Some(stream) = self.client.in_flight.credit()
        {
            let credit = Request::empty(&table::CREDIT);
            self.client.send(&credit, Wanted::Credit(stream)).await?;
        }
        while let Some(index) = self.next() {
            let request = self.batch.requests[index];
            let streams = request.replies != Replies::One;
            let client = &mut *self.client;
            if !client
                .in_flight
                .has_room(request.message, streams, client.window)
            {
                break;
            }
            self.waiting.pop_front();
            if client.in_flight.in_core() == 0 {
                client.since = Instant::now();
            }
            client.send(&request, Wanted::By(index)).await?;
        }
        Ok(())
    }

    /// Takes a reply; fails when it is a refusal, does not fit its request, or has an invalid
    /// payload.
    fn take(&mut self, reply: Reply) -> Result {
        let Reply { seq, kind, .. } = reply;
        let Some(settled) = self.client.in_flight.settle(seq, kind) else {
            debug!(name = self.client.name, seq, kind, "dropped a stale reply");
            self.client.traffic.counts.stale += 1;
            return Ok(());
        };
        self.client.garbage = 0;
        self.client.since = Instant::now();
        self.client.heard = self.client.since;
        self.timeouts = 0;
        // A reply interleaved with a stream does not identify the damaged frame, unless it reveals
        // a loss.
        self.damaged &= settled.interleaved && settled.lost.is_empty();
        for lost in settled.lost.into_iter().rev() {
            self.overtaken(&lost)?;
        }
        match settled.reply {
            Settles::Part => self.take_part(&reply),
            Settles::Last(sent) => self.take_last(sent, reply),
        }
    }

    /// Handles a request that a later reply shows to be lost.
    fn overtaken(&mut self, lost: &Sent) -> Result {
        if !lost.held || lost.wanted == Wanted::No {
            return Ok(());
        }
        debug!(
            name = self.client.name,
            lost.seq, "overtaken by a later reply: lost"
        );
        self.client.traffic.lost();
        match lost.wanted {
            Wanted::By(index) => {
                self.waiting.push_front(index);
                match lost.stream {
                    Some(_) => self.count_broken(lost.message, "its end did not come"),
                    None => Ok(()),
                }
            }
            Wanted::Credit(stream) => {
                self.client.in_flight.uncredit(stream);
                Ok(())
            }
            Wanted::Cancel => {
                self.cancels += 1;
                match self.client.in_flight.search() {
                    Some((_, search, _)) if self.cancels > BROKEN => {
                        self.endless(search.message, "after a cancel, which should end it")
                    }
                    _ => Ok(()),
                }
            }
            Wanted::Probe | Wanted::No => Ok(()),
        }
    }

    /// Takes a part of the oldest stream.
    fn take_part(&mut self, reply: &Reply) -> Result {
        let number = Number::of_reply(self.client.game, reply, layout::PART_NUMBER);
        let Some(sent) = self.client.in_flight.first() else {
            return Ok(());
        };
        let message = sent.message;
        let Some(progress) = &mut sent.stream else {
            return Ok(());
        };
        progress.came += 1;
        if progress.is_beyond_credit() {
            return self.endless(message, "without credit, which should stop it");
        }
        let Wanted::By(index) = sent.wanted else {
            return Ok(());
        };
        let number = number.map_err(|why| BackendErrorKind::from(why).of(&self.client.name))?;
        let first = progress.received == 0;
        let expected = number.of(progress.received);
        if progress.search {
            // The parts between this one and the last are lost.
            progress.received += number.of(number.is.wrapping_sub(expected));
            let gap = progress.heard.elapsed();
            (progress.heard, progress.probes) = (Instant::now(), 0);
            if !first {
                self.client.gap = self.client.gap.max(Some(gap));
            }
        } else if number.is != expected {
            let why = format!("part {} came instead of part {expected}", number.is);
            return self.break_off(message, &why);
        }
        progress.received += 1;
        let is_search = progress.search;
        self.busy = 0;
        if first {
            self.client.timer.answered(sent.at.elapsed());
            self.batch.begins(index);
        }
        let taken = self.batch.part(index, &reply.payload);
        self.client.named(taken)?;
        if is_search && self.finishes && !self.batch.can_finish(index) {
            self.undecided += 1;
            if self.undecided > UNDECIDED {
                return self.endless(message, "without a decision, and its best so far is wanted");
            }
        }
        Ok(())
    }

    /// Fails because the core does not end a stream.
    fn endless(&self, message: &'static Message, how: &'static str) -> Result {
        let request = message.name;
        self.client
            .named(Err(BackendErrorKind::Endless { request, how }))
    }

    /// Takes the last or only reply to a request.
    fn take_last(&mut self, sent: Sent, reply: Reply) -> Result {
        match sent.wanted {
            Wanted::No => return Ok(()),
            Wanted::By(index) => {
                if self.batch.replies[index].is_some() {
                    // It was sent again, but an earlier attempt was answered after all.
                    self.client.traffic.counts.stale += 1;
                    return Ok(());
                }
                if sent.stream.is_none_or(|progress| progress.received == 0) {
                    self.client.timer.answered(sent.at.elapsed());
                }
            }
            Wanted::Credit(_) | Wanted::Cancel | Wanted::Probe => {}
        }
        match self.accept(sent.message, &reply)? {
            None => self.answered(&sent, reply),
            Some(code) if code == table::BUSY && self.busy < BUSY => {
                debug!(
                    name = self.client.name,
                    self.busy, "the core is busy, asking again"
                );
                self.client.traffic.counts.busy += 1;
                self.busy += 1;
                match sent.wanted {
                    Wanted::By(index) => self.waiting.push_front(index),
                    Wanted::Credit(stream) => self.client.in_flight.uncredit(stream),
                    Wanted::Cancel | Wanted::Probe | Wanted::No => {}
                }
                Ok(())
            }
            Some(code) => {
                let request = sent.message.name;
                self.client
                    .named(Err(BackendErrorKind::Refused { request, code }))
            }
        }
    }

    /// Handles the right reply to a request, or the end of a stream.
    fn answered(&mut self, sent: &Sent, reply: Reply) -> Result {
        let took = sent.at.elapsed();
        let Wanted::By(index) = sent.wanted else {
            self.client.traffic.answered(took, Watched::No);
            return match sent.wanted {
                Wanted::Probe => self.look_for_search(),
                _ => Ok(()),
            };
        };
        if let Some(progress) = sent.stream {
            if let Some(why) = self.missing(progress, &reply)? {
                self.client.traffic.lost();
                self.waiting.push_front(index);
                return self.count_broken(sent.message, &why);
            }
            if progress.received == 0 {
                self.batch.begins(index);
            }
            (self.broken, self.cancels) = (0, 0);
        }
        self.busy = 0;
        self.client.traffic.answered(took, self.batch.watched);
        self.batch.replies[index] = Some(reply.payload);
        Ok(())
    }

    /// Handles a pong of a searching core. If no part has come for long, the search is over and its
    /// end was lost.
    fn look_for_search(&mut self) -> Result {
        let Some(progress) = self.client.in_flight.searched() else {
            return Ok(());
        };
        progress.probes += 1;
        let (probes, silent) = (progress.probes, progress.heard.elapsed());
        let usual = match self.client.timer.is_fixed() {
            // Simulated time spaces the pings already.
            true => Duration::ZERO,
            false => {
                let gap = self.client.gap;
                let usual = gap.map_or(QUIET, |gap| (8 * gap).clamp(FLOOR, QUIET));
                // The parts of an early depth come fast, and a simulated core may be slow.
                (usual * (1 << self.broken.min(3))).min(QUIET)
            }
        };
        match self.client.in_flight.search() {
            Some((_, sent, _)) if probes >= PROBES && silent >= usual => {
                let message = sent.message;
                let why = format!("no part came, though the core answered {probes} pings");
                self.break_off(message, &why)
            }
            _ => Ok(()),
        }
    }

    /// What a stream lacks according to its end, if anything.
    fn missing(&self, progress: Progress, end: &Reply) -> Result<Option<String>> {
        if progress.search && self.finishes {
            return Ok(None);
        }
        let number = |field| Number::of_reply(self.client.game, end, field);
        let parts = self.client.named(number(layout::PARTS))?;
        if !progress.search && parts.is != parts.of(progress.received) {
            let (counted, came) = (parts.is, progress.received);
            return Ok(Some(format!("its end counts {counted} parts, {came} came")));
        }
        let cancelled = self.client.named(number(layout::CANCELLED))?;
        Ok((cancelled.is != 0).then(|| "it was cancelled".into()))
    }

    /// Counts all requests in flight as lost and queues those still needed again, in order. A
    /// stream without further parts is cancelled first.
    fn resend(&mut self, why: &str) -> Result {
        self.damaged = false;
        let mut stream = None;
        for sent in self.client.in_flight.iter_mut().rev() {
            if sent.held
                && let Wanted::By(index) = sent.wanted
            {
                self.client.traffic.lost();
                self.waiting.push_front(index);
                if sent.stream.is_some() {
                    sent.wanted = Wanted::No;
                    stream = Some(sent.message);
                }
            }
            sent.held = false;
        }
        self.client.since = Instant::now();
        stream.map_or(Ok(()), |message| self.count_broken(message, why))
    }

    /// Cancels a stream that lost a part and requests it again, and so all streams after it,
    /// because a cancel ends them, too.
    fn break_off(&mut self, message: &'static Message, why: &str) -> Result {
        self.client.traffic.lost();
        for sent in self.client.in_flight.iter_mut().rev() {
            if sent.stream.is_some()
                && let Wanted::By(index) = sent.wanted
            {
                sent.wanted = Wanted::No;
                self.waiting.push_front(index);
            }
        }
        self.count_broken(message, why)
    }

    /// Counts a broken stream; fails when there were too many in a row.
    fn count_broken(&mut self, message: &'static Message, why: &str) -> Result {
        let request = message.name;
        let name = &self.client.name;
        debug!(name, request, why, "the stream is to begin again");
        self.broken += 1;
        if self.broken <= BROKEN {
            return Ok(());
        }
        self.client.named(Err(BackendErrorKind::Broken {
            request,
            times: self.broken,
            why: why.into(),
        }))
    }

    /// Checks that a reply belongs to its request; returns the code of a refusal.
    fn accept(
        &self,
        message: &'static Message,
        reply: &Reply,
    ) -> Result<Option<protocol::ErrorCode>> {
        if reply.kind == message.id | REPLY {
            return Ok(None);
        }
        if reply.kind == table::ERROR.id {
            let refusal = Refusal::decode(self.client.game, &reply.payload);
            let refusal = self.client.named(refusal)?;
            if refusal.request == message.id {
                return Ok(Some(refusal.code));
            }
            let (request, other) = (message.name, refusal.request);
            return self
                .client
                .named(Err(BackendErrorKind::OtherRefused { request, other }));
        }
        let (request, kind) = (message.name, reply.kind);
        self.client
            .named(Err(BackendErrorKind::WrongReply { request, kind }))
    }
}
