//! Writes the layout tables as SystemVerilog packages, one for the link and one for each game.
//!
//! `make generate` writes them to `rtl/`; a test fails when one is stale. The first field of a
//! packed struct is its most significant one. The first field on the wire is the least significant
//! one, so structs list the fields in reverse.

use std::format;
use std::string::String;
use std::vec::Vec;

use crate::frame::{MAX_RAW, OVERHEAD};
use crate::layout::{
    Constant, GAMES, GameTable, MAX_PAYLOAD, Message, PART, PROTOCOL_VERSION, REPLY, WINDOW, link,
};

/// Longest line of a comment, in characters.
const WIDTH: usize = 100;

/// All packages: the stem of a package's name and of its file's, `<stem>_proto_pkg`, and its text.
pub fn packages() -> impl Iterator<Item = (&'static str, String)> {
    let games = GAMES.iter().copied().map(Some);
    [None].into_iter().chain(games).map(package)
}

/// The package of a game, or of the link.
fn package(game: Option<&GameTable>) -> (&'static str, String) {
    let (stem, messages, errors, scope, constants) = match game {
        None => ("link", link::MESSAGES, link::ERRORS, "", link_constants()),
        Some(game) => {
            let (messages, errors) = (game.messages, game.errors);
            let constants = game_constants(game);
            (game.name, messages, errors, "link_proto_pkg::", constants)
        }
    };
    let mut text = format!(
        "// Generated from protocol/src/layout/{stem}.rs by `make generate`: do not edit.\n\
         //\n\
         // Message numbers, payload lengths and layouts of the wire, as packed structs\n\
         // (first byte on the wire = least significant byte). docs/wire.md has the rest.\n\n\
         // The table is whole; no design uses all of it.\n\
         // verilator lint_off UNUSEDPARAM\n\
         package {stem}_proto_pkg;\n\n\
         {constants}"
    );
    let ids = messages.iter().map(|m| (m.name, m.id, m.about));
    text += &numbers("msg_e", "Msg", ids);
    let codes = errors.iter().map(|e| (e.name, e.number, e.about));
    text += &numbers("err_e", "Err", codes);
    text.extend(messages.iter().map(layout));
    text += &lengths(scope, messages);
    text += "\nendpackage\n// verilator lint_on UNUSEDPARAM\n";
    (stem, text)
}

fn link_constants() -> String {
    const VERSION: &str = "Version of the wire.";
    const LONGEST: &str = "Longest payload in bytes; a longer frame is malformed.";
    const AROUND: &str = "Sequence number, type and CRC around a payload, in bytes.";
    const RAW: &str = "Longest frame before COBS, in bytes.";
    const HELD: &str = "Requests a core may hold unanswered.";
    const IN_REPLY: &str = "Bit set in the number of every reply.";
    const IN_PART: &str = "Bit set as well in the number of every part of a stream.";
    let mut text = String::new();
    for (about, bits, name, value) in [
        (VERSION, 16, "protocol_version", PROTOCOL_VERSION.into()),
        (LONGEST, 32, "max_payload_bytes", MAX_PAYLOAD),
        (AROUND, 32, "frame_overhead_bytes", OVERHEAD),
        (RAW, 32, "max_raw_bytes", MAX_RAW),
        (HELD, 32, "window", WINDOW.into()),
        (IN_REPLY, 8, "reply_bit", REPLY.into()),
        (IN_PART, 8, "part_bit", PART.into()),
    ] {
        text += &constant(about, bits, name, value as u32);
    }
    for capability in link::CAPABILITIES {
        let name = format!("Capability{}", camel(capability.name));
        text += &word(capability.about, &name, 1 << capability.bit);
    }
    text += &constants(link::CONSTANTS);
    text + "\n  // Payload bytes of each request, by its number; NotRequest where there is none.\n  \
            typedef logic [127:0][7:0] lengths_t;\n  \
            localparam logic [7:0] NotRequest = 8'hff;\n"
}

fn game_constants(game: &GameTable) -> String {
    let about = "Number of the game in info_reply.";
    let number = constant(about, 8, "game_number", game.number.into());
    let about = "Hash of the link's table and this one, for info_reply.";
    number + &word(about, "LayoutHash", game.layout_hash()) + &constants(game.constants)
}

fn constants(list: &[Constant]) -> String {
    let texts = list
        .iter()
        .map(|c| constant(c.about, c.bits, c.name, c.value));
    texts.collect()
}

/// A constant with its comment; one of 32 bits is an `int`.
fn constant(about: &str, bits: usize, name: &str, value: u32) -> String {
    let (comment, name) = (comment("  ", about), camel(name));
    if bits == 32 {
        return format!("{comment}  localparam int unsigned {name} = {value};\n");
    }
    let (high, digits) = (bits - 1, bits / 4);
    format!("{comment}  localparam logic [{high}:0] {name} = {bits}'h{value:0digits$x};\n")
}

