//! The wire's client asks for streams: what is lost of them is asked for again, and what
//! is not wanted any more is ended.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt as _;
use lockstep::BackendError;
use lockstep::backend::BackendErrorKind;
use lockstep::backend::wire::client::{Client, Request};
use lockstep::link::LinkError;
use protocol::layout::link::{BUSY, CANCEL, CREDIT, PING, STATS, UNKNOWN_TYPE};
use protocol::layout::tetris::{DECIDE, PLACEMENT, TRACE, TRACED};
use protocol::layout::{self, ErrorCode, REPLY, WINDOW};
use protocol::payload::PayloadError;
use protocol::payload::link::Ping;

use crate::streaming::{Came, Fate, Passed, Streaming, asks};
use crate::support::block_on;

/// Parts of the longest stream that is asked for here.
const LONG: u8 = 34;

fn client(script: impl FnMut(u8, u64) -> Fate + Send + 'static) -> (Client, Arc<Mutex<Passed>>) {
    let (core, passed) = Streaming::new(script);
    let game = *layout::GAMES.first().expect("a game");
    let mut client = Client::new("streams", game, Box::new(core), Duration::ZERO);
    client.set_window(WINDOW.into());
    (client, passed)
}

/// A request for a stream of so many parts, which is known to have as many at most.
fn stream(tag: u8, parts: u8) -> Request {
    Request::stream(&TRACE, asks(tag, parts), Some(parts.into()))
}

fn ping(nonce: u64) -> Request {
    Request::new(&PING, Ping { nonce }.encode())
}

/// What the streams of these tags and lengths have brought in the end.
fn whole(streams: &[(u8, u8)]) -> HashMap<usize, Vec<(u8, u8)>> {
    let whole = |&(tag, parts): &(u8, u8)| (0..parts).map(|part| (tag, part)).collect();
    streams.iter().map(whole).enumerate().collect()
}

/// Asks for streams of these lengths over a link by a script; sees that all comes, that
/// each began as often as it is said, and that a place was kept free.
fn streams_over(
    lengths: &[u8],
    begun: &[usize],
    script: impl FnMut(u8, u64) -> Fate + Send + 'static,
) -> (Client, Passed) {
    let tags: Vec<(u8, u8)> = (70..).zip(lengths.iter().copied()).collect();
    let requests: Vec<Request> = tags
        .iter()
        .map(|&(tag, parts)| stream(tag, parts))
        .collect();
    let (mut client, passed) = client(script);
    let mut came = Came::default();
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

/// The frame of that message, the how many-th from 0 on, has that fate.
fn once(kind: u8, number: u64, fate: Fate) -> impl FnMut(u8, u64) -> Fate + Send + 'static {
    move |other, count| match (other, count) == (kind, number) {
        true => fate,
        false => Fate::Comes,
    }
}

fn lost(client: &Client) -> u64 {
    client.report().counts.lost
}

fn quiet(_: u8, _: u64) -> Fate {
    Fate::Comes
}

