//! The wire on links that are made up here: what an earlier session left in
//! them, and what they still held when they were opened again.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt as _};
use lockstep::backend::wire::client::{Client, Request};
use lockstep::link::faulty::{Faults, Faulty};
use lockstep::link::{Link, LinkError, LinkStatistics, probe};
use protocol::layout::{self, link as table};
use protocol::payload::link::{Info, Ping};
use protocol::{Decoder, Frame};

use crate::support::block_on;

const NONCE: u64 = 0x1234;

/// Answers pings only, and the first one with the nonce of an earlier session
/// that had come to the same sequence number.
#[derive(Default)]
struct Stale {
    decoder: Decoder,
    pings: usize,
    replies: VecDeque<Bytes>,
}

impl Link for Stale {
    fn describe(&self) -> String {
        "stale".into()
    }

    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), LinkError>> {
        for byte in bytes {
            let Some(Ok(frame)) = self.decoder.push(*byte) else {
                continue;
            };
            if frame.kind != table::PING.id {
                continue;
            }
            self.pings += 1;
            let nonce = NONCE + u64::from(self.pings == 1);
            let payload = Ping { nonce }.encode();
            let pong = Frame {
                seq: frame.seq,
                kind: table::PONG.id,
                payload: payload.as_ref(),
            };
            let wire = protocol::frame::encode(&pong).expect("fits");
            self.replies
                .push_back(Bytes::copy_from_slice(wire.as_ref()));
        }
        async { Ok(()) }.boxed()
    }

    fn receive(&mut self, _: Duration) -> BoxFuture<'_, Result<Bytes, LinkError>> {
        let silent = || LinkError::Silent("nothing came".into());
        let reply = self.replies.pop_front().ok_or_else(silent);
        async { reply }.boxed()
    }

    fn reopen(&mut self) -> BoxFuture<'_, Result<(), LinkError>> {
        async { Ok(()) }.boxed()
    }

    /// How many pings came.
    fn statistics(&self) -> LinkStatistics {
        LinkStatistics {
            received: self.pings as u64,
            ..LinkStatistics::default()
        }
    }
}

#[test]
fn the_pong_of_an_earlier_session_is_not_taken_for_ours() {
    let game = *layout::GAMES.first().expect("a game");
    let mut client = Client::new("stale", game, Box::<Stale>::default(), Duration::ZERO);
    block_on(client.meet(NONCE)).expect("the second pong");
    assert_eq!(client.received(), 2, "it was asked again");
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

/// Answers pings, but not each of them, and some a while later.
#[derive(Default)]
struct Forgetful {
    decoder: Decoder,
    requests: u64,
    replies: VecDeque<Bytes>,
    /// Replies that come once the silence they leave was noticed.
    late: VecDeque<Bytes>,
}

impl Link for Forgetful {
    fn describe(&self) -> String {
        "forgetful".into()
    }

    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), LinkError>> {
        for byte in bytes {
            let Some(Ok(frame)) = self.decoder.push(*byte) else {
                continue;
            };
            if frame.kind != table::PING.id {
                continue;
            }
            self.requests += 1;
            let pong = Frame {
                kind: table::PONG.id,
                ..frame
            };
            let wire = protocol::frame::encode(&pong).expect("fits");
            let wire = Bytes::copy_from_slice(wire.as_ref());
            match self.requests % 64 {
                7 => {}
                // So is everything behind it: a core answers in order.
                20..24 => self.late.push_back(wire),
                // A line that gives a frame twice.
                50 => self.replies.extend([wire.clone(), wire]),
                _ => self.replies.push_back(wire),
            }
        }
        async { Ok(()) }.boxed()
    }

    fn receive(&mut self, _: Duration) -> BoxFuture<'_, Result<Bytes, LinkError>> {
        let reply = self.replies.pop_front().ok_or_else(|| {
            self.replies.append(&mut self.late);
            LinkError::Silent("nothing came".into())
        });
        async { reply }.boxed()
    }

    fn reopen(&mut self) -> BoxFuture<'_, Result<(), LinkError>> {
        async { Ok(()) }.boxed()
    }

    fn statistics(&self) -> LinkStatistics {
        LinkStatistics {
            sent: self.requests,
            ..LinkStatistics::default()
        }
    }
}

/// More requests than there are sequence numbers: every ping gets its own nonce
/// back, whatever was lost, late or came twice before.
#[test]
fn answers_belong_to_their_requests_when_sequence_numbers_wrap() {
    let game = *layout::GAMES.first().expect("a game");
    let link = Box::<Forgetful>::default();
    let mut client = Client::new("forgetful", game, link, Duration::ZERO);
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

/// Answers from the second request on, each time after what others had asked.
#[derive(Default)]
struct Hesitant {
    decoder: Decoder,
    requests: usize,
    replies: VecDeque<Bytes>,
}

impl Link for Hesitant {
    fn describe(&self) -> String {
        "hesitant".into()
    }

    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), LinkError>> {
        for byte in bytes {
            let Some(Ok(asked)) = self.decoder.push(*byte) else {
                continue;
            };
            self.requests += 1;
            if self.requests == 1 {
                continue;
            }
            let own = crate::core::info();
            let others = Info {
                build_id: !own.build_id,
                ..own
            };
            for (seq, info) in [(asked.seq.wrapping_sub(100), others), (asked.seq, own)] {
                let payload = info.encode();
                let reply = Frame {
                    seq,
                    kind: table::INFO_REPLY.id,
                    payload: payload.as_ref(),
                };
                let wire = protocol::frame::encode(&reply).expect("fits");
                self.replies
                    .push_back(Bytes::copy_from_slice(wire.as_ref()));
            }
        }
        async { Ok(()) }.boxed()
    }

    fn receive(&mut self, _: Duration) -> BoxFuture<'_, Result<Bytes, LinkError>> {
        let silent = || LinkError::Silent("nothing came".into());
        let reply = self.replies.pop_front().ok_or_else(silent);
        async { reply }.boxed()
    }

    fn reopen(&mut self) -> BoxFuture<'_, Result<(), LinkError>> {
        async { Ok(()) }.boxed()
    }

    fn statistics(&self) -> LinkStatistics {
        LinkStatistics::default()
    }
}

#[test]
fn who_is_there_is_asked_again_and_not_taken_for_another() {
    let within = Duration::from_secs(60);
    let answer = block_on(probe::info(&mut Hesitant::default(), within));
    assert_eq!(answer, Ok(crate::core::info()));
}
