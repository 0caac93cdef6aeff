//! The parts of `docs/wire.md` that come from the layout tables.
//!
//! The document is written by hand; what lies between a line
//! `<!-- generated: NAME -->` and the next `<!-- end -->` is replaced by the part
//! of that name. `make generate` does it; a test fails when a part is stale.

use core::fmt::{self, Write};

use crate::frame::{self, Frame, MAX_RAW, OVERHEAD};
use crate::layout::{
    Constant, ErrorCode, GAMES, MAX_PAYLOAD, Message, PROTOCOL_VERSION, WINDOW, Worked, link,
};
use crate::payload::link::Ping;
use crate::rate;

const BEGIN: &str = "<!-- generated: ";
const END: &str = "<!-- end -->";

/// Why the document cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DocError {
    /// There is no such part.
    #[error("line {line}: there is no part of the name given in the marker")]
    Unknown {
        /// Number of the marker's line, counted from 1.
        line: usize,
    },
    /// A part does not end.
    #[error("line {line}: this part has no `{END}`")]
    NoEnd {
        /// Number of the marker's line, counted from 1.
        line: usize,
    },
    /// The text cannot be written.
    #[error("the document cannot be written")]
    Write(#[from] fmt::Error),
}

/// Writes the document with all generated parts fresh.
///
/// # Errors
/// When a marker is wrong, or those of `out`.
pub fn write_document(document: &str, out: &mut impl Write) -> Result<(), DocError> {
    let mut lines = document.lines().zip(1..);
    while let Some((text, line)) = lines.next() {
        writeln!(out, "{text}")?;
        let Some(name) = part_name(text) else {
            continue;
        };
        writeln!(out)?;
        write_part(name, out)?.ok_or(DocError::Unknown { line })?;
        if !lines.any(|(text, _)| text == END) {
            return Err(DocError::NoEnd { line });
        }
        writeln!(out, "\n{END}")?;
    }
    Ok(())
}

/// The first marker that no line of the document has, as part and game.
pub fn missing_part(document: &str) -> Option<(&'static str, &'static str)> {
    let wanted = GAMES.iter().flat_map(|game| {
        let kinds = ["messages", "payloads", "constants", "errors"];
        kinds.map(|kind| (kind, game.name))
    });
    let has = |part| {
        let mut names = document.lines().filter_map(part_name);
        names.any(|name| name.split_once(' ') == Some(part))
    };
    wanted.into_iter().find(|part| !has(*part))
}

/// The name of the part that begins behind a line.
fn part_name(line: &str) -> Option<&str> {
    line.strip_prefix(BEGIN)?.strip_suffix(" -->")
}

/// Writes the part of that name; `None` when there is none.
fn write_part(name: &str, out: &mut impl Write) -> Result<Option<()>, fmt::Error> {
    let (kind, table) = name.split_once(' ').unwrap_or((name, "link"));
    let game = GAMES.iter().copied().find(|game| game.name == table);
    let (messages, errors, numbers) = match (table, game) {
        ("link", _) => (link::MESSAGES, link::ERRORS, link::CONSTANTS),
        (_, Some(game)) => (game.messages, game.errors, game.constants),
        _ => return Ok(None),
    };
    match kind {
        "limits" => limits(out),
        "crc" => crcs(out),
        "cobs" => coded(out),
        "ping" => worked_ping(out),
        "worked" => match game.and_then(|game| game.worked) {
            Some(worked) => worked_request(out, &worked),
            None => return Ok(None),
        },
        "messages" => messages_table(out, messages),
        "payloads" => payloads(out, messages),
        "errors" => errors_table(out, errors),
        "capabilities" => capabilities(out),
        "games" => games(out),
        "constants" => constants(out, numbers),
        "rates" => rates(out),
        _ => return Ok(None),
    }?;
    Ok(Some(()))
}

