//! Streams without an end.

use std::collections::VecDeque;

use protocol::layout::{PART, REPLY, link};

use super::game::{ENDLESS, GAME, game_replies};
use super::{After, Core, Due, QUIET, WINDOW};
use crate::{Failure, frames};

/// Parts for which there can be credit.
const MOST_CREDIT: usize = 255;

/// Parts that a request of the link may wait for at the most.
const AMONG: usize = 3;

impl Core<'_> {
    /// A request without a payload, sent whole. It counts as a frame.
    fn sends(&mut self, kind: u8) -> Result<u16, Failure> {
        self.seq = self.seq.wrapping_add(1);
        self.wire(&frames::request(self.seq, kind, &[]), After::Good);
        self.stats.frames_good += 1;
        self.next_slot = (self.next_slot + 1) % WINDOW as u64;
        while !self.line.is_empty() {
            self.step()?;
        }
        Ok(self.seq)
    }

    /// Parts of the endless stream, as many as its credit allows and no more; `own` are
    /// replies that come between them, each before more than `among` parts have passed.
    fn parts(
        &mut self,
        stream: u16,
        count: usize,
        mut own: VecDeque<(u16, u8)>,
        among: usize,
    ) -> Result<(), Failure> {
        let (mut got, mut waited) = (0, 0);
        // Those left before the last of the requests had been sent.
        let mut early = self.come.len();
        while got < count || !own.is_empty() {
            let (seq, (kind, _)) = self.receive()?;
            if Some(&(seq, kind)) == own.front() {
                own.pop_front();
                (waited, early) = (0, early.saturating_sub(1));
                continue;
            }
            let part = (stream, ENDLESS | REPLY | PART);
            self.trial
                .same("what comes in a stream", &(seq, kind), &part)?;
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

    /// Leaves the core alone until it has done all it can.
    fn settle(&mut self) -> Result<(), Failure> {
        (0..QUIET).try_for_each(|_| self.step())
    }

    /// Nothing comes.
    fn quiet(&mut self) -> Result<(), Failure> {
        self.settle()?;
        self.is_at_work(false)?;
        self.trial
            .same("what comes without credit", &self.come.pop_front(), &None)
    }

    /// A stream without an end: as many parts as there is credit, the dispatcher's own
    /// requests between them, and its end when it is cancelled.
    pub(super) fn stream(&mut self) -> Result<(), Failure> {
        let each = usize::from(link::STREAM_CREDIT);
        (self.hold, self.is_busy, self.may_load) = (false, false, true);
        self.game.push_back((ENDLESS, self.next_slot));
        let stream = self.sends(ENDLESS)?;
        self.parts(stream, each, VecDeque::new(), AMONG)?;
        self.quiet()?;
        // A credit that comes as a part leaves is not lost, nor is it one more.
        for _ in 0..20 {
            let first = self.sends(link::CREDIT.id)?;
            let delay = self.random().below(60);
            (0..delay).try_for_each(|_| self.step())?;
            let seqs = [first, self.sends(link::CREDIT.id)?];
            let own: VecDeque<_> = seqs.map(|seq| (seq, link::CREDIT_REPLY.id)).into();
            // The second one may come when parts of the first have left.
            self.parts(stream, 2 * each, own, each)?;
            self.quiet()?;
        }
        // Two credits, and another request that its parts must not keep waiting.
        let seqs = [self.sends(link::CREDIT.id)?, self.sends(link::CREDIT.id)?];
        let mut own: VecDeque<_> = seqs.map(|seq| (seq, link::CREDIT_REPLY.id)).into();
        own.push_back((self.sends(link::INFO.id)?, link::INFO_REPLY.id));
        self.parts(stream, 2 * each, own, AMONG)?;
        self.quiet()?;
        // Without credit, too, what the link refuses is answered, whatever it is.
        for kind in [link::CANCEL.id, GAME, 0x80] {
            self.seq = self.seq.wrapping_add(1);
            self.wire(&frames::request(self.seq, kind, &[0]), After::Good);
            self.stats.frames_good += 1;
            self.next_slot = (self.next_slot + 1) % WINDOW as u64;
            let own = VecDeque::from([(self.seq, link::ERROR.id)]);
            self.parts(stream, 0, own, 0)?;
        }
        // A game's request behind it waits, and so does what comes behind that.
        let behind = self.random().chance(50);
        let mut due = VecDeque::from([Due {
            seq: stream,
            messages: [(ENDLESS | REPLY, vec![ENDLESS])].into(),
            between: false,
            begun: true,
        }]);
        if behind {
            self.game.push_back((GAME, self.next_slot));
            let seq = self.sends(GAME)?;
            due.push_back(Due::of(seq, game_replies(GAME)));
        }
        self.quiet()?;
        self.cancelled(stream, due)
    }

    /// A cancelled stream: a part, if it has offered one, leaves without credit as well; then
    /// its end, and what is due behind it.
    fn cancelled(&mut self, stream: u16, mut due: VecDeque<Due>) -> Result<(), Failure> {
        let seq = self.sends(link::CANCEL.id)?;
        due.push_back(Due::of(seq, vec![(link::CANCEL_REPLY.id, Vec::new())]));
        while !due.is_empty() {
            let (seq, message) = self.receive()?;
            if message.0 == ENDLESS | REPLY | PART && seq == stream {
                continue;
            }
            self.came(&mut due, seq, message)?;
        }
        Ok(())
    }

    /// More credit than can be counted, the last of it while the line takes nothing: then as
    /// many parts as can be counted leave.
    pub(super) fn flood(&mut self) -> Result<(), Failure> {
        (self.hold, self.is_busy, self.may_load) = (false, false, true);
        self.game.push_back((ENDLESS, self.next_slot));
        let stream = self.sends(ENDLESS)?;
        let each = usize::from(link::STREAM_CREDIT);
        self.parts(stream, each, VecDeque::new(), AMONG)?;
        // In each turn the window's credits come, and at most four parts leave with their replies.
        let turn = WINDOW * usize::from(link::STREAM_CREDIT) - 4;
        let mut left = 0;
        for _ in 0..MOST_CREDIT.div_ceil(turn) + 2 {
            self.stalled = true;
            self.settle()?;
            self.come.clear();
            for _ in 0..WINDOW {
                self.sends(link::CREDIT.id)?;
            }
            self.stalled = false;
            left = 0;
            let mut owed = WINDOW;
            while owed > 0 {
                let (_, (kind, _)) = self.receive()?;
                match kind == link::CREDIT_REPLY.id {
                    true => owed -= 1,
                    false => left += 1,
                }
            }
        }
        self.settle()?;
        while !self.come.is_empty() {
            left += std::mem::take(&mut self.come).len();
            self.settle()?;
        }
        // One was on its way already.
        let most = MOST_CREDIT + 1;
        self.trial.same("parts that leave", &left, &most)?;
        let due = VecDeque::from([Due {
            begun: true,
            ..Due::of(stream, vec![(ENDLESS | REPLY, vec![ENDLESS])])
        }]);
        self.cancelled(stream, due)
    }
}
