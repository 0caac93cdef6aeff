//! The golden frames, fed to Rust and to the RTL at both depths.

pub mod simulated;
mod typed;

use std::collections::BTreeSet;
use std::process::Command;

use protocol::layout::{Message, link, tetris::GAME};
use protocol::{Decoder, Frame, FrameError};
use serde::Deserialize;
use serde_json::{Map, Value};
use sim::{Depth, Variant};

use self::simulated::{Core, Received, SILENCE, SILENCE_OF_PARTS};
use crate::support::{read, root};

const FILE: &str = "fixtures/frames/conversation.jsonl";
const SCRIPT: &str = "fixtures/frames/generate.py";

/// A line of the file; `fixtures/frames/README.md` explains the keys.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    name: String,
    /// For readers of the file.
    #[serde(rename = "about")]
    _about: String,
    #[serde(deserialize_with = "hex")]
    wire: Vec<u8>,
    frame: Option<Sent>,
    error: Option<String>,
    fields: Option<Map<String, Value>>,
    rejected: Option<String>,
    #[serde(default)]
    at_once: bool,
    replies: Vec<Reply>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    seq: u16,
    r#type: u8,
    #[serde(deserialize_with = "hex")]
    payload: Vec<u8>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply {
    seq: u16,
    r#type: u8,
    /// In hex, with `..` for bytes that depend on the build.
    payload: String,
    or: Option<Or>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Or {
    Busy,
    Nothing,
}

impl Reply {
    fn matches(&self, got: &Received) -> bool {
        let byte = |(i, b): (usize, &u8)| {
            let mask = &self.payload[2 * i..2 * i + 2];
            mask == ".." || mask == format!("{b:02x}")
        };
        (self.seq, self.r#type) == (got.seq, got.kind)
            && self.payload.len() == 2 * got.payload.len()
            && got.payload.iter().enumerate().all(byte)
    }
}

fn hex<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(from)?;
    let byte = |i| u8::from_str_radix(&text[i..i + 2], 16).map_err(serde::de::Error::custom);
    (0..text.len()).step_by(2).map(byte).collect()
}

fn conversation() -> Vec<Line> {
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}\n{line}"));
    read(FILE).lines().map(parse).collect()
}

#[test]
fn golden_frames_are_what_their_script_writes() {
    let output = Command::new("python3")
        .args([SCRIPT, "--print"])
        .current_dir(root())
        .output()
        .expect("python3 runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{SCRIPT} failed:\n{errors}");
    assert!(
        output.stdout == read(FILE).as_bytes(),
        "{FILE} is stale: run `python3 {SCRIPT}` and read the difference"
    );
}

