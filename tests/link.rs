//! The wire client on links that misbehave: what the core answers is always
//! matched to what it was asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt as _};
use host::backend::link::sim::SimLink;
use host::backend::link::{Link, LinkError};
use host::backend::wire::Wire;
use host::backend::{Backend, BackendError};
use host::games::Game;
use host::games::tetris::{Position, Setup, Tetris};
use protocol::Decoder;
use protocol::layout::{PROTOCOL_VERSION, REPLY, WINDOW, link, tetris};
use protocol::payload::Payload;
use protocol::payload::link::{Info, Ping};
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
    /// Late replies on their way: the silence they left was noticed.
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

    fn receive(&mut self) -> BoxFuture<'_, Result<Bytes, LinkError>> {
        async move {
            loop {
                if let Some(late) = self.trouble.lock().expect("one thread").due.pop_front() {
                    return Ok(late);
                }
                let bytes = match self.link.receive().await {
                    Ok(bytes) => bytes,
                    Err(e) => {
                        let mut t = self.trouble.lock().expect("one thread");
                        t.open = 0;
                        t.due = std::mem::take(&mut t.late);
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
                return Ok(bytes);
            }
        }
        .boxed()
    }
}

async fn wire(trouble: &Arc<Mutex<Trouble>>) -> Wire<Tetris> {
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    let link = SimLink::open(variant, Depth::Bytes, 20_000)
        .await
        .expect("a model");
    let troubled = Troubled {
        link,
        trouble: trouble.clone(),
    };
    Wire::open("troubled", Box::new(troubled), 99)
        .await
        .expect("a core")
}

