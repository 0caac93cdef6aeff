//! Payloads as their fields, by the names of the layout table.

use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::{
    Controller, Linear, Piece, Position, Rule, Run, Score, Search, SelfPlay, Tetris,
};
use lockstep_games::{Batches as _, Codec as _, Field, Game as _, Value as Shown};
use protocol::layout::Message;
use protocol::layout::tetris::{COLUMNS, GAME, ROWS, WEIGHT_FIELDS};
use protocol::payload::PayloadError;
use protocol::payload::link::{Info, Ping, Refusal, SetRate, Stats};
use serde::de::DeserializeOwned;
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

/// Compares the fields with what the host decodes, and for a request with what it encodes.
fn decode(message: &str, payload: &[u8], fields: &Fields) -> Result<(), PayloadError> {
    macro_rules! again {
        ($Payload:ty) => {
            assert_eq!(<$Payload>::decode(payload)?.encode().as_ref(), payload)
        };
    }
    match message {
        "ping" | "pong" => again!(Ping),
        "info_reply" => again!(Info),
        "stats_reply" => again!(Stats),
        "set_rate" => again!(SetRate),
        "error" => assert_eq!(Refusal::decode(&GAME, payload)?.encode().as_ref(), payload),
        "decision" => {
            let (found, cycles) = Tetris::decode_decision(payload)?;
            assert_eq!(fields["cycles"], cycles);
            compare(fields, Tetris::fields(&found.decision));
        }
        "placement" => {
            let tracing = Tetris::TRACING.expect("Tetris is traced");
            compare(
                fields,
                Tetris::candidate_fields(&(tracing.candidate)(payload)?),
            );
        }
        // The host does not decode a cancelled trace.
        "traced" if fields["cancelled"] != 1 || payload[3..].iter().any(|byte| *byte != 0) => {
            let tracing = Tetris::TRACING.expect("Tetris is traced");
            compare(fields, Tetris::fields(&(tracing.decision)(payload)?));
        }
        "moves" | "checkpoint" | "played" | "self_played" => {
            let playing = Tetris::PLAYING.expect("Tetris has batches");
            let sums = match message {
                "moves" => {
                    let moves = (playing.play.part)(payload)?;
                    let moves: Vec<_> = moves.iter().map(|m| [m.rotation, m.column]).collect();
                    assert_eq!(fields["moves"], json!(moves));
                    return Ok(());
                }
                "checkpoint" => (playing.self_play.part)(payload)?,
                "played" => (playing.play.end)(payload)?,
                _ => (playing.self_play.end)(payload)?,
            };
            compare(fields, Tetris::sums_fields(&sums));
        }
        _ => {
            if let Some(encoded) = request(message, fields) {
                assert_eq!(encoded, payload, "{message}");
            }
        }
    }
    Ok(())
}

/// Compares decoded fields with the fields of the wire.
fn compare(wire: &Fields, decoded: Vec<Field>) {
    for Field { name, value } in decoded {
        let Some(number) = wire.get(name) else {
            assert_eq!((name, value), ("board_crc", Shown::Nothing));
            continue;
        };
        let expected = match name {
            _ if value == Shown::Nothing => "0".into(),
            "score" => Score(number.as_i64().expect("millionths")).to_string(),
            "landing_height" => (number.as_f64().expect("doubled") / 2.0).to_string(),
            "signature" => format!("{:016x}", number.as_u64().expect("64 bits")),
            "board_crc" => format!("{:08x}", number.as_u64().expect("32 bits")),
            _ => number.to_string(),
        };
        let got = match value {
            Shown::Nothing => number.to_string(),
            Shown::Flag(flag) => u8::from(flag).to_string(),
            other => other.to_string(),
        };
        assert_eq!(got, expected, "{name}");
    }
}

/// The payload that the host writes for a request; `None` if it writes none, as for an unknown
/// piece.
fn request(message: &str, fields: &Fields) -> Option<Vec<u8>> {
    let piece = |number: u8| Piece::from_number(number);
    let board = || {
        let rows: Vec<u64> = field(fields, "rows");
        Board::from_rows(COLUMNS, &rows).expect("ten columns")
    };
    let linear = |weights| Controller {
        name: "golden".into(),
        source: "golden".into(),
        rule: Rule::Linear(Linear {
            weights,
            search: Search::ONE,
        }),
    };
    let playing = Tetris::PLAYING?;
    let payload = match message {
        "set_weights" => {
            let weights = std::array::from_fn(|i| field(fields, WEIGHT_FIELDS[i].name));
            Tetris::encode_controller(&linear(weights))
        }
        "decide" | "trace" => {
            let next: u8 = field(fields, "next_piece");
            let position = Position {
                board: board(),
                piece: piece(field(fields, "piece"))?,
                next: piece(next),
            };
            if position.next.is_none() && next != 0xff {
                return None;
            }
            Tetris::encode_position(&linear([0; 14]), &position)
        }
        "play" => {
            let numbers: Vec<u8> = field(fields, "numbers");
            let (numbers, rest) = numbers.split_at_checked(field(fields, "pieces"))?;
            let pieces: Option<_> = numbers.iter().map(|number| piece(*number)).collect();
            if numbers.is_empty() || rest.iter().any(|number| *number != 0) {
                return None;
            }
            (playing.play.encode)(&Run {
                board: board(),
                pieces: pieces?,
            })
        }
        "self_play" => (playing.self_play.encode)(&SelfPlay {
            board: board(),
            pieces: field(fields, "pieces"),
            spacing: field(fields, "spacing"),
            generator: field(fields, "generator"),
            signature: field(fields, "signature"),
        }),
        _ => return None,
    };
    let payload = payload.expect("the wire carries it");
    Some(payload.as_ref().to_vec())
}

fn field<T: DeserializeOwned>(fields: &Fields, name: &str) -> T {
    let value = fields[name].clone();
    serde_json::from_value(value).unwrap_or_else(|e| panic!("{name}: {e}"))
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
            let cycles: u32 = field(&fields, "cycles");
            let most = if name == "decision" { 2_000 } else { u32::MAX };
            let cancelled = fields.get("cancelled").is_some_and(|c| *c == 1);
            let plausible = cancelled || (1..most).contains(&cycles);
            (!plausible).then(|| format!("{fields:?} in no plausible number of cycles"))
        }
        _ => None,
    }
}
