//! The wire's client requests searches: a core that searches for long gets one request, and pings
//! meanwhile.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures::FutureExt as _;
use lockstep::BackendError;
use lockstep::backend::wire::client::{Batch, Client, Parts, Request};
use lockstep::stop::{Stop, Stopper};
use protocol::Frame;
use protocol::layout::link::{CANCEL, CREDIT, PING};
use protocol::layout::tetris::{PLACEMENT, TRACE, TRACED};
use protocol::layout::{self, REPLY};
use protocol::payload::PayloadError;

use crate::fake::{Fake, Peer, frame};
use crate::streaming::{message, stream_payload};
use crate::support::{block_on, cells};

/// Time that a client waits, in the link's own.
const WAIT: Duration = Duration::from_millis(100);

/// How a core searches.
#[derive(Clone)]
struct Plan {
    /// Time after which it has its answer.
    takes: Duration,
    /// Time from one part to the next.
    reports: Duration,
    /// Time after which it is dead.
    dies: Duration,
    /// It ends no search, and answers everything but a cancel.
    endless: bool,
    /// It sends parts for ever, also without credit, and nothing else.
    floods: bool,
    /// Its parts report a decision.
    decides: bool,
    /// Frames of that message that are lost, by their number from 0 on.
    lost: Vec<(u8, u64)>,
}

const PLAN: Plan = Plan {
    takes: Duration::from_secs(30),
    reports: Duration::from_millis(250),
    dies: Duration::MAX,
    endless: false,
    floods: false,
    decides: true,
    lost: Vec::new(),
};

/// Frames of each message, with those lost.
type Passed = Arc<Mutex<HashMap<u8, usize>>>;

/// A core that searches in simulated time, which passes while the host waits.
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
        let number = passed.entry(kind).or_default();
        *number += 1;
        !self.plan.lost.contains(&(kind, *number as u64 - 1))
    }

    fn send(&mut self, seq: u16, kind: u8, payload: &[u8]) {
        if self.passes(kind) {
            self.coming.push_back(frame(seq, kind, payload));
        }
    }

    fn part(&mut self) {
        if let Some((seq, _, parts)) = &mut self.search {
            let mut payload = vec![0; PLACEMENT.bytes()];
            payload[0] = *parts;
            *parts = parts.wrapping_add(1);
            let seq = *seq;
            self.send(seq, PLACEMENT.id, &payload);
        }
    }

    fn end(&mut self, cancelled: bool) {
        if let Some((seq, _, parts)) = self.search.take() {
            let mut payload = vec![0; TRACED.bytes()];
            (payload[0], payload[2]) = (parts, cancelled.into());
            self.send(seq, TRACED.id, &payload);
        }
    }

    fn serve(&mut self, asked: &Frame<'_>) {
        let Frame { seq, kind, .. } = *asked;
        if kind == TRACE.id {
            self.search = Some((seq, self.now, 0));
            self.part();
        } else if self.plan.floods {
            // It ignores all requests.
        } else if kind != CANCEL.id {
            self.send(seq, kind | REPLY, asked.payload);
        } else if !self.plan.endless {
            self.end(true);
            self.send(seq, kind | REPLY, &[]);
        }
    }
}

impl Peer for Thinking {
    fn take(&mut self, asked: &Frame<'_>) -> Vec<Bytes> {
        if self.passes(asked.kind) && self.now < self.plan.dies {
            self.serve(asked);
        }
        Vec::new()
    }

