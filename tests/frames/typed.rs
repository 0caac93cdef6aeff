//! Payloads as their fields, by the names of the layout table.

use protocol::layout::tetris::{GAME, NO_PIECE, WEIGHT_FIELDS};
use protocol::payload::link::{Info, Ping, Refusal, SetRate, Stats};
use protocol::payload::tetris::{
    Checkpoint, Decide, Decision, Evaluated, Move, Moves, Placement, Play, Played, SelfPlay, Tally,
    Traced, TracedPlacement, Weights,
};
use protocol::payload::{Payload, PayloadError};
use serde_json::{Map, Value, json};

use super::simulated::Received;

type Fields = Map<String, Value>;

/// What Rust's decoder reads in a payload; `Err` is what it rejects. `None`
/// when no message has that number.
pub fn read(kind: u8, payload: &[u8]) -> Option<Result<Fields, String>> {
    let message = GAME.message(kind)?;
    let result = match message.name {
        "ping" | "pong" => Ping::decode(payload).map(|p| json!({"nonce": p.nonce})),
        "info_reply" => Info::decode(payload).map(|i| info(&i)),
        "stats_reply" => Stats::decode(payload).map(|s| {
            json!({
                "frames_good": s.frames_good, "bad_crc": s.bad_crc,
                "malformed": s.malformed, "overrun": s.overrun,
            })
        }),
        "set_rate" => SetRate::decode(payload).map(|r| json!({"increment": r.increment})),
        "set_weights" | "weights" => Weights::decode(payload).map(|Weights(w)| {
            let names = WEIGHT_FIELDS.iter().map(|field| field.name.to_owned());
            names.zip(w.map(Value::from)).collect::<Fields>().into()
        }),
        "decide" | "trace" => Decide::decode(payload).map(|d| {
            let next = d.next_piece.unwrap_or(NO_PIECE);
            json!({"rows": d.rows, "piece": d.piece, "next_piece": next})
        }),
        "decision" => Decision::decode(payload).map(|d| decision(&d)),
        "placement" => TracedPlacement::decode(payload).map(|p| placement(&p)),
        "traced" => Traced::decode(payload).map(|t| {
            let none = Decision {
                placement: None,
                cycles: 0,
            };
            let mut fields = decision(&t.decision.unwrap_or(none));
            fields["parts"] = t.parts.into();
            fields["cancelled"] = u8::from(t.decision.is_none()).into();
            fields
        }),
        "play" => Play::decode(payload)
            .map(|p| json!({"rows": p.rows, "pieces": p.pieces, "numbers": p.numbers.to_vec()})),
        "moves" => Moves::decode(payload).map(|m| {
            let moves: Vec<_> = m.iter().map(|m| [m.rotation, m.column]).collect();
            json!({"part": m.part, "count": moves.len(), "moves": moves})
        }),
        "self_play" => SelfPlay::decode(payload).map(|p| {
            json!({
                "rows": p.rows, "pieces": p.pieces, "spacing": p.spacing,
                "generator": p.generator, "signature": p.signature,
            })
        }),
        "checkpoint" => Checkpoint::decode(payload).map(|c| {
            let mut fields = tally(&c.tally);
            fields["part"] = c.part.into();
            fields
        }),
        "played" | "self_played" => Played::decode(payload).map(|p| {
            let mut fields = tally(&p.tally);
            fields["parts"] = p.parts.into();
            fields["cancelled"] = u8::from(p.cancelled).into();
            fields["board_crc"] = p.board_crc.into();
            fields
        }),
        "error" => {
            let refusal = Refusal::decode(&GAME, payload);
            refusal.map(|r| json!({"code": r.code.number, "request": r.request}))
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
        "rows": info.rows, "lanes": info.lanes, "multipliers": info.multipliers, "window": info.window,
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

fn tally(tally: &Tally) -> Value {
    json!({
        "pieces": tally.pieces, "games": tally.games, "rows_cleared": tally.rows_cleared,
        "score": tally.score, "cycles": tally.cycles, "signature": tally.signature,
    })
}

fn tallied(fields: &Fields) -> Tally {
    Tally {
        pieces: field(fields, "pieces"),
        games: field(fields, "games"),
        rows_cleared: field(fields, "rows_cleared"),
        score: field(fields, "score"),
        cycles: field(fields, "cycles"),
        signature: field(fields, "signature"),
    }
}

fn placement(told: &TracedPlacement) -> Value {
    let nothing = Evaluated {
        row: 0,
        features: [0; 14],
        score: 0,
    };
    let evaluated = told.evaluated.unwrap_or(nothing);
    let mut fields = json!({
        "part": told.part, "rotation": told.rotation, "column": told.column,
        "legal": u8::from(told.evaluated.is_some()), "row": evaluated.row,
        "score": evaluated.score,
    });
    for (field, value) in WEIGHT_FIELDS.iter().zip(evaluated.features) {
        fields[field.name] = value.into();
    }
    fields
}

fn field<T: serde::de::DeserializeOwned>(fields: &Fields, name: &str) -> T {
    let value = fields[name].clone();
    serde_json::from_value(value).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn decided(fields: &Fields) -> Decision {
    let byte = |name| field::<u8>(fields, name);
    let placement = Placement {
        rotation: byte("rotation"),
        column: byte("column"),
        row: byte("row"),
        rows_cleared: byte("rows_cleared"),
        score: field(fields, "score"),
    };
    Decision {
        placement: (byte("legal") == 1).then_some(placement),
        cycles: field(fields, "cycles"),
    }
}

/// The payload Rust writes for these fields.
pub fn write(kind: u8, fields: &Fields) -> Vec<u8> {
    let byte = |name| field::<u8>(fields, name);
    let word = |name| field::<u32>(fields, name);
    let message = GAME.message(kind).expect("it was read");
    let payload = match message.name {
        "ping" | "pong" => Ping {
            nonce: field(fields, "nonce"),
        }
        .encode(),
        "info_reply" => Info {
            protocol_version: field(fields, "protocol_version"),
            layout_hash: word("layout_hash"),
            build_id: word("build_id"),
            game: byte("game"),
            columns: byte("columns"),
            rows: byte("rows"),
            lanes: byte("lanes"),
            multipliers: byte("multipliers"),
            window: byte("window"),
            clock_hz: word("clock_hz"),
            capabilities: word("capabilities"),
        }
        .encode(),
        "stats_reply" => Stats {
            frames_good: word("frames_good"),
            bad_crc: word("bad_crc"),
            malformed: word("malformed"),
            overrun: word("overrun"),
        }
        .encode(),
        "set_rate" => SetRate {
            increment: word("increment"),
        }
        .encode(),
        "set_weights" | "weights" => {
            let weights = WEIGHT_FIELDS.iter().map(|f| field(fields, f.name));
            let weights: Vec<i32> = weights.collect();
            Weights(weights.try_into().expect("fourteen")).encode()
        }
        "decide" | "trace" => Decide {
            rows: field(fields, "rows"),
            piece: byte("piece"),
            next_piece: Some(byte("next_piece")).filter(|next| *next != NO_PIECE),
        }
        .encode(),
        "decision" => decided(fields).encode(),
        "placement" => {
            let features = WEIGHT_FIELDS.iter().map(|f| field(fields, f.name));
            let features: Vec<u16> = features.collect();
            let evaluated = Evaluated {
                row: byte("row"),
                features: features.try_into().expect("fourteen"),
                score: field(fields, "score"),
            };
            TracedPlacement {
                part: field(fields, "part"),
                rotation: byte("rotation"),
                column: byte("column"),
                evaluated: (byte("legal") == 1).then_some(evaluated),
            }
            .encode()
        }
        "traced" => Traced {
            parts: field(fields, "parts"),
            decision: (byte("cancelled") == 0).then(|| decided(fields)),
        }
        .encode(),
        "play" => {
            let numbers: Vec<u8> = field(fields, "numbers");
            Play {
                rows: field(fields, "rows"),
                pieces: field(fields, "pieces"),
                numbers: numbers.try_into().expect("as many as there is room for"),
            }
            .encode()
        }
        "moves" => {
            let moves: Vec<[u8; 2]> = field(fields, "moves");
            let moves = moves.into_iter();
            let moves = moves.map(|[rotation, column]| Move { rotation, column });
            let moves = Moves::of(field(fields, "part"), moves);
            moves.expect("no more than there is room for").encode()
        }
        "self_play" => SelfPlay {
            rows: field(fields, "rows"),
            pieces: word("pieces"),
            spacing: word("spacing"),
            generator: field(fields, "generator"),
            signature: field(fields, "signature"),
        }
        .encode(),
        "checkpoint" => Checkpoint {
            part: field(fields, "part"),
            tally: tallied(fields),
        }
        .encode(),
        "played" | "self_played" => Played {
            parts: field(fields, "parts"),
            tally: tallied(fields),
            cancelled: byte("cancelled") == 1,
            board_crc: word("board_crc"),
        }
        .encode(),
        "error" => Refusal {
            code: *GAME.error(byte("code")).expect("it was read"),
            request: byte("request"),
        }
        .encode(),
        _ => Payload::of(message),
    };
    payload.as_ref().to_vec()
}

/// What is wrong with the bytes of a reply that depend on the build, given how
/// many requests were refused as busy.
pub fn check_build(reply: &Received, busy: u32) -> Option<String> {
    let variant = sim::variant("tetris", None).expect("the RTL as designed");
    let payload = &reply.payload;
    match GAME.message(reply.kind)?.name {
        "info_reply" => {
            let info = Info::decode(payload).expect("its length was compared");
            let lanes = Some(u32::from(info.lanes));
            let told = (info.build_id, info.clock_hz, lanes);
            let lanes = variant.parameter("Lanes");
            let built = (variant.build_id, variant.clock_hz, lanes);
            (told != built).then(|| format!("build, clock and lanes {told:?}, it is {built:?}"))
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
        "traced" => {
            let traced = Traced::decode(payload);
            let decision = traced.map(|traced| traced.decision);
            let plausible = decision.is_ok_and(|d| d.is_none_or(|d| d.cycles > 0));
            (!plausible).then(|| format!("{decision:?} in no plausible number of cycles"))
        }
        _ => None,
    }
}