/// Positions all different, and so are their decisions' scores.
fn positions(n: u64) -> Vec<Position> {
    use host::games::Match as _;
    let setup = Setup::standard(3);
    let probe = controller("probe");
    let mut state = Tetris::deal(&setup, 0);
    (0..n)
        .map(|_| {
            let position = state.position();
            let decision = Tetris::decide(&probe, &position);
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
        assert_eq!(answer.decision, Tetris::decide(&probe, position));
    }
    std::mem::take(&mut *trouble.lock().expect("one thread"))
}

#[test]
fn a_window_of_requests_is_in_flight() {
    let trouble = decide_over(Trouble::default());
    assert_eq!(trouble.most, usize::from(WINDOW));
    assert_eq!(trouble.sent, 40, "nothing was asked twice");
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
        let mut link = SimLink::open(variant, Depth::Bytes, 50_000)
            .await
            .expect("a model");
        for (seq, position) in (90..).zip(positions(3)) {
            let payload = Tetris::encode_position(&position).expect("fits");
            let frame = protocol::Frame {
                seq,
                kind: tetris::DECIDE.id,
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
        let mut wire = Wire::<Tetris>::open("again", Box::new(link), 88)
            .await
            .expect("a core");
        wire.configure(&probe).await.expect("configured");
        let positions = positions(10);
        let answers = wire.decide(&positions).await.expect("answers");
        for (position, answer) in positions.iter().zip(answers) {
            assert_eq!(answer.decision, Tetris::decide(&probe, position));
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

    fn receive(&mut self) -> BoxFuture<'_, Result<Bytes, LinkError>> {
        async { Err(LinkError::Silent("nothing came".into())) }.boxed()
    }
}

#[test]
fn a_silent_core_is_an_error_that_says_so() {
    let opened = block_on(Wire::<Tetris>::open("dead", Box::new(Dead), 1));
    let error = opened.err().expect("nobody answers");
    assert!(matches!(error, BackendError::Link { .. }), "{error:?}");
    assert_eq!(error.to_string(), "backend dead: no answer: nothing came");
}

#[test]
fn a_model_that_hangs_is_an_error_that_names_the_limit() {
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    let error = block_on(async {
        let mut link = SimLink::open(variant, Depth::Bytes, 5_000)
            .await
            .expect("a model");
        link.receive().await.expect_err("it was asked nothing")
    });
    assert!(error.to_string().contains("5000 clock cycles"), "{error}");
}

/// A core that was reset behind our back has no weights: it refuses rather
/// than decide by others.
#[test]
fn a_core_reset_behind_our_back_refuses() {
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    let error = block_on(async {
        let link = SimLink::open(variant, Depth::Bytes, 50_000)
            .await
            .expect("a model");
        let mut wire = Wire::<Tetris>::open("fresh", Box::new(link), 7)
            .await
            .expect("a core");
        wire.decide(&positions(1))
            .await
            .expect_err("no weights were set")
    });
    assert_eq!(
        error.to_string(),
        "backend fresh refused decide: weights_unset"
    );
}

/// The decoder of the tests and the core's replies agree on what a frame is.
#[test]
fn replies_are_whole_frames() {
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    let bytes = block_on(async {
        let mut link = SimLink::open(variant, Depth::Bytes, 50_000)
            .await
            .expect("a model");
        let frame = protocol::Frame {
            seq: 5,
            kind: link::INFO.id,
            payload: &[],
        };
        let wire = protocol::frame::encode(&frame).expect("fits");
        link.send(wire.as_ref()).await.expect("sent");
        link.receive().await.expect("a reply")
    });
    let mut decoder = Decoder::new();
    let (last, inside) = bytes.split_last().expect("not empty");
    assert!(inside.iter().all(|b| decoder.push(*b).is_none()));
    let frame = decoder.push(*last).expect("ended").expect("a frame");
    assert_eq!((frame.seq, frame.kind), (5, link::INFO_REPLY.id));
}

/// Requests that were given up still lie in the core; they must not make it
/// refuse the next ones.
#[test]
fn requests_given_up_do_not_make_the_core_busy() {
    use host::backend::wire::client::{Client, Request};
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    block_on(async {
        let link = SimLink::open(variant, Depth::Bytes, 50_000)
            .await
            .expect("a model");
        let mut client = Client::new("hasty", &tetris::GAME, Box::new(link));
        client.meet(5).await.expect("a core");
        client.set_window(WINDOW.into());
        let info = Request::empty(&link::INFO);
        let weights = Request::empty(&tetris::GET_WEIGHTS);
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

/// An impatient link calls a core silent that is only slow: it is asked again
/// while it still works, answers `busy`, and is asked once more.
#[test]
fn a_slow_core_is_not_refused() {
    use host::backend::wire::client::{Client, Request};
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    let probe = controller("probe");
    block_on(async {
        let link = SimLink::open(variant, Depth::Bytes, 230)
            .await
            .expect("a model");
        let mut client = Client::new("slow", &tetris::GAME, Box::new(link));
        client.meet(5).await.expect("a core");
        client.set_window(WINDOW.into());
        let set = Request::new(
            &tetris::SET_WEIGHTS,
            Tetris::encode_controller(&probe).expect("linear"),
        );
        client.ask(set).await.expect("set");
        let positions = positions(12);
        let decide = |p| Request::new(&tetris::DECIDE, Tetris::encode_position(p).expect("fits"));
        let requests: Vec<Request> = positions.iter().map(decide).collect();
        let replies = client.ask_all(&requests).await.expect("answers");
        for (position, reply) in positions.iter().zip(replies) {
            let (decision, _) = Tetris::decode_decision(&reply).expect("a decision");
            assert_eq!(decision, Tetris::decide(&probe, position));
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

    fn receive(&mut self) -> BoxFuture<'_, Result<Bytes, LinkError>> {
        async { Ok(Bytes::from_static(&[0x55, 0x00])) }.boxed()
    }
}

#[test]
fn a_core_that_only_babbles_is_given_up() {
    let opened = block_on(Wire::<Tetris>::open("babbler", Box::new(Babbler), 1));
    let error = opened.err().expect("no answer").to_string();
    assert!(error.contains("answer nothing"), "{error}");
}

/// Answers like a core, in software: what it says of itself is all it knows.
struct Impostor {
    info: Info,
    decoder: Decoder,
    replies: VecDeque<Bytes>,
}

impl Impostor {
    fn new(info: Info) -> Self {
        Self {
            info,
            decoder: Decoder::new(),
            replies: VecDeque::new(),
        }
    }

    fn answer(&mut self, byte: u8) {
        let Some(Ok(frame)) = self.decoder.push(byte) else {
            return;
        };
        let request = tetris::GAME.message(frame.kind).expect("a request");
        let payload = if *request == link::PING {
            Ping::decode(frame.payload).expect("a ping").encode()
        } else if *request == link::INFO {
            self.info.encode()
        } else {
            Payload::of(&link::RESET_REPLY)
        };
        let reply = protocol::Frame {
            seq: frame.seq,
            kind: frame.kind | REPLY,
            payload: payload.as_ref(),
        };
        let wire = protocol::frame::encode(&reply).expect("short");
        self.replies
            .push_back(Bytes::copy_from_slice(wire.as_ref()));
    }
}

impl Link for Impostor {
    fn describe(&self) -> String {
        "impostor".into()
    }

    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), LinkError>> {
        bytes.iter().for_each(|byte| self.answer(*byte));
        async { Ok(()) }.boxed()
    }

    fn receive(&mut self) -> BoxFuture<'_, Result<Bytes, LinkError>> {
        let reply = self.replies.pop_front();
        async { reply.ok_or(LinkError::Silent("nothing more".into())) }.boxed()
    }
}

/// A core that speaks otherwise, or plays something else, is told apart before
/// it is asked anything, with both sides named and a remedy.
#[test]
fn a_core_of_another_build_is_turned_away_with_a_reason() {
    let own = tetris::GAME.layout_hash();
    let info = Info {
        protocol_version: PROTOCOL_VERSION,
        layout_hash: own,
        build_id: 7,
        game: tetris::GAME.number,
        columns: 10,
        rows: 20,
        lanes: 1,
        window: 4,
        clock_hz: 1,
        capabilities: 0,
    };
    let hash = format!("{own:08x}");
    let cases: [(Info, &[&str]); 5] = [
        (
            Info {
                layout_hash: 0x0bad_cafe,
                ..info
            },
            &["0bad_cafe", &hash, "make generate", "tetris"],
        ),
        // Another game has another hash: that it is another game is what matters.
        (
            Info {
                game: 200,
                layout_hash: 1,
                ..info
            },
            &["an unknown game", "tetris"],
        ),
        (
            Info {
                protocol_version: 1,
                ..info
            },
            &["version 1", "this host 2"],
        ),
        (Info { rows: 21, ..info }, &["10×21", "10×20"]),
        (Info { window: 0, ..info }, &["window is 0"]),
    ];
    let open = |info| {
        block_on(Wire::<Tetris>::open(
            "other",
            Box::new(Impostor::new(info)),
            1,
        ))
    };
    assert!(open(info).is_ok(), "the right one is met");
    for (info, said) in cases {
        let error = open(info).err().expect("turned away").to_string();
        for words in said {
            let words = words.replace('_', "");
            assert!(error.contains(&words), "'{words}' is not in: {error}");
        }
    }
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
        let wire = protocol::frame::encode(&frame(seq, link::STATS.id)).expect("fits");
        port.send(wire.as_ref());
        let reply = loop {
            let byte = port.receive(100_000).expect("an answer");
            if let Some(frame) = decoder.push(byte) {
                break frame.expect("whole");
            }
        };
        assert_eq!((reply.seq, reply.kind), (seq, link::STATS_REPLY.id));
        let stats = protocol::payload::link::Stats::decode(reply.payload).expect("statistics");
        assert_eq!(
            (stats.frames_good, stats.malformed),
            (u32::from(seq) + 1, 0)
        );
    }
}
