//! The wire's client: requests, replies that are lost, damaged or of earlier requests, timeouts.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use lockstep::backend::BackendErrorKind;
use lockstep::backend::wire::Timeout;
use lockstep::backend::wire::client::{Client, Request};
use lockstep::link::{LinkError, probe};
use protocol::Frame;
use protocol::layout::{self, REPLY, link as table};
use protocol::payload::link::{Info, Ping, Refusal};

use crate::fake::{Fake, Peer, Waits, frame};
use crate::streaming::damaged;
use crate::support::block_on;

/// The outcome of a reply.
#[derive(Clone, Copy)]
enum Outcome {
    Whole,
    Damaged,
    /// The core refuses the request as busy.
    Busy,
    /// The core refuses another request.
    Other,
    Lost,
    /// It comes right before the next one.
    Late,
}

use Outcome::{Busy, Damaged, Late, Lost, Other, Whole};

/// A core whose script gives the outcome of each reply, by the number of the request from 0 on.
fn core(
    mut script: impl FnMut(u64) -> Outcome + Send + 'static,
) -> Fake<impl FnMut(&Frame<'_>) -> Vec<Bytes> + Send> {
    let mut requests = 0;
    let mut late = None;
    Fake::new(move |asked: &Frame<'_>| {
        let right = frame(asked.seq, asked.kind | REPLY, asked.payload);
        requests += 1;
        let outcome = script(requests - 1);
        match outcome {
            Whole => late.take().into_iter().chain([right]).collect(),
            Late => {
                late = Some(right);
                Vec::new()
            }
            Damaged => vec![damaged(&right)],
            Lost => Vec::new(),
            Busy | Other => {
                let other = u8::from(matches!(outcome, Other));
                let (code, request) = (table::BUSY, asked.kind + other);
                let refusal = Refusal { code, request }.encode();
                vec![frame(asked.seq, table::ERROR.id, refusal.as_ref())]
            }
        }
    })
}

fn client(
    timeout: Timeout,
    script: impl FnMut(u64) -> Outcome + Send + 'static,
) -> (Client, Arc<Mutex<Waits>>) {
    let link = core(script);
    let waits = Arc::clone(&link.waits);
    let client = Client::new("scripted", layout::GAMES[0], Box::new(link), timeout);
    (client, waits)
}

/// Sends as many pings, and checks that each pong has the nonce of its ping.
fn pings(client: &mut Client, count: u64) {
    echo(client, 100..100 + count);
}

/// Sends pings with these nonces, and checks that each pong has its own.
fn echo(client: &mut Client, nonces: std::ops::Range<u64>) {
    let nonces: Vec<u64> = nonces.collect();
    let ping = |nonce: &u64| Request::new(&table::PING, Ping { nonce: *nonce }.encode());
    let requests: Vec<Request> = nonces.iter().map(ping).collect();
    let pongs = block_on(client.ask_all(&requests)).expect("answers");
    let own = nonces.iter().map(|&nonce| Ok(Ping { nonce }));
    assert!(pongs.iter().map(|pong| Ping::decode(pong)).eq(own));
}

