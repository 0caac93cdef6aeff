//! Writes the layout tables as SystemVerilog packages, one for the link and one for each game.
//!
//! `make generate` writes them to `rtl/`; a test fails when one is stale. The first field of a
//! packed struct is its most significant one. The first field on the wire is the least significant
//! one, so structs list the fields in reverse.

use core::fmt::{self, Write};

use crate::frame::{MAX_RAW, OVERHEAD};
use crate::layout::{
    Capability, Constant, ErrorCode, GAMES, GameTable, MAX_PAYLOAD, Message, PART,
    PROTOCOL_VERSION, REPLY, WINDOW, link,
};

/// Longest line of a comment, in characters.
const WIDTH: usize = 100;

/// A generated package.
#[derive(Debug, Clone, Copy)]
pub enum Package {
    /// The link's package.
    Link,
    /// A game's package.
    Game(&'static GameTable),
}

impl Package {
    /// All packages.
    pub fn all() -> impl Iterator<Item = Self> {
        let games = GAMES.iter().copied().map(Self::Game);
        core::iter::once(Self::Link).chain(games)
    }

    /// The stem of the package's name and of its file's: `<stem>_proto_pkg`.
    pub fn stem(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Game(game) => game.name,
        }
    }

    /// Writes the package.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn write(self, out: &mut impl Write) -> fmt::Result {
        let stem = self.stem();
        writeln!(
            out,
            "// Generated from protocol/src/layout/{stem}.rs by `make generate`: do not edit.\n\
             //\n\
             // Message numbers, payload lengths and layouts of the wire, as packed structs\n\
             // (first byte on the wire = least significant byte). docs/wire.md has the rest.\n\n\
             // The table is whole; no design uses all of it.\n\
             // verilator lint_off UNUSEDPARAM\n\
             package {stem}_proto_pkg;\n"
        )?;
        let (messages, errors) = match self {
            Self::Link => {
                link_constants(out)?;
                (link::MESSAGES, link::ERRORS)
            }
            Self::Game(game) => {
                game_constants(out, game)?;
                (game.messages, game.errors)
            }
        };
        numbers(
            out,
            "msg_e",
            "Msg",
            messages.iter().map(|m| (m.name, m.id, m.about)),
        )?;
        let codes = errors
            .iter()
            .map(|e: &ErrorCode| (e.name, e.number, e.about));
        numbers(out, "err_e", "Err", codes)?;
        for message in messages {
            layout(out, message)?;
        }
        lengths(out, self, messages)?;
        out.write_str("\nendpackage\n// verilator lint_on UNUSEDPARAM\n")
    }
}

fn link_constants(out: &mut impl Write) -> fmt::Result {
    const VERSION: &str = "Version of the wire.";
    const LONGEST: &str = "Longest payload in bytes; a longer frame is malformed.";
    const AROUND: &str = "Sequence number, type and CRC around a payload, in bytes.";
    const RAW: &str = "Longest frame before COBS, in bytes.";
    const HELD: &str = "Requests a core may hold unanswered.";
    const IN_REPLY: &str = "Bit set in the number of every reply.";
    const IN_PART: &str = "Bit set as well in the number of every part of a stream.";
    for (about, bits, name, value) in [
        (VERSION, 16, "protocol_version", PROTOCOL_VERSION.into()),
        (LONGEST, 32, "max_payload_bytes", MAX_PAYLOAD),
        (AROUND, 32, "frame_overhead_bytes", OVERHEAD),
        (RAW, 32, "max_raw_bytes", MAX_RAW),
        (HELD, 32, "window", WINDOW.into()),
        (IN_REPLY, 8, "reply_bit", REPLY.into()),
        (IN_PART, 8, "part_bit", PART.into()),
    ] {
        constant(out, about, bits, name, value as u32)?;
    }
    for Capability { name, bit, about } in link::CAPABILITIES {
        comment(out, "", about)?;
        write!(out, "  localparam logic [31:0] Capability")?;
        camel(out, name)?;
        writeln!(out, " = 32'h{:08x};", 1u32 << bit)?;
    }
    constants(out, link::CONSTANTS)?;
    out.write_str(
        "\n  // Payload bytes of each request, by its number; NotRequest where there is none.\n  \
         typedef logic [127:0][7:0] lengths_t;\n  \
         localparam logic [7:0] NotRequest = 8'hff;\n",
    )
}

fn game_constants(out: &mut impl Write, game: &GameTable) -> fmt::Result {
    let number = "Number of the game in info_reply.";
    constant(out, number, 8, "game_number", game.number.into())?;
    comment(
        out,
        "",
        "Hash of the link's table and this one, for info_reply.",
    )?;
    let hash = game.layout_hash();
    writeln!(
        out,
        "  localparam logic [31:0] LayoutHash = 32'h{hash:08x};"
    )?;
    constants(out, game.constants)
}

fn constants(out: &mut impl Write, list: &[Constant]) -> fmt::Result {
    let mut all = list.iter();
    all.try_for_each(|c| constant(out, c.about, c.bits, c.name, c.value))
}

/// A constant with its comment; one of 32 bits is an `int`.
fn constant(out: &mut impl Write, about: &str, bits: usize, name: &str, value: u32) -> fmt::Result {
    comment(out, "", about)?;
    if bits == 32 {
        write!(out, "  localparam int unsigned ")?;
        camel(out, name)?;
        return writeln!(out, " = {value};");
    }
    write!(out, "  localparam logic [{}:0] ", bits - 1)?;
    camel(out, name)?;
    writeln!(out, " = {bits}'h{value:0digits$x};", digits = bits / 4)
}

