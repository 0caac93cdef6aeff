//! The wire client on faulty links: each answer belongs to its request.

mod core;
pub mod faulty_link;
mod recovery;

use std::time::Duration;

use bytes::Bytes;
use lockstep::backend::wire::{LinkConfig, Wire};
use lockstep::backend::{BackendErrorKind, Kind};
use lockstep::link::sim::SimLink;
use lockstep::link::{Link as _, LinkError};
use lockstep_games::tetris::Tetris;
use protocol::layout::link::INFO;
use sim::{Depth, Variant};

use self::faulty_link::{Faults, Faulty};
use crate::block_on;
use crate::fake::{Fake, Peer, frame};

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

/// The bytes after the first one come with the next send or receive, unless the link was reopened.
#[test]
fn link_that_stalls_holds_bytes_back() {
    block_on(async {
        let faults = Faults {
            stall: 1.0,
            ..Faults::default()
        };
        let mut link = Faulty::new(core().await, faults, 1);
        let request = frame(5, INFO.id, &[]);
        link.send(&request).await.expect("its first byte");
        let silent = link.receive(cycles(50_000)).await;
        assert!(matches!(silent, Err(LinkError::Silent(_))), "no request");
        link.send(&[]).await.expect("the rest");
        let silent = link.receive(cycles(50_000)).await;
        assert!(matches!(silent, Err(LinkError::Silent(_))), "it stalls");
        let reply = link.receive(cycles(50_000)).await.expect("held back");
        assert!(reply.ends_with(&[0]) && reply.len() > 20, "{reply:?}");
        link.send(&request).await.expect("its first byte");
        link.reopen().await.expect("a new model");
        link.send(&[]).await.expect("nothing");
        let silent = link.receive(cycles(50_000)).await;
        assert!(matches!(silent, Err(LinkError::Silent(_))), "it was lost");
    });
}
