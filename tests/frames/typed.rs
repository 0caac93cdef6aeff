//! Payloads as their fields, by the names of the layout table.

use lockstep_games::Codec as _;
use lockstep_games::tetris::Tetris;
use protocol::layout::Message;
use protocol::layout::tetris::{COLUMNS, GAME, ROWS};
use protocol::payload::PayloadError;
use protocol::payload::link::{Buttons, Info, Ping, Refusal, SetRate, Stats};
use serde_json::{Map, Value, json};

use super::simulated::Received;

type Fields = Map<String, Value>;

/// The fields of a payload; `Err` names what Rust's decoder rejects. `None` if no message has this
/// number.
pub fn read(kind: u8, payload: &[u8]) -> Option<Result<Fields, String>> {
    let message = GAME.message(kind)?;
    if payload.len() != message.bytes() {
        return Some(Err("length".into()));
    }
    let fields = by_table(message, payload);
    Some(match decode(message.name, payload, &fields) {
        Ok(()) => Ok(fields),
        Err(PayloadError::Length { .. }) => Err("length".into()),
        Err(PayloadError::Value { field, .. }) => Err(field.into()),
    })
}

/// The fields of a payload by the layout table.
fn by_table(message: &Message, payload: &[u8]) -> Fields {
    let mut rest = payload;
    let mut fields = Fields::new();
    for field in message.fields {
        let (bytes, behind) = rest.split_at(field.bits / 8);
        rest = behind;
        let number = || {
            bytes
                .iter()
                .rev()
                .fold(0, |n, byte| n << 8 | u64::from(*byte))
        };
        let bit = |bit: usize| u16::from(bytes[bit / 8] >> (bit % 8) & 1);
        let row = |r: usize| (0..COLUMNS).map(|c| bit(COLUMNS * r + c) << c).sum::<u16>();
        let (name, value) = match field.name {
            "board" => ("rows", json!((0..ROWS).map(row).collect::<Vec<_>>())),
            "numbers" => {
                let halves = bytes.iter().flat_map(|byte| [byte & 15, byte >> 4]);
                ("numbers", json!(halves.collect::<Vec<_>>()))
            }
            "moves" => {
                let count = fields["count"].as_u64().unwrap_or(0) as usize;
                let moves = bytes.iter().take(count).map(|byte| [byte / 16, byte % 16]);
                ("moves", json!(moves.collect::<Vec<_>>()))
            }
            name if field.signed => {
                let unused = 64 - field.bits;
                (name, json!((number() << unused).cast_signed() >> unused))
            }
            name => (name, json!(number())),
        };
        fields.insert(name.into(), value);
    }
    fields
}

/// Whether the host decodes a payload; the tests of agreement with the RTL compare what it means.
fn decode(message: &str, payload: &[u8], fields: &Fields) -> Result<(), PayloadError> {
    macro_rules! again {
        ($Payload:ty) => {
            assert_eq!(<$Payload>::decode(payload)?.encode().as_ref(), payload)
        };
    }
    let tracing = Tetris::TRACING.expect("Tetris is traced");
    let playing = Tetris::PLAYING.expect("Tetris has batches");
    match message {
        "ping" | "pong" => again!(Ping),
        "info_reply" => again!(Info),
        "stats_reply" => again!(Stats),
        "buttons_reply" => again!(Buttons),
        "set_rate" => again!(SetRate),
        "error" => assert_eq!(Refusal::decode(&GAME, payload)?.encode().as_ref(), payload),
        "decision" => drop(Tetris::decode_decision(payload)?),
        "placement" => drop((tracing.candidate)(payload)?),
        // The host does not decode a cancelled trace.
        "traced" if fields["cancelled"] != 1 || payload[3..].iter().any(|byte| *byte != 0) => {
            (tracing.decision)(payload)?;
        }
        "moves" => drop((playing.play.part)(payload)?),
        "played" => drop((playing.play.end)(payload)?),
        "checkpoint" => drop((playing.self_play.part)(payload)?),
        "self_played" => drop((playing.self_play.end)(payload)?),
        _ => {}
    }
    Ok(())
}

/// What is wrong with the fields of a reply that depend on the build or on the number of requests
/// refused as busy, if anything.
pub fn check_build(reply: &Received, busy: u32) -> Option<String> {
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    let payload = &reply.payload;
    match GAME.message(reply.kind)?.name {
        "info_reply" => {
            let info = Info::decode(payload).expect("its length was compared");
            let lanes = Some(u32::from(info.lanes));
            let reported = (info.build_id, info.clock_hz, lanes);
            let lanes = variant.parameter("Lanes");
            let built = (variant.build_id, variant.clock_hz, lanes);
            (reported != built)
                .then(|| format!("build, clock, lanes: expected {built:?}, got {reported:?}"))
        }
        "stats_reply" => {
            let stats = Stats::decode(payload).expect("its length was compared");
            let overrun = stats.overrun;
            (overrun != busy).then(|| format!("overrun: expected {busy}, got {overrun}"))
        }
        name @ ("decision" | "traced") => {
            let fields = by_table(GAME.message(reply.kind)?, payload);
            let cycles = fields["cycles"].as_u64().expect("a number");
            let most = if name == "decision" { 2_000 } else { u64::MAX };
            let cancelled = fields.get("cancelled").is_some_and(|c| *c == 1);
            let plausible = cancelled || (1..most).contains(&cycles);
            (!plausible).then(|| format!("{fields:?} in no plausible number of cycles"))
        }
        _ => None,
    }
}
