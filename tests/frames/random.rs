//! Frames and bytes nobody wrote down, against a core behind its UART.

use proptest::prelude::*;
use protocol::frame::{DELIMITER, Decoder, OVERHEAD};
use protocol::layout::tetris::{self, GAME, NO_PIECE};
use protocol::layout::{MAX_PAYLOAD, REPLY, WINDOW, link};
use protocol::payload::link::{Ping, Stats};
use sim::{Depth, Port, SimError};

use super::simulated::{Core, Received, wire};

fn any_payload() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![2 => any::<u8>(), 1 => Just(0), 1 => Just(0xff)];
    prop::collection::vec(byte, 0..=MAX_PAYLOAD)
}

/// A request, most often one that a core serves.
#[derive(Debug, Clone)]
struct Request {
    seq: u16,
    kind: u8,
    payload: Vec<u8>,
}

impl Request {
    fn wire(&self) -> Vec<u8> {
        wire(self.seq, self.kind, &self.payload)
    }

    /// Its message's number and length are right.
    fn is_sound(&self) -> bool {
        GAME.message(self.kind)
            .is_some_and(|m| m.is_request() && m.bytes() == self.payload.len())
    }

    fn is_reset(&self) -> bool {
        self.kind == link::RESET.id && self.is_sound()
    }

    /// Whether that is a possible answer.
    fn may_be_answered(&self, reply: &Received) -> bool {
        if reply.seq != self.seq {
            return false;
        }
        let Some(refusal) = reply.refusal() else {
            return self.is_sound() && reply.kind == self.kind | REPLY;
        };
        let request = GAME.message(self.kind).is_some_and(|m| m.is_request());
        refusal.request == self.kind
            && match refusal.code {
                link::BUSY => !self.is_reset(),
                link::UNKNOWN_TYPE => !request,
                link::BAD_LENGTH => request && !self.is_sound(),
                link::BAD_RATE => self.is_sound() && self.kind == link::SET_RATE.id,
                tetris::WEIGHTS_UNSET => self.is_sound() && matches!(self.kind, 0x11..=0x15),
                _ => self.is_sound() && matches!(self.kind, 0x12..=0x15),
            }
    }
}

fn any_request() -> impl Strategy<Value = Request> {
    let requests = GAME.all_messages().filter(|m| m.is_request());
    let requests: Vec<u8> = requests.map(|m| m.id).collect();
    let kind = prop_oneof![8 => prop::sample::select(requests), 1 => any::<u8>()];
    let sound = prop::bool::weighted(0.8);
    let pieces = (0u8..9, prop_oneof![4 => Just(NO_PIECE), 1 => 0u8..9]);
    // Behind the UART a rate changes nothing.
    let rate = prop_oneof![
        Just(0),
        Just(u32::MAX),
        link::MIN_INCREMENT..=link::MAX_INCREMENT
    ];
    (any::<u16>(), kind, sound, any_payload(), pieces, rate).prop_map(
        |(seq, kind, sound, mut payload, (piece, next), increment)| {
            if let Some(message) = GAME.message(kind)
                && sound
            {
                payload.resize(message.bytes(), 0x2d);
                if kind == link::SET_RATE.id {
                    payload.copy_from_slice(&increment.to_le_bytes());
                }
                if kind == tetris::DECIDE.id {
                    let at = |field| message.slot(field).expect("a field").start;
                    payload[at("piece")] = piece;
                    payload[at("next_piece")] = next;
                }
            }
            // One that is served has many replies: the bench of the core asks those.
            for (stream, field) in [
                (tetris::TRACE, "piece"),
                (tetris::PLAY, "pieces"),
                (tetris::SELF_PLAY, "spacing"),
            ] {
                if kind == stream.id && payload.len() == stream.bytes() {
                    let slot = stream.slot(field).expect("a field");
                    let refused = if field == "spacing" { 0 } else { 0xff };
                    payload[slot.start..][..slot.len].fill(refused);
                }
            }
            Request { seq, kind, payload }
        },
    )
}

/// Bytes a line may carry: good frames (no reset), and what becomes of them.
fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    let good = || any_request().prop_filter("no reset", |r| !r.is_reset());
    let damaged =
        (good(), any::<prop::sample::Index>(), 1u8..=255).prop_map(|(request, at, flip)| {
            let mut bytes = request.wire();
            let at = at.index(bytes.len());
            bytes[at] ^= flip;
            bytes
        });
    let cut = (good(), any::<prop::sample::Index>()).prop_map(|(request, at)| {
        let mut bytes = request.wire();
        bytes.truncate(at.index(bytes.len()));
        bytes
    });
    // Right but for their length, around both ends of what is allowed.
    let short = prop::collection::vec(any::<u8>(), 0..=OVERHEAD).prop_map(|b| stuffed(&b));
    let long = prop::collection::vec(any::<u8>(), 120..140).prop_map(|b| stuffed(&b));
    let noise = prop::collection::vec(prop_oneof![6 => any::<u8>(), 1 => 0u8..4], 0..40);
    let run = (any::<u8>(), 1usize..400).prop_map(|(byte, n)| vec![byte; n]);
    let zeros = (1usize..4).prop_map(|n| vec![DELIMITER; n]);
    // Answers longer than requests: more than the core can remember, at times.
    let crowd = (any::<u16>(), 1u16..40).prop_map(|(seq, n)| {
        let request = |i| wire(seq.wrapping_add(i), tetris::GET_WEIGHTS.id, &[]);
        (0..n).flat_map(request).collect()
    });
    prop_oneof![
        1 => crowd, 6 => good().prop_map(|r| r.wire()), 3 => damaged, 2 => cut, 1 => short, 1 => long,
        2 => noise, 1 => run, 1 => zeros,
    ]
}

