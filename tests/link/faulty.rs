//! Seeded faults on the bytes of a link, and futures dropped at any time.

use std::future::Future as _;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use lockstep::backend::wire::Wire;
use lockstep::backend::{Backend as _, BackendErrorKind};
use lockstep::link::faulty::{Faults, Faulty};
use lockstep::link::sim::SimLink;
use lockstep::link::{Link as _, LinkError};
use lockstep_games::Golden as _;
use lockstep_games::tetris::Tetris;
use sim::Depth;

use super::{cycles, positions, reach};
use crate::support::{block_on, controller};

async fn link() -> SimLink {
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    SimLink::open(variant, Depth::Bytes).await.expect("a model")
}

/// Decides over a link with faults and checks every answer against the golden
/// model.
fn decides_right(faults: Faults, seed: u64, count: u64) {
    let probe = controller("probe");
    let positions = positions(count);
    let answers = block_on(async {
        let link = Faulty::new(link().await, faults, seed);
        let mut wire = Wire::<Tetris>::open(reach("faulty", 4_000, 3), Box::new(link))
            .await
            .expect("met");
        wire.configure(&probe).await.expect("configured");
        let mut answers = Vec::new();
        for some in positions.chunks(20) {
            answers.extend(wire.decide(some).await.expect("answers"));
        }
        answers
    });
    assert_eq!(answers.len(), positions.len());
    for (position, answer) in positions.iter().zip(answers) {
        let right = Tetris::decide(&probe, position).expect("a decision");
        assert_eq!(answer.decision, right);
    }
}

#[test]
fn no_wrong_answer_is_accepted_over_a_noisy_link() {
    for seed in 0..3 {
        decides_right(Faults::noise(0.0005), seed, 200);
    }
}

#[test]
fn no_wrong_answer_is_accepted_from_a_line_that_stalls() {
    let stall = Faults {
        stall: 0.002,
        ..Faults::default()
    };
    decides_right(stall, 7, 300);
}

/// The same seed, the same faults; every kind strikes at about its rate.
#[test]
fn faults_are_seeded_and_strike_at_their_rate() {
    let run = |seed| {
        block_on(async {
            let mut link = Faulty::new(link().await, Faults::noise(0.1), seed);
            for _ in 0..100 {
                link.send(&[0x55; 100]).await.expect("sent");
            }
            link.struck()
        })
    };
    let struck = run(1);
    assert_eq!(struck, run(1));
    assert_ne!(struck, run(2));
    for count in [struck.flip, struck.drop, struck.double, struck.insert] {
        assert!((800..1200).contains(&count), "{struck:?}");
    }
    assert_eq!((struck.stall, struck.hang_up), (0, 0));
}

#[test]
fn a_link_that_hangs_up_is_closed_until_it_is_opened_again() {
    block_on(async {
        let faults = Faults {
            hang_up: 1.0,
            ..Faults::default()
        };
        let mut link = Faulty::new(link().await, faults, 1);
        let closed = link.send(&[1]).await.expect_err("hung up");
        assert!(matches!(closed, LinkError::Closed(_)), "{closed}");
        let closed = link.receive(cycles(10)).await.expect_err("still");
        assert!(matches!(closed, LinkError::Closed(_)), "{closed}");
        link.reopen().await.expect("a new model");
        assert_eq!(link.statistics().reopened, 1);
        let silent = link.receive(cycles(10)).await.expect_err("batch nothing");
        assert!(matches!(silent, LinkError::Silent(_)), "{silent}");
    });
}

/// Whenever the future of a decision is dropped, the next decision is right: no
/// answer to what was given up is taken for it, and no byte is lost.
#[test]
fn a_dropped_future_spoils_nothing() {
    let probe = controller("probe");
    let positions = positions(12);
    let (given_up, batch) = positions.split_at(6);
    block_on(async {
        let mut wire = Wire::<Tetris>::open(reach("dropped", 50_000, 3), Box::new(link().await))
            .await
            .expect("met");
        wire.configure(&probe).await.expect("configured");
        for polls in 0..60 {
            {
                let mut future = pin!(wire.decide(given_up));
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
            let answers = wire.decide(batch).await.expect("answers");
            for (position, answer) in batch.iter().zip(answers) {
                let right = Tetris::decide(&probe, position).expect("a decision");
                assert_eq!(answer.decision, right, "after {polls} polls");
            }
        }
    });
}

/// A receive that was given up keeps what comes for the next one.
#[test]
fn a_dropped_receive_loses_no_frame() {
    use futures::FutureExt as _;
    block_on(async {
        let mut link = link().await;
        let frame = protocol::Frame {
            seq: 5,
            kind: protocol::layout::link::INFO.id,
            payload: &[],
        };
        let wire = protocol::frame::encode(&frame).expect("fits");
        link.send(wire.as_ref()).await.expect("sent");
        for _ in 0..5 {
            let dropped = link.receive(cycles(50_000)).now_or_never();
            if let Some(received) = dropped {
                // It was quick: the reply is here at once.
                assert!(received.expect("a reply").ends_with(&[0]));
                return;
            }
        }
        let bytes = link.receive(cycles(50_000)).await.expect("a reply");
        assert!(bytes.ends_with(&[0]) && bytes.len() > 20, "{bytes:?}");
        assert_eq!(link.statistics().received, bytes.len() as u64);
    });
}

#[test]
fn a_core_that_never_recovers_is_an_error_that_says_so() {
    let deaf = Faults {
        drop: 1.0,
        ..Faults::default()
    };
    let error = block_on(async {
        let link = Faulty::new(link().await, deaf, 1);
        let opened = Wire::<Tetris>::open(reach("deaf", 2_000, 3), Box::new(link)).await;
        opened.err().expect("nobody answers")
    });
    assert!(matches!(error.kind, BackendErrorKind::Link(_)), "{error}");
}
