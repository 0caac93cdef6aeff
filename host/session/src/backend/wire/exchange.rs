//! Sends the requests of a batch and matches replies with them.
//!
//! [`Exchange::run`] is the loop: send as many requests as the core has places for, receive frames,
//! take each reply. A lost frame is detected by the next reply, which `in_flight.rs` matches with the
//! requests before it, or by a timeout; then its request is sent again. A stream gets credit as its
//! parts come. A stream that lost a part, or whose future was dropped, is cancelled before the next
//! request is sent.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use protocol::layout::{self, Message, REPLY, link as table};
use protocol::payload::link::Refusal;
use tracing::debug;

use super::batch::{Batch, Replies, Request};
use super::client::{ATTEMPTS, Client, Reply};
use super::in_flight::{Purpose, Sent, StreamProgress};
use super::number::Number;
use super::timeout::quiet;
use crate::backend::{BackendError, BackendErrorKind};
use crate::link::LinkError;

type Result<T = ()> = std::result::Result<T, BackendError>;

/// Maximum number of `busy` refusals between two other replies.
const MAX_BUSY: u32 = 100;

/// Maximum number of incomplete streams, and of lost cancels of searches, between two streams that
/// end.
const MAX_BROKEN: u32 = 8;

/// Maximum number of parts without a decision after the best decision so far was requested.
const MAX_UNDECIDED: u32 = 1_000;

/// Minimum number of pings answered without a part between them before a search counts as over.
const MIN_PROBES: u32 = 8;

/// A batch whose requests are being answered.
pub(super) struct Exchange<'t, 'a> {
    client: &'t mut Client,
    batch: &'t mut Batch<'a>,
    /// Indices of the requests to send, in order.
    to_send: VecDeque<usize>,
    /// Timeouts since the last reply.
    timeouts: u32,
    /// Whether a damaged frame came that may have been the reply to any request in flight.
    damaged: bool,
    /// `busy` refusals since the last other reply.
    busy: u32,
    /// Incomplete streams since one ended.
    broken_streams: u32,
    /// Cancels lost since a stream ended.
    lost_cancels: u32,
    /// Whether searches should end with their best decisions so far.
    is_finishing: bool,
    /// Parts without a decision since the best decision so far was requested.
    undecided: u32,
}

