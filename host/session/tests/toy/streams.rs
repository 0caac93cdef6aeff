//! The wire's client requests streams: a stream that lost a part is requested again, and an abandoned
//! one is cancelled.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt as _;
use lockstep::BackendError;
use lockstep::backend::BackendErrorKind;
use lockstep::backend::wire::client::{Client, Request};
use protocol::layout::link::{BUSY, CANCEL, CREDIT, PING, STATS, UNKNOWN_TYPE};
use protocol::layout::tetris::{DECIDE, PLACEMENT, TRACE, TRACED};
use protocol::layout::{self, ErrorCode, REPLY, WINDOW};
use protocol::payload::PayloadError;
use protocol::payload::link::Ping;

use crate::fake::Fake;
use crate::streaming::{Outcome, Passed, ReceivedParts, Streaming, message, stream_payload};
use crate::support::{block_on, cells};

/// Parts of the longest stream here.
const LONG: u8 = 34;

fn client(script: impl FnMut(u8, u64) -> Outcome + Send + 'static) -> (Client, Arc<Mutex<Passed>>) {
    let (core, passed) = Streaming::new(script);
    let link = Box::new(Fake::new(core));
    let mut client = Client::new("streams", layout::GAMES[0], link, Duration::ZERO);
    client.set_window(WINDOW.into());
    (client, passed)
}

/// A request for a stream that is known to have at most as many parts as it has.
fn stream(tag: u8, parts: u8) -> Request {
    Request::stream(&TRACE, stream_payload(tag, parts), Some(parts.into()))
}

fn ping(nonce: u64) -> Request {
    Request::new(&PING, Ping { nonce }.encode())
}

/// All parts of the streams of these tags and lengths.
fn whole(streams: &[(u8, u8)]) -> HashMap<usize, Vec<(u8, u8)>> {
    let whole = |&(tag, parts): &(u8, u8)| (0..parts).map(|part| (tag, part)).collect();
    streams.iter().map(whole).enumerate().collect()
}

/// Requests streams of these lengths; checks that all parts come, that each stream begins that
/// often, and that a place of the window is kept free.
fn streams_over(
    lengths: &[u8],
    begun: &[usize],
    script: impl FnMut(u8, u64) -> Outcome + Send + 'static,
) -> (Client, Passed) {
    let tags: Vec<(u8, u8)> = (70..).zip(lengths.iter().copied()).collect();
    let requests: Vec<Request> = tags
        .iter()
        .map(|&(tag, parts)| stream(tag, parts))
        .collect();
    let (mut client, passed) = client(script);
    let mut came = ReceivedParts::default();
    let ends = block_on(client.stream(&requests, &mut came)).expect("streams");
    assert_eq!(came.parts, whole(&tags));
    assert_eq!(came.begun, begun.iter().copied().enumerate().collect());
    let ends: Vec<[u8; 2]> = ends.iter().map(|end| [end[3], end[0]]).collect();
    let right: Vec<[u8; 2]> = tags.iter().map(|&(tag, parts)| [tag, parts]).collect();
    assert_eq!(ends, right);
    let passed = std::mem::take(&mut *passed.lock().expect("not poisoned"));
    assert!(passed.most <= WINDOW.into(), "{} unanswered", passed.most);
    (client, passed)
}

/// Gives the frame of that message and number, from 0 on, an outcome; all others pass.
fn once(
    kind: u8,
    number: u64,
    outcome: Outcome,
) -> impl FnMut(u8, u64) -> Outcome + Send + 'static {
    move |other, count| match (other, count) == (kind, number) {
        true => outcome,
        false => Outcome::Passes,
    }
}

fn quiet(_: u8, _: u64) -> Outcome {
    Outcome::Passes
}

#[test]
fn stream_parts_get_credit_one_ahead() {
    let (client, passed) = streams_over(&[LONG], &[1], quiet);
    assert_eq!((passed.silences, client.report().counts.lost), (0, 0));
    let credits: Vec<usize> = (0..4).map(|n| passed.place(CREDIT.id, n)).collect();
    for (credit, parts) in credits.iter().zip([1, 8, 16, 24]) {
        assert_eq!(
            *credit,
            passed.place(PLACEMENT.id, parts - 1) + 1,
            "after {parts}"
        );
    }
    assert_eq!(passed.count(CREDIT.id), 4, "it needs no more");
    assert_eq!(passed.count(CANCEL.id), 0);
}

