//! Replies of earlier sessions and requests.

use std::time::Duration;

use bytes::Bytes;
use lockstep::backend::wire::client::{Client, Request};
use lockstep::link::probe;
use protocol::Frame;
use protocol::layout::{self, link as table};
use protocol::payload::link::{Info, Ping};

use crate::fake::{Fake, Peer, frame};
use crate::support::block_on;

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
    block_on(async {
        client.handshake(NONCE).await.expect("a core");
        client.set_window(4);
        for round in 0..150u64 {
            let nonces: Vec<u64> = (round * 1_000..(round + 1) * 1_000).collect();
            let ping = |nonce: &u64| Request::new(&table::PING, Ping { nonce: *nonce }.encode());
            let pings: Vec<Request> = nonces.iter().map(ping).collect();
            let pongs = client.ask_all(&pings).await.expect("answers");
            let own = nonces.iter().map(|&nonce| Ok(Ping { nonce }));
            let decoded = pongs.iter().map(|pong| Ping::decode(pong));
            assert!(decoded.eq(own), "round {round}");
        }
    });
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
}
