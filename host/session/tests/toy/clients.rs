//! The wire's client on a link by a script, on which nothing comes by itself: a
//! wait for what was not to come is an error.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt as _};
use lockstep::backend::BackendErrorKind;
use lockstep::backend::wire::Patience;
use lockstep::backend::wire::client::{Client, Request};
use lockstep::link::{Link, LinkError, LinkStatistics};
use protocol::Decoder;
use protocol::layout::{self, REPLY, link as table};
use protocol::payload::link::{Ping, Refusal};

use crate::answering::frame;
use crate::support::block_on;

/// What comes over the link, one after the other.
#[derive(Clone, Copy)]
enum Comes {
    /// The right reply to the request.
    Reply,
    /// The same with a bit turned.
    Damaged,
    /// A refusal.
    Busy,
    /// The wait is in vain.
    Silence,
}

type Script = dyn FnMut(u64) -> Vec<Comes> + Send;

struct Scripted {
    decoder: Decoder,
    /// What comes for the request of that number, counted from 0.
    script: Box<Script>,
    requests: u64,
    coming: VecDeque<Option<Bytes>>,
    /// Time that every wait takes.
    slow: Duration,
    /// How long each wait might have taken.
    waits: Arc<Mutex<Vec<Duration>>>,
}

impl Link for Scripted {
    fn describe(&self) -> String {
        "a script".into()
    }

    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), LinkError>> {
        for byte in bytes {
            let Some(Ok(asked)) = self.decoder.push(*byte) else {
                continue;
            };
            let right = frame(asked.seq, asked.kind | REPLY, asked.payload);
            for comes in (self.script)(self.requests) {
                let bytes = match comes {
                    Comes::Silence => None,
                    Comes::Reply => Some(right.clone()),
                    Comes::Damaged => {
                        let mut damaged = right.to_vec();
                        damaged[1] ^= 0x80;
                        Some(damaged.into())
                    }
                    Comes::Busy => {
                        let refusal = Refusal {
                            code: table::BUSY,
                            request: asked.kind,
                        };
                        let payload = refusal.encode();
                        Some(frame(asked.seq, table::ERROR.id, payload.as_ref()))
                    }
                };
                self.coming.push_back(bytes);
            }
            self.requests += 1;
        }
        async { Ok(()) }.boxed()
    }

    fn receive(&mut self, within: Duration) -> BoxFuture<'_, Result<Bytes, LinkError>> {
        self.waits.lock().expect("not poisoned").push(within);
        let came = match self.coming.pop_front() {
            Some(Some(bytes)) => Ok(bytes),
            Some(None) => Err(LinkError::Silent("nothing came".into())),
            None => Err(LinkError::Closed("nothing was to come".into())),
        };
        async move {
            if !self.slow.is_zero() {
                tokio::time::sleep(self.slow).await;
            }
            came
        }
        .boxed()
    }

    fn reopen(&mut self) -> BoxFuture<'_, Result<(), LinkError>> {
        async { Ok(()) }.boxed()
    }

    fn statistics(&self) -> LinkStatistics {
        LinkStatistics::default()
    }
}

/// A client of that patience on a link by a script, and how long it waited.
fn client(
    patience: Patience,
    slow: Duration,
    script: impl FnMut(u64) -> Vec<Comes> + Send + 'static,
) -> (Client, Arc<Mutex<Vec<Duration>>>) {
    let waits = Arc::default();
    let link = Scripted {
        decoder: Decoder::new(),
        script: Box::new(script),
        requests: 0,
        coming: VecDeque::new(),
        slow,
        waits: Arc::clone(&waits),
    };
    let game = *layout::GAMES.first().expect("a game");
    let client = Client::new("scripted", game, Box::new(link), patience);
    (client, waits)
}

/// A client that waits in the link's own time.
fn fixed(script: impl FnMut(u64) -> Vec<Comes> + Send + 'static) -> Client {
    client(Duration::ZERO.into(), Duration::ZERO, script).0
}

/// Asks for so many nonces, and sees that each comes back to whom it belongs.
fn pings(client: &mut Client, count: u64) {
    let nonces: Vec<u64> = (100..100 + count).collect();
    let ping = |nonce: &u64| Request::new(&table::PING, Ping { nonce: *nonce }.encode());
    let requests: Vec<Request> = nonces.iter().map(ping).collect();
    let pongs = block_on(client.ask_all(&requests)).expect("answers");
    let own = nonces.iter().map(|&nonce| Ok(Ping { nonce }));
    assert!(pongs.iter().map(|pong| Ping::decode(pong)).eq(own));
}