#[test]
fn a_stream_comes_part_by_part_and_is_given_credit_one_ahead() {
    let (client, passed) = streams_over(&[LONG], &[1], quiet);
    assert_eq!((passed.silences, lost(&client)), (0, 0));
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
fn streams_without_parts_or_with_few_come_too() {
    let (_, passed) = streams_over(&[0, 1, 8, 9, 0], &[1; 5], quiet);
    assert_eq!((passed.silences, passed.count(CREDIT.id)), (0, 1));
}

/// A credit or a cancel would find no place.
#[test]
fn short_streams_leave_a_place_of_the_window_free() {
    let (_, passed) = streams_over(&[8; 9], &[1; 9], quiet);
    assert_eq!(passed.most, usize::from(WINDOW) - 1);
}

/// Its length is not known: it may need credit up to its end.
#[test]
fn what_follows_a_stream_of_unknown_length_is_asked_after_its_end() {
    let (mut client, passed) = client(quiet);
    let mut came = Came::default();
    let both = [0, 1].map(|tag| Request::stream(&TRACE, asks(tag, LONG), None));
    block_on(client.stream(&both, &mut came)).expect("streams");
    assert_eq!(came.parts, whole(&[(0, LONG), (1, LONG)]));
    let passed = passed.lock().expect("not poisoned");
    assert_eq!(passed.place(TRACE.id, 1), passed.place(TRACED.id, 0) + 1);
    assert_eq!(passed.silences, 0);
}

/// As soon as the first one needs no more credit, which would wait behind the second.
#[test]
fn the_next_stream_is_at_the_core_before_the_first_has_ended() {
    let (client, passed) = streams_over(&[LONG; 5], &[1; 5], quiet);
    assert_eq!((passed.silences, lost(&client)), (0, 0));
    for next in 1..5 {
        let part = 34 * (next - 1) + 24;
        let asked = passed.place(TRACE.id, next);
        assert!(passed.place(PLACEMENT.id, part - 1) < asked);
        assert!(asked < passed.place(PLACEMENT.id, part));
    }
}

/// A request of the game's waits as the next stream does; those of the link need not, and
/// are answered between the parts.
#[test]
fn other_requests_are_answered_beside_streams() {
    let (mut client, passed) = client(quiet);
    let mut came = Came::default();
    let decide = Request::new(&DECIDE, asks(0, 0));
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
    assert_eq!((passed.silences, lost(&client)), (0, 0));
}

/// A pong that was lost says itself that it was, not that the stream is.
#[test]
fn a_lost_reply_of_the_link_is_no_loss_of_the_stream() {
    let (mut client, passed) = client(once(PING.id | REPLY, 0, Fate::Lost));
    let mut came = Came::default();
    let requests = [stream(7, LONG), ping(5)];
    block_on(client.stream(&requests, &mut came)).expect("answers");
    let passed = passed.lock().expect("not poisoned");
    assert_eq!((passed.count(PING.id), passed.count(TRACE.id)), (2, 1));
    assert_eq!((passed.silences, passed.count(CANCEL.id)), (0, 0));
}

#[test]
fn a_stream_with_a_part_missing_is_cancelled_and_asked_for_again() {
    for fate in [Fate::Lost, Fate::Damaged] {
        let (client, passed) = streams_over(&[LONG], &[2], once(PLACEMENT.id, 12, fate));
        assert_eq!((passed.silences, lost(&client)), (0, 1), "{fate:?}");
        assert_eq!((passed.count(TRACE.id), passed.count(CANCEL.id)), (2, 1));
        assert!(passed.place(CANCEL.id, 0) < passed.place(TRACE.id, 1));
        assert!(passed.place(TRACED.id, 0) < passed.place(TRACE.id, 1));
    }
}

/// The cancel ends what waits behind it, too.
#[test]
fn a_stream_behind_one_that_is_cancelled_is_asked_for_again() {
    let (_, passed) = streams_over(&[LONG; 3], &[2, 1, 1], once(PLACEMENT.id, 30, Fate::Lost));
    assert_eq!((passed.silences, passed.count(TRACE.id)), (0, 5));
    assert_eq!(passed.count(CANCEL.id), 1);
}

#[test]
fn the_last_part_missing_shows_by_the_end() {
    let (client, passed) = streams_over(&[5], &[2], once(PLACEMENT.id, 4, Fate::Lost));
    assert_eq!((passed.silences, lost(&client)), (0, 1));
    assert_eq!(passed.count(CANCEL.id), 0, "it is over");
}

#[test]
fn a_lost_end_shows_by_silence() {
    let (_, passed) = streams_over(&[LONG], &[2], once(TRACED.id, 0, Fate::Lost));
    assert_eq!((passed.silences, passed.count(CANCEL.id)), (1, 1));
}

/// There is nothing else that it can have been.
#[test]
fn a_damaged_end_is_not_waited_for() {
    for parts in [0, 5, LONG] {
        let begun = if parts == 0 { 1 } else { 2 };
        let (_, passed) = streams_over(&[parts], &[begun], once(TRACED.id, 0, Fate::Damaged));
        assert_eq!((passed.silences, passed.count(TRACE.id)), (0, 2), "{parts}");
    }
}

/// A credit is answered behind it: then the stream alone is left to have been damaged.
#[test]
fn a_damaged_end_is_not_waited_for_behind_a_credit() {
    let (mut client, passed) = client(once(TRACED.id, 0, Fate::Damaged));
    let mut came = Came::default();
    let unknown = Request::stream(&TRACE, asks(7, 1), None);
    block_on(client.stream(&[unknown, ping(5)], &mut came)).expect("answers");
    assert_eq!(came.parts, whole(&[(7, 1)]));
    let passed = passed.lock().expect("not poisoned");
    let behind = passed.place(CREDIT.id | REPLY, 0);
    assert!(passed.place(TRACED.id, 0) < behind, "or this tests nothing");
    assert_eq!((passed.silences, passed.count(TRACE.id)), (0, 2));
}

/// It is over when the next one begins.
#[test]
fn a_lost_end_shows_by_the_next_stream() {
    for fate in [Fate::Lost, Fate::Damaged] {
        let (_, passed) = streams_over(&[LONG, 5], &[2, 1], once(TRACED.id, 0, fate));
        assert_eq!(
            (passed.silences, passed.count(CANCEL.id)),
            (0, 0),
            "{fate:?}"
        );
        assert_eq!(passed.count(TRACE.id), 3);
    }
}

#[test]
fn a_lost_request_shows_by_silence_or_by_the_next_stream() {
    let (_, passed) = streams_over(&[LONG], &[1], once(TRACE.id, 0, Fate::Lost));
    assert_eq!((passed.silences, passed.count(TRACE.id)), (1, 2));
    let (_, passed) = streams_over(&[5, LONG], &[1, 1], once(TRACE.id, 0, Fate::Lost));
    assert_eq!((passed.silences, passed.count(TRACE.id)), (0, 3));
}

/// The reply to the next credit says so.
#[test]
fn a_lost_credit_is_given_again_without_breaking_the_stream() {
    for kind in [CREDIT.id, CREDIT.id | REPLY] {
        let (client, passed) = streams_over(&[60], &[1], once(kind, 2, Fate::Lost));
        assert_eq!((passed.silences, lost(&client)), (0, 1));
        assert_eq!(passed.count(CANCEL.id), 0);
    }
}

#[test]
fn a_damaged_reply_to_a_credit_does_not_break_the_stream() {
    let (_, passed) = streams_over(&[60], &[1], once(CREDIT.id | REPLY, 2, Fate::Damaged));
    assert_eq!((passed.silences, passed.count(CANCEL.id)), (0, 0));
}

/// Nothing comes any more: that is silence, and the stream begins again.
#[test]
fn a_stream_left_without_credit_begins_again() {
    let (_, passed) = streams_over(&[LONG], &[2], |kind, count| {
        match kind == CREDIT.id && count < 3 {
            true => Fate::Lost,
            false => Fate::Comes,
        }
    });
    assert_eq!((passed.silences, passed.count(CANCEL.id)), (1, 1));
}

#[test]
fn a_lost_cancel_is_sent_again() {
    let lost = |kind: u8| {
        let (_, passed) = streams_over(&[LONG], &[2], move |other, count| {
            match (other, count) == (PLACEMENT.id, 3) || (other, count) == (kind, 0) {
                true => Fate::Lost,
                false => Fate::Comes,
            }
        });
        assert_eq!(passed.count(TRACE.id), 2);
        (passed.silences, passed.count(CANCEL.id))
    };
    assert_eq!(lost(CANCEL.id), (1, 2));
    assert_eq!(lost(CANCEL.id | REPLY), (0, 1), "the end says as much");
    assert_eq!(lost(TRACED.id), (0, 1), "the reply says as much");
}

#[test]
fn a_credit_refused_as_busy_is_given_again() {
    let (client, passed) = streams_over(&[60], &[1], once(CREDIT.id, 1, Fate::Refused(BUSY)));
    assert_eq!((passed.silences, client.report().counts.busy), (0, 1));
}

#[test]
fn a_cancel_refused_as_busy_is_sent_again() {
    let (client, passed) = streams_over(&[60], &[2], |kind, count| match (kind, count) {
        (kind, 0) if kind == CANCEL.id => Fate::Refused(BUSY),
        (kind, 30) if kind == PLACEMENT.id => Fate::Lost,
        _ => Fate::Comes,
    });
    // The refusal comes in its turn, when the stream is over.
    assert_eq!((passed.silences, passed.count(CANCEL.id)), (1, 2));
    assert_eq!(client.report().counts.busy, 1);
}

/// No cancel was sent, and yet it says that it was cancelled.
#[test]
fn a_stream_cancelled_by_nobody_is_asked_for_again() {
    let (_, passed) = streams_over(&[9], &[2], once(TRACED.id, 0, Fate::Refused(BUSY)));
    assert_eq!((passed.silences, passed.count(TRACE.id)), (0, 2));
}

#[test]
fn a_stream_refused_as_busy_is_asked_for_again() {
    let (_, passed) = streams_over(&[9, 4], &[1, 1], once(TRACE.id, 0, Fate::Refused(BUSY)));
    assert_eq!((passed.silences, passed.count(TRACE.id)), (0, 3));
}

fn refused(error: &BackendError, by: ErrorCode) -> bool {
    matches!(&error.kind, BackendErrorKind::Refused { request: "trace", code } if *code == by)
}

/// The stream that was under way meanwhile is ended before anything else is asked.
#[test]
fn a_refused_stream_is_an_error_and_the_next_question_is_answered() {
    let (mut client, passed) = client(once(TRACE.id, 1, Fate::Refused(UNKNOWN_TYPE)));
    let mut came = Came::default();
    let requests = [stream(1, 8), stream(2, 8), stream(3, 8)];
    let error = block_on(client.stream(&requests, &mut came)).expect_err("refused");
    assert!(refused(&error, UNKNOWN_TYPE), "{error}");
    assert_eq!(came.parts, whole(&[(1, 8)]), "one came before");
    block_on(client.ask(Request::empty(&STATS))).expect("an answer");
    let passed = passed.lock().expect("not poisoned");
    assert_eq!((passed.silences, passed.count(CANCEL.id)), (0, 1));
}

#[test]
fn a_stream_that_breaks_off_every_time_is_an_error_that_says_where() {
    let mut parts = 0;
    let (mut client, passed) = client(move |kind, _| {
        // The fourth of each stream.
        parts = match kind {
            kind if kind == TRACE.id => 0,
            kind => parts + u32::from(kind == PLACEMENT.id),
        };
        match kind == PLACEMENT.id && parts == 4 {
            true => Fate::Lost,
            false => Fate::Comes,
        }
    });
    let error = block_on(client.stream(&[stream(1, LONG)], &mut Came::default()));
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
fn a_dropped_stream_is_cancelled_before_the_next_question() {
    let polls_of_all = 45;
    for polls in 1..polls_of_all {
        let (mut client, passed) = client(quiet);
        block_on(async {
            let mut came = Came::default();
            let requests = [stream(1, LONG), stream(2, LONG)];
            let mut dropped = Box::pin(client.stream(&requests, &mut came));
            for _ in 0..polls {
                assert!(dropped.as_mut().now_or_never().is_none());
            }
            drop(dropped);
            let pong = client.ask(ping(9)).await.expect("an answer");
            assert_eq!(Ping::decode(&pong), Ok(Ping { nonce: 9 }));
            let mut came = Came::default();
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
fn a_part_that_cannot_be_read_is_an_error() {
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

/// Silence three times in a row, whatever is waited for.
#[test]
fn a_core_that_falls_silent_in_a_stream_is_an_error() {
    let mut parts = 0;
    let (mut client, passed) = client(move |kind, _| {
        parts += u32::from(kind == PLACEMENT.id);
        if parts > 5 { Fate::Lost } else { Fate::Comes }
    });
    let error = block_on(client.stream(&[stream(1, LONG)], &mut Came::default()));
    let error = error.expect_err("silence");
    let silent = matches!(error.kind, BackendErrorKind::Link(LinkError::Silent(_)));
    assert!(silent, "{error}");
    assert_eq!(passed.lock().expect("not poisoned").count(CANCEL.id), 2);
}