#[test]
fn streams_short_or_empty_come_whole() {
    let (_, passed) = streams_over(&[0, 1, 8, 9, 0], &[1; 5], quiet);
    assert_eq!((passed.silences, passed.count(CREDIT.id)), (0, 1));
}

/// Without it a credit or a cancel would be refused.
#[test]
fn streams_short_leave_a_place_free() {
    let (_, passed) = streams_over(&[8; 9], &[1; 9], quiet);
    assert_eq!(passed.most, usize::from(WINDOW) - 1);
}

/// A stream of unknown length may need credit up to its end.
#[test]
fn stream_of_unknown_length_delays_the_next() {
    let (mut client, passed) = client(quiet);
    let mut came = ReceivedParts::default();
    let both = [0, 1].map(|tag| Request::stream(&TRACE, stream_payload(tag, LONG), None));
    block_on(client.stream(&both, &mut came)).expect("streams");
    assert_eq!(came.parts, whole(&[(0, LONG), (1, LONG)]));
    let passed = passed.lock().expect("not poisoned");
    assert_eq!(passed.place(TRACE.id, 1), passed.place(TRACED.id, 0) + 1);
    assert_eq!(passed.silences, 0);
}

/// The next stream is requested once the first one needs no more credit.
#[test]
fn stream_of_known_length_overlaps_the_next() {
    let (client, passed) = streams_over(&[LONG; 5], &[1; 5], quiet);
    assert_eq!((passed.silences, client.report().counts.lost), (0, 0));
    for next in 1..5 {
        let part = 34 * (next - 1) + 24;
        let asked = passed.place(TRACE.id, next);
        assert!(passed.place(PLACEMENT.id, part - 1) < asked);
        assert!(asked < passed.place(PLACEMENT.id, part));
    }
}

/// Requests of the link are answered between the parts; a request of the game waits for the end, as the
/// next stream does.
#[test]
fn link_requests_are_answered_between_parts() {
    let (mut client, passed) = client(quiet);
    let mut came = ReceivedParts::default();
    let decide = Request::new(&DECIDE, stream_payload(0, 0));
    let requests = [stream(7, LONG), ping(5), ping(6), decide, stream(8, 3)];
    let replies = block_on(client.stream(&requests, &mut came)).expect("answers");
    let [_, five, six, ..] = &replies[..] else {
        panic!("{} replies", replies.len())
    };
    assert_eq!(Ping::decode(five), Ok(Ping { nonce: 5 }));
    assert_eq!(Ping::decode(six), Ok(Ping { nonce: 6 }));
    assert_eq!(came.parts[&0], whole(&[(7, LONG)])[&0]);
    assert_eq!(came.parts[&4], whole(&[(8, 3)])[&0]);
    let passed = passed.lock().expect("not poisoned");
    assert!(passed.place(PING.id | REPLY, 1) < passed.place(PLACEMENT.id, 9));
    assert_eq!((passed.silences, client.report().counts.lost), (0, 0));
}

/// Outcomes of frames: the parts of each stream and how often it begins; the frames that do not pass,
/// by message and number from 0 on; timeouts, requests for streams, cancels, losses.
const OUTCOMES: &str = "
    part lost                  | 34x2           | part 12 lost               | 0 2 1 1
    part damaged               | 34x2           | part 12 damaged            | 0 2 1 1
    part lost before streams   | 34x2 34x1 34x1 | part 30 lost               | 0 5 1 1
    last part lost             | 5x2            | part 4 lost                | 0 2 0 1
    end lost                   | 34x2           | end 0 lost                 | 1 2 1 1
    only frame damaged         | 0x1            | end 0 damaged              | 0 2 1 1
    end of few parts damaged   | 5x2            | end 0 damaged              | 0 2 1 1
    end of many parts damaged  | 34x2           | end 0 damaged              | 0 2 1 1
    end lost before a stream   | 34x2 5x1       | end 0 lost                 | 0 3 0 1
    end damaged before one     | 34x2 5x1       | end 0 damaged              | 0 3 0 1
    request lost               | 34x1           | ask 0 lost                 | 1 2 1 1
    request lost before one    | 5x1 34x1       | ask 0 lost                 | 0 3 0 1
    credit lost                | 60x1           | credit 2 lost              | 0 1 0 1
    credit's reply lost        | 60x1           | credited 2 lost            | 0 1 0 1
    credit's reply damaged     | 60x1           | credited 2 damaged         | 0 1 0 1
    all credits lost           | 34x2           | credit 0..3 lost           | 1 2 1 2
    cancel lost                | 34x2           | part 3 lost, cancel 0 lost | 1 2 2 1
    its reply lost             | 34x2           | part 3 lost, cancelled 0 lost | 0 2 1 2
    its stream's end lost      | 34x2           | part 3 lost, end 0 lost    | 0 2 1 1
    credit busy                | 60x1           | credit 1 busy              | 0 1 0 0
    cancel busy                | 60x2           | part 30 lost, cancel 0 busy | 1 2 2 1
    request busy               | 9x1 4x1        | ask 0 busy                 | 0 3 0 0
    end says cancelled         | 9x2            | end 0 busy                 | 0 2 0 1
