//! The wire's client requests searches: a core that searches for long is asked once, and pinged
//! meanwhile.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures::FutureExt as _;
use lockstep::backend::BackendErrorKind;
use lockstep::backend::wire::client::{Batch, Client, Parts, Request, Watched};
use lockstep::link::LinkError;
use lockstep::stop::{Stop, Stopper};
use protocol::Frame;
use protocol::layout::link::{CANCEL, CREDIT, PING};
use protocol::layout::tetris::{PLACEMENT, TRACE, TRACED};
use protocol::layout::{self, REPLY};
use protocol::payload::PayloadError;

use crate::fake::{Fake, Peer, frame};
use crate::streaming::asks;
use crate::support::block_on;

/// Time that a client waits, in the link's own.
const WAIT: Duration = Duration::from_millis(100);

/// How a core goes about a search.
#[derive(Clone, Copy)]
struct Plan {
    /// Time after which it has its answer.
    takes: Duration,
    /// Time from one part to the next.
    reports: Duration,
    /// Time after which it is dead.
    dies: Duration,
    /// It ends no search, and answers all but a cancel.
    endless: bool,
    /// Frames of that message that are lost, by their number from 0 on.
    lost: &'static [(u8, usize)],
}

const PLAN: Plan = Plan {
    takes: Duration::from_secs(30),
    reports: Duration::from_millis(250),
    dies: Duration::MAX,
    endless: false,
    lost: &[],
};

/// What passed: the messages of all frames, those that were lost among them.
type Passed = Arc<Mutex<Vec<u8>>>;

/// A core that searches, in a time of its own that passes while the host waits.
struct Thinking {
    plan: Plan,
    now: Duration,
    /// The search: its sequence number, when it began, and the parts sent.
    search: Option<(u16, Duration, u8)>,
    coming: VecDeque<Bytes>,
    passed: Passed,
}

impl Thinking {
    /// Whether this frame comes through.
    fn passes(&self, kind: u8) -> bool {
        let mut passed = self.passed.lock().expect("not poisoned");
        let number = passed.iter().filter(|other| **other == kind).count();
        passed.push(kind);
        !self.plan.lost.contains(&(kind, number))
    }

    fn say(&mut self, seq: u16, kind: u8, payload: &[u8]) {
        if self.passes(kind) {
            self.coming.push_back(frame(seq, kind, payload));
        }
    }

    fn part(&mut self) {
        if let Some((seq, _, parts)) = &mut self.search {
            let mut payload = vec![0; PLACEMENT.bytes()];
            payload[0] = *parts;
            *parts += 1;
            let seq = *seq;
            self.say(seq, PLACEMENT.id, &payload);
        }
    }

    fn end(&mut self, cancelled: bool) {
        if let Some((seq, _, parts)) = self.search.take() {
            let mut payload = vec![0; TRACED.bytes()];
            (payload[0], payload[2]) = (parts, cancelled.into());
            self.say(seq, TRACED.id, &payload);
        }
    }

    fn serve(&mut self, asked: &Frame<'_>) {
        let Frame { seq, kind, .. } = *asked;
        if kind == TRACE.id {
            self.search = Some((seq, self.now, 0));
            self.part();
        } else if kind != CANCEL.id {
            self.say(seq, kind | REPLY, asked.payload);
        } else if !self.plan.endless {
            self.end(true);
            self.say(seq, kind | REPLY, &[]);
        }
    }
}

impl Peer for Thinking {
    fn hear(&mut self, asked: &Frame<'_>) -> Vec<Bytes> {
        if self.passes(asked.kind) && self.now < self.plan.dies {
            self.serve(asked);
        }
        Vec::new()
    }

    fn wait(&mut self, within: Duration) -> Option<Bytes> {
        if self.coming.is_empty() {
            self.now += within;
            if let Some((_, began, parts)) = self.search {
                if self.now >= began + self.plan.takes && !self.plan.endless {
                    self.end(false);
                } else if self.now >= began + self.plan.reports * u32::from(parts) {
                    self.part();
                }
            }
        }
        self.coming
            .pop_front()
            .filter(|_| self.now < self.plan.dies)
    }
}

fn client(plan: Plan) -> (Client, Passed) {
    let passed = Passed::default();
    let core = Thinking {
        plan,
        now: Duration::ZERO,
        search: None,
        coming: VecDeque::new(),
        passed: Arc::clone(&passed),
    };
    let link = Box::new(Fake::new(core));
    let mut client = Client::new("thinks", layout::GAMES[0], link, WAIT);
    client.set_window(4);
    (client, passed)
}

/// Counts parts, and wants the best so far after as many.
struct Counts {
    parts: usize,
    enough: usize,
    stopper: Stopper,
}

impl Parts for Counts {
    fn begins(&mut self, _: usize) {}

    fn part(&mut self, _: usize, _: &[u8]) -> Result<(), PayloadError> {
        self.parts += 1;
        if self.parts == self.enough {
            self.stopper.stop();
        }
        Ok(())
    }
}

