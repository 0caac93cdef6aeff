//! Parses bitstreams of an Artix-7, as Vivado writes them: a header with fields, then packets of
//! 32-bit words (Xilinx UG470).

use super::{Bitstream, board, damaged, lacks, number};
use crate::Board;

/// The first bytes of the header.
const MAGIC: [u8; 13] = [
    0x00, 0x09, 0x0f, 0xf0, 0x0f, 0xf0, 0x0f, 0xf0, 0x0f, 0xf0, 0x00, 0x00, 0x01,
];
const SYNC: [u8; 4] = [0xaa, 0x99, 0x55, 0x66];
/// Registers that packets write to.
const CMD: u32 = 4;
const AXSS: u32 = 13;
/// Value of CMD that ends the packets.
const DESYNC: u32 = 13;
/// Value of USERID when none was set.
const NONE: u32 = u32::MAX;

pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Fields of the header.
#[derive(Default)]
struct Header<'a> {
    /// Top module and properties: `top;UserID=0X0123ABCD;…`.
    design: String,
    part: String,
    data: &'a [u8],
}

pub(super) fn parse(bytes: &[u8]) -> Result<Bitstream, String> {
    let header = header(&bytes[MAGIC.len()..])?;
    let mut fields = header.design.split(';');
    let top = fields.next().unwrap_or_default();
    let named = Board::ALL.iter().find(|board| board.top() == top);
    let name = named.ok_or_else(|| lacks("board"))?.name();
    let board = board(name, &header.part, &header.part)?;
    let user = fields.filter_map(|field| field.split_once('='));
    let mut user = user.filter(|(name, _)| name.eq_ignore_ascii_case("UserID"));
    let build_id = user.next().and_then(|(_, value)| {
        let digits = value
            .strip_prefix("0x")
            .or_else(|| value.strip_prefix("0X"));
        number(&format!("{:0>8}", digits?))
    });
    let build_id = build_id.filter(|id| *id != NONE);
    let build_id = build_id.ok_or_else(|| lacks("build id (USERID)"))?;
    let layout_hash = usr_access(header.data)?;
    let layout_hash = layout_hash.ok_or_else(|| lacks("layout hash (USR_ACCESS)"))?;
    Ok(Bitstream {
        board,
        build_id,
        layout_hash,
    })
}

fn header(mut rest: &[u8]) -> Result<Header<'_>, String> {
    let cut = || damaged("it ends within its header");
    let mut header = Header::default();
    while let Some((key, after)) = rest.split_first() {
        if *key == b'e' {
            let (length, data) = after.split_first_chunk().ok_or_else(cut)?;
            if u64::from(u32::from_be_bytes(*length)) != data.len() as u64 {
                return Err(damaged("its length differs from the one in its header"));
            }
            header.data = data;
            return Ok(header);
        }
        let (length, after) = after.split_first_chunk().ok_or_else(cut)?;
        let length = usize::from(u16::from_be_bytes(*length));
        let (value, after) = after.split_at_checked(length).ok_or_else(cut)?;
        let value = String::from_utf8_lossy(value);
        let value = value.trim_end_matches('\0').to_owned();
        match key {
            b'a' => header.design = value,
            b'b' => header.part = value,
            // Date and time.
            b'c' | b'd' => {}
            _ => return Err(damaged("its header has an unknown field")),
        }
        rest = after;
    }
    Err(cut())
}

/// The value that the packets write to USR_ACCESS, if any.
fn usr_access(data: &[u8]) -> Result<Option<u32>, String> {
    let cut = || damaged("its end is missing");
    let sync = data.windows(4).position(|window| window == SYNC);
    let sync = sync.ok_or_else(|| damaged("it has no sync word"))?;
    let mut words = data[sync + SYNC.len()..]
        .chunks_exact(4)
        .map(|word| u32::from_be_bytes([word[0], word[1], word[2], word[3]]));
    let (mut register, mut found) = (0, None);
    loop {
        let packet = words.next().ok_or_else(cut)?;
        let count = match packet >> 29 {
            1 => {
                register = packet >> 13 & 0x1f;
                packet & 0x7ff
            }
            // Further words for the last register.
            2 => packet & 0x07ff_ffff,
            _ => return Err(damaged("it has an invalid packet")),
        };
        let writes = packet >> 27 & 3 == 2;
        if !writes || count == 0 {
            continue;
        }
        // `nth` counts from 0. The registers of interest get single words.
        let last = words.nth(count as usize - 1).ok_or_else(cut)?;
        match register {
            AXSS => found = Some(last),
            CMD if last == DESYNC => return Ok(found),
            _ => {}
        }
    }
}
