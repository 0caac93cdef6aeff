//! The wire client on links that misbehave: what the core answers is always
//! matched to what it was batch.

mod core;
mod faulty;
mod recovery;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt as _};
use lockstep::backend::wire::client::{Client, Request};
use lockstep::backend::wire::{LinkConfig, Wire};
use lockstep::backend::{Backend, BackendErrorKind, Kind};
use lockstep::link::sim::SimLink;
use lockstep::link::{Link, LinkError, LinkStatistics};
use lockstep_games::tetris::{Position, Setup, Tetris};
use lockstep_games::{Codec, Golden};
use protocol::Decoder;
use protocol::layout::{self, WINDOW};
use sim::Depth;

use crate::support::{block_on, controller};

/// What a link does to the frames that pass.
#[derive(Default)]
struct Trouble {
    /// Frames sent so far, and those of them to be lost.
    sent: usize,
    lose: Vec<usize>,
    /// Replies received so far, and those of them to be kept for later.
    received: usize,
    delay: Vec<usize>,
    late: VecDeque<Bytes>,
    /// Late replies on their way: that they are missing was noticed.
    due: VecDeque<Bytes>,
    /// Requests unanswered now, and the most there ever were.
    open: usize,
    most: usize,
}

/// A simulated core behind a link with trouble.
struct Troubled {
    link: SimLink,
    trouble: Arc<Mutex<Trouble>>,
}

impl Link for Troubled {
    fn describe(&self) -> String {
        self.link.describe()
    }

    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), LinkError>> {
        async move {
            let lost = {
                let mut t = self.trouble.lock().expect("one thread");
                t.open += 1;
                t.most = t.most.max(t.open);
                t.sent += 1;
                t.lose.contains(&(t.sent - 1))
            };
            if lost {
                Ok(())
            } else {
                self.link.send(bytes).await
            }
        }
        .boxed()
    }

    fn receive(&mut self, within: Duration) -> BoxFuture<'_, Result<Bytes, LinkError>> {
        async move {
            loop {
                if let Some(late) = self.trouble.lock().expect("one thread").due.pop_front() {
                    return Ok(late);
                }
                let bytes = match self.link.receive(within).await {
                    Ok(bytes) => bytes,
                    Err(e) => {
                        let mut t = self.trouble.lock().expect("one thread");
                        t.open = 0;
                        let late = std::mem::take(&mut t.late);
                        t.due.extend(late);
                        return Err(e);
                    }
                };
                let mut t = self.trouble.lock().expect("one thread");
                t.open = t.open.saturating_sub(1);
                t.received += 1;
                if t.delay.contains(&(t.received - 1)) {
                    t.late.push_back(bytes);
                    continue;
                }
                let overtaken = std::mem::take(&mut t.late);
                t.due.extend(overtaken);
                return Ok(bytes);
            }
        }
        .boxed()
    }

    fn reopen(&mut self) -> BoxFuture<'_, Result<(), LinkError>> {
        self.link.reopen()
    }

    fn statistics(&self) -> LinkStatistics {
        self.link.statistics()
    }
}

/// Simulated time.
fn cycles(cycles: u64) -> Duration {
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    Duration::from_nanos(cycles * 1_000_000_000 / u64::from(variant.clock_hz))
}

/// How a core is reached that may take so many clock cycles to an answer.
pub fn reach(name: &str, limit: u64, nonce: u64) -> LinkConfig {
    LinkConfig {
        name: name.into(),
        kind: Kind::Simulated,
        timeout: cycles(limit).into(),
        nonce,
        recovery: None,
    }
}

async fn wire(trouble: &Arc<Mutex<Trouble>>) -> Wire<Tetris> {
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    let link = SimLink::open(variant, Depth::Bytes).await.expect("a model");
    let troubled = Troubled {
        link,
        trouble: trouble.clone(),
    };
    Wire::open(reach("troubled", 20_000, 99), Box::new(troubled))
        .await
        .expect("a core")
}

/// Positions all different, and so are their decisions' scores.
pub fn positions(n: u64) -> Vec<Position> {
    use lockstep_games::{Match as _, Rules as _};
    let setup = Setup::standard(3);
    let probe = controller("probe");
    let mut state = Tetris::deal(&setup, 0);
    (0..n)
        .map(|_| {
            let position = state.position();
            let decision = Tetris::decide(&probe, &position).expect("a decision");
            state.apply(&decision).expect("by the rules");
            position
        })
        .collect()
}

