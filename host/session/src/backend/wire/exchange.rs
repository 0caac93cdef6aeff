//! The effect of a reply on the current batch.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use protocol::layout::{self, Message, REPLY, link as table};
use protocol::payload::PayloadError;
use protocol::payload::link::Refusal;
use tracing::debug;

use super::batch::Batch;
use super::client::{Client, Reply};
use super::in_flight::{Progress, Sent, Settles, Wanted};
use super::traffic::Watched;
use crate::backend::{BackendError, BackendErrorKind};

/// Most `busy` refusals between two other answers.
const BUSY: u32 = 100;

/// Most breaks of streams, and most lost cancels of searches, between two streams that end.
const BROKEN: u32 = 8;

/// How long a search may report nothing while its core answers pings, if its interval is not known
/// yet; also the upper limit if it is.
const QUIET: Duration = Duration::from_secs(10);

/// Fewest answered pings before a search counts as over.
const PROBES: u32 = 8;

/// The lower limit of that time if the interval is known.
const FLOOR: Duration = Duration::from_secs(1);

/// The current batch and its failures.
pub(super) struct Exchange<'t, 'a> {
    pub(super) batch: &'t mut Batch<'a>,
    /// Indices of the requests to send, in order.
    pub(super) waiting: VecDeque<usize>,
    /// Timeouts since the last answer.
    pub(super) timeouts: u32,
    /// A damaged frame came that is not attributed to a request yet.
    pub(super) damaged: bool,
    /// `busy` refusals since the last answer.
    busy: u32,
    /// Streams broken off since one ended.
    broken: u32,
    /// Cancels lost since a stream ended.
    cancels: u32,
    /// Whether searches should end with their best answers so far.
    pub(super) finishes: bool,
}

impl<'t, 'a> Exchange<'t, 'a> {
    pub(super) fn of(batch: &'t mut Batch<'a>) -> Self {
        Self {
            waiting: batch.unanswered(),
            batch,
            timeouts: 0,
            damaged: false,
            busy: 0,
            broken: 0,
            cancels: 0,
            finishes: false,
        }
    }

    /// The request to send next.
    pub(super) fn next(&mut self) -> Option<usize> {
        while let Some(&index) = self.waiting.front() {
            if self.batch.replies[index].is_none() {
                return Some(index);
            }
            self.waiting.pop_front();
        }
        None
    }
}

impl Client {
    /// Takes a reply.
    ///
    /// # Errors
    /// When it is a refusal, does not fit its request, or has an invalid payload.
    pub(super) fn take(
        &mut self,
        reply: Reply,
        exchange: &mut Exchange<'_, '_>,
    ) -> Result<(), BackendError> {
        let Some(settled) = self.in_flight.settle(reply.seq, reply.kind) else {
            let Reply { seq, kind, .. } = reply;
            debug!(name = self.name, seq, kind, "dropped a stale reply");
            self.traffic.counts.stale += 1;
            return Ok(());
        };
        self.garbage = 0;
        self.since = Instant::now();
        self.heard = self.since;
        exchange.timeouts = 0;
        // A reply interleaved with a stream does not identify the damaged frame, unless it reveals
        // a loss.
        exchange.damaged &= settled.interleaved && settled.lost.is_empty();
        for lost in settled.lost.into_iter().rev() {
            self.overtaken(&lost, exchange)?;
        }
        match settled.reply {
            Settles::Part => self.take_part(&reply, exchange),
            Settles::Last(sent) => self.take_last(sent, reply, exchange),
        }
    }

    /// Handles a request that a later reply shows to be lost.
    fn overtaken(
        &mut self,
        lost: &Sent,
        exchange: &mut Exchange<'_, '_>,
    ) -> Result<(), BackendError> {
        if !lost.held || lost.wanted == Wanted::No {
            return Ok(());
        }
        debug!(
            name = self.name,
            lost.seq, "overtaken by a later reply: lost"
        );
        self.traffic.lost();
        match lost.wanted {
            Wanted::By(index) => {
                exchange.waiting.push_front(index);
                match lost.stream {
                    Some(_) => self.broken(lost.message, "its end did not come", exchange),
                    None => Ok(()),
                }
            }
            Wanted::Credit(stream) => {
                self.in_flight.uncredit(stream);
                Ok(())
            }
            Wanted::Cancel => {
                exchange.cancels += 1;
                match self.in_flight.search() {
                    Some((_, search, _)) if exchange.cancels > BROKEN => {
                        let request = search.message.name;
                        Err(BackendErrorKind::Endless { request }.of(&self.name))
                    }
                    _ => Ok(()),
                }
            }
            Wanted::Probe | Wanted::No => Ok(()),
        }
    }

