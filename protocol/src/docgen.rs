//! Writes the parts of `docs/wire.md` that follow from the layout tables.
//!
//! The rest of the document is written by hand. The lines between `<!-- generated: NAME -->` and
//! the next `<!-- end -->` are replaced by the part NAME. `make generate` does it; a test fails
//! when a part is stale.

use core::fmt::{self, Write};

use crate::frame::{self, Frame, MAX_RAW, MAX_WIRE, OVERHEAD};
use crate::layout::{
    Constant, ErrorCode, GAMES, MAX_PAYLOAD, Message, PROTOCOL_VERSION, WINDOW, WorkedExample, link,
};
use crate::payload::link::Ping;
use crate::rate;

const BEGIN: &str = "<!-- generated: ";
const END: &str = "<!-- end -->";

/// Why the document could not be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DocError {
    /// No part has the name in a marker.
    #[error("line {line}: the marker names no known part")]
    Unknown {
        /// Number of the marker's line, counted from 1.
        line: usize,
    },
    /// A part has no end marker.
    #[error("line {line}: this part has no `{END}`")]
    NoEnd {
        /// Number of the marker's line, counted from 1.
        line: usize,
    },
    /// Writing failed.
    #[error("the document cannot be written")]
    Write(#[from] fmt::Error),
}

/// Writes the document with all its parts generated anew.
///
/// # Errors
/// When a marker is wrong, or `out` fails.
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

/// The first part, with its game, for which the document has no marker.
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

/// The name of the part in a marker line; `None` for another line.
fn part_name(line: &str) -> Option<&str> {
    line.strip_prefix(BEGIN)?.strip_suffix(" -->")
}

/// Writes the part called `name`; `None` if there is none.
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

/// Writes the head of a table; `|` separates the columns.
fn head(out: &mut impl Write, columns: &str) -> fmt::Result {
    writeln!(out, "| {columns} |")?;
    columns.split('|').try_for_each(|_| out.write_str("|---"))?;
    writeln!(out, "|")
}

fn limits(out: &mut impl Write) -> fmt::Result {
    head(out, "limit | value")?;
    writeln!(
        out,
        "| protocol version | {PROTOCOL_VERSION} |\n\
         | bytes around a payload | {OVERHEAD} |\n\
         | longest payload | {MAX_PAYLOAD} bytes |\n\
         | longest frame before COBS | {MAX_RAW} bytes |\n\
         | longest frame on the line, delimiter included | {MAX_WIRE} bytes |\n\
         | window of the RTL here | {WINDOW} requests |"
    )
}

fn messages_table(out: &mut impl Write, messages: &[Message]) -> fmt::Result {
    head(out, "number | message | sent by | payload | what it is")?;
    messages.iter().try_for_each(|m| {
        let sender = if m.is_request() { "host" } else { "core" };
        let (id, name, bytes, about) = (m.id, m.name, m.bytes(), Words(m.about));
        writeln!(
            out,
            "| 0x{id:02x} | `{name}` | {sender} | {bytes} bytes | {about} |"
        )
    })
}

/// Writes a table of fields for each message that has any.
fn payloads(out: &mut impl Write, messages: &[Message]) -> fmt::Result {
    let with_fields = messages.iter().filter(|m| !m.fields.is_empty());
    for (i, m) in with_fields.enumerate() {
        let gap = if i > 0 { "\n" } else { "" };
        writeln!(out, "{gap}`{}`, {} bytes:\n", m.name, m.bytes())?;
        head(out, "offset | bytes | type | field | meaning")?;
        let mut offset = 0;
        for f in m.fields {
            let len = f.bits / 8;
            write!(out, "| {offset} | {len} | ")?;
            match (f.bits, f.signed) {
                (8 | 16 | 32 | 64, false) => write!(out, "u{}", f.bits),
                (8 | 16 | 32 | 64, true) => write!(out, "i{}", f.bits),
                _ => write!(out, "{} bits", f.bits),
            }?;
            writeln!(out, " | `{}` | {} |", f.name, Words(f.about))?;
            offset += len;
        }
    }
    Ok(())
}

fn errors_table(out: &mut impl Write, errors: &[ErrorCode]) -> fmt::Result {
    head(out, "number | error code | meaning")?;
    errors.iter().try_for_each(|e| {
        let about = Words(e.about);
        writeln!(out, "| 0x{:02x} | `{}` | {about} |", e.number, e.name)
    })
}

fn capabilities(out: &mut impl Write) -> fmt::Result {
    head(out, "bit | capability | meaning")?;
    let mut all = link::CAPABILITIES.iter();
    all.try_for_each(|c| writeln!(out, "| {} | `{}` | {} |", c.bit, c.name, Words(c.about)))
}

fn constants(out: &mut impl Write, constants: &[Constant]) -> fmt::Result {
    head(out, "constant | value | meaning")?;
    let mut all = constants.iter();
    all.try_for_each(|c| writeln!(out, "| `{}` | {} | {} |", c.name, c.value, Words(c.about)))
}