";

/// The message, the numbers and the outcome in `part 12 lost`.
fn outcome_of(text: &str) -> (u8, std::ops::Range<u64>, Outcome) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let outcome = match words[2] {
        "lost" => Outcome::Lost,
        "damaged" => Outcome::Damaged,
        _ => Outcome::Refused(BUSY),
    };
    let (first, end) = words[1].split_once("..").unwrap_or((words[1], ""));
    let first = first.parse().expect("a number");
    (
        message(words[0]),
        first..end.parse().unwrap_or(first + 1),
        outcome,
    )
}

#[test]
fn stream_lost_frames_are_recovered() {
    let mut wrong = Vec::new();
    for row in OUTCOMES.trim().lines() {
        let [name, streams, outcomes, expected] = cells(row);
        let number = |text: &str| text.parse::<u8>().expect("a number");
        let pairs = streams.split_whitespace().filter_map(|s| s.split_once('x'));
        let (lengths, begun): (Vec<u8>, Vec<usize>) = pairs
            .map(|(n, times)| (number(n), usize::from(number(times))))
            .unzip();
        let outcomes: Vec<_> = outcomes.split(',').map(outcome_of).collect();
        let script = outcomes.clone();
        let (client, passed) = streams_over(&lengths, &begun, move |kind, number| {
            let outcome = script.iter().find(|f| f.0 == kind && f.1.contains(&number));
            outcome.map_or(Outcome::Passes, |(.., outcome)| *outcome)
        });
        let (asked, cancels) = (passed.count(TRACE.id), passed.count(CANCEL.id));
        let counts = client.report().counts;
        let found = format!("{} {asked} {cancels} {}", passed.silences, counts.lost);
        let is_busy = |f: &&(u8, _, Outcome)| f.0 & REPLY == 0 && f.2 == Outcome::Refused(BUSY);
        let busy = outcomes.iter().filter(is_busy).count();
        if found != expected.trim() || counts.busy != busy as u64 {
            wrong.push(format!("{name}: {found}, {} busy", counts.busy));
        }
        if cancels > 0 {
            let again = passed.place(TRACE.id, asked - 1);
            let ends = outcomes.iter().any(|outcome| outcome.0 == PLACEMENT.id);
            let end = if ends { passed.place(TRACED.id, 0) } else { 0 };
            assert!(
                end.max(passed.place(CANCEL.id, 0)) < again,
                "{name}: requested again before it was over"
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The next pong shows that a pong was lost, and not that the stream is over.
#[test]
fn stream_lost_pong_keeps_stream() {
    let (mut client, passed) = client(once(PING.id | REPLY, 0, Outcome::Lost));
    let mut came = ReceivedParts::default();
    let requests = [stream(7, LONG), ping(5)];
    block_on(client.stream(&requests, &mut came)).expect("answers");
    let passed = passed.lock().expect("not poisoned");
    assert_eq!((passed.count(PING.id), passed.count(TRACE.id)), (2, 1));
    assert_eq!((passed.silences, passed.count(CANCEL.id)), (0, 0));
}

/// A credit is answered after it: then the stream alone is left to have been damaged.
#[test]
fn stream_damaged_end_is_requested_again_at_once() {
    let (mut client, passed) = client(once(TRACED.id, 0, Outcome::Damaged));
    let mut came = ReceivedParts::default();
    let unknown = Request::stream(&TRACE, stream_payload(7, 1), None);
    block_on(client.stream(&[unknown, ping(5)], &mut came)).expect("answers");
    assert_eq!(came.parts, whole(&[(7, 1)]));
    let passed = passed.lock().expect("not poisoned");
    let behind = passed.place(CREDIT.id | REPLY, 0);
    assert!(passed.place(TRACED.id, 0) < behind, "or this tests nothing");
    assert_eq!((passed.silences, passed.count(TRACE.id)), (0, 2));
}

fn refused(error: &BackendError, by: ErrorCode) -> bool {
    matches!(&error.kind, BackendErrorKind::Refused { request: "trace", code } if *code == by)
}

/// The abandoned stream is ended before the next request is sent.
#[test]
fn stream_refused_is_an_error() {
    let (mut client, passed) = client(once(TRACE.id, 1, Outcome::Refused(UNKNOWN_TYPE)));
    let mut came = ReceivedParts::default();
    let requests = [stream(1, 8), stream(2, 8), stream(3, 8)];
    let error = block_on(client.stream(&requests, &mut came)).expect_err("refused");
    assert!(refused(&error, UNKNOWN_TYPE), "{error}");
    assert_eq!(came.parts, whole(&[(1, 8)]), "one came before");
    block_on(client.ask(Request::empty(&STATS))).expect("an answer");
    let passed = passed.lock().expect("not poisoned");
    assert_eq!((passed.silences, passed.count(CANCEL.id)), (0, 1));
}

#[test]
fn stream_broken_every_time_is_an_error() {
    let mut parts = 0;
    let (mut client, passed) = client(move |kind, _| {
        // The fourth of each stream.
        parts = match kind {
            kind if kind == TRACE.id => 0,
            kind => parts + u32::from(kind == PLACEMENT.id),
        };
        match kind == PLACEMENT.id && parts == 4 {
            true => Outcome::Lost,
            false => Outcome::Passes,
        }
    });
    let error = block_on(client.stream(&[stream(1, LONG)], &mut ReceivedParts::default()));
    let error = error.expect_err("it never comes");
    assert!(
        matches!(error.kind, BackendErrorKind::Broken { .. }),
        "{error}"
    );
    let text = error.to_string();
    for part in ["trace", "9 times", "part 4 came instead of part 3"] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(passed.lock().expect("not poisoned").count(TRACE.id), 9);
}

/// Whenever that is: the core goes on with the stream until it is cancelled.
#[test]
fn stream_dropped_is_cancelled_before_the_next_request() {
    let polls_of_all = 45;
    for polls in 1..polls_of_all {
        let (mut client, passed) = client(quiet);
        block_on(async {
            let mut came = ReceivedParts::default();
            let requests = [stream(1, LONG), stream(2, LONG)];
            let mut dropped = Box::pin(client.stream(&requests, &mut came));
            for _ in 0..polls {
                assert!(dropped.as_mut().now_or_never().is_none());
            }
            drop(dropped);
            let pong = client.ask(ping(9)).await.expect("an answer");
            assert_eq!(Ping::decode(&pong), Ok(Ping { nonce: 9 }));
            let mut came = ReceivedParts::default();
            client
                .stream(&[stream(3, LONG)], &mut came)
                .await
                .expect("a stream");
            assert_eq!(came.parts, whole(&[(3, LONG)]), "nothing of the other");
        });
        let passed = passed.lock().expect("not poisoned");
        assert_eq!(
            (passed.silences, passed.count(CANCEL.id)),
            (0, 1),
            "{polls}"
        );
        assert!(passed.place(CANCEL.id, 0) < passed.place(PING.id, 0));
        assert!(passed.most <= WINDOW.into(), "{} unanswered", passed.most);
    }
}

/// A part that cannot be read ends the question; the stream does not go on.
#[test]
fn stream_invalid_part_is_an_error() {
    struct Picky;
    impl lockstep::backend::wire::client::Parts for Picky {
        fn begins(&mut self, _: usize) {}

        fn part(&mut self, _: usize, payload: &[u8]) -> Result<(), PayloadError> {
            Ping::decode(payload).map(drop)
        }
    }
    let (mut client, passed) = client(quiet);
    let error = block_on(client.stream(&[stream(1, 4)], &mut Picky)).expect_err("no pongs");
    assert!(
        matches!(error.kind, BackendErrorKind::Payload(_)),
        "{error}"
    );
    block_on(client.ask(ping(1))).expect("an answer");
    assert!(passed.lock().expect("not poisoned").count(CANCEL.id) > 0);
}
