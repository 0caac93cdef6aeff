//! Parses bitstreams of a GW2A, as gowin_pack writes them: text, a line of bits for each command,
//! and comments.

use super::{Bitstream, damaged, identity};

const COMMENT: &str = "//";
/// The first eight bits of each command. The highest bit has no meaning.
const IDCODE: u32 = 0x06;
const FRAMES: u32 = 0x3b;
const DONE: u32 = 0x08;

pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(COMMENT.as_bytes()) || bytes.starts_with(b"11111111")
}

pub(super) fn parse(bytes: &[u8]) -> Result<Bitstream, String> {
    let text = str::from_utf8(bytes).map_err(|_| damaged("it is not text"))?;
    let (mut comment, mut idcode, mut frames, mut ended) = (None, None, None, false);
    for line in text.lines() {
        if let Some(text) = line.strip_prefix(COMMENT) {
            comment = comment.or_else(|| text.strip_prefix("lockstep "));
        } else if let Some(left @ 1..) = frames {
            frames = Some(left - 1);
        } else {
            let bits = |range| line.get(range).map(|bits| u32::from_str_radix(bits, 2));
            let Some(Ok(command)) = bits(0..8) else {
                return Err(damaged("it has a line that is not a command"));
            };
            let value = bits(line.len().saturating_sub(32)..line.len());
            match command & 0x7f {
                IDCODE if frames.is_none() => idcode = value.and_then(Result::ok),
                FRAMES if frames.is_none() => {
                    frames = value.and_then(Result::ok).map(|value| value & 0xffff);
                }
                DONE if line.len() == 32 => ended = frames == Some(0),
                _ => {}
            }
        }
    }
    let idcode = idcode.ok_or_else(|| damaged("it has no IDCODE"))?;
    if !ended {
        return Err(damaged("its end is missing"));
    }
    identity(comment, idcode, "a GW2A")
}
