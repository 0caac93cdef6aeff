//! Payloads as their fields, by the names of the layout table.

use protocol::layout::{self, TETRIS_WEIGHTS};
use protocol::payload::PayloadError;
use protocol::payload::link::{Info, Ping, Refusal, Stats};
use protocol::payload::tetris::{Decide, Decision, Placement, Weights};
use serde_json::{Map, Value, json};

use super::simulated::Received;

type Fields = Map<String, Value>;

/// What Rust's decoder reads in a payload; `Err` is what it rejects. `None`
/// when no message has that number.
pub fn read(kind: u8, payload: &[u8]) -> Option<Result<Fields, String>> {
    let message = layout::message_by_id(kind)?;
    let result = match message.name {
        "ping" | "pong" => Ping::decode(payload).map(|p| json!({"nonce": p.nonce})),
        "info_reply" => Info::decode(payload).map(|i| info(&i)),
        "stats_reply" => Stats::decode(payload).map(|s| {
            json!({
                "frames_good": s.frames_good, "bad_crc": s.bad_crc,
                "malformed": s.malformed, "overrun": s.overrun,
            })
        }),
        "set_weights" | "weights" => Weights::decode(payload).map(|Weights(w)| {
            let names = TETRIS_WEIGHTS.iter().map(|field| field.name.to_owned());
            names.zip(w.map(Value::from)).collect::<Fields>().into()
        }),
        "decide" => Decide::decode(payload).map(|d| {
            let next = d.next_piece.unwrap_or(layout::NO_PIECE);
            json!({"rows": d.rows, "piece": d.piece, "next_piece": next})
        }),
        "decision" => Decision::decode(payload).map(|d| decision(&d)),
        "error" => {
            Refusal::decode(payload).map(|r| json!({"code": r.code as u8, "request": r.request}))
        }
        // Empty payloads have no decoder.
        _ if payload.is_empty() => Ok(json!({})),
        _ => return Some(Err("length".into())),
    };
    Some(match result {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(other) => Err(format!("{other} is no object")),
        Err(PayloadError::Length { .. }) => Err("length".into()),
        Err(PayloadError::Value { field, .. }) => Err(field.into()),
    })
}

fn info(info: &Info) -> Value {
    json!({
        "protocol_version": info.protocol_version, "layout_hash": info.layout_hash,
        "build_id": info.build_id, "game": info.game, "columns": info.columns,
        "rows": info.rows, "lanes": info.lanes, "window": info.window,
        "clock_hz": info.clock_hz, "capabilities": info.capabilities,
    })
}

fn decision(decision: &Decision) -> Value {
    let nothing = Placement {
        rotation: 0,
        column: 0,
        row: 0,
        rows_cleared: 0,
        score: 0,
    };
    let p = decision.placement.unwrap_or(nothing);
    json!({
        "legal": u8::from(decision.placement.is_some()),
        "rotation": p.rotation, "column": p.column, "row": p.row,
        "rows_cleared": p.rows_cleared, "score": p.score, "cycles": decision.cycles,
    })
}

/// The payload Rust writes for these fields; `None` when it writes no such
/// message.
pub fn write(kind: u8, fields: &Fields) -> Option<Vec<u8>> {
    let number = |name: &str| fields[name].as_u64().expect("a number");
    let payload = match layout::message_by_id(kind)?.name {
        "ping" | "pong" => Ping {
            nonce: number("nonce"),
        }
        .encode(),
        "set_weights" | "weights" => {
            let weight = |name: &str| fields[name].as_i64().expect("a number");
            let weights: Vec<i32> = TETRIS_WEIGHTS
                .iter()
                .map(|field| i32::try_from(weight(field.name)).expect("32 bits"))
                .collect();
            Weights(weights.try_into().expect("fourteen")).encode()
        }
        "decide" => {
            let rows = serde_json::from_value(fields["rows"].clone()).expect("twenty rows");
            let next = number("next_piece") as u8;
            let next_piece = (next != layout::NO_PIECE).then_some(next);
            let piece = number("piece") as u8;
            Decide {
                rows,
                piece,
                next_piece,
            }
            .encode()
        }
        _ => return None,
    };
    Some(payload.as_ref().to_vec())
}

/// What is wrong with the bytes of a reply that depend on the build, given how
/// many requests were refused as busy.
pub fn check_build(reply: &Received, busy: u32) -> Option<String> {
    let variant = sim::variant(None).expect("the RTL as designed");
    let payload = &reply.payload;
    match layout::message_by_id(reply.kind)?.name {
        "info_reply" => {
            let info = Info::decode(payload).expect("its length was compared");
            let told = (info.build_id, info.clock_hz);
            let built = (variant.build_id, variant.clock_hz);
            (told != built).then(|| format!("build and clock {told:?}, it is {built:?}"))
        }
        "stats_reply" => {
            let stats = Stats::decode(payload).expect("its length was compared");
            let overrun = stats.overrun;
            (overrun != busy).then(|| format!("overrun {overrun}, {busy} were refused as busy"))
        }
        "decision" => {
            let decision = Decision::decode(payload);
            let plausible = decision.is_ok_and(|d| (1..2_000).contains(&d.cycles));
            (!plausible).then(|| format!("{decision:?} in no plausible number of cycles"))
        }
        _ => None,
    }
}
