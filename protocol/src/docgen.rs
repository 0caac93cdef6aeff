//! Writes the parts of `docs/wire.md` that follow from the layout tables.
//!
//! The rest of the document is written by hand. The lines between `<!-- generated: NAME -->` and
//! the next `<!-- end -->` are replaced by the part NAME. `make generate` does it; a test fails
//! when a part is stale.

use std::string::String;
use std::vec::Vec;
use std::{format, vec};

use crate::frame::{self, Frame, MAX_RAW, MAX_WIRE, OVERHEAD};
use crate::layout::{GAMES, MAX_PAYLOAD, Message, PROTOCOL_VERSION, WINDOW, link};
use crate::payload::link::Ping;
use crate::rate;

const BEGIN: &str = "<!-- generated: ";
const END: &str = "<!-- end -->";

/// The parts that the document has for each game.
const OF_GAME: [&str; 4] = ["messages", "payloads", "constants", "errors"];

/// The document with all its parts generated anew.
///
/// # Errors
/// When a marker names no known part, a part has no end, or a part of a game has no marker.
pub fn document(document: &str) -> Result<String, String> {
    let mut text = String::new();
    let mut missing: Vec<String> = GAMES
        .iter()
        .flat_map(|game| OF_GAME.map(|kind| format!("{kind} {}", game.name)))
        .collect();
    let mut lines = document.lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        text += &format!("{line}\n");
        let Some(name) = part_name(line) else {
            continue;
        };
        let part = part(name);
        let part = part.ok_or_else(|| format!("line {number}: the marker names no known part"))?;
        if !lines.any(|(line, _)| line == END) {
            return Err(format!("line {number}: this part has no `{END}`"));
        }
        text += &format!("\n{part}\n{END}\n");
        missing.retain(|wanted| wanted != name);
    }
    match missing.first() {
        None => Ok(text),
        Some(part) => Err(format!(
            "it has no line `{BEGIN}{part} -->`; add it to the section of the game, with a line \
             `{END}` after it"
        )),
    }
}

/// The name of the part in a marker line; `None` for another line.
fn part_name(line: &str) -> Option<&str> {
    line.strip_prefix(BEGIN)?.strip_suffix(" -->")
}

/// The part called `name`, if there is one.
fn part(name: &str) -> Option<String> {
    let (kind, list) = name.split_once(' ').unwrap_or((name, "link"));
    let game = GAMES.iter().copied().find(|game| game.name == list);
    let (messages, errors, constants) = match (list, game) {
        ("link", _) => (link::MESSAGES, link::ERRORS, link::CONSTANTS),
        (_, Some(game)) => (game.messages, game.errors, game.constants),
        _ => return None,
    };
    Some(match kind {
        "limits" => limits(),
        "crc" => crcs(),
        "cobs" => coded(),
        "ping" => worked_ping(),
        "worked" => {
            let request = game?.worked?;
            let (Message { name, id, .. }, seq) = (request.message, request.seq);
            let head = format!("A `{name}` (0x{id:02x}) with sequence number {seq}");
            let payload = (request.payload)();
            worked(
                &format!("{head}: {}", request.about),
                seq,
                id,
                payload.as_ref(),
            )
        }
        "messages" => table(
            "number | message | sent by | payload | what it is",
            messages.iter().map(|m| {
                let sender = if m.is_request() { "host" } else { "core" };
                let (id, name, bytes, about) = (m.id, m.name, m.bytes(), words(m.about));
                format!("0x{id:02x} | `{name}` | {sender} | {bytes} bytes | {about}")
            }),
        ),
        "payloads" => payloads(messages),
        "errors" => table(
            "number | error code | meaning",
            errors
                .iter()
                .map(|e| format!("0x{:02x} | `{}` | {}", e.number, e.name, words(e.about))),
        ),
        "capabilities" => table(
            "bit | capability | meaning",
            link::CAPABILITIES
                .iter()
                .map(|c| format!("{} | `{}` | {}", c.bit, c.name, words(c.about))),
        ),
        "games" => table(
            "number | game | layout hash",
            GAMES.iter().map(|game| {
                let (number, name, hash) = (game.number, game.name, game.layout_hash());
                format!("{number} | `{name}` | 0x{hash:08x}")
            }),
        ),
        "constants" => table(
            "constant | value | meaning",
            constants
                .iter()
                .map(|c| format!("`{}` | {} | {}", c.name, c.value, words(c.about))),
        ),
        "rates" => rates(),
        _ => return None,
    })
}

