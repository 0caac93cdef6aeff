//! The wire's client asks for searches: a core that thinks for long is asked once, and is
//! looked after meanwhile.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures::FutureExt as _;
use futures::future::BoxFuture;
use lockstep::backend::BackendErrorKind;
use lockstep::backend::wire::client::{Asked, Client, Parts, Request, Watched};
use lockstep::link::{Link, LinkError, LinkStatistics};
use lockstep::stop::{Stop, Stopper};
use protocol::layout::link::{CANCEL, CREDIT, PING};
use protocol::layout::tetris::{PLACEMENT, TRACE, TRACED};
use protocol::layout::{self, REPLY};
use protocol::payload::PayloadError;
use protocol::{Decoder, Frame};

use crate::answering::frame;
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

/// A core that searches, in a time of its own that passes while it is waited for.
struct Thinking {
    plan: Plan,
    now: Duration,
    decoder: Decoder,
    /// The search: its sequence number, when it began, and the parts sent.
    search: Option<(u16, Duration, u8)>,
    said: VecDeque<Bytes>,
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
            self.said.push_back(frame(seq, kind, payload));
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

    /// Lets time pass.
    fn pass(&mut self, time: Duration) {
        self.now += time;
        let Some((_, began, parts)) = self.search else {
            return;
        };
        if self.now >= began + self.plan.takes && !self.plan.endless {
            self.end(false);
        } else if self.now >= began + self.plan.reports * u32::from(parts) {
            self.part();
        }
    }

    fn hear(&mut self, asked: &Frame<'_>) {
        match asked.kind {
            kind if kind == TRACE.id => {
                self.search = Some((asked.seq, self.now, 0));
                self.part();
            }
            kind if kind == CANCEL.id && self.plan.endless => {}
            kind if kind == CANCEL.id => {
                self.end(true);
                self.say(asked.seq, kind | REPLY, &[]);
            }
            kind => self.say(asked.seq, kind | REPLY, asked.payload),
        }
    }
}

impl Link for Thinking {
    fn describe(&self) -> String {
        "thinks".into()
    }

    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), LinkError>> {
        let mut heard = Vec::new();
        for byte in bytes {
            if let Some(Ok(frame)) = self.decoder.push(*byte) {
                heard.push((frame.seq, frame.kind, frame.payload.to_vec()));
            }
        }
        for (seq, kind, payload) in heard {
            let payload = &payload;
            if self.passes(kind) && self.now < self.plan.dies {
                self.hear(&Frame { seq, kind, payload });
            }
        }
        async { Ok(()) }.boxed()
    }

    fn receive(&mut self, within: Duration) -> BoxFuture<'_, Result<Bytes, LinkError>> {
        if self.said.is_empty() {
            self.pass(within);
        }
        let came = self.said.pop_front().filter(|_| self.now < self.plan.dies);
        async { came.ok_or_else(|| LinkError::Silent("nothing came".into())) }.boxed()
    }

    fn reopen(&mut self) -> BoxFuture<'_, Result<(), LinkError>> {
        async { Ok(()) }.boxed()
    }

    fn statistics(&self) -> LinkStatistics {
        LinkStatistics::default()
    }
}

fn client(plan: Plan) -> (Client, Passed) {
    let passed = Passed::default();
    let core = Thinking {
        plan,
        now: Duration::ZERO,
        decoder: Decoder::new(),
        search: None,
        said: VecDeque::new(),
        passed: Arc::clone(&passed),
    };
    let game = *layout::GAMES.first().expect("a game");
    let mut client = Client::new("thinks", game, Box::new(core), WAIT);
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

/// Asks for a search, whose best so far is enough after so many parts; its end, or what kind
/// of error came, and the parts.
fn search(client: &mut Client, enough: usize) -> (Result<Option<Bytes>, BackendErrorKind>, usize) {
    search_pausing(client, enough, Duration::ZERO)
}

/// The same with parts that come so far apart.
fn search_pausing(
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
    let mut asked = Asked::streams(vec![request], Watched::No, &mut counts).finishing(finish);
    let result = block_on(client.go_on(&mut asked));
    let end = asked.into_replies().pop();
    (result.map(|()| end).map_err(|why| why.kind), counts.parts)
}

fn count(passed: &Passed, kind: u8) -> usize {
    let passed = passed.lock().expect("not poisoned");
    passed.iter().filter(|other| **other == kind).count()
}

#[test]
fn search_of_half_a_minute_is_asked_once() {
    let (mut client, passed) = client(PLAN);
    let (end, parts) = search(&mut client, usize::MAX);
    assert!(end.expect("an answer").is_some());
    assert!(parts > 100, "{parts} parts");
    assert_eq!(count(&passed, TRACE.id), 1);
    // Between parts it is asked whether it is alive.
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
        let (end, _) = search_pausing(&mut client, usize::MAX, pause);
        assert!(end.expect("an answer").is_some());
        let counts = (count(&passed, TRACE.id), count(&passed, CANCEL.id));
        assert_eq!(counts, (1, 0), "{pause:?}");
    }
}

#[test]
fn search_dead_core_is_found_out_by_its_silence_to_pings() {
    let dies = Duration::from_secs(2);
    let (mut client, passed) = client(Plan { dies, ..PLAN });
    let (end, _) = search(&mut client, usize::MAX);
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
    let (end, _) = search(&mut client, usize::MAX);
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
        let (end, parts) = search(&mut client, 5);
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
        let (end, parts) = search(&mut client, 5);
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
    let mut asked = Asked::streams(requests, Watched::No, &mut counts).finishing(finish);
    // It yields before it receives.
    assert!(client.go_on(&mut asked).now_or_never().is_none());
    drop(asked);
    block_on(client.end_streams()).expect("ended");
    assert_eq!(
        (count(&passed, CANCEL.id), count(&passed, TRACED.id)),
        (1, 1)
    );
    block_on(client.end_streams()).expect("nothing to end");
    assert_eq!(count(&passed, CANCEL.id), 1);
}