fn limits(out: &mut impl Write) -> fmt::Result {
    writeln!(
        out,
        "| limit | value |\n|---|---|\n\
         | protocol version | {PROTOCOL_VERSION} |\n\
         | bytes around a payload | {OVERHEAD} |\n\
         | longest payload | {MAX_PAYLOAD} bytes |\n\
         | longest frame before COBS | {MAX_RAW} bytes |\n\
         | longest frame on the line, delimiter included | {} bytes |\n\
         | window of the RTL here | {WINDOW} requests |",
        frame::MAX_WIRE
    )
}

fn messages_table(out: &mut impl Write, messages: &[Message]) -> fmt::Result {
    writeln!(
        out,
        "| number | message | sent by | payload | what it is |\n|---|---|---|---|---|"
    )?;
    for m in messages {
        let sender = if m.is_request() { "host" } else { "core" };
        let (id, name, bytes) = (m.id, m.name, m.bytes());
        write!(out, "| 0x{id:02x} | `{name}` | {sender} | {bytes} bytes | ")?;
        words(out, m.about)?;
        writeln!(out, " |")?;
    }
    Ok(())
}

/// A table of fields for each message that has any.
fn payloads(out: &mut impl Write, messages: &[Message]) -> fmt::Result {
    let mut first = true;
    for m in messages.iter().filter(|m| !m.fields.is_empty()) {
        if !first {
            writeln!(out)?;
        }
        first = false;
        writeln!(out, "`{}`, {} bytes:\n", m.name, m.bytes())?;
        writeln!(
            out,
            "| offset | bytes | type | field | meaning |\n|---|---|---|---|---|"
        )?;
        let mut offset = 0;
        for f in m.fields {
            let len = f.bits / 8;
            write!(out, "| {offset} | {len} | ")?;
            match (f.bits, f.signed) {
                (8 | 16 | 32 | 64, false) => write!(out, "u{}", f.bits),
                (8 | 16 | 32 | 64, true) => write!(out, "i{}", f.bits),
                _ => write!(out, "{} bits", f.bits),
            }?;
            write!(out, " | `{}` | ", f.name)?;
            words(out, f.about)?;
            writeln!(out, " |")?;
            offset += len;
        }
    }
    Ok(())
}

fn errors_table(out: &mut impl Write, errors: &[ErrorCode]) -> fmt::Result {
    writeln!(out, "| number | error code | meaning |\n|---|---|---|")?;
    for e in errors {
        write!(out, "| 0x{:02x} | `{}` | ", e.number, e.name)?;
        words(out, e.about)?;
        writeln!(out, " |")?;
    }
    Ok(())
}

fn capabilities(out: &mut impl Write) -> fmt::Result {
    writeln!(out, "| bit | capability | meaning |\n|---|---|---|")?;
    for c in link::CAPABILITIES {
        write!(out, "| {} | `{}` | ", c.bit, c.name)?;
        words(out, c.about)?;
        writeln!(out, " |")?;
    }
    Ok(())
}

fn constants(out: &mut impl Write, constants: &[Constant]) -> fmt::Result {
    writeln!(out, "| constant | value | meaning |\n|---|---|---|")?;
    for c in constants {
        write!(out, "| `{}` | {} | ", c.name, c.value)?;
        words(out, c.about)?;
        writeln!(out, " |")?;
    }
    Ok(())
}

fn games(out: &mut impl Write) -> fmt::Result {
    writeln!(out, "| number | game | layout hash |\n|---|---|---|")?;
    for game in GAMES {
        let (number, name, hash) = (game.number, game.name, game.layout_hash());
        writeln!(out, "| {number} | `{name}` | 0x{hash:08x} |")?;
    }
    Ok(())
}

