//! Random frames and bytes: a core counts what Rust's decoder counts.

use proptest::prelude::*;
use protocol::frame::{DELIMITER, Decoder, OVERHEAD};
use protocol::layout::tetris::{self, GAME, NO_PIECE};
use protocol::layout::{MAX_PAYLOAD, link};
use protocol::payload::link::{Ping, Stats};
use sim::{Depth, Port, SimError};

use super::simulated::{Core, wire};
use crate::agreement::cases;

fn any_payload() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![2 => any::<u8>(), 1 => Just(0), 1 => Just(0xff)];
    prop::collection::vec(byte, 0..=MAX_PAYLOAD)
}

/// A request; most of them are valid.
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

    fn is_reset(&self) -> bool {
        self.kind == link::RESET.id && self.payload.is_empty()
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
            // A stream has many replies: the bench of the core requests those.
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

/// Good frames other than a reset, and damaged ones.
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
    // Valid but for their length, around both limits.
    let short = prop::collection::vec(any::<u8>(), 0..=OVERHEAD).prop_map(|b| stuffed(&b));
    let long = prop::collection::vec(any::<u8>(), 120..140).prop_map(|b| stuffed(&b));
    let noise = prop::collection::vec(prop_oneof![6 => any::<u8>(), 1 => 0u8..4], 0..40);
    let run = (any::<u8>(), 1usize..400).prop_map(|(byte, n)| vec![byte; n]);
    let zeros = (1usize..4).prop_map(|n| vec![DELIMITER; n]);
    // Their answers are longer than the requests, so that some are refused as busy.
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

/// The counts of Rust's decoder, and the sequence numbers of the good frames.
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

/// Whether `whole` has the items of `part` in this order.
fn is_subsequence(part: impl IntoIterator<Item = u16>, whole: &[u16]) -> bool {
    let mut rest = whole.iter();
    part.into_iter()
        .all(|item| rest.any(|other| *other == item))
}

/// A core with weights, whose answers take longer than the requests.
fn with_weights() -> Core {
    let mut core = Core::open(Depth::Bytes);
    let weights = [0xa5; tetris::SET_WEIGHTS.bytes()];
    let reply = core.ask(1, &tetris::SET_WEIGHTS, &weights);
    assert_eq!(reply.kind, tetris::SET_WEIGHTS_REPLY.id);
    core
}

proptest! {
    #![proptest_config(cases(60))]

    /// After the next delimiter the core is in step again.
    #[test]
    fn core_counts_random_bytes_as_rust_does(
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
        // Every good frame is served or counts as an overrun.
        let served = replies.iter().filter(|r| !r.is_busy()).count() as u32;
        expected.overrun = expected.frames_good - served;
        // The weights, the ping and the request for statistics.
        expected.frames_good += 3;
        prop_assert_eq!(core.stats(), expected);
    }
}

#[test]
fn port_refuses_rates_that_its_clock_does_not_allow() {
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