fn games(out: &mut impl Write) -> fmt::Result {
    head(out, "number | game | layout hash")?;
    GAMES.iter().try_for_each(|game| {
        let (number, name, hash) = (game.number, game.name, game.layout_hash());
        writeln!(out, "| {number} | `{name}` | 0x{hash:08x} |")
    })
}

/// Writes the increments of common rates.
fn rates(out: &mut impl Write) -> fmt::Result {
    const CLOCK_HZ: u32 = 100_000_000;
    head(out, "baud | increment at 100 MHz")?;
    for baud in [link::BASE_BAUD, 921_600, 3_000_000, 12_000_000, 12_500_000] {
        // All rates lie within the limits at that clock.
        let increment = rate::increment(baud, CLOCK_HZ).ok_or(fmt::Error)?;
        writeln!(out, "| {baud} | {increment} |")?;
    }
    Ok(())
}

/// Writes check values of the CRC.
fn crcs(out: &mut impl Write) -> fmt::Result {
    head(out, "bytes | CRC | on the line")?;
    let digits = "123456789";
    for (label, bytes) in [("none", ""), ("the nine digits `123456789`", digits)] {
        let crc = frame::checksum(&[bytes.as_bytes()]);
        let on_the_line = crc.to_le_bytes();
        writeln!(out, "| {label} | 0x{crc:08x} | `{}` |", Hex(&on_the_line))?;
    }
    Ok(())
}

/// Writes examples of COBS.
fn coded(out: &mut impl Write) -> fmt::Result {
    head(out, "bytes | coded, with the delimiter")?;
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
        writeln!(out, "| `{}` | `{}` |", Hex(bytes), Hex(&code[..=len]))?;
    }
    Ok(())
}

/// Writes a ping as bytes, step by step.
fn worked_ping(out: &mut impl Write) -> fmt::Result {
    let nonce = 0x1122_3344_0055_6677;
    let (seq, id) = (0x0102, link::PING.id);
    writeln!(
        out,
        "A `ping` (0x{id:02x}) with sequence number 0x{seq:04x} and nonce 0x{nonce:016x}:"
    )?;
    worked(out, seq, id, Ping { nonce }.encode().as_ref())
}

/// Writes a request of a game as bytes, step by step.
fn worked_request(out: &mut impl Write, request: &WorkedExample) -> fmt::Result {
    let (Message { name, id, .. }, seq) = (request.message, request.seq);
    let about = request.about;
    writeln!(
        out,
        "A `{name}` (0x{id:02x}) with sequence number {seq}: {about}:"
    )?;
    worked(out, seq, id, (request.payload)().as_ref())
}

fn worked(out: &mut impl Write, seq: u16, kind: u8, payload: &[u8]) -> fmt::Result {
    // A payload of the tables always fits.
    let encoded = frame::encode(&Frame { seq, kind, payload }).map_err(|_| fmt::Error)?;
    let seq = seq.to_le_bytes();
    let crc = frame::checksum(&[&seq, &[kind], payload]).to_le_bytes();
    writeln!(out, "\n```text")?;
    let rows: [(&str, &[u8]); 5] = [
        ("sequence number", &seq),
        ("type", &[kind]),
        ("payload", payload),
        ("CRC-32", &crc),
        ("on the line", encoded.as_ref()),
    ];
    for (label, bytes) in rows {
        for (i, line) in bytes.chunks(20).enumerate() {
            let label = if i > 0 { "" } else { label };
            writeln!(out, "{label:<16} {}", Hex(line))?;
        }
    }
    writeln!(out, "```")
}

/// Bytes in hexadecimal with one space between them.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(i, byte)| {
            let gap = if i > 0 { " " } else { "" };
            write!(f, "{gap}{byte:02x}")
        })
    }
}

/// Words with one space between them.
struct Words<'a>(&'a str);

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = self.0.split_ascii_whitespace().enumerate();
        words.try_for_each(|(i, word)| {
            let gap = if i > 0 { " " } else { "" };
            write!(f, "{gap}{word}")
        })
    }
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
    fn write_document_replaces_only_between_markers() {
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
    fn write_document_wrong_marker_errs_with_line() {
        for name in ["chess", "errors chess", "constants chess", "worked link"] {
            let text = std::format!("one\n<!-- generated: {name} -->\n<!-- end -->\n");
            assert_eq!(written(&text), Err(DocError::Unknown { line: 2 }), "{name}");
        }
        let open = "<!-- generated: games -->\n| number\n";
        assert_eq!(written(open), Err(DocError::NoEnd { line: 1 }));
    }

    #[test]
    fn missing_part_names_part_and_game() {
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

    /// The CRC's published check value, and COBS by its definition.
    #[test]
    fn examples_match_published_values() {
        for (part, row) in [
            ("crc", "`123456789` | 0xcbf43926 | `26 39 f4 cb` |"),
            ("cobs", "| `11 00 22` | `02 11 02 22 00` |"),
            ("cobs", "| `11 00` | `02 11 01 00` |"),
            ("cobs", "| `00 00 11` | `01 01 02 11 00` |"),
        ] {
            let mut text = String::new();
            assert_eq!(write_part(part, &mut text), Ok(Some(())));
            assert!(text.contains(row), "{row}\n{text}");
        }
    }
}