/// Decides some positions over a troubled link and checks every answer.
fn decide_over(trouble: Trouble) -> Trouble {
    let trouble = Arc::new(Mutex::new(trouble));
    let positions = positions(40);
    let probe = controller("probe");
    let answers = block_on(async {
        let mut wire = wire(&trouble).await;
        wire.configure(&probe).await.expect("configured");
        {
            // Meeting and configuring are not what is counted.
            let mut t = trouble.lock().expect("one thread");
            (t.sent, t.received, t.open, t.most) = (0, 0, 0, 0);
        }
        wire.decide(&positions).await.expect("answers")
    });
    assert_eq!(answers.len(), positions.len());
    for (position, answer) in positions.iter().zip(answers) {
        assert_eq!(
            answer.decision,
            Tetris::decide(&probe, position).expect("a decision")
        );
    }
    std::mem::take(&mut *trouble.lock().expect("one thread"))
}

#[test]
fn a_window_of_requests_is_in_flight() {
    let trouble = decide_over(Trouble::default());
    assert_eq!(trouble.most, usize::from(WINDOW));
    assert_eq!(trouble.sent, 40, "nothing was batch twice");
}

#[test]
fn lost_requests_are_asked_again() {
    let trouble = decide_over(Trouble {
        lose: vec![12, 13, 14, 15, 30],
        ..Trouble::default()
    });
    assert!(trouble.sent > 40, "{} requests were sent", trouble.sent);
}

#[test]
fn late_replies_are_not_taken_for_others() {
    let trouble = decide_over(Trouble {
        delay: vec![10, 11, 20],
        ..Trouble::default()
    });
    assert!(trouble.sent > 40, "{} requests were sent", trouble.sent);
    assert!(
        trouble.late.is_empty() && trouble.due.is_empty(),
        "the late replies came"
    );
}

/// A session that was cut off leaves requests and half a frame behind; the
/// next one on the same core is not confused by them.
#[test]
fn a_reopened_core_answers_only_the_new_session() {
    let probe = controller("probe");
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    block_on(async {
        let mut link = SimLink::open(variant, Depth::Bytes).await.expect("a model");
        for (seq, position) in (90..).zip(positions(3)) {
            let payload = Tetris::encode_position(&probe, &position).expect("fits");
            let frame = protocol::Frame {
                seq,
                kind: layout::tetris::DECIDE.id,
                payload: payload.as_ref(),
            };
            let wire = protocol::frame::encode(&frame).expect("fits");
            let bytes = wire.as_ref();
            // The last one is cut off in the middle.
            let cut = if seq == 92 {
                bytes.len() / 2
            } else {
                bytes.len()
            };
            link.send(&bytes[..cut]).await.expect("sent");
        }
        let mut wire = Wire::<Tetris>::open(reach("again", 50_000, 88), Box::new(link))
            .await
            .expect("a core");
        wire.configure(&probe).await.expect("configured");
        let positions = positions(10);
        let answers = wire.decide(&positions).await.expect("answers");
        for (position, answer) in positions.iter().zip(answers) {
            assert_eq!(
                answer.decision,
                Tetris::decide(&probe, position).expect("a decision")
            );
        }
    });
}

/// Never answers.
struct Dead;

impl Link for Dead {
    fn describe(&self) -> String {
        "dead".into()
    }