/// Increments of usual rates.
fn rates(out: &mut impl Write) -> fmt::Result {
    const CLOCK_HZ: u32 = 100_000_000;
    writeln!(out, "| baud | increment at 100 MHz |\n|---|---|")?;
    for baud in [link::BASE_BAUD, 921_600, 3_000_000, 12_000_000, 12_500_000] {
        // All of them lie within the limits at that clock.
        let increment = rate::increment(baud, CLOCK_HZ).ok_or(fmt::Error)?;
        writeln!(out, "| {baud} | {increment} |")?;
    }
    Ok(())
}

/// Check values of the CRC.
fn crcs(out: &mut impl Write) -> fmt::Result {
    writeln!(out, "| bytes | CRC | on the line |\n|---|---|---|")?;
    let digits = "123456789";
    for (label, bytes) in [("none", ""), ("the nine digits `123456789`", digits)] {
        let crc = frame::checksum(&[bytes.as_bytes()]);
        write!(out, "| {label} | 0x{crc:08x} | `")?;
        hex(out, &crc.to_le_bytes())?;
        writeln!(out, "` |")?;
    }
    Ok(())
}

/// COBS by examples.
fn coded(out: &mut impl Write) -> fmt::Result {
    writeln!(out, "| bytes | coded, with the delimiter |\n|---|---|")?;
    let examples: [&[u8]; 5] = [
        &[0x11, 0x22],
        &[0x11, 0x00, 0x22],
        &[0x11, 0x00],
        &[0x00],
        &[0x00, 0x00, 0x11],
    ];
    for bytes in examples {
        let mut code = [0; 8];
        let len = cobs::encode(bytes, &mut code[..7]);
        write!(out, "| `")?;
        hex(out, bytes)?;
        write!(out, "` | `")?;
        hex(out, &code[..=len])?;
        writeln!(out, "` |")?;
    }
    Ok(())
}

fn hex(out: &mut impl Write, bytes: &[u8]) -> fmt::Result {
    for (i, byte) in bytes.iter().enumerate() {
        let gap = if i > 0 { " " } else { "" };
        write!(out, "{gap}{byte:02x}")?;
    }
    Ok(())
}

/// A ping as bytes, step by step.
fn worked_ping(out: &mut impl Write) -> fmt::Result {
    let nonce = 0x1122_3344_0055_6677;
    let payload = Ping { nonce }.encode();
    writeln!(
        out,
        "A `ping` (0x{:02x}) with sequence number 0x0102 and nonce 0x{nonce:016x}:",
        link::PING.id
    )?;
    worked(out, 0x0102, link::PING.id, payload.as_ref())
}

/// A request of a game as bytes, step by step.
fn worked_request(out: &mut impl Write, request: &Worked) -> fmt::Result {
    let Worked {
        message,
        seq,
        about,
        payload,
    } = request;
    let (name, id) = (message.name, message.id);
    writeln!(
        out,
        "A `{name}` (0x{id:02x}) with sequence number {seq}: {about}:"
    )?;
    worked(out, *seq, id, payload().as_ref())
}