/// Requests a search that is to finish after as many parts, which come so far apart: its end, or
/// the error, and the number of parts.
fn search(
    client: &mut Client,
    enough: usize,
    pause: Duration,
) -> (Result<Option<Bytes>, BackendErrorKind>, usize) {
    let (stopper, finish) = Stop::new();
    let mut counts = Counts {
        parts: 0,
        enough,
        stopper,
    };
    let request = Request::search(&TRACE, asks(1, 0)).pausing(pause);
    let mut batch = Batch::streams(vec![request], Watched::No, &mut counts).finishing(finish);
    let result = block_on(client.drive(&mut batch));
    let end = batch.into_replies().pop();
    (result.map(|()| end).map_err(|why| why.kind), counts.parts)
}

fn count(passed: &Passed, kind: u8) -> usize {
    let passed = passed.lock().expect("not poisoned");
    passed.iter().filter(|other| **other == kind).count()
}

#[test]
fn search_of_half_a_minute_is_asked_once() {
    let (mut client, passed) = client(PLAN);
    let (end, parts) = search(&mut client, usize::MAX, Duration::ZERO);
    assert!(end.expect("an answer").is_some());
    assert!(parts > 100, "{parts} parts");
    assert_eq!(count(&passed, TRACE.id), 1);
    // Pings between parts show that it is alive.
    assert!(count(&passed, PING.id) > 100);
    assert_eq!(
        (client.report().counts.lost, count(&passed, CANCEL.id)),
        (0, 0)
    );
    // Its credit goes on.
    assert!(count(&passed, CREDIT.id) >= parts / 8);
}

#[test]
fn search_lost_parts_and_pings_are_not_asked_again() {
    let lost = &[
        (PLACEMENT.id, 1),
        (PLACEMENT.id, 3),
        (PLACEMENT.id, 4),
        (PING.id, 1),
        (PING.id | REPLY, 5),
        (CREDIT.id, 0),
        (CREDIT.id | REPLY, 1),
    ];
    for pause in [PLAN.reports, PLAN.reports / 8] {
        let (mut client, passed) = client(Plan { lost, ..PLAN });
        let (end, _) = search(&mut client, usize::MAX, pause);
        assert!(end.expect("an answer").is_some());
        let counts = (count(&passed, TRACE.id), count(&passed, CANCEL.id));
        assert_eq!(counts, (1, 0), "{pause:?}");
    }
}

#[test]
fn search_dead_core_is_found_out_by_its_silence_to_pings() {
    let dies = Duration::from_secs(2);
    let (mut client, passed) = client(Plan { dies, ..PLAN });
    let (end, _) = search(&mut client, usize::MAX, Duration::ZERO);
    let silent = matches!(end, Err(BackendErrorKind::Link(LinkError::Silent(_))));
    assert!(silent, "{end:?}");
    assert_eq!(count(&passed, TRACE.id), 1);
}

#[test]
fn search_lost_end_is_asked_again() {
    let takes = Duration::from_secs(1);
    let lost = &[(TRACED.id, 0)];
    let (mut client, passed) = client(Plan {
        takes,
        lost,
        ..PLAN
    });
    let (end, _) = search(&mut client, usize::MAX, Duration::ZERO);
    assert!(end.expect("an answer").is_some());
    assert_eq!(count(&passed, TRACE.id), 2);
}

#[test]
fn search_finishes_with_the_best_so_far() {
    for lost in [
        &[][..],
        &[(CANCEL.id, 0)],
        &[(CANCEL.id | REPLY, 0)],
        &[(CANCEL.id, 0), (CANCEL.id, 1)],
    ] {
        let (mut client, passed) = client(Plan { lost, ..PLAN });
        let (end, parts) = search(&mut client, 5, Duration::ZERO);
        let end = end.expect("an answer").expect("of the search");
        assert_eq!(end[2], 1, "it says that it was cancelled");
        assert!(parts < 20, "{parts} parts: it went on");
        assert_eq!(count(&passed, TRACE.id), 1, "{lost:?}");
    }
}

#[test]
fn search_going_on_after_cancel_is_an_error() {
    let endless = true;
    for reports in [PLAN.reports, PLAN.reports / 8] {
        let (mut client, _) = client(Plan {
            endless,
            reports,
            ..PLAN
        });
        let (end, parts) = search(&mut client, 5, Duration::ZERO);
        let is_endless = matches!(end, Err(BackendErrorKind::Endless { request: "trace" }));
        assert!(is_endless, "{end:?} after {parts} parts");
    }
}

#[test]
fn search_nobody_waits_for_is_ended() {
    let (mut client, passed) = client(PLAN);
    let (_stopper, finish) = Stop::new();
    let mut counts = Counts {
        parts: 0,
        enough: usize::MAX,
        stopper: Stop::new().0,
    };
    let requests = vec![Request::search(&TRACE, asks(1, 0))];
    let mut batch = Batch::streams(requests, Watched::No, &mut counts).finishing(finish);
    // It yields before it receives.
    assert!(client.drive(&mut batch).now_or_never().is_none());
    drop(batch);
    block_on(client.end_streams()).expect("ended");
    assert_eq!(
        (count(&passed, CANCEL.id), count(&passed, TRACED.id)),
        (1, 1)
    );
    block_on(client.end_streams()).expect("nothing to end");
    assert_eq!(count(&passed, CANCEL.id), 1);
}