/// A table; `|` separates the columns of its head and rows.
fn table(head: &str, rows: impl IntoIterator<Item = String>) -> String {
    let line = head.split('|').map(|_| "|---").collect::<String>();
    let rows = rows.into_iter().map(|row| format!("| {row} |\n"));
    format!("| {head} |\n{line}|\n{}", rows.collect::<String>())
}

fn limits() -> String {
    let rows = [
        format!("protocol version | {PROTOCOL_VERSION}"),
        format!("bytes around a payload | {OVERHEAD}"),
        format!("longest payload | {MAX_PAYLOAD} bytes"),
        format!("longest frame before COBS | {MAX_RAW} bytes"),
        format!("longest frame on the line, delimiter included | {MAX_WIRE} bytes"),
        format!("window of the RTL here | {WINDOW} requests"),
    ];
    table("limit | value", rows)
}

/// A table of fields for each message that has any.
fn payloads(messages: &[Message]) -> String {
    let with_fields = messages.iter().filter(|m| !m.fields.is_empty());
    let tables = with_fields.map(|m| {
        let mut offset = 0;
        let rows = m.fields.iter().map(|f| {
            let (start, len) = (offset, f.bits / 8);
            offset += len;
            let kind = match (f.bits, f.signed) {
                (8 | 16 | 32 | 64, false) => format!("u{}", f.bits),
                (8 | 16 | 32 | 64, true) => format!("i{}", f.bits),
                _ => format!("{} bits", f.bits),
            };
            format!(
                "{start} | {len} | {kind} | `{}` | {}",
                f.name,
                words(f.about)
            )
        });
        let fields = table("offset | bytes | type | field | meaning", rows);
        format!("`{}`, {} bytes:\n\n{fields}", m.name, m.bytes())
    });
    tables.collect::<Vec<_>>().join("\n")
}

/// The increments of common rates.
fn rates() -> String {
    const CLOCK_HZ: u32 = 100_000_000;
    let rates = [link::BASE_BAUD, 921_600, 3_000_000, 12_000_000, 12_500_000];
    let rows = rates.into_iter().filter_map(|baud| {
        let increment = rate::increment(baud, CLOCK_HZ)?;
        Some(format!("{baud} | {increment}"))
    });
    table("baud | increment at 100 MHz", rows)
}

/// Check values of the CRC.
fn crcs() -> String {
    let digits = "123456789";
    let examples = [("none", ""), ("the nine digits `123456789`", digits)];
    let rows = examples.map(|(label, bytes)| {
        let crc = frame::checksum(&[bytes.as_bytes()]);
        format!("{label} | 0x{crc:08x} | `{}`", hex(&crc.to_le_bytes()))
    });
    table("bytes | CRC | on the line", rows)
}

/// Examples of COBS.
fn coded() -> String {
    let examples: [&[u8]; 5] = [
        &[0x11, 0x22],
        &[0x11, 0x00, 0x22],
        &[0x11, 0x00],
        &[0x00],
        &[0x00, 0x00, 0x11],
    ];
    let rows = examples.map(|bytes| {
        let mut code = vec![0; bytes.len() + 2];
        let len = cobs::encode(bytes, &mut code);
        format!("`{}` | `{}`", hex(bytes), hex(&code[..=len]))
    });
    table("bytes | coded, with the delimiter", rows)
}

fn worked_ping() -> String {
    let nonce = 0x1122_3344_0055_6677;
    let (seq, id) = (0x0102, link::PING.id);
    let head = format!("A `ping` (0x{id:02x}) with sequence number 0x{seq:04x}");
    let head = format!("{head} and nonce 0x{nonce:016x}");
    worked(&head, seq, id, Ping { nonce }.encode().as_ref())
}

/// A request as bytes, step by step.
fn worked(about: &str, seq: u16, kind: u8, payload: &[u8]) -> String {
    // A payload of the tables always fits.
    let encoded = frame::encode(&Frame { seq, kind, payload });
    let seq = seq.to_le_bytes();
    let crc = frame::checksum(&[&seq, &[kind], payload]).to_le_bytes();
    let rows: [(&str, &[u8]); 5] = [
        ("sequence number", &seq),
        ("type", &[kind]),
        ("payload", payload),
        ("CRC-32", &crc),
        ("on the line", encoded.as_ref().map_or(&[], AsRef::as_ref)),
    ];
    let mut text = format!("{about}:\n\n```text\n");
    for (label, bytes) in rows {
        for (i, line) in bytes.chunks(20).enumerate() {
            let label = if i > 0 { "" } else { label };
            text += &format!("{label:<16} {}\n", hex(line));
        }
    }
    text + "```\n"
}

