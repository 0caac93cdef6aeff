//! Streams that last until they are cancelled.

use std::collections::VecDeque;

use protocol::layout::{PART, REPLY, link};

use super::game::{ENDLESS, GAME, game_replies};
use super::{After, Core, ExpectedReply, QUIET, WINDOW};
use crate::{Failure, frames};

/// Maximum number of parts that may be sent before the reply to a request of the link.
const AMONG: usize = 3;

impl Core<'_> {
    /// Queues a request; returns its sequence number.
    fn queue(&mut self, kind: u8, payload: &[u8]) -> u16 {
        self.seq = self.seq.wrapping_add(1);
        self.wire(&frames::request(self.seq, kind, payload), After::Good);
        self.stats.frames_good += 1;
        self.next_slot = (self.next_slot + 1) % WINDOW as u64;
        if kind == link::CREDIT.id {
            self.credit = self.credit.map(|all| all + u64::from(link::STREAM_CREDIT));
        } else if kind == link::CANCEL.id && payload.is_empty() {
            self.credit = None;
        }
        self.seq
    }

    /// Sends a complete request without a payload; returns its sequence number.
    fn sends(&mut self, kind: u8) -> Result<u16, Failure> {
        let seq = self.queue(kind, &[]);
        while !self.line.is_empty() {
            self.step()?;
        }
        Ok(seq)
    }

    /// Receives exactly `count` parts of the endless stream, and the replies `own` between them.
    ///
    /// Each of these replies comes after at most `among` parts.
    fn parts(
        &mut self,
        stream: u16,
        count: usize,
        mut own: VecDeque<(u16, u8)>,
        among: usize,
    ) -> Result<(), Failure> {
        let (mut got, mut waited) = (0, 0);
        // Parts sent before the last request was complete.
        let mut early = self.received.len();
        while got < count || !own.is_empty() {
            let (seq, (kind, _)) = self.receive()?;
            if Some(&(seq, kind)) == own.front() {
                own.pop_front();
                (waited, early) = (0, early.saturating_sub(1));
                continue;
            }
            let part = (stream, ENDLESS | REPLY | PART);
            self.trial
                .same("a frame in a stream", &(seq, kind), &part)?;
            got += 1;
            match early {
                0 => waited += 1,
                _ => early -= 1,
            }
            if !own.is_empty() && waited > among {
                return self
                    .trial
                    .differs("nothing is answered between parts".into());
            }
        }
        self.trial.same("parts", &got, &count)
    }

    /// Checks that nothing is sent without credit; the core is idle while a part waits for it.
    fn quiet(&mut self) -> Result<(), Failure> {
        (0..QUIET).try_for_each(|_| self.step())?;
        // With `waits_for_room` the game works on: it may have no part to offer.
        if !self.waits_for_room {
            self.is_at_work(false)?;
        }
        let more = self.received.pop_front();
        self.trial.same("a frame without credit", &more, &None)
    }

    /// Tests an endless stream: as many parts as credit, other requests between them, and its end
    /// after a cancel.
    pub(super) fn stream(&mut self) -> Result<(), Failure> {
        let each = usize::from(link::STREAM_CREDIT);
        (self.hold, self.is_busy, self.may_load) = (false, false, true);
        self.requests.push_back((ENDLESS, self.next_slot));
        (self.credit, self.game.parts_taken) = (Some(link::STREAM_CREDIT.into()), 0);
        let stream = self.sends(ENDLESS)?;
        self.parts(stream, each, VecDeque::new(), AMONG)?;
        self.quiet()?;
        // Credit that arrives while a part is sent is counted exactly.
        for _ in 0..20 {
            let first = self.sends(link::CREDIT.id)?;
            let delay = self.random().below(60);
            (0..delay).try_for_each(|_| self.step())?;
            let seqs = [first, self.sends(link::CREDIT.id)?];
            let own: VecDeque<_> = seqs.map(|seq| (seq, link::CREDIT_REPLY.id)).into();
            // The second credit may arrive after parts of the first.
            self.parts(stream, 2 * each, own, each)?;
            self.quiet()?;
        }
        // Two credits, and another request, which the parts must not delay.
        let seqs = [self.sends(link::CREDIT.id)?, self.sends(link::CREDIT.id)?];
        let mut own: VecDeque<_> = seqs.map(|seq| (seq, link::CREDIT_REPLY.id)).into();
        own.push_back((self.sends(link::INFO.id)?, link::INFO_REPLY.id));
        self.parts(stream, 2 * each, own, AMONG)?;
        self.quiet()?;
        // Refusals by the link are sent without credit, too.
        for kind in [link::CANCEL.id, GAME, 0x80] {
            let own = VecDeque::from([(self.queue(kind, &[0]), link::ERROR.id)]);
            self.parts(stream, 0, own, 0)?;
        }
        // A request of the game waits for the stream, and so do the requests after it.
        let behind = self.random().chance(50);
        let mut expected = VecDeque::from([ExpectedReply {
            begun: true,
            ..ExpectedReply::of(stream, vec![(ENDLESS | REPLY, vec![ENDLESS])])
        }]);
        if behind {
            self.requests.push_back((GAME, self.next_slot));
            let seq = self.sends(GAME)?;
            expected.push_back(ExpectedReply::of(seq, game_replies(GAME)));
        }
        self.quiet()?;
        // A part that is already offered is sent without credit.
        let cancelled = vec![(link::CANCEL_REPLY.id, Vec::new())];
        expected.push_back(ExpectedReply::of(self.sends(link::CANCEL.id)?, cancelled));
        while !expected.is_empty() {
            let (seq, message) = self.receive()?;
            if message.0 == ENDLESS | REPLY | PART && seq == stream {
                continue;
            }
            self.check_reply(&mut expected, seq, message)?;
        }
        Ok(())
    }
}