#[test]
fn golden_frames_cover_every_message_and_error() {
    let lines = conversation();
    let sent: BTreeSet<u8> = lines
        .iter()
        .filter(|line| line.fields.is_some())
        .filter_map(|line| line.frame.as_ref().map(|f| f.r#type))
        .collect();
    let replies = || lines.iter().flat_map(|line| &line.replies);
    let received: BTreeSet<u8> = replies().map(|r| r.r#type).collect();
    for message in GAME.all_messages() {
        let name = message.name;
        assert!(sent.contains(&message.id), "{name} is never read");
        assert!(
            message.is_request() || received.contains(&message.id),
            "{name} is never answered"
        );
    }
    for error in GAME.all_errors() {
        let (name, start) = (error.name, format!("{:02x}", error.number));
        let refused = |r: &Reply| r.r#type == link::ERROR.id && r.payload.starts_with(&start);
        // Which request is refused as busy depends on the speed of the line.
        let given = replies().any(refused) || replies().any(|r| r.or == Some(Or::Busy));
        assert!(given, "no request is refused as {name}");
    }
    let errors: BTreeSet<&str> = lines.iter().filter_map(|l| l.error.as_deref()).collect();
    assert_eq!(
        errors,
        BTreeSet::from(["cobs", "crc", "too_long", "too_short"])
    );
}

#[test]
fn decoder_reads_golden_frames() {
    let mut decoder = Decoder::new();
    for line in conversation() {
        let name = &line.name;
        let mut found = Vec::new();
        for byte in &line.wire {
            if let Some(result) = decoder.push(*byte) {
                found.push(result.map(|f| Sent {
                    seq: f.seq,
                    r#type: f.kind,
                    payload: f.payload.to_vec(),
                }));
            }
        }
        assert!(!decoder.is_mid_frame(), "{name}: still inside a frame");
        let found: Vec<Result<&Sent, &str>> = found
            .iter()
            .map(|r| r.as_ref().map_err(kind_of_error))
            .collect();
        let frame = line.frame.as_ref().map(Ok);
        let error = line.error.as_deref().map(Err);
        let expected: Vec<Result<&Sent, &str>> = frame.or(error).into_iter().collect();
        assert_eq!(found, expected, "{name}");
    }
}

fn kind_of_error(error: &FrameError) -> &'static str {
    match error {
        FrameError::TooLong => "too_long",
        FrameError::Cobs => "cobs",
        FrameError::TooShort { .. } => "too_short",
        FrameError::Crc { .. } => "crc",
    }
}

#[test]
fn encoder_writes_golden_frames() {
    for line in conversation() {
        let Some(sent) = &line.frame else { continue };
        let frame = Frame {
            seq: sent.seq,
            kind: sent.r#type,
            payload: &sent.payload,
        };
        let wire = protocol::frame::encode(&frame).expect("short enough");
        let idle = line.wire.iter().take_while(|b| **b == 0).count();
        let from_first = &line.wire[idle..];
        let (encoded, after) = from_first.split_at(wire.as_ref().len().min(from_first.len()));
        assert_eq!(encoded, wire.as_ref(), "{}", line.name);
        assert!(after.iter().all(|b| *b == 0), "{}", line.name);
    }
}

#[test]
fn payloads_decode_to_golden_fields() {
    for line in conversation() {
        let name = &line.name;
        let Some(sent) = &line.frame else { continue };
        match typed::read(sent.r#type, &sent.payload) {
            None => assert!(
                line.fields.is_none() && line.rejected.is_none(),
                "{name}: no message has that number"
            ),
            Some(Ok(fields)) => assert_eq!(Some(&fields), line.fields.as_ref(), "{name}"),
            Some(Err(why)) => assert_eq!(Some(&why), line.rejected.as_ref(), "{name}"),
        }
    }
}

/// Sends the golden frames to a core and expects the golden replies.
pub fn converse(variant: &'static Variant, depth: Depth, power_up: u32) {
    let (wrong, refused) = conversed(variant, depth, power_up, usize::MAX);
    assert!(wrong.is_empty(), "{depth:?}:\n{}", wrong.join("\n"));
    assert!(refused > 0, "{depth:?}: no request is refused as busy");
}

/// Sends the golden frames to a core until `most` replies are wrong; returns these, and how many
/// requests were refused as busy.
pub fn conversed(
    variant: &'static Variant,
    depth: Depth,
    power_up: u32,
    most: usize,
) -> (Vec<String>, u32) {
    let mut core = Core::powered_up(variant, depth, power_up);
    let lines = conversation();
    let mut wrong = Vec::new();
    // Requests refused since the last reset, and in all.
    let (mut busy, mut refused) = (0, 0);
    for group in lines.chunk_by(|_, next| next.at_once) {
        if wrong.len() >= most {
            break;
        }
        let name = &group[0].name;
        let wire: Vec<u8> = group.iter().flat_map(|l| l.wire.clone()).collect();
        let replies: Vec<&Reply> = group.iter().flat_map(|line| &line.replies).collect();
        let is_part = |reply: &&Reply| GAME.message(reply.r#type).is_some_and(Message::is_part);
        // A stream without an end goes on while the line is silent.
        let expected = match replies.last().is_some_and(is_part) {
            true => usize::MAX,
            false => replies.len(),
        };
        let silence = match replies.iter().any(is_part) {
            true => SILENCE_OF_PARTS,
            false => SILENCE,
        };
        let mut got = match core.exchange(&wire, expected, silence) {
            Ok(got) => got.into_iter().peekable(),
            Err(why) => {
                wrong.push(format!("{name}: {why}"));
                break;
            }
        };
        for reply in replies {
            match got.next_if(|got| got.seq == reply.seq) {
                Some(got) if reply.matches(&got) => {
                    if got.kind == link::RESET_REPLY.id {
                        busy = 0;
                    }
                    wrong.extend(typed::check_build(&got, busy).map(|e| format!("{name}: {e}")));
                }
                Some(got) if reply.or == Some(Or::Busy) && got.is_busy_for(reply.r#type) => {
                    busy += 1;
                    refused += 1;
                }
                None if reply.or == Some(Or::Nothing) => {}
                other => wrong.push(format!("{name}: expected {reply:?}, got {other:?}")),
            }
        }
        wrong.extend(got.map(|more| format!("{name}: unexpected {more:?}")));
    }
    match core.exchange(&[], usize::MAX, SILENCE) {
        Ok(late) if late.is_empty() => {}
        late => wrong.push(format!("unexpected at the end: {late:?}")),
    }
    (wrong, refused)
}

fn core() -> &'static Variant {
    sim::variant("tetris", None).expect("the RTL as designed")
}

/// Registers and memories may hold anything at power-up.
#[test]
fn core_answers_golden_frames_behind_its_uart() {
    for power_up in 0..2 {
        converse(core(), Depth::Bytes, power_up);
    }
}

/// With a clock that is 2 % fast; `line.rs` tests how far clocks may differ.
#[test]
fn core_answers_golden_frames_at_its_pins() {
    let (baud, skew_ppm) = (12_000_000, 20_000);
    converse(core(), Depth::Pins { baud, skew_ppm }, 1);
}