    fn send<'a>(&'a mut self, _: &'a [u8]) -> BoxFuture<'a, Result<(), LinkError>> {
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

#[test]
fn a_silent_core_is_an_error_that_says_so() {
    let opened = block_on(Wire::<Tetris>::open(reach("dead", 1, 1), Box::new(Dead)));
    let error = opened.err().expect("nobody answers");
    assert!(matches!(error.kind, BackendErrorKind::Link(_)), "{error:?}");
    assert_eq!(error.to_string(), "backend dead: no answer: nothing came");
}

#[test]
fn a_model_that_hangs_is_an_error_that_names_the_limit() {
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    let error = block_on(async {
        let mut link = SimLink::open(variant, Depth::Bytes).await.expect("a model");
        link.receive(cycles(5_000))
            .await
            .expect_err("it was batch nothing")
    });
    assert!(error.to_string().contains("5000 clock cycles"), "{error}");
}

/// A core that was reset behind our back has no weights: it refuses rather
/// than decide by others.
#[test]
fn a_core_reset_behind_our_back_refuses() {
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    let error = block_on(async {
        let link = SimLink::open(variant, Depth::Bytes).await.expect("a model");
        let mut client = Client::new("fresh", Tetris::WIRE, Box::new(link), cycles(50_000));
        client.handshake(7).await.expect("a core");
        let position = Tetris::encode_position(&controller("probe"), &positions(1)[0]);
        let request = Request::new(&layout::tetris::DECIDE, position.expect("fits"));
        client.ask(request).await.expect_err("no weights were set")
    });
    assert_eq!(
        error.to_string(),
        "backend fresh: the core refused decide: weights_unset"
    );
}

/// The decoder of the tests and the core's replies agree on what a frame is.
#[test]
fn replies_are_whole_frames() {
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    let bytes = block_on(async {
        let mut link = SimLink::open(variant, Depth::Bytes).await.expect("a model");
        let frame = protocol::Frame {
            seq: 5,
            kind: layout::link::INFO.id,
            payload: &[],
        };
        let wire = protocol::frame::encode(&frame).expect("fits");
        link.send(wire.as_ref()).await.expect("sent");
        link.receive(cycles(50_000)).await.expect("a reply")
    });
    let mut decoder = Decoder::new();
    let (last, inside) = bytes.split_last().expect("not empty");
    assert!(inside.iter().all(|b| decoder.push(*b).is_none()));
    let frame = decoder.push(*last).expect("ended").expect("a frame");
    assert_eq!((frame.seq, frame.kind), (5, layout::link::INFO_REPLY.id));
}

/// Requests that were given up still lie in the core; they must not make it
/// refuse the next ones.
#[test]
fn requests_given_up_do_not_make_the_core_busy() {
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    block_on(async {
        let link = SimLink::open(variant, Depth::Bytes).await.expect("a model");
        let mut client = Client::new("hasty", Tetris::WIRE, Box::new(link), cycles(50_000));
        client.handshake(5).await.expect("a core");
        client.set_window(WINDOW.into());
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

/// An impatient link calls a core silent that is only slow: it is batch again
/// while it still works, answers `busy`, and is batch once more.
#[test]
fn a_slow_core_is_not_refused() {
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    let probe = controller("probe");
    block_on(async {
        let link = SimLink::open(variant, Depth::Bytes).await.expect("a model");
        let mut client = Client::new("slow", Tetris::WIRE, Box::new(link), cycles(230));
        client.handshake(5).await.expect("a core");
        client.set_window(WINDOW.into());
        let set = Request::new(
            &layout::tetris::SET_WEIGHTS,
            Tetris::encode_controller(&probe).expect("linear"),
        );
        client.ask(set).await.expect("set");
        let positions = positions(12);
        let decide = |p| {
            Request::new(
                &layout::tetris::DECIDE,
                Tetris::encode_position(&probe, p).expect("fits"),
            )
        };
        let requests: Vec<Request> = positions.iter().map(decide).collect();
        let replies = client.ask_all(&requests).await.expect("answers");
        for (position, reply) in positions.iter().zip(replies) {
            let (found, _) = Tetris::decode_decision(&reply).expect("a decision");
            assert_eq!(
                found.decision,
                Tetris::decide(&probe, position).expect("a decision")
            );
        }
    });
}

/// Always has something to say, never an answer.
struct Babbler;

impl Link for Babbler {
    fn describe(&self) -> String {
        "babbler".into()
    }

    fn send<'a>(&'a mut self, _: &'a [u8]) -> BoxFuture<'a, Result<(), LinkError>> {
        async { Ok(()) }.boxed()
    }

    fn receive(&mut self, _: Duration) -> BoxFuture<'_, Result<Bytes, LinkError>> {
        async { Ok(Bytes::from_static(&[0x55, 0x00])) }.boxed()
    }

    fn reopen(&mut self) -> BoxFuture<'_, Result<(), LinkError>> {
        async { Ok(()) }.boxed()
    }

    fn statistics(&self) -> LinkStatistics {
        LinkStatistics::default()
    }
}

#[test]
fn a_core_that_only_babbles_is_given_up() {
    let opened = block_on(Wire::<Tetris>::open(
        reach("babbler", 1, 1),
        Box::new(Babbler),
    ));
    let error = opened.err().expect("no answer").to_string();
    assert!(error.contains("answer nothing"), "{error}");
}

#[test]
fn an_impossible_skew_is_refused() {
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    for skew_ppm in [-1_000_000, -2_000_000, 200_000] {
        let depth = Depth::Pins {
            baud: 1_000_000,
            skew_ppm,
        };
        let opened = sim::Port::open(variant, depth).err();
        assert_eq!(opened, Some(sim::SimError::Skew { skew_ppm }));
    }
}

/// A break, as a terminal sends it when it is opened or unplugged, costs no
/// frame after it.
#[test]
fn a_break_leaves_the_next_frame_alone() {
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    let depth = Depth::Pins {
        baud: 3_000_000,
        skew_ppm: 0,
    };
    let mut port = sim::Port::open(variant, depth).expect("a model");
    let mut decoder = Decoder::new();
    let frame = |seq, kind| protocol::Frame {
        seq,
        kind,
        payload: &[],
    };
    for seq in 0..3 {
        port.send_break();
        let wire = protocol::frame::encode(&frame(seq, layout::link::STATS.id)).expect("fits");
        port.send(wire.as_ref());
        let reply = loop {
            let byte = port.receive(100_000).expect("an answer");
            if let Some(frame) = decoder.push(byte) {
                break frame.expect("whole");
            }
        };
        assert_eq!((reply.seq, reply.kind), (seq, layout::link::STATS_REPLY.id));
        let stats = protocol::payload::link::Stats::decode(reply.payload).expect("statistics");
        assert_eq!(
            (stats.frames_good, stats.malformed),
            (u32::from(seq) + 1, 0)
        );
    }
}