/// Writes an enum of numbers with their meanings.
fn numbers(
    out: &mut impl Write,
    kind: &str,
    prefix: &str,
    items: impl Iterator<Item = (&'static str, u8, &'static str)>,
) -> fmt::Result {
    out.write_str("\n  typedef enum logic [7:0] {\n")?;
    let mut items = items.peekable();
    while let Some((name, value, about)) = items.next() {
        comment(out, "  ", about)?;
        write!(out, "    {prefix}")?;
        camel(out, name)?;
        let comma = if items.peek().is_some() { "," } else { "" };
        writeln!(out, " = 8'h{value:02x}{comma}")?;
    }
    writeln!(out, "  }} {kind};")
}

/// Writes a message's length and the struct of its payload.
fn layout(out: &mut impl Write, m: &Message) -> fmt::Result {
    out.write_str("\n  localparam int unsigned ")?;
    camel(out, m.name)?;
    writeln!(out, "Bytes = {};", m.bytes())?;
    if m.fields.is_empty() {
        return Ok(());
    }
    out.write_str("  typedef struct packed {\n")?;
    for f in m.fields.iter().rev() {
        comment(out, "  ", f.about)?;
        let sign = if f.signed { " signed" } else { "" };
        writeln!(out, "    logic{sign} [{}:0] {};", f.bits - 1, f.name)?;
    }
    writeln!(out, "  }} {}_t;", m.name)
}

/// Writes a constant with the payload length of each request, by its number.
fn lengths(out: &mut impl Write, package: Package, messages: &[Message]) -> fmt::Result {
    let scope = match package {
        Package::Link => "",
        Package::Game(_) => "link_proto_pkg::",
    };
    write!(
        out,
        "\n  function automatic {scope}lengths_t request_lengths();\n    \
         {scope}lengths_t lengths;\n    \
         lengths = {{128{{{scope}NotRequest}}}};\n"
    )?;
    for m in messages.iter().filter(|m| m.is_request()) {
        let (id, n, name) = (m.id, m.bytes(), m.name);
        writeln!(out, "    lengths[7'h{id:02x}] = 8'd{n};  // {name}")?;
    }
    write!(
        out,
        "    return lengths;\n  endfunction\n\n  \
         // Payload bytes of each request of this table.\n  \
         localparam {scope}lengths_t RequestLengths = request_lengths();\n"
    )
}

/// Writes a comment, wrapped, and indented by two spaces and `indent`.
fn comment(out: &mut impl Write, indent: &str, text: &str) -> fmt::Result {
    let mut column = 0;
    for word in text.split_ascii_whitespace() {
        if column > 0 && column + 1 + word.len() > WIDTH {
            out.write_str("\n")?;
            column = 0;
        }
        if column == 0 {
            write!(out, "  {indent}//")?;
            column = 4 + indent.len();
        }
        write!(out, " {word}")?;
        column += 1 + word.len();
    }
    out.write_str("\n")
}

/// Writes a snake-case name in camel case: `info_reply` as `InfoReply`.
fn camel(out: &mut impl Write, snake: &str) -> fmt::Result {
    for word in snake.split('_') {
        let mut letters = word.chars();
        if let Some(first) = letters.next() {
            out.write_char(first.to_ascii_uppercase())?;
        }
        out.write_str(letters.as_str())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::string::String;

    use super::*;
    use crate::layout::tetris;

    fn text(package: Package) -> String {
        let mut text = String::new();
        package.write(&mut text).unwrap();
        text
    }

    #[test]
    fn package_every_about_is_a_comment() {
        for package in Package::all() {
            let package_lines = text(package);
            let text = package_lines.replace("\n    //", "").replace("\n  //", "");
            let (messages, errors, constants) = match package {
                Package::Link => (link::MESSAGES, link::ERRORS, link::CONSTANTS),
                Package::Game(game) => (game.messages, game.errors, game.constants),
            };
            let fields = messages.iter().flat_map(|m| m.fields).map(|f| f.about);
            let abouts = fields
                .chain(messages.iter().map(|m| m.about))
                .chain(errors.iter().map(|e| e.about))
                .chain(constants.iter().map(|c| c.about));
            for about in abouts {
                let words: std::vec::Vec<&str> = about.split_ascii_whitespace().collect();
                assert!(!about.is_empty() && about.ends_with('.'), "{about:?}");
                assert!(text.contains(&words.join(" ")), "{about}");
            }
            let long = package_lines.lines().find(|line| line.len() > WIDTH);
            assert_eq!(long, None);
        }
    }

    #[test]
    fn package_struct_fields_are_reversed() {
        let text = text(Package::Game(&tetris::GAME));
        let at = |needle: &str| text.find(needle).unwrap_or_else(|| panic!("no {needle}"));
        assert!(at("logic [7:0] piece;") < at("logic [199:0] board;"));
        assert!(at("logic signed [63:0] score;") < at("} decision_t;"));
        assert!(text.contains("lengths[7'h12] = 8'd27;  // decide"));
        assert!(text.contains("PieceL = 8'h06;"));
    }
}
