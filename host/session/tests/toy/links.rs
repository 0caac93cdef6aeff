//! The wire on links that are made up here: what an earlier session left in
//! them, and what they still held when they were opened again.

use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt as _};
use lockstep::backend::wire::client::{Client, Request};
use lockstep::link::faulty::{Faults, Faulty};
use lockstep::link::{Link, LinkError, LinkStatistics, probe};
use protocol::Frame;
use protocol::layout::{self, link as table};
use protocol::payload::link::{Info, Ping};

use crate::answering::{Answering, frame};
use crate::support::block_on;

const NONCE: u64 = 0x1234;

/// The first ping is answered with the nonce of an earlier session that had come
/// to the same sequence number.
#[test]
fn the_pong_of_an_earlier_session_is_not_taken_for_ours() {
    let game = *layout::GAMES.first().expect("a game");
    let mut pings = 0;
    let stale = Answering::new(move |asked: Option<Frame<'_>>| {
        let Some(asked) = asked.filter(|asked| asked.kind == table::PING.id) else {
            return Vec::new();
        };
        pings += 1;
        let nonce = NONCE + u64::from(pings == 1);
        let payload = Ping { nonce }.encode();
        vec![frame(asked.seq, table::PONG.id, payload.as_ref())]
    });
    let mut client = Client::new("stale", game, Box::new(stale), Duration::ZERO);
    block_on(client.meet(NONCE)).expect("the second pong");
    // A reset and a ping each time.
    assert_eq!(client.report().counts.requests, 4, "it was asked again");
}

/// Says the same whenever it is asked.
struct Same;

impl Link for Same {
    fn describe(&self) -> String {
        "same".into()
    }

    fn send<'a>(&'a mut self, _: &'a [u8]) -> BoxFuture<'a, Result<(), LinkError>> {
        async { Ok(()) }.boxed()
    }

    fn receive(&mut self, _: Duration) -> BoxFuture<'_, Result<Bytes, LinkError>> {
        async { Ok(Bytes::from_static(&[1, 2, 3])) }.boxed()
    }

    fn reopen(&mut self) -> BoxFuture<'_, Result<(), LinkError>> {
        async { Ok(()) }.boxed()
    }

    fn statistics(&self) -> LinkStatistics {
        LinkStatistics::default()
    }
}

/// What stalled comes with the next wait, unless the link was opened again.
#[test]
fn what_stalled_is_lost_when_the_link_is_opened_again() {
    let faults = Faults {
        stall: 1.0,
        ..Faults::default()
    };
    let mut link = Faulty::new(Same, faults, 1);
    block_on(async {
        let wait = Duration::ZERO;
        let is_silent = |received| matches!(received, Err(LinkError::Silent(_)));
        assert!(is_silent(link.receive(wait).await));
        assert_eq!(link.receive(wait).await, Ok(Bytes::from_static(&[1, 2, 3])));
        assert!(is_silent(link.receive(wait).await));
        link.reopen().await.expect("open");
        assert!(is_silent(link.receive(wait).await), "nothing was kept");
    });
}

/// Keeps what is sent.
#[derive(Default)]
struct Kept(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl Link for Kept {
    fn describe(&self) -> String {
        "kept".into()
    }

    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), LinkError>> {
        self.0.lock().expect("not poisoned").extend(bytes);
        async { Ok(()) }.boxed()
    }

    fn receive(&mut self, _: Duration) -> BoxFuture<'_, Result<Bytes, LinkError>> {
        async { Err(LinkError::Silent("nothing came".into())) }.boxed()
    }

    fn reopen(&mut self) -> BoxFuture<'_, Result<(), LinkError>> {
        async { Ok(()) }.boxed()
    }

    fn statistics(&self) -> LinkStatistics {
        LinkStatistics::default()
    }
}

/// What stalls on its way out comes later, whole and in order.
#[test]
fn what_stalls_when_it_is_sent_goes_out_with_the_next() {
    let kept = Kept::default();
    let seen = kept.0.clone();
    let faults = Faults {
        stall: 0.2,
        ..Faults::default()
    };
    let mut link = Faulty::new(kept, faults, 4);
    let sent: Vec<u8> = (0..200).collect();
    let mut late = 0;
    for (index, some) in sent.chunks(10).enumerate() {
        block_on(link.send(some)).expect("sent");
        let passed = seen.lock().expect("not poisoned").len();
        late += usize::from(passed < (index + 1) * 10);
    }
    assert!(
        late > 5 && link.struck().stall > 5,
        "{late} sends were late"
    );
    let seen = seen.lock().expect("not poisoned");
    assert!(seen.len() > 150, "only {} passed", seen.len());
    assert_eq!(seen[..], sent[..seen.len()]);
}

/// Nor does what stalled on its way out go to whoever is there afterwards.
#[test]
fn what_stalled_is_not_sent_when_the_link_is_opened_again() {
    let kept = Kept::default();
    let seen = kept.0.clone();
    let faults = Faults {
        stall: 1.0,
        ..Faults::default()
    };
    let mut link = Faulty::new(kept, faults, 1);
    block_on(async {
        link.send(&[1, 2, 3]).await.expect("sent");
        link.reopen().await.expect("open");
        link.send(&[9]).await.expect("sent");
    });
    assert_eq!(seen.lock().expect("not poisoned")[..], [1, 9]);
}

/// More requests than there are sequence numbers: every ping gets its own nonce
/// back, whatever was lost, late or came twice before.
#[test]
fn answers_belong_to_their_requests_when_sequence_numbers_wrap() {
    let game = *layout::GAMES.first().expect("a game");
    let mut requests = 0u64;
    let mut late = Vec::new();
    let forgetful = Answering::new(move |asked: Option<Frame<'_>>| {
        let Some(asked) = asked else {
            return std::mem::take(&mut late);
        };
        if asked.kind != table::PING.id {
            return Vec::new();
        }
        requests += 1;
        let pong = frame(asked.seq, table::PONG.id, asked.payload);
        match requests % 64 {
            7 => Vec::new(),
            // They come after the silence they leave.
            20..24 => {
                late.push(pong);
                Vec::new()
            }
            // A line that gives a frame twice.
            50 => vec![pong.clone(), pong],
            _ => vec![pong],
        }
    });
    let mut client = Client::new("forgetful", game, Box::new(forgetful), Duration::ZERO);
    block_on(async {
        client.meet(NONCE).await.expect("a core");
        client.set_window(4);
        for round in 0..150u64 {
            let nonces: Vec<u64> = (round * 1_000..(round + 1) * 1_000).collect();
            let ping = |nonce: &u64| Request::new(&table::PING, Ping { nonce: *nonce }.encode());
            let pings: Vec<Request> = nonces.iter().map(ping).collect();
            let pongs = client.ask_all(&pings).await.expect("answers");
            let own = nonces.iter().map(|&nonce| Ok(Ping { nonce }));
            assert!(
                pongs.iter().map(|p| Ping::decode(p)).eq(own),
                "round {round}"
            );
        }
    });
    let report = client.report();
    assert!(
        report.counts.requests > 2 * u64::from(u16::MAX),
        "{report:?}"
    );
    assert!(
        report.counts.lost > 1_000 && report.counts.stale > 1_000,
        "{report:?}"
    );
}

#[test]
fn who_is_there_is_asked_again_and_not_taken_for_another() {
    let mut requests = 0;
    let mut hesitant = Answering::new(|asked: Option<Frame<'_>>| {
        let Some(asked) = asked else {
            return Vec::new();
        };
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
}