/// Nothing of the meeting is waited for any more when it is over.
#[test]
fn a_core_that_was_met_is_asked_at_once() {
    let mut client = fixed(|_| vec![Comes::Reply]);
    block_on(client.meet(1)).expect("met");
    pings(&mut client, 3);
    assert_eq!(client.report().counts.requests, 5);
}

fn damaged_lost_sent(client: &Client) -> (u64, u64, u64) {
    let counts = client.report().counts;
    (counts.damaged, counts.lost, counts.requests)
}

/// The only reply that is waited for was damaged: none will come.
#[test]
fn what_was_damaged_is_asked_again_at_once() {
    let mut client = fixed(|request| match request {
        0 => vec![Comes::Damaged],
        _ => vec![Comes::Reply],
    });
    pings(&mut client, 2);
    assert_eq!(damaged_lost_sent(&client), (1, 1, 3));
}

/// Of several replies that are waited for nobody knows which was damaged, before
/// the next one comes.
#[test]
fn a_damaged_reply_costs_no_other() {
    let mut client = fixed(|request| match request {
        1 => vec![Comes::Damaged],
        _ => vec![Comes::Reply],
    });
    client.set_window(4);
    pings(&mut client, 4);
    assert_eq!(damaged_lost_sent(&client), (1, 1, 5));
}

#[test]
fn what_was_lost_is_counted_once() {
    let mut client = fixed(|request| match request {
        0..2 => vec![Comes::Silence],
        _ => vec![Comes::Reply],
    });
    pings(&mut client, 1);
    let report = client.report();
    assert_eq!(
        (
            report.counts.lost,
            report.counts.requests,
            report.counts.stale
        ),
        (2, 3, 0)
    );
}

#[test]
fn what_is_never_answered_is_asked_three_times() {
    let mut client = fixed(|_| vec![Comes::Silence]);
    let error = block_on(client.ask(Request::empty(&table::STATS))).expect_err("silence");
    let silent = matches!(error.kind, BackendErrorKind::Link(LinkError::Silent(_)));
    assert!(silent, "{error}");
    assert_eq!(client.report().counts.requests, 3);
}

/// However often it is busy all together: it goes on as long as it answers.
#[test]
fn a_core_may_be_busy_again_after_every_answer() {
    let mut client = fixed(|request| match request % 60 {
        59 => vec![Comes::Reply],
        _ => vec![Comes::Busy],
    });
    pings(&mut client, 5);
    assert_eq!(client.report().counts.busy, 5 * 59);
}

/// An end that was kept from its work for long finds what has come meanwhile.
#[test]
fn what_is_long_overdue_is_looked_for_before_it_is_given_up() {
    // Whenever it looks at the clock it is too late.
    let patience = Patience::Learned(Duration::ZERO);
    let (mut client, waits) = client(patience, Duration::ZERO, |_| vec![Comes::Reply]);
    pings(&mut client, 1);
    assert_eq!(client.report().counts.lost, 0);
    assert_eq!(waits.lock().expect("not poisoned").len(), 1);
}

/// It is the time since the last answer that counts, not all the time that the
/// answers take together.
#[test]
fn answers_that_keep_coming_are_never_overdue() {
    let patience = Patience::Learned(Duration::from_secs(4));
    let slow = Duration::from_millis(5);
    let (mut client, waits) = client(patience, slow, |_| vec![Comes::Reply]);
    client.set_window(4);
    pings(&mut client, 100);
    assert_eq!(client.report().counts.lost, 0);
    assert_eq!(waits.lock().expect("not poisoned").len(), 100);
}

/// After silence it waits longer, and on a line that is another one as long as at
/// first.
#[test]
fn how_long_it_waits_is_learned_and_forgotten() {
    const FIRST: Duration = Duration::from_secs(4);
    let patience = Patience::Learned(FIRST);
    let (mut client, waits) = client(patience, Duration::ZERO, |request| match request {
        0 => vec![Comes::Silence],
        _ => vec![Comes::Reply],
    });
    let last = || *waits.lock().expect("not poisoned").last().expect("a wait");
    pings(&mut client, 1);
    assert!(last() > FIRST, "after silence: {:?}", last());
    pings(&mut client, 1);
    assert!(last() < FIRST / 2, "after an answer: {:?}", last());
    client.link();
    pings(&mut client, 1);
    assert!(last() > FIRST / 2, "on another line: {:?}", last());
}
