//! Parses bitstreams of an ECP5, as ecppack writes them: comments, a preamble, commands.

use super::{Bitstream, damaged, identity};

/// The first bytes. Zero-terminated comments follow.
const BEGIN: [u8; 2] = [0xff, 0x00];
const PREAMBLE: [u8; 2] = [0xbd, 0xb3];
/// The padding between commands.
const DUMMY: u8 = 0xff;
/// Commands, with their operands.
const RESET_CRC: [u8; 4] = [0x3b, 0, 0, 0];
const VERIFY_ID: [u8; 4] = [0xe2, 0, 0, 0];
const PROGRAM_USERCODE: [u8; 4] = [0xc2, 0x80, 0, 0];
const PROGRAM_DONE: [u8; 4] = [0x5e, 0, 0, 0];

pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(&BEGIN)
}

pub(super) fn parse(bytes: &[u8]) -> Result<Bitstream, String> {
    let (comments, commands) = split(bytes)?;
    let idcode = idcode(commands)?;
    let end = commands.iter().rposition(|byte| *byte != DUMMY);
    if !end.is_some_and(|end| commands[..=end].ends_with(&PROGRAM_DONE)) {
        return Err(damaged("its end is missing"));
    }
    let comment = comments
        .iter()
        .find_map(|comment| comment.strip_prefix("lockstep "));
    let bitstream = identity(comment, idcode, "an ECP5")?;
    let build_id = bitstream.build_id;
    let usercode = [PROGRAM_USERCODE, build_id.to_be_bytes()].concat();
    if !commands.windows(8).any(|window| window == usercode) {
        return Err(format!(
            "its comment has build {build_id:08x}, but its USERCODE another one: it was changed; \
             make it again with `make bitstream`"
        ));
    }
    Ok(bitstream)
}

/// Splits a bitstream into its comments and the bytes after the preamble.
fn split(bytes: &[u8]) -> Result<(Vec<String>, &[u8]), String> {
    let mut rest = &bytes[BEGIN.len()..];
    let mut comments = Vec::new();
    while rest.first().is_some_and(|byte| *byte != DUMMY) {
        let end = rest.iter().position(|byte| *byte == 0);
        let end = end.ok_or_else(|| damaged("it ends within its comments"))?;
        comments.push(String::from_utf8_lossy(&rest[..end]).into_owned());
        rest = &rest[end + 1..];
    }
    let commands = skip(rest).strip_prefix(&PREAMBLE);
    let commands = commands.ok_or_else(|| damaged("it has no preamble"))?;
    Ok((comments, commands))
}

fn idcode(commands: &[u8]) -> Result<u32, String> {
    let rest = skip(commands);
    let rest = rest.strip_prefix(&RESET_CRC).unwrap_or(rest);
    let rest = skip(rest).strip_prefix(&VERIFY_ID);
    let idcode = rest.and_then(|rest| rest.first_chunk());
    let idcode = idcode.ok_or_else(|| damaged("it has no IDCODE"))?;
    Ok(u32::from_be_bytes(*idcode))
}

/// The bytes after the padding.
fn skip(bytes: &[u8]) -> &[u8] {
    let first = bytes.iter().position(|byte| *byte != DUMMY);
    &bytes[first.unwrap_or(bytes.len())..]
}