    fn wait(&mut self, within: Duration) -> Option<Bytes> {
        if self.plan.floods && self.coming.is_empty() {
            self.part();
        } else if self.coming.is_empty() {
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

/// Counts parts, and stops the search after `enough` of them.
struct Counts {
    parts: usize,
    enough: usize,
    decides: bool,
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

    fn can_finish(&self, _: usize) -> bool {
        self.decides
    }
}

/// The result of a search.
struct Searched {
    /// Its end, which shows whether it was cancelled.
    end: Result<Bytes, BackendError>,
    parts: usize,
    lost: u64,
    passed: Passed,
}

impl Searched {
    fn count(&self, kind: u8) -> usize {
        count(&self.passed, kind)
    }
}

fn count(passed: &Passed, kind: u8) -> usize {
    let passed = passed.lock().expect("not poisoned");
    passed.get(&kind).copied().unwrap_or_default()
}

/// Requests a search that should finish after `enough` parts, which come `pause` apart.
fn search(plan: Plan, enough: usize, pause: Duration) -> Searched {
    let decides = plan.decides;
    let (mut client, passed) = client(plan);
    let (stopper, finish) = Stop::new();
    let mut counts = Counts {
        parts: 0,
        enough,
        decides,
        stopper,
    };
    let request = Request::search(&TRACE, stream_payload(1, 0)).with_extra_time(pause);
    let mut batch = Batch::new(vec![request], &mut counts).finishing(finish);
    let result = block_on(client.drive(&mut batch));
    let end = batch.into_replies().pop();
    Searched {
        end: result.map(|()| end.expect("an end")),
        parts: counts.parts,
        lost: client.report().counts.lost,
        passed,
    }
}

/// More parts than any search has: it runs to its end.
const ALL: usize = usize::MAX;

#[test]
fn search_of_half_a_minute_is_requested_once() {
    let searched = search(PLAN, ALL, Duration::ZERO);
    assert_eq!(searched.end.as_ref().expect("an answer")[2], 0);
    assert!(searched.parts > 100, "{} parts", searched.parts);
    // Pings between parts show that it is alive.
    assert!(searched.count(PING.id) > 100);
    assert_eq!((searched.lost, searched.count(CANCEL.id)), (0, 0));
    // Its credit goes on.
    assert!(searched.count(CREDIT.id) >= searched.parts / 8);
}

/// The core's plan; the number of parts that is enough, and the time between parts; the search's end
/// or error; how often it is requested and cancelled. Times in milliseconds.
const CASES: &str = "
    lost part 1, lost part 3, lost part 4, lost ping 1, lost pong 5, lost credit 0, lost credited 1 \
                             | -, 250 | whole              | 1 0
    lost part 1, lost ping 1, lost credit 0 | -, 31 | whole | 1 0
    takes 1000, lost end 0   | -, 0   | whole              | 2 1
    reports 250              | 5, 0   | cancelled          | 1 1
    lost cancel 0            | 5, 0   | cancelled          | 1 2
    lost cancelled 0         | 5, 0   | cancelled          | 1 1
    lost cancel 0, lost cancel 1 | 5, 0 | cancelled        | 1 3
    dies 2000                | -, 0   | no answer          | 1 0
    endless                  | 5, 0   | after a cancel     | 1 9
    endless, reports 31      | 5, 0   | after a cancel     | 1 9
    endless, undecided       | 5, 0   | without a decision | 1 0
    floods                   | -, 0   | without credit     | 1 0
    floods                   | 5, 0   | without credit     | 1 1
";

fn plan(text: &str) -> Plan {
    let mut plan = PLAN;
    for words in text.split(',') {
        let words: Vec<&str> = words.split_whitespace().collect();
        let last = words.last().and_then(|word| word.parse().ok());
        let time = Duration::from_millis(last.unwrap_or(0));
        match words[0] {
            "takes" => plan.takes = time,
            "reports" => plan.reports = time,
            "dies" => plan.dies = time,
            "endless" => plan.endless = true,
            "undecided" => plan.decides = false,
            "floods" => plan.floods = true,
            _ => plan.lost.push((message(words[1]), last.expect("a number"))),
        }
    }
    plan
}

#[test]
fn search_cases_end_as_listed() {
    let mut wrong = Vec::new();
    for row in CASES.trim().lines() {
        let [core, asked, end, counts] = cells(row);
        let (enough, pause) = asked.split_once(", ").expect("a time");
        let pause = Duration::from_millis(pause.parse().expect("a time"));
        let searched = search(plan(core), enough.parse().unwrap_or(ALL), pause);
        let found = match &searched.end {
            Ok(end) if end[2] == 1 => "cancelled".into(),
            Ok(_) => "whole".into(),
            Err(error) => error.to_string(),
        };
        let counted = [TRACE.id, CANCEL.id].map(|kind| searched.count(kind).to_string());
        let went_on = end == "cancelled" && searched.parts >= 20;
        if !found.contains(end) || counted.join(" ") != counts || went_on {
            wrong.push(format!(
                "{row}: {found}, {counted:?}, {} parts",
                searched.parts
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn search_abandoned_is_ended() {
    for floods in [false, true] {
        let (mut client, passed) = client(Plan { floods, ..PLAN });
        let mut counts = Counts {
            parts: 0,
            enough: ALL,
            decides: true,
            stopper: Stop::new().0,
        };
        let requests = vec![Request::search(&TRACE, stream_payload(1, 0))];
        let mut batch = Batch::new(requests, &mut counts);
        // It yields before it receives.
        assert!(client.drive(&mut batch).now_or_never().is_none());
        drop(batch);
        let ended = block_on(client.end_streams()).map_err(|error| error.to_string());
        assert_eq!(count(&passed, CANCEL.id), 1);
        if floods {
            let error = ended.expect_err("it sends parts for ever");
            assert!(error.contains("without credit"), "{error}");
            continue;
        }
        assert_eq!((ended, count(&passed, TRACED.id)), (Ok(()), 1));
        block_on(client.end_streams()).expect("nothing to end");
        assert_eq!(count(&passed, CANCEL.id), 1);
    }
}