fn worked(out: &mut impl Write, seq: u16, kind: u8, payload: &[u8]) -> fmt::Result {
    // A payload of the tables is never over the cap.
    let wire = frame::encode(&Frame { seq, kind, payload }).map_err(|_| fmt::Error)?;
    let seq = seq.to_le_bytes();
    let crc = frame::checksum(&[&seq, &[kind], payload]).to_le_bytes();
    writeln!(out, "\n```text")?;
    let rows: [(&str, &[u8]); 5] = [
        ("sequence number", &seq),
        ("type", &[kind]),
        ("payload", payload),
        ("CRC-32", &crc),
        ("on the line", wire.as_ref()),
    ];
    for (label, bytes) in rows {
        write!(out, "{label:<16}")?;
        for (i, byte) in bytes.iter().enumerate() {
            if i > 0 && i % 20 == 0 {
                write!(out, "\n{:<16}", "")?;
            }
            write!(out, " {byte:02x}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "```")
}

/// Words with one space between them.
fn words(out: &mut impl Write, text: &str) -> fmt::Result {
    let mut words = text.split_ascii_whitespace();
    if let Some(first) = words.next() {
        out.write_str(first)?;
    }
    words.try_for_each(|word| write!(out, " {word}"))
}

#[cfg(test)]
mod tests {
    use std::string::String;
    use std::vec::Vec;

    use super::*;

    fn written(document: &str) -> Result<String, DocError> {
        let mut out = String::new();
        write_document(document, &mut out).map(|()| out)
    }

    #[test]
    fn only_what_lies_between_markers_is_replaced() {
        let before = "# Head\n<!-- generated: games -->\nstale\n<!-- end -->\ntail\n";
        let once = written(before).unwrap();
        assert!(
            once.starts_with("# Head\n<!-- generated: games -->\n\n| number"),
            "{once}"
        );
        assert!(once.ends_with("|\n\n<!-- end -->\ntail\n"), "{once}");
        assert!(!once.contains("stale"));
        assert_eq!(
            written(&once).unwrap(),
            once,
            "a fresh document stays as it is"
        );
    }

    #[test]
    fn a_wrong_marker_is_named_by_its_line() {
        for name in ["chess", "errors chess", "constants chess", "worked link"] {
            let text = std::format!("one\n<!-- generated: {name} -->\n<!-- end -->\n");
            assert_eq!(written(&text), Err(DocError::Unknown { line: 2 }), "{name}");
        }
        let open = "<!-- generated: games -->\n| number\n";
        assert_eq!(written(open), Err(DocError::NoEnd { line: 1 }));
    }

    #[test]
    fn document_without_a_part_of_a_game_is_named() {
        let document: String = GAMES
            .iter()
            .flat_map(|game| {
                let kinds = ["messages", "payloads", "constants", "errors"];
                kinds.map(|kind| std::format!("{BEGIN}{kind} {} -->\n", game.name))
            })
            .collect();
        assert_eq!(missing_part(&document), None);
        for line in document.lines() {
            let less = document.replace(line, "");
            let (kind, game) = missing_part(&less).unwrap();
            assert_eq!(line, std::format!("{BEGIN}{kind} {game} -->"));
        }
    }

    /// The bytes of a worked frame after that label.
    fn bytes_after(text: &str, label: &str) -> Vec<u8> {
        let (_, rest) = text.split_once(label).unwrap();
        let words = rest.split_ascii_whitespace();
        words
            .map_while(|word| u8::from_str_radix(word, 16).ok())
            .collect()
    }

    /// What the worked frames say of themselves is what a decoder reads, and
    /// their parts, coded, are what is on the line.
    #[test]
    fn worked_frames_are_frames() {
        let games = GAMES.iter().filter_map(|game| Some((game, game.worked?)));
        let games = games.map(|(game, request)| {
            let name = std::format!("worked {}", game.name);
            (name, request.message.id, request.seq)
        });
        let ping = ("ping".into(), link::PING.id, 0x0102);
        for (name, kind, seq) in games.chain([ping]) {
            let mut text = String::new();
            assert_eq!(write_part(&name, &mut text), Ok(Some(())));
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

    /// The check value that the CRC's catalogue gives, lowest byte first.
    #[test]
    fn check_values_are_the_published_ones() {
        let mut text = String::new();
        assert_eq!(write_part("crc", &mut text), Ok(Some(())));
        assert!(
            text.contains("`123456789` | 0xcbf43926 | `26 39 f4 cb` |"),
            "{text}"
        );
        text.clear();
        assert_eq!(write_part("cobs", &mut text), Ok(Some(())));
        for (bytes, coded) in [
            ("11 00 22", "02 11 02 22 00"),
            ("11 00", "02 11 01 00"),
            ("00 00 11", "01 01 02 11 00"),
        ] {
            let row = std::format!("| `{bytes}` | `{coded}` |");
            assert!(text.contains(&row), "{row}\n{text}");
        }
    }
}
