//! The wire client on faulty links: each answer belongs to its request.

mod core;
mod faulty;
pub mod faulty_link;
mod recovery;

use std::time::Duration;

use bytes::Bytes;
use futures::future::FutureExt as _;
use lockstep::Answer;
use lockstep::backend::wire::client::{Client, Request};
use lockstep::backend::wire::{LinkConfig, Wire};
use lockstep::backend::{Backend, BackendErrorKind, Kind};
use lockstep::link::Link;
use lockstep::link::sim::SimLink;
use lockstep_games::tetris::{Position, Tetris};
use lockstep_games::{Codec, Golden};
use protocol::layout::{self, WINDOW};
use sim::{Depth, Variant};

use crate::block_on;
use crate::fake::{Fake, Peer, frame};
use crate::positions::{controller, positions};

fn variant() -> &'static Variant {
    sim::variant("tetris", None).expect("the RTL as designed")
}

/// A simulated core.
pub async fn core() -> SimLink {
    let opened = SimLink::open(variant(), Depth::Bytes).await;
    opened.expect("a model")
}

/// Simulated time.
fn cycles(cycles: u64) -> Duration {
    Duration::from_nanos(cycles * 1_000_000_000 / u64::from(variant().clock_hz))
}

/// The configuration of a link, with a timeout in clock cycles.
pub fn config(name: &str, limit: u64, nonce: u64) -> LinkConfig {
    LinkConfig {
        name: name.into(),
        kind: Kind::Simulated,
        timeout: cycles(limit).into(),
        nonce,
        recovery: None,
    }
}

/// Opens a core behind a link, and gives it a controller.
async fn open(config: LinkConfig, link: impl Link + 'static) -> Wire<Tetris> {
    let wire = Wire::open(config, Box::new(link)).await;
    let mut wire = wire.expect("a core");
    let configured = wire.configure(&controller("probe")).await;
    configured.expect("configured");
    wire
}

/// Checks that each answer is the golden model's.
fn check(positions: &[Position], answers: &[Answer<Tetris>]) {
    assert_eq!(answers.len(), positions.len(), "none is lost");
    let probe = controller("probe");
    for (position, answer) in positions.iter().zip(answers) {
        let right = Tetris::decide(&probe, position).expect("a decision");
        assert_eq!(answer.decision, right);
    }
}

/// Decides positions in groups of `count`, and checks every answer.
async fn decide(wire: &mut Wire<Tetris>, positions: &[Position], count: usize) {
    for some in positions.chunks(count) {
        check(some, &wire.decide(some).await.expect("answers"));
    }
}

/// The earlier session left requests and half a frame.
#[test]
fn wire_reopened_core_answers_only_the_new_session() {
    let probe = controller("probe");
    block_on(async {
        let mut link = core().await;
        for (seq, position) in (90..).zip(positions(3)) {
            let payload = Tetris::encode_position(&probe, &position).expect("fits");
            let bytes = frame(seq, layout::tetris::DECIDE.id, payload.as_ref());
            let half = bytes.len() / if seq == 92 { 2 } else { 1 };
            link.send(&bytes[..half]).await.expect("sent");
        }
        let mut wire = open(config("again", 50_000, 88), link).await;
        decide(&mut wire, &positions(10), 10).await;
    });
}

/// A silent line, or a device that only sends garbage.
#[test]
fn wire_without_answers_is_an_error() {
    struct Garbage(bool);
    impl Peer for Garbage {
        fn wait(&mut self, _: Duration) -> Option<Bytes> {
            self.0.then(|| Bytes::from_static(&[0x55, 0x00]))
        }
    }
    for (garbage, why) in [
        (false, "backend none: no answer: nothing came"),
        (true, "without a reply among them"),
    ] {
        let link = Box::new(Fake::new(Garbage(garbage)));
        let opened = block_on(Wire::<Tetris>::open(config("none", 1, 1), link));
        let error = opened.err().expect("no answer");
        assert!(matches!(error.kind, BackendErrorKind::Link(_)), "{error:?}");
        assert!(error.to_string().contains(why), "{error}");
    }
}

#[test]
fn sim_model_that_hangs_is_an_error_that_names_the_limit() {
    let received = block_on(async { core().await.receive(cycles(5_000)).await });
    let error = received.expect_err("nothing was requested").to_string();
    assert!(error.contains("5000 clock cycles"), "{error}");
}

/// A client of a simulated core, after the handshake.
async fn client(name: &str, limit: u64) -> Client {
    let link = Box::new(core().await);
    let mut client = Client::new(name, Tetris::WIRE, link, cycles(limit));
    client.handshake(5).await.expect("a core");
    client.set_window(WINDOW.into());
    client
}

fn decide_request(position: &Position) -> Request {
    let payload = Tetris::encode_position(&controller("probe"), position);
    Request::new(&layout::tetris::DECIDE, payload.expect("fits"))
}

/// The core still holds them when the next ones arrive.
#[test]
fn client_abandoned_requests_do_not_make_the_core_busy() {
    block_on(async {
        let mut client = client("hasty", 50_000).await;
        let info = Request::empty(&layout::link::INFO);
        let weights = Request::empty(&layout::tetris::GET_WEIGHTS);
        for _ in 0..20 {
            // Refused at once, with three more behind it.
            let refused = client.ask_all(&[weights, info, info, info]).await;
            assert!(refused.is_err(), "no weights were set");
            let replies = client.ask_all(&[info; 6]).await.expect("answers");
            assert_eq!(replies.len(), 6);
            // Dropped before it is done.
            let many = [info; 9];
            let dropped = client.ask_all(&many);
            assert!(dropped.now_or_never().is_none());
            let replies = client.ask_all(&[info; 6]).await.expect("answers");
            assert_eq!(replies.len(), 6);
        }
    });
}

/// The core gets retries while it still works on the request, and answers them with `busy`.
#[test]
fn client_slow_core_is_not_an_error() {
    let probe = controller("probe");
    block_on(async {
        let mut client = client("slow", 230).await;
        let weights = Tetris::encode_controller(&probe).expect("linear");
        let set = Request::new(&layout::tetris::SET_WEIGHTS, weights);
        client.ask(set).await.expect("set");
        let positions = positions(12);
        let requests: Vec<Request> = positions.iter().map(decide_request).collect();
        let replies = client.ask_all(&requests).await.expect("answers");
        let decode = |reply: &Bytes| Tetris::decode_decision(reply).expect("a decision").0;
        let answers = replies
            .iter()
            .map(|reply| Answer::plain(decode(reply).decision));
        check(&positions, &answers.collect::<Vec<_>>());
    });
}

#[test]
fn sim_impossible_skew_is_refused() {
    for skew_ppm in [-1_000_000, -2_000_000, 200_000] {
        let depth = Depth::Pins {
            baud: 1_000_000,
            skew_ppm,
        };
        let opened = sim::Port::open(variant(), depth).err();
        assert_eq!(opened, Some(sim::SimError::Skew { skew_ppm }));
    }
}
