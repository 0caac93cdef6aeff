//! The layout table as a SystemVerilog package.
//!
//! `make generate` writes it to `rtl/proto_pkg.sv`; a test fails when that
//! file is stale. A packed struct lists its first field at the most
//! significant end, so the wire's first field, which arrives first and lies
//! lowest, comes last there.

use core::fmt::{self, Write};

use crate::frame::{MAX_RAW, OVERHEAD};
use crate::layout::*;

/// Writes the package.
///
/// # Errors
/// Only those of `out`.
pub fn write_package(out: &mut impl Write) -> fmt::Result {
    out.write_str(
        "// Generated from protocol/src/layout.rs by `make generate`: do not edit.\n\
         //\n\
         // Message numbers, payload lengths and layouts of the wire, as packed structs\n\
         // (first byte on the wire = least significant byte).\n\n\
         // The table is whole; no design uses all of it.\n\
         // verilator lint_off UNUSEDPARAM\n\
         package proto_pkg;\n\n",
    )?;
    constant(out, 16, "ProtocolVersion", PROTOCOL_VERSION.into())?;
    constant(out, 32, "LayoutHash", LAYOUT_HASH.into())?;
    number(out, "MaxPayloadBytes", MAX_PAYLOAD)?;
    writeln!(out, "  // Sequence number, type and CRC around a payload.")?;
    number(out, "FrameOverheadBytes", OVERHEAD)?;
    number(out, "MaxRawBytes", MAX_RAW)?;
    number(out, "Window", WINDOW.into())?;
    constant(out, 8, "ReplyBit", REPLY.into())?;
    constant(out, 8, "NoPiece", NO_PIECE.into())?;
    number(out, "TetrisColumns", TETRIS_COLUMNS)?;
    number(out, "TetrisRows", TETRIS_ROWS)?;
    for (name, value) in GAMES {
        named(out, 8, "Game", name, (*value).into())?;
    }
    for (name, bit) in CAPABILITIES {
        named(out, 32, "Capability", name, 1 << bit)?;
    }

    out.write_str("\n  typedef enum logic [7:0] {\n")?;
    list(out, MESSAGES.iter().map(|m| (m.name, m.id)), "Msg", 8)?;
    out.write_str("  } msg_e;\n\n  typedef enum logic [7:0] {\n")?;
    list(out, ERROR_CODES.iter().copied(), "Err", 8)?;
    out.write_str("  } err_e;\n\n  typedef enum logic [2:0] {\n")?;
    let pieces = TETRIS_PIECES.iter().zip(0..).map(|(name, n)| (*name, n));
    list(out, pieces, "Piece", 3)?;
    out.write_str("  } piece_e;\n")?;

    for m in MESSAGES {
        message(out, m)?;
    }
    request_bytes(out)?;
    out.write_str("\nendpackage\n// verilator lint_on UNUSEDPARAM\n")
}

fn message(out: &mut impl Write, m: &Message) -> fmt::Result {
    out.write_str("\n")?;
    named_number(out, "", m.name, "Bytes", m.bytes())?;
    if m.fields.is_empty() {
        return Ok(());
    }
    out.write_str("  typedef struct packed {\n")?;
    for f in m.fields.iter().rev() {
        let sign = if f.signed { " signed" } else { "" };
        writeln!(out, "    logic{sign} [{}:0] {};", f.bits - 1, f.name)?;
    }
    writeln!(out, "  }} {}_t;", m.name)
}

/// A function that tells a receiver how long each request must be.
fn request_bytes(out: &mut impl Write) -> fmt::Result {
    out.write_str(
        "\n  // Whether a number is that of a request.\n  \
         function automatic logic is_request(logic [7:0] msg);\n    \
         unique case (msg)\n",
    )?;
    for m in MESSAGES.iter().filter(|m| m.id & REPLY == 0) {
        writeln!(out, "      8'h{:02x}: return 1'b1; // {}", m.id, m.name)?;
    }
    out.write_str(
        "      default: return 1'b0;\n    endcase\n  endfunction\n\n  \
         // Payload bytes of a request; 0 for a number that is not one.\n  \
         function automatic logic [7:0] request_bytes(logic [7:0] msg);\n    \
         unique case (msg)\n",
    )?;
    for m in MESSAGES.iter().filter(|m| m.id & REPLY == 0) {
        let (id, n, name) = (m.id, m.bytes(), m.name);
        writeln!(out, "      8'h{id:02x}: return 8'd{n}; // {name}")?;
    }
    out.write_str("      default: return 8'd0;\n    endcase\n  endfunction\n")
}

fn list<'a>(
    out: &mut impl Write,
    items: impl Iterator<Item = (&'a str, u8)>,
    prefix: &str,
    bits: usize,
) -> fmt::Result {
    let mut items = items.peekable();
    while let Some((name, value)) = items.next() {
        write!(out, "    {prefix}")?;
        camel(out, name)?;
        let comma = if items.peek().is_some() { "," } else { "" };
        writeln!(out, " = {bits}'h{value:02x}{comma}")?;
    }
    Ok(())
}

fn constant(out: &mut impl Write, bits: usize, name: &str, value: u64) -> fmt::Result {
    writeln!(
        out,
        "  localparam logic [{}:0] {name} = {bits}'h{value:0digits$x};",
        bits - 1,
        digits = bits / 4
    )
}

fn named(out: &mut impl Write, bits: usize, prefix: &str, name: &str, value: u64) -> fmt::Result {
    write!(out, "  localparam logic [{}:0] {prefix}", bits - 1)?;
    camel(out, name)?;
    writeln!(out, " = {bits}'h{value:0digits$x};", digits = bits / 4)
}

fn number(out: &mut impl Write, name: &str, value: usize) -> fmt::Result {
    writeln!(out, "  localparam int unsigned {name} = {value};")
}

fn named_number(
    out: &mut impl Write,
    prefix: &str,
    name: &str,
    suffix: &str,
    value: usize,
) -> fmt::Result {
    write!(out, "  localparam int unsigned {prefix}")?;
    camel(out, name)?;
    writeln!(out, "{suffix} = {value};")
}

/// `info_reply` becomes `InfoReply`.
fn camel(out: &mut impl Write, snake: &str) -> fmt::Result {
    for word in snake.split('_') {
        let (first, rest) = word.split_at(1);
        for c in first.chars() {
            out.write_char(c.to_ascii_uppercase())?;
        }
        out.write_str(rest)?;
    }
    Ok(())
}