/// Each fault costs a known number of requests and of timeouts.
#[test]
fn client_faulty_replies_are_requested_again() {
    type Script = fn(u64) -> Outcome;
    let first: Script = |n| if n == 0 { Damaged } else { Whole };
    let second: Script = |n| if n == 1 { Damaged } else { Whole };
    let twice: Script = |n| if n < 2 { Lost } else { Whole };
    let late: Script = |n| if n == 0 { Late } else { Whole };
    let busy: Script = |n| if n % 60 < 59 { Busy } else { Whole };
    // Window and pings; damaged, lost, requests, busy, timeouts, stale.
    for (name, script, [window, count], expected) in [
        // No other reply is expected.
        ("damaged alone", first, [1, 2], [1, 1, 3, 0, 0, 0]),
        // The next reply shows which of several was damaged.
        ("damaged of several", second, [4, 4], [1, 1, 5, 0, 0, 0]),
        ("lost twice", twice, [1, 1], [0, 2, 3, 0, 2, 0]),
        // Both attempts are answered.
        ("late", late, [1, 2], [0, 1, 3, 0, 1, 1]),
        // As long as answers come between.
        ("busy", busy, [1, 5], [0, 0, 300, 295, 0, 0]),
    ] {
        let (mut client, waits) = client(Duration::ZERO.into(), script);
        client.set_window(window);
        pings(&mut client, count as u64);
        let counts = client.report().counts;
        let silences = waits.lock().expect("not poisoned").silences as u64;
        let (damaged, lost, busy) = (counts.damaged, counts.lost, counts.busy);
        let found = [damaged, lost, counts.requests, busy, silences, counts.stale];
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn client_refusal_of_another_request_is_an_error() {
    let (mut client, _) = client(Duration::ZERO.into(), |_| Other);
    let error = block_on(client.ask(Request::empty(&table::STATS))).expect_err("another's");
    let expected = "backend scripted: the core answered stats with the refusal of message 0x05";
    assert_eq!(error.to_string(), expected);
    assert_eq!(client.report().counts.requests, 1);
}

#[test]
fn client_silent_core_gets_three_requests() {
    let (mut client, _) = client(Duration::ZERO.into(), |_| Lost);
    let error = block_on(client.ask(Request::empty(&table::STATS))).expect_err("silence");
    let silent = matches!(error.kind, BackendErrorKind::Link(LinkError::Silent(_)));
    assert!(silent, "{error}");
    assert_eq!(client.report().counts.requests, 3);
}

/// The timeout has passed before the first look for a reply, as in a process that was delayed.
#[test]
fn client_overdue_reply_is_received() {
    let (mut client, waits) = client(Timeout::Learned(Duration::ZERO), |_| Whole);
    pings(&mut client, 1);
    assert_eq!(client.report().counts.lost, 0);
    assert_eq!(waits.lock().expect("not poisoned").limits.len(), 1);
}

#[test]
fn client_waits_longer_for_slow_requests() {
    let (mut client, waits) = client(Duration::from_secs(1).into(), |_| Whole);
    let stats = Request::empty(&table::STATS);
    for extra in [0, 5] {
        let slow = stats.with_extra_time(Duration::from_secs(extra));
        block_on(client.ask(slow)).expect("an answer");
    }
    let limits = &waits.lock().expect("not poisoned").limits;
    assert_eq!(*limits, [1, 6].map(Duration::from_secs));
}

/// The time since the last answer counts, not the time of all answers together.
#[test]
fn client_steady_replies_are_never_overdue() {
    let mut link = core(|_| Whole);
    link.slow = Duration::from_millis(5);
    let waits = Arc::clone(&link.waits);
    let timeout = Timeout::Learned(Duration::from_secs(4));
    let mut client = Client::new("slow", layout::GAMES[0], Box::new(link), timeout);
    client.set_window(4);
    pings(&mut client, 100);
    assert_eq!(client.report().counts.lost, 0);
    assert_eq!(waits.lock().expect("not poisoned").limits.len(), 100);
}

/// It is longer after a timeout, and on a line that has changed as long as at first.
#[test]
fn client_timeout_is_learned_and_forgotten() {
    const FIRST: Duration = Duration::from_secs(4);
    let script = |request| if request == 0 { Lost } else { Whole };
    let (mut client, waits) = client(Timeout::Learned(FIRST), script);
    let last = || {
        *waits
            .lock()
            .expect("not poisoned")
            .limits
            .last()
            .expect("a wait")
    };
    pings(&mut client, 1);
    assert!(last() > FIRST, "after a timeout: {:?}", last());
    pings(&mut client, 1);
    assert!(last() < FIRST / 2, "after an answer: {:?}", last());
    client.link();
    pings(&mut client, 1);
    assert!(last() > FIRST / 2, "on another line: {:?}", last());
}

const NONCE: u64 = 0x1234;

/// The first ping is answered with the nonce of an earlier session that had come to the same
/// sequence number.
#[test]
fn handshake_old_pong_is_ignored() {
    let mut pings = 0;
    let stale = Fake::new(move |asked: &Frame<'_>| {
        if asked.kind != table::PING.id {
            return Vec::new();
        }
        pings += 1;
        let nonce = NONCE + u64::from(pings == 1);
        let payload = Ping { nonce }.encode();
        vec![frame(asked.seq, table::PONG.id, payload.as_ref())]
    });
    let mut client = Client::new("stale", layout::GAMES[0], Box::new(stale), Duration::ZERO);
    block_on(client.handshake(NONCE)).expect("the second pong");
    // A reset and a ping each time.
    assert_eq!(client.report().counts.requests, 4, "it was sent again");
}

/// The pongs of a slow board come after their timeout, until it has caught up.
#[test]
fn handshake_goes_on_while_pongs_come_late() {
    let mut pings = Vec::new();
    let slow = Fake::new(move |asked: &Frame<'_>| {
        if asked.kind != table::PING.id {
            return Vec::new();
        }
        pings.push(asked.seq);
        let seq = match pings.len() {
            1 | 2 => return Vec::new(),
            3 | 4 => pings[0],
            _ => asked.seq,
        };
        vec![frame(seq, table::PONG.id, asked.payload)]
    });
    let mut client = Client::new("slow", layout::GAMES[0], Box::new(slow), Duration::ZERO);
    block_on(client.handshake(NONCE)).expect("the fifth pong");
}