/// Bytes in hexadecimal with one space between them.
fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
    digits.collect::<Vec<_>>().join(" ")
}

/// Words with one space between them.
pub(crate) fn words(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A document with each part of a game.
    fn whole() -> String {
        let part = |kind, game| format!("{BEGIN}{kind} {game} -->\nstale\n{END}\n");
        let parts = GAMES.iter().map(|g| OF_GAME.map(|kind| part(kind, g.name)));
        parts.flatten().collect()
    }

    #[test]
    fn document_replaces_only_between_markers() {
        let before = format!("# Head\n{}tail\n", whole());
        let once = document(&before).unwrap();
        assert!(
            once.starts_with("# Head\n<!-- generated: messages ")
                && once.contains(" -->\n\n| number"),
            "{once}"
        );
        assert!(once.ends_with("|\n\n<!-- end -->\ntail\n"), "{once}");
        assert!(!once.contains("stale"));
        assert_eq!(document(&once).unwrap(), once, "it stays as it is");
    }

    #[test]
    fn document_wrong_marker_errs_with_line() {
        for name in ["chess", "errors chess", "constants chess", "worked link"] {
            let text = format!("one\n<!-- generated: {name} -->\n<!-- end -->\n");
            let error = document(&text).unwrap_err();
            assert_eq!(error, "line 2: the marker names no known part", "{name}");
        }
        let open = "<!-- generated: games -->\n| number\n";
        let error = document(open).unwrap_err();
        assert_eq!(error, "line 1: this part has no `<!-- end -->`");
    }

    #[test]
    fn document_without_a_game_s_part_errs_with_its_marker() {
        let all = whole();
        for line in all.lines().filter(|line| line.starts_with(BEGIN)) {
            let error = document(&all.replace(line, "")).unwrap_err();
            assert!(error.contains(line), "{error}");
        }
    }

    /// The bytes after a label of a worked frame.
    fn bytes_after(text: &str, label: &str) -> Vec<u8> {
        let (_, rest) = text.split_once(label).unwrap();
        let words = rest.split_ascii_whitespace();
        words
            .map_while(|word| u8::from_str_radix(word, 16).ok())
            .collect()
    }

    /// The decoder reads the fields shown, and their encoding is the line shown.
    #[test]
    fn worked_frames_match_codec() {
        let games = GAMES.iter().filter_map(|game| Some((game, game.worked?)));
        let games = games.map(|(game, request)| {
            let name = format!("worked {}", game.name);
            let known = game.message(request.message.id).map(|m| m.name);
            assert_eq!(known, Some(request.message.name));
            (name, request.message.id, request.seq)
        });
        let ping = ("ping".into(), link::PING.id, 0x0102);
        for (name, kind, seq) in games.chain([ping]) {
            let text = part(&name).unwrap();
            let (_, rows) = text.split_once("```text").unwrap();
            let on_the_line = bytes_after(rows, "on the line");
            let mut decoder = frame::Decoder::new();
            let (last, inside) = on_the_line.split_last().unwrap();
            assert!(inside.iter().all(|byte| decoder.push(*byte).is_none()));
            let frame = decoder.push(*last).unwrap().unwrap();
            assert_eq!((frame.kind, frame.seq), (kind, seq));
            assert_eq!(frame.payload, bytes_after(rows, "payload"));

            let parts = ["sequence number", "type", "payload", "CRC-32"];
            let raw: Vec<u8> = parts.iter().flat_map(|p| bytes_after(rows, p)).collect();
            let mut coded: Vec<u8> = raw
                .split(|byte| *byte == 0)
                .flat_map(|run| [&[run.len() as u8 + 1], run].concat())
                .collect();
            coded.push(frame::DELIMITER);
            assert_eq!(coded, on_the_line);
        }
    }

    /// The CRC's published check value, and COBS by its definition.
    #[test]
    fn examples_match_published_values() {
        for (name, row) in [
            ("crc", "`123456789` | 0xcbf43926 | `26 39 f4 cb` |"),
            ("cobs", "| `11 00 22` | `02 11 02 22 00` |"),
            ("cobs", "| `11 00` | `02 11 01 00` |"),
            ("cobs", "| `00 00 11` | `01 01 02 11 00` |"),
        ] {
            let text = part(name).unwrap();
            assert!(text.contains(row), "{row}\n{text}");
        }
    }
}