    /// Takes a part of the oldest stream.
    fn take_part(
        &mut self,
        reply: &Reply,
        exchange: &mut Exchange<'_, '_>,
    ) -> Result<(), BackendError> {
        let number = self.field(reply, layout::PART_NUMBER);
        let Some((sent, index)) = self.in_flight.first().and_then(|sent| match sent.wanted {
            Wanted::By(index) => Some((sent, index)),
            _ => None,
        }) else {
            return Ok(());
        };
        let (message, at) = (sent.message, sent.at);
        let Some(progress) = &mut sent.stream else {
            return Ok(());
        };
        let number = number.map_err(|why| BackendErrorKind::from(why).of(&self.name))?;
        let first = progress.received == 0;
        let due = number.of(progress.received);
        if progress.search {
            // The parts between this one and the last are lost.
            progress.received += number.of(number.is.wrapping_sub(due));
            let gap = progress.heard.elapsed();
            (progress.heard, progress.probes) = (Instant::now(), 0);
            if !first {
                self.gap = self.gap.max(Some(gap));
            }
        } else if number.is != due {
            let why = format!("part {} came instead of part {due}", number.is);
            return self.break_off(message, &why, exchange);
        }
        progress.received += 1;
        exchange.busy = 0;
        if first {
            self.timer.answered(at.elapsed());
            exchange.batch.begins(index);
        }
        let taken = exchange.batch.part(index, &reply.payload);
        self.read(taken)
    }

    /// Takes the last or only reply to a request.
    fn take_last(
        &mut self,
        sent: Sent,
        reply: Reply,
        exchange: &mut Exchange<'_, '_>,
    ) -> Result<(), BackendError> {
        let answered = match sent.wanted {
            Wanted::No => return Ok(()),
            Wanted::By(index) => exchange.batch.replies[index].is_some(),
            Wanted::Credit(_) | Wanted::Cancel | Wanted::Probe => false,
        };
        if answered {
            // It was sent again, but an earlier attempt was answered after all.
            self.traffic.counts.stale += 1;
            return Ok(());
        }
        let accepted = self.accept(sent.message, &reply);
        let begins = sent.stream.is_none_or(|progress| progress.received == 0);
        if matches!(sent.wanted, Wanted::By(_)) && begins {
            self.timer.answered(sent.at.elapsed());
        }
        match accepted {
            Ok(()) => self.answered(&sent, reply, exchange),
            Err(error) if is_busy(&error) && exchange.busy < BUSY => {
                debug!(
                    name = self.name,
                    exchange.busy, "the core is busy, asking again"
                );
                self.traffic.counts.busy += 1;
                exchange.busy += 1;
                match sent.wanted {
                    Wanted::By(index) => exchange.waiting.push_front(index),
                    Wanted::Credit(stream) => self.in_flight.uncredit(stream),
                    Wanted::Cancel | Wanted::Probe | Wanted::No => {}
                }
                Ok(())
            }
            Err(why) => Err(why),
        }
    }

    /// Handles the right reply to a request, or the end of a stream.
    fn answered(
        &mut self,
        sent: &Sent,
        reply: Reply,
        exchange: &mut Exchange<'_, '_>,
    ) -> Result<(), BackendError> {
        let Wanted::By(index) = sent.wanted else {
            self.traffic.answered(sent.at.elapsed(), Watched::No);
            return match sent.wanted {
                Wanted::Probe => self.look_for_search(exchange),
                _ => Ok(()),
            };
        };
        if let Some(progress) = sent.stream {
            if let Some(why) = self.lacks(progress, &reply, exchange.finishes)? {
                self.traffic.lost();
                exchange.waiting.push_front(index);
                return self.broken(sent.message, &why, exchange);
            }
            if progress.received == 0 {
                exchange.batch.begins(index);
            }
            (exchange.broken, exchange.cancels) = (0, 0);
        }
        exchange.busy = 0;
        let watched = exchange.batch.watched;
        self.traffic.answered(sent.at.elapsed(), watched);
        exchange.batch.replies[index] = Some(reply.payload);
        Ok(())
    }

    /// Handles a pong of a searching core. If no part has come for long, the search is over and its
    /// end was lost.
    fn look_for_search(&mut self, exchange: &mut Exchange<'_, '_>) -> Result<(), BackendError> {
        let Some(progress) = self.in_flight.searched() else {
            return Ok(());
        };
        progress.probes += 1;
        let (probes, silent) = (progress.probes, progress.heard.elapsed());
        let usual = match self.timer.is_fixed() {
            // Simulated time spaces the pings already.
            true => Duration::ZERO,
            false => self.gap.map_or(QUIET, |gap| (8 * gap).clamp(FLOOR, QUIET)),
        };
        let Some((_, sent, _)) = self.in_flight.search() else {
            return Ok(());
        };
        if probes < PROBES || silent < usual {
            return Ok(());
        }
        let message = sent.message;
        let why = format!("no part came, though the core answered {probes} pings");
        self.break_off(message, &why, exchange)
    }