/// A constant of 32 bits in hexadecimal, with its comment.
fn word(about: &str, name: &str, value: u32) -> String {
    let comment = comment("  ", about);
    format!("{comment}  localparam logic [31:0] {name} = 32'h{value:08x};\n")
}

/// An enum of numbers with their meanings.
fn numbers<'a>(
    kind: &str,
    prefix: &str,
    items: impl Iterator<Item = (&'a str, u8, &'a str)>,
) -> String {
    let items = items.map(|(name, value, about)| {
        let (comment, name) = (comment("    ", about), camel(name));
        format!("{comment}    {prefix}{name} = 8'h{value:02x}")
    });
    let items = items.collect::<Vec<_>>().join(",\n");
    format!("\n  typedef enum logic [7:0] {{\n{items}\n  }} {kind};\n")
}

/// A message's length and the struct of its payload.
fn layout(m: &Message) -> String {
    let length = format!(
        "\n  localparam int unsigned {}Bytes = {};\n",
        camel(m.name),
        m.bytes()
    );
    if m.fields.is_empty() {
        return length;
    }
    let fields = m.fields.iter().rev().map(|f| {
        let comment = comment("    ", f.about);
        let sign = if f.signed { " signed" } else { "" };
        format!("{comment}    logic{sign} [{}:0] {};\n", f.bits - 1, f.name)
    });
    let fields: String = fields.collect();
    format!(
        "{length}  typedef struct packed {{\n{fields}  }} {}_t;\n",
        m.name
    )
}

/// A constant with the payload length of each request, by its number.
fn lengths(scope: &str, messages: &[Message]) -> String {
    let requests = messages.iter().filter(|m| m.is_request());
    let requests = requests.map(|m| {
        let (id, n, name) = (m.id, m.bytes(), m.name);
        format!("    lengths[7'h{id:02x}] = 8'd{n};  // {name}\n")
    });
    let requests: String = requests.collect();
    format!(
        "\n  function automatic {scope}lengths_t request_lengths();\n    \
         {scope}lengths_t lengths;\n    \
         lengths = {{128{{{scope}NotRequest}}}};\n\
         {requests}    \
         return lengths;\n  endfunction\n\n  \
         // Payload bytes of each request of this table.\n  \
         localparam {scope}lengths_t RequestLengths = request_lengths();\n"
    )
}

/// A comment, wrapped and indented.
fn comment(indent: &str, text: &str) -> String {
    let mut lines = String::new();
    let mut line = format!("{indent}//");
    for word in text.split_ascii_whitespace() {
        if line.len() + 1 + word.len() > WIDTH {
            lines += &(line + "\n");
            line = format!("{indent}//");
        }
        line = line + " " + word;
    }
    lines + &line + "\n"
}

/// A snake-case name in camel case: `InfoReply` for `info_reply`.
fn camel(snake: &str) -> String {
    let words = snake.split('_').filter_map(|word| {
        let first = word.get(..1)?.to_ascii_uppercase();
        Some(first + &word[1..])
    });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::docgen::words;

    #[test]
    fn package_every_about_is_a_comment() {
        let games = GAMES.iter().copied();
        let games = games.map(|game| (Some(game), game.messages, game.errors, game.constants));
        let link = (None, link::MESSAGES, link::ERRORS, link::CONSTANTS);
        for (game, messages, errors, constants) in games.chain([link]) {
            let (_, lines) = package(game);
            let text = lines.replace("\n    //", "").replace("\n  //", "");
            let fields = messages.iter().flat_map(|m| m.fields).map(|f| f.about);
            let abouts = fields
                .chain(messages.iter().map(|m| m.about))
                .chain(errors.iter().map(|e| e.about))
                .chain(constants.iter().map(|c| c.about));
            for about in abouts {
                assert!(!about.is_empty() && about.ends_with('.'), "{about:?}");
                assert!(text.contains(&words(about)), "{about}");
            }
            let long = lines.lines().find(|line| line.len() > WIDTH);
            assert_eq!(long, None);
        }
    }

    #[test]
    fn package_struct_fields_are_reversed() {
        let (_, text) = package(Some(&crate::layout::tetris::GAME));
        let at = |needle: &str| text.find(needle).unwrap_or_else(|| panic!("no {needle}"));
        assert!(at("logic [7:0] piece;") < at("logic [199:0] board;"));
        assert!(at("logic signed [63:0] score;") < at("} decision_t;"));
        assert!(text.contains("lengths[7'h12] = 8'd27;  // decide"));
        assert!(text.contains("PieceL = 8'h06;"));
    }
}