impl<'t, 'a> Exchange<'t, 'a> {
    pub(super) fn new(client: &'t mut Client, batch: &'t mut Batch<'a>) -> Self {
        Self {
            client,
            to_send: batch.unanswered(),
            batch,
            timeouts: 0,
            damaged: false,
            busy: 0,
            broken_streams: 0,
            lost_cancels: 0,
            is_finishing: false,
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
                () = finish.wait(), if !self.is_finishing => {
                    self.is_finishing = true;
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
            // Only one reply is expected, so the damaged frame was that one. A search sends more parts.
            let in_flight = &mut self.client.in_flight;
            if self.damaged && in_flight.in_core() == 1 && in_flight.search().is_none() {
                self.resend("a frame was damaged")?;
            }
        }
        Ok(())
    }

    /// Sends all requests in flight again after a timeout; pings a core that searches instead.
    async fn timed_out(&mut self, why: String) -> Result {
        let search = self.client.in_flight.search();
        let searching = search.is_some_and(|search| search.progress.received > 0);
        if !searching || self.client.in_flight.is_probing() {
            self.timeouts += 1;
            if self.timeouts == ATTEMPTS {
                return self.client.named(Err(LinkError::Silent(why)));
            }
            self.client.timer.timed_out();
        }
        if searching {
            self.client.in_flight.lose_probe();
            return self.client.ping(0, Purpose::Probe).await.map(drop);
        }
        debug!(name = self.client.name, self.timeouts, why, "sending again");
        self.resend("nothing more came")
    }

    /// Index of the request to send next.
    fn next(&mut self) -> Option<usize> {
        while let Some(&index) = self.to_send.front() {
            if self.batch.replies[index].is_none() {
                return Some(index);
            }
            self.to_send.pop_front();
        }
        None
    }

    /// Sends a cancel if a stream must end; otherwise credit, and requests as long as there is room.
    async fn send(&mut self) -> Result {
        let orphan = self.client.in_flight.has_orphan_stream();
        let search = self.client.in_flight.search();
        let finishes = self.is_finishing
            && search.is_some_and(|search| self.batch.parts.can_finish(search.index));
        let has_place = |client: &Client| client.in_flight.in_core() < client.window;
        if (orphan || finishes) && !self.client.in_flight.is_cancelling() && has_place(self.client)
        {
            let cancel = Request::empty(&table::CANCEL);
            self.client.send(&cancel, Purpose::Cancel).await?;
        }
        if orphan {
            return Ok(());
        }
        while has_place(self.client)
            && let Some(stream) = self.client.in_flight.credit()
        {
            let credit = Request::empty(&table::CREDIT);
            self.client.send(&credit, Purpose::Credit(stream)).await?;
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
            self.to_send.pop_front();
            if client.in_flight.in_core() == 0 {
                client.waiting_since = Instant::now();
            }
            client.send(&request, Purpose::Request(index)).await?;
        }
        Ok(())
    }

    /// Takes a reply and everything it shows about requests before its own.
    ///
    /// # Errors
    /// When it is a refusal, does not fit its request, or has an invalid payload.
    fn take(&mut self, reply: Reply) -> Result {
        let Reply { seq, kind, .. } = reply;
        let Some(settled) = self.client.in_flight.settle(seq, kind) else {
            debug!(name = self.client.name, seq, kind, "dropped a stale reply");
            self.client.traffic.counts.stale += 1;
            return Ok(());
        };
        self.client.garbage = 0;
        self.client.waiting_since = Instant::now();
        self.client.last_reply = self.client.waiting_since;
        self.timeouts = 0;
        // A reply between the parts of a stream does not identify the damaged frame, unless it
        // reveals a loss.
        self.damaged &= settled.interleaved && settled.lost.is_empty();
        for lost in settled.lost.into_iter().rev() {
            self.handle_lost(&lost)?;
        }
        match settled.ended {
            None => self.take_part(&reply),
            Some(sent) => self.take_last(sent, reply),
        }
    }

    /// Handles a request that a later reply shows to be lost: queues it again if it is needed.
    fn handle_lost(&mut self, lost: &Sent) -> Result {
        if !lost.in_core || lost.purpose == Purpose::Orphan {
            return Ok(());
        }
        debug!(
            name = self.client.name,
            lost.seq, "a later reply shows that it is lost"
        );
        self.client.traffic.lost();
        match lost.purpose {
            Purpose::Request(index) => {
                self.to_send.push_front(index);
                match lost.stream {
                    Some(_) => self.count_broken(lost.message, "its end did not come"),
                    None => Ok(()),
                }
            }
            Purpose::Credit(stream) => {
                self.client.in_flight.uncredit(stream);
                Ok(())
            }
            Purpose::Cancel => {
                self.lost_cancels += 1;
                let search = self.client.in_flight.search().map(|search| search.message);
                match search {
                    Some(message) if self.lost_cancels > MAX_BROKEN => {
                        self.endless(message, "after a cancel, which should end it")
                    }
                    _ => Ok(()),
                }
            }
            Purpose::Probe | Purpose::Orphan => Ok(()),
        }
    }

    /// Takes a part of the stream that was requested first.
    fn take_part(&mut self, reply: &Reply) -> Result {
        let number = Number::in_reply(self.client.game, reply, layout::PART_NUMBER);
        let Some(sent) = self.client.in_flight.sent.front_mut() else {
            return Ok(());
        };
        let message = sent.message;
        let Some(progress) = &mut sent.stream else {
            return Ok(());
        };
        progress.arrived += 1;
        if progress.is_beyond_credit() {
            return self.endless(message, "without credit, which should stop it");
        }
        let Purpose::Request(index) = sent.purpose else {
            return Ok(());
        };
        let number = number.map_err(|why| BackendErrorKind::from(why).of(&self.client.name))?;
        let first = progress.received == 0;
        let expected = number.truncate(progress.received);
        if progress.search {
            // The parts between this one and the last are lost.
            progress.received += number.truncate(number.value.wrapping_sub(expected));
            let gap = progress.last_part.elapsed();
            (progress.last_part, progress.probes) = (Instant::now(), 0);
            if !first {
                self.client.longest_gap = self.client.longest_gap.max(Some(gap));
            }
        } else if number.value != expected {
            let why = format!("part {} came instead of part {expected}", number.value);
            return self.break_stream(message, &why);
        }
        progress.received += 1;
        let is_search = progress.search;
        self.busy = 0;
        if first {
            self.client.timer.answered(sent.at.elapsed());
            self.batch.parts.begins(index);
        }
        let taken = self.batch.parts.part(index, &reply.payload);
        self.client.named(taken)?;
        if is_search && self.is_finishing && !self.batch.parts.can_finish(index) {
            self.undecided += 1;
            if self.undecided > MAX_UNDECIDED {
                return self.endless(message, "without a decision, which the host waits for");
            }
        }
        Ok(())
    }

    fn fail<T>(&self, why: String) -> Result<T> {
        Err(BackendErrorKind::Failed(why).of(&self.client.name))
    }

    /// The error of a core that does not end a stream.
    fn endless(&self, message: &'static Message, how: &'static str) -> Result {
        let request = message.name;
        self.fail(format!(
            "the core keeps answering {request} {how}: reset the core, or correct its design"
        ))
    }

    /// Takes the last or only reply to a request.
    fn take_last(&mut self, sent: Sent, reply: Reply) -> Result {
        match sent.purpose {
            Purpose::Orphan => return Ok(()),
            Purpose::Request(index) => {
                if self.batch.replies[index].is_some() {
                    // The request was sent again, and both attempts were answered.
                    self.client.traffic.counts.stale += 1;
                    return Ok(());
                }
                if sent.stream.is_none_or(|progress| progress.received == 0) {
                    self.client.timer.answered(sent.at.elapsed());
                }
            }
            Purpose::Credit(_) | Purpose::Cancel | Purpose::Probe => {}
        }
        match self.refusal(sent.message, &reply)? {
            None => self.answered(&sent, reply),
            Some(code) if code == table::BUSY && self.busy < MAX_BUSY => {
                debug!(
                    name = self.client.name,
                    self.busy, "the core is busy, sending again"
                );
                self.client.traffic.counts.busy += 1;
                self.busy += 1;
                match sent.purpose {
                    Purpose::Request(index) => self.to_send.push_front(index),
                    Purpose::Credit(stream) => self.client.in_flight.uncredit(stream),
                    Purpose::Cancel | Purpose::Probe | Purpose::Orphan => {}
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
        let Purpose::Request(index) = sent.purpose else {
            self.client.traffic.answered(took, false);
            return match sent.purpose {
                Purpose::Probe => self.check_search(),
                _ => Ok(()),
            };
        };
        if let Some(progress) = sent.stream {
            if let Some(why) = self.missing(progress, &reply)? {
                self.client.traffic.lost();
                self.to_send.push_front(index);
                return self.count_broken(sent.message, &why);
            }
            if progress.received == 0 {
                self.batch.parts.begins(index);
            }
            (self.broken_streams, self.lost_cancels) = (0, 0);
        }
        self.busy = 0;
        let is_decision = reply.kind == self.client.game.decision.id;
        self.client.traffic.answered(took, is_decision);
        self.batch.replies[index] = Some(reply.payload);
        Ok(())
    }

    /// Handles a pong of a searching core: if no part has come for long, the search is over and its
    /// end was lost.
    fn check_search(&mut self) -> Result {
        let Some(search) = self.client.in_flight.search() else {
            return Ok(());
        };
        search.progress.probes += 1;
        let (message, probes) = (search.message, search.progress.probes);
        let silent = search.progress.last_part.elapsed();
        let usual = match self.client.timer.is_fixed() {
            // In simulated time the timeout between two pings is long enough.
            true => Duration::ZERO,
            false => quiet(self.client.longest_gap, self.broken_streams),
        };
        if probes < MIN_PROBES || silent < usual {
            return Ok(());
        }
        let why = format!("no part came, though the core answered {probes} pings");
        self.break_stream(message, &why)
    }

    /// What a stream lacks according to the reply that ends it, if anything.
    fn missing(&self, progress: StreamProgress, end: &Reply) -> Result<Option<String>> {
        if progress.search && self.is_finishing {
            return Ok(None);
        }
        let number = |field| Number::in_reply(self.client.game, end, field);
        let parts = self.client.named(number(layout::PARTS))?;
        if !progress.search && parts.value != parts.truncate(progress.received) {
            let (counted, came) = (parts.value, progress.received);
            return Ok(Some(format!("its end counts {counted} parts, {came} came")));
        }
        let cancelled = self.client.named(number(layout::CANCELLED))?;
        Ok((cancelled.value != 0).then(|| "it was cancelled".into()))
    }

    /// Counts all requests in flight as lost and queues those that are still needed again, in order.
    /// A stream among them is cancelled first.
    fn resend(&mut self, why: &str) -> Result {
        self.damaged = false;
        let mut stream = None;
        for sent in self.client.in_flight.sent.iter_mut().rev() {
            if sent.in_core
                && let Purpose::Request(index) = sent.purpose
            {
                self.client.traffic.lost();
                self.to_send.push_front(index);
                if sent.stream.is_some() {
                    sent.purpose = Purpose::Orphan;
                    stream = Some(sent.message);
                }
            }
            sent.in_core = false;
        }
        self.client.waiting_since = Instant::now();
        stream.map_or(Ok(()), |message| self.count_broken(message, why))
    }

    /// Cancels a stream that lost a part, and queues it again with all streams after it, which the
    /// cancel ends as well.
    fn break_stream(&mut self, message: &'static Message, why: &str) -> Result {
        self.client.traffic.lost();
        for sent in self.client.in_flight.sent.iter_mut().rev() {
            if sent.stream.is_some()
                && let Purpose::Request(index) = sent.purpose
            {
                sent.purpose = Purpose::Orphan;
                self.to_send.push_front(index);
            }
        }
        self.count_broken(message, why)
    }

    /// Counts a stream that is requested again; fails after too many in a row.
    fn count_broken(&mut self, message: &'static Message, why: &str) -> Result {
        let request = message.name;
        let name = &self.client.name;
        debug!(name, request, why, "requesting the stream again");
        self.broken_streams += 1;
        if self.broken_streams <= MAX_BROKEN {
            return Ok(());
        }
        self.client.named(Err(BackendErrorKind::Broken {
            request,
            times: self.broken_streams,
            why: why.into(),
        }))
    }

    /// The code of a refusal, if the reply is one; an error if the reply does not fit its request.
    fn refusal(
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
            return self.fail(format!(
                "the core answered {request} with the refusal of message {other:#04x}"
            ));
        }
        let (request, kind) = (message.name, reply.kind);
        self.fail(format!(
            "the core answered {request} with message {kind:#04x}"
        ))
    }
}