/// More requests than sequence numbers: every ping gets its own nonce back, though replies are lost,
/// late or doubled.
#[test]
fn replies_match_requests_when_sequence_numbers_wrap() {
    #[derive(Default)]
    struct Forgetful {
        requests: u64,
        late: Vec<Bytes>,
    }
    impl Peer for Forgetful {
        fn take(&mut self, asked: &Frame<'_>) -> Vec<Bytes> {
            if asked.kind != table::PING.id {
                return Vec::new();
            }
            self.requests += 1;
            let pong = frame(asked.seq, table::PONG.id, asked.payload);
            match self.requests % 64 {
                7 => Vec::new(),
                20..24 => {
                    self.late.push(pong);
                    Vec::new()
                }
                // A line that gives a frame twice.
                50 => vec![pong.clone(), pong],
                _ => vec![pong],
            }
        }

        fn late(&mut self) -> Vec<Bytes> {
            std::mem::take(&mut self.late)
        }
    }
    let link = Box::new(Fake::new(Forgetful::default()));
    let mut client = Client::new("forgetful", layout::GAMES[0], link, Duration::ZERO);
    block_on(client.handshake(NONCE)).expect("a core");
    client.set_window(4);
    for round in 0..150 {
        echo(&mut client, round * 1_000..(round + 1) * 1_000);
    }
    let counts = client.report().counts;
    assert!(counts.requests > 2 * u64::from(u16::MAX), "{counts:?}");
    assert!(counts.lost > 1_000 && counts.stale > 1_000, "{counts:?}");
}

#[test]
fn probe_reply_to_other_request_is_ignored() {
    let mut requests = 0;
    let mut hesitant = Fake::new(move |asked: &Frame<'_>| {
        requests += 1;
        if requests == 1 {
            return Vec::new();
        }
        let own = crate::core::info();
        let others = Info {
            build_id: !own.build_id,
            ..own
        };
        let reply = |seq, info: Info| frame(seq, table::INFO_REPLY.id, info.encode().as_ref());
        vec![
            reply(asked.seq.wrapping_sub(100), others),
            reply(asked.seq, own),
        ]
    });
    let within = Duration::from_secs(60);
    let answer = block_on(probe::info(&mut hesitant, within));
    assert_eq!(answer, Ok(crate::core::info()));
    let silences = hesitant.waits.lock().expect("not poisoned").silences;
    assert_eq!(silences, 1, "a reply to the first request is waited for");
}