/// COBS of bytes that hold no zero longer than a group.
fn stuffed(raw: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for group in raw.split(|b| *b == 0) {
        bytes.push(group.len() as u8 + 1);
        bytes.extend(group);
    }
    bytes.push(DELIMITER);
    bytes
}

/// What Rust's decoder makes of bytes: its counts, and the good frames' numbers.
fn count(bytes: &[u8]) -> (Stats, Vec<u16>) {
    let mut decoder = Decoder::new();
    let mut stats = Stats::default();
    let mut good = Vec::new();
    for byte in bytes {
        match decoder.push(*byte) {
            None => {}
            Some(Ok(frame)) => {
                stats.frames_good += 1;
                good.push(frame.seq);
            }
            Some(Err(protocol::FrameError::Crc { .. })) => stats.bad_crc += 1,
            Some(Err(_)) => stats.malformed += 1,
        }
    }
    (stats, good)
}

/// The items of `part`, in order, among those of `whole`.
fn is_subsequence(part: impl IntoIterator<Item = u16>, whole: &[u16]) -> bool {
    let mut rest = whole.iter();
    part.into_iter()
        .all(|item| rest.any(|other| *other == item))
}

/// A core whose decisions and weights take longer to answer than to ask for,
/// so that requests crowd.
fn with_weights() -> Core {
    let mut core = Core::open(Depth::Bytes);
    let weights = [0xa5; tetris::SET_WEIGHTS.bytes()];
    let reply = core.ask(1, &tetris::SET_WEIGHTS, &weights);
    assert_eq!(reply.kind, tetris::SET_WEIGHTS_REPLY.id);
    core
}

/// `LOCKSTEP_CASES` raises the cases for soaks.
fn config() -> ProptestConfig {
    let cases = std::env::var("LOCKSTEP_CASES")
        .ok()
        .and_then(|n| n.parse().ok());
    ProptestConfig {
        cases: cases.unwrap_or(100),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    /// Whatever comes, the next delimiter brings the core back in step, and it
    /// counts what Rust's decoder counts.
    #[test]
    fn both_decoders_agree_on_any_bytes(
        parts in prop::collection::vec(any_bytes(), 0..24), nonce: u64,
    ) {
        let mut bytes = parts.concat();
        bytes.push(DELIMITER);
        let mut core = with_weights();
        let replies = core.exchange(&bytes);
        let pong = core.ask(0xffff, &link::PING, Ping { nonce }.encode().as_ref());
        prop_assert_eq!(pong.kind, link::PONG.id);
        prop_assert_eq!(Ping::decode(&pong.payload), Ok(Ping { nonce }));

        let (mut expected, good) = count(&bytes);
        let seqs = replies.iter().map(|r| r.seq);
        prop_assert!(is_subsequence(seqs, &good), "{good:04x?} answered by {replies:04x?}");
        // Every good frame was served, or is an overrun.
        let served = replies.iter().filter(|r| !r.is_busy()).count() as u32;
        expected.overrun = expected.frames_good - served;
        // The weights, the ping, and the question itself.
        expected.frames_good += 3;
        prop_assert_eq!(core.stats(), expected);
    }

    /// As many as the core can remember: one answer each, in order. A reset
    /// drops what is not answered yet.
    #[test]
    fn every_request_is_answered_once(
        bursts in prop::collection::vec(prop::collection::vec(any_request(), 1..=16), 1..6),
    ) {
        let mut core = with_weights();
        for burst in bursts {
            let bytes: Vec<u8> = burst.iter().flat_map(Request::wire).collect();
            let replies = core.exchange(&bytes);
            let reset = burst.iter().rposition(Request::is_reset).unwrap_or(0);
            let (before, after) = burst.split_at(reset);
            let dropped = burst.len().checked_sub(replies.len());
            let dropped = dropped.ok_or_else(|| TestCaseError::fail(format!("{replies:04x?}")))?;
            prop_assert!(dropped <= reset, "{burst:04x?} answered by {replies:04x?}");
            let (early, late) = replies.split_at(before.len() - dropped);
            for (request, reply) in after.iter().zip(late) {
                prop_assert!(request.may_be_answered(reply), "{request:04x?}: {reply:04x?}");
            }
            let mut asked = before.iter();
            for reply in early {
                prop_assert!(
                    asked.any(|request| request.may_be_answered(reply)),
                    "{before:04x?} answered by {early:04x?}"
                );
            }
            // A window of requests is never too many.
            let busy = replies.iter().filter(|r| r.is_busy()).count();
            prop_assert!(busy <= burst.len().saturating_sub(usize::from(WINDOW)));
        }
    }
}

#[test]
fn a_rate_the_clock_does_not_allow_is_an_error() {
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    let clock_hz = variant.clock_hz;
    let open = |baud| Port::open(variant, Depth::Pins { baud, skew_ppm: 0 }).err();
    let most = clock_hz / 8;
    for baud in [0, 1, 299, most + 1, clock_hz, u32::MAX] {
        assert_eq!(open(baud), Some(SimError::Baud { baud, clock_hz }));
    }
    for baud in [300, most] {
        assert_eq!(open(baud), None, "{baud} baud");
    }
    let text = open(0).expect("refused").to_string();
    assert!(text.contains(&format!("300 to {most} baud")), "{text}");
}
