//! Seeded faults of a link, and futures that are dropped.

use std::future::Future as _;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use lockstep::backend::Backend as _;
use lockstep::link::{Link as _, LinkError};
use protocol::layout::link::INFO;

use super::faulty_link::{Faults, Faulty};
use super::{config, core, cycles, decide, open};
use crate::block_on;
use crate::fake::frame;
use crate::positions::positions;

#[test]
fn wire_faulty_link_gives_no_wrong_answer() {
    let stall = Faults {
        stall: 0.002,
        ..Faults::default()
    };
    let noise = Faults::noise(0.0005);
    for (faults, seed, count) in [
        (noise, 0, 200),
        (noise, 1, 200),
        (noise, 2, 200),
        (stall, 7, 300),
    ] {
        block_on(async {
            let link = Faulty::new(core().await, faults, seed);
            let mut wire = open(config("faulty", 4_000, 3), link).await;
            decide(&mut wire, &positions(count), 20).await;
        });
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

/// No reply to the abandoned requests is taken for the next one, and no byte is lost.
#[test]
fn wire_dropped_decision_leaves_next_answers_right() {
    let positions = positions(12);
    let (abandoned, next) = positions.split_at(6);
    block_on(async {
        let mut wire = open(config("dropped", 50_000, 3), core().await).await;
        for polls in 0..60 {
            {
                let mut future = pin!(wire.decide(abandoned));
                let mut context = Context::from_waker(Waker::noop());
                for _ in 0..polls {
                    // The model works on a thread of its own meanwhile.
                    std::thread::yield_now();
                    if let Poll::Ready(answers) = future.as_mut().poll(&mut context) {
                        answers.expect("answers");
                        break;
                    }
                }
            }
            decide(&mut wire, next, 6).await;
        }
    });
}