    /// What a stream lacks according to its end, if anything. `finishes`: it may be cancelled.
    fn lacks(
        &self,
        progress: Progress,
        end: &Reply,
        finishes: bool,
    ) -> Result<Option<String>, BackendError> {
        if progress.search && finishes {
            return Ok(None);
        }
        let parts = self.read(self.field(end, layout::PARTS))?;
        if !progress.search && parts.is != parts.of(progress.received) {
            let (told, came) = (parts.is, progress.received);
            return Ok(Some(format!("its end counts {told} parts, {came} came")));
        }
        let cancelled = self.read(self.field(end, layout::CANCELLED))?;
        Ok((cancelled.is != 0).then(|| "it was cancelled".into()))
    }

    /// Counts all requests in in_flight as lost and queues those still needed again, in order. A
    /// stream without further parts is cancelled first.
    ///
    /// # Errors
    /// When this happened too often.
    pub(super) fn give_up(
        &mut self,
        why: &str,
        exchange: &mut Exchange<'_, '_>,
    ) -> Result<(), BackendError> {
        exchange.damaged = false;
        let mut stream = None;
        for sent in self.in_flight.iter_mut().rev() {
            if sent.held
                && let Wanted::By(index) = sent.wanted
            {
                self.traffic.lost();
                exchange.waiting.push_front(index);
                if sent.stream.is_some() {
                    sent.wanted = Wanted::No;
                    stream = Some(sent.message);
                }
            }
            sent.held = false;
        }
        self.since = Instant::now();
        match stream {
            Some(message) => self.broken(message, why, exchange),
            None => Ok(()),
        }
    }

    /// A stream lost a part. It is cancelled and requested again, and so are all streams after it,
    /// because a cancel ends them, too.
    fn break_off(
        &mut self,
        message: &'static Message,
        why: &str,
        exchange: &mut Exchange<'_, '_>,
    ) -> Result<(), BackendError> {
        self.traffic.lost();
        for sent in self.in_flight.iter_mut().rev() {
            if sent.stream.is_some()
                && let Wanted::By(index) = sent.wanted
            {
                sent.wanted = Wanted::No;
                exchange.waiting.push_front(index);
            }
        }
        self.broken(message, why, exchange)
    }

    /// Counts a broken stream.
    fn broken(
        &self,
        message: &'static Message,
        why: &str,
        exchange: &mut Exchange<'_, '_>,
    ) -> Result<(), BackendError> {
        let request = message.name;
        debug!(
            name = self.name,
            request, why, "the stream is to begin again"
        );
        exchange.broken += 1;
        if exchange.broken <= BROKEN {
            return Ok(());
        }
        Err(BackendErrorKind::Broken {
            request,
            times: exchange.broken,
            why: why.into(),
        }
        .of(&self.name))
    }

    fn accept(&self, message: &'static Message, reply: &Reply) -> Result<(), BackendError> {
        if reply.kind == message.id | REPLY {
            return Ok(());
        }
        if reply.kind == table::ERROR.id {
            let refusal = self.read(Refusal::decode(self.game, &reply.payload))?;
            let (request, code) = (message.name, refusal.code);
            return Err(BackendErrorKind::Refused { request, code }.of(&self.name));
        }
        let (request, kind) = (message.name, reply.kind);
        Err(BackendErrorKind::WrongReply { request, kind }.of(&self.name))
    }

    /// A number in a reply, by its field's name in the table.
    fn field(&self, reply: &Reply, name: &'static str) -> Result<Number, PayloadError> {
        let message = self.game.message(reply.kind);
        let slot = message.and_then(|message| message.slot(name));
        let found = slot.and_then(|slot| Number::read(reply.payload.get(slot.start..)?, slot.len));
        found.ok_or(PayloadError::Length {
            payload: message.map_or("reply", |message| message.name),
            expected: message.map_or(0, Message::bytes),
            got: reply.payload.len(),
        })
    }
}

/// A number and its width in bytes.
#[derive(Clone, Copy)]
struct Number {
    is: u64,
    bytes: usize,
}

impl Number {
    fn read(from: &[u8], bytes: usize) -> Option<Self> {
        let mut all = [0; 8];
        all.get_mut(..bytes)?.copy_from_slice(from.get(..bytes)?);
        let is = u64::from_le_bytes(all);
        Some(Self { is, bytes })
    }

    /// A 64-bit count truncated to this width.
    fn of(self, count: u64) -> u64 {
        let bits = 8 * self.bytes as u32;
        count & u64::MAX.checked_shr(64 - bits).unwrap_or(0)
    }
}

fn is_busy(error: &BackendError) -> bool {
    matches!(error.kind, BackendErrorKind::Refused { code, .. } if code == table::BUSY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_may_go_beyond_its_bytes() {
        let number = |bytes: &[u8]| Number::read(bytes, bytes.len()).expect("a number");
        assert_eq!(number(&[0x34, 0x12]).is, 0x1234);
        assert_eq!(number(&[0, 0]).of(0x1_0002), 2);
        assert_eq!(number(&[0; 8]).of(u64::MAX), u64::MAX);
        assert!(Number::read(&[1], 2).is_none());
        assert!(Number::read(&[1; 9], 9).is_none());
    }
}
