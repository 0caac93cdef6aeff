//! Reads board, build id and layout hash from a bitstream.
//!
//! `make bitstream` writes them: for an ECP5 or a GW2A into a comment, for an ECP5 the build id also
//! into the USERCODE; for an Artix-7 the build id into USERID and the layout hash into USR_ACCESS.

mod gowin;
mod lattice;
mod xilinx;

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use protocol::layout::{self, GameTable};

use crate::{Board, FlashError};

/// Longest file that is read, in bytes: several times the largest bitstream of these boards.
pub const LONGEST: u64 = 32 << 20;

/// The identity of a bitstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bitstream {
    /// The board that it is for.
    pub board: Board,
    /// Build id of its core, as `info` reports it.
    pub build_id: u32,
    /// Hash of its core's message layout.
    pub layout_hash: u32,
}

/// The layout hashes of this program, by game.
fn layouts() -> String {
    let games = layout::GAMES.iter();
    let named = games.map(|game| format!("{:08x}: {}", game.layout_hash(), game.name));
    named.collect::<Vec<_>>().join(" or ")
}

impl Bitstream {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or is not a bitstream of a core with a known layout.
    pub fn read(path: &Path) -> Result<Self, FlashError> {
        let failed = |why: String| FlashError(format!("{}: {why}", path.display()));
        let io = |why: std::io::Error| {
            let why = match why.kind() {
                std::io::ErrorKind::NotFound => "there is no such file".into(),
                _ => why.to_string(),
            };
            failed(format!("{why}; `make bitstream` makes a bitstream"))
        };
        // Checked first, as opening a pipe may block for ever.
        if !path.metadata().map_err(io)?.is_file() {
            let why = "it is not a file; `make bitstream` makes one, out/BOARD/lockstep.bit";
            return Err(failed(why.into()));
        }
        let mut bytes = Vec::new();
        let mut file = File::open(path).map_err(io)?.take(LONGEST + 1);
        file.read_to_end(&mut bytes).map_err(io)?;
        if bytes.len() as u64 > LONGEST {
            let most = LONGEST >> 20;
            let why = format!("expected at most {most} MiB, got a longer file");
            return Err(failed(why));
        }
        Self::parse(&bytes).map_err(failed)
    }

    /// Parses the content of a file.
    ///
    /// # Errors
    /// When it is not a bitstream of a core with a known layout; with the reason.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let bitstream = match bytes {
            [] => return Err("it is empty; make it again with `make bitstream`".into()),
            _ if lattice::begins(bytes) => lattice::parse(bytes)?,
            _ if xilinx::begins(bytes) => xilinx::parse(bytes)?,
            _ if gowin::begins(bytes) => gowin::parse(bytes)?,
            _ => {
                let expected = "a .bit file for an ECP5 or an Artix-7, or a .fs file for a GW2A (a \
                                .bin does not work)";
                return Err(format!("it is not {expected}; `make bitstream` makes one"));
            }
        };
        if bitstream.game().is_none() {
            let (build_id, layout_hash) = (bitstream.build_id, bitstream.layout_hash);
            return Err(format!(
                "its core (build {build_id:08x}) has layout {layout_hash:08x}, expected {}; make \
                 it again with `make bitstream`, or use the lockstep program of its version",
                layouts()
            ));
        }
        Ok(bitstream)
    }

    /// The game whose message layout its core has.
    pub fn game(&self) -> Option<&'static GameTable> {
        let has_layout = |game: &&GameTable| game.layout_hash() == self.layout_hash;
        layout::GAMES.iter().copied().find(has_layout)
    }
}

/// The error of a file that is incomplete or damaged.
fn damaged(why: &str) -> String {
    format!("the bitstream is damaged: {why}; make it again with `make bitstream`")
}

/// The error of a file that lacks a part of its identity.
fn lacks(part: &str) -> String {
    format!("it has no {part}, so it was not made by Lockstep's `make bitstream`")
}

/// The identity in a comment of a bitstream, what follows `lockstep ` in it. The FPGA that the
/// bitstream is for has that IDCODE, and is of that family.
fn identity(comment: Option<&str>, idcode: u32, family: &str) -> Result<Bitstream, String> {
    let comment = comment.ok_or_else(|| lacks("build id"))?;
    let value = |key: &str| {
        let mut words = comment.split(' ').filter_map(|word| word.split_once('='));
        words.find(|(name, _)| *name == key).map(|(_, value)| value)
    };
    let name = value("board").ok_or_else(|| lacks("board"))?;
    let build_id = value("build").and_then(number);
    let build_id = build_id.ok_or_else(|| lacks("build id"))?;
    let layout_hash = value("layout").and_then(number);
    let layout_hash = layout_hash.ok_or_else(|| lacks("layout hash"))?;
    let idcode = format!("{idcode:08x}");
    let board = board(name, &idcode, &format!("{family} with IDCODE {idcode}"))?;
    Ok(Bitstream {
        board,
        build_id,
        layout_hash,
    })
}

/// The board called `name`, if the file is for its FPGA: `part` begins as that of its table; `got`
/// names the FPGA of the file.
fn board(name: &str, part: &str, got: &str) -> Result<Board, String> {
    let board = Board::named(name).ok_or_else(|| {
        format!(
            "expected a bitstream for {}, got one for {name}",
            Board::names()
        )
    })?;
    if !part.starts_with(board.word("part")) {
        let expected = board.word("fpga");
        return Err(format!(
            "expected a bitstream for the {expected} of the {board}, got one for {got}"
        ));
    }
    Ok(board)
}

/// Parses exactly eight hexadecimal digits.
fn number(text: &str) -> Option<u32> {
    let digits = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    digits.then(|| u32::from_str_radix(text, 16).ok()).flatten()
}

#[cfg(test)]
mod tests;
