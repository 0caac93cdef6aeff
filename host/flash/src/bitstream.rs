//! Reads board, build id and layout hash from a bitstream.
//!
//! `make bitstream` writes them: for an ECP5 into a comment, and the build id also into the
//! USERCODE; for an Artix-7 the build id into USERID and the layout hash into USR_ACCESS.

mod lattice;
mod xilinx;

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use protocol::layout::{self, GameTable};

use crate::Board;

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

/// Why a file is no bitstream that can be loaded.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error("{}: {why}; expected a bitstream made by `make bitstream`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        why: io::Error,
    },
    /// It is a folder, a device or another special file.
    #[error("{}: it is no file; `make bitstream` makes one, out/ulx3s/lockstep.bit", .0.display())]
    NoFile(PathBuf),
    /// It is too long for a bitstream.
    #[error("{}: expected at most {} MiB, got a longer file", .0.display(), LONGEST >> 20)]
    TooLong(PathBuf),
    /// Its content is no bitstream that can be loaded.
    #[error("{}: {why}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: FormatError,
    },
}

/// Why the content of a file is no bitstream that can be loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// There are no bytes.
    #[error("it is empty; make it again with `make bitstream`")]
    Empty,
    /// It begins like no known kind.
    #[error("it is no bitstream of an ECP5 (.bit) or an Artix-7 (.bit, not .bin)")]
    Unknown,
    /// It is incomplete or damaged.
    #[error("the bitstream is damaged: {0}; make it again with `make bitstream`")]
    Damaged(&'static str),
    /// It lacks a part of its identity.
    #[error("it has no {0}, so it was not made by Lockstep's `make bitstream`")]
    NoIdentity(&'static str),
    /// It is for an unknown board.
    #[error("expected a bitstream for ulx3s or nexys4, got one for {0}")]
    NoBoard(String),
    /// It is for another FPGA than its board's.
    #[error("expected a bitstream for the {expected} of the {board}, got one for {got}")]
    Device {
        /// Its board.
        board: Board,
        /// The FPGA of that board.
        expected: &'static str,
        /// The FPGA that it is for.
        got: String,
    },
    /// Its comment and its USERCODE contain different build ids.
    #[error(
        "its comment has build {comment:08x}, but its USERCODE another one: it was changed; make \
         it again with `make bitstream`"
    )]
    Contradiction {
        /// The build id in the comment.
        comment: u32,
    },
    /// Its core has another message layout than this program.
    #[error(
        "its core (build {build_id:08x}) has layout {layout_hash:08x}, expected {}; make it again \
         with `make bitstream`, or use the lockstep program of its version",
        layouts()
    )]
    Layout {
        /// Build id of its core.
        build_id: u32,
        /// Layout hash of its core.
        layout_hash: u32,
    },
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
    /// When it cannot be read, or is no bitstream of a core with a known layout.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let failed = |why| FileError::Read {
            path: path.into(),
            why,
        };
        // Checked first, as opening a pipe may block for ever.
        if !path.metadata().map_err(failed)?.is_file() {
            return Err(FileError::NoFile(path.into()));
        }
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(failed)?;
        let mut file = file.take(LONGEST + 1);
        file.read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > LONGEST {
            return Err(FileError::TooLong(path.into()));
        }
        Self::parse(&bytes).map_err(|why| FileError::Format {
            path: path.into(),
            why,
        })
    }

    /// Parses the content of a file.
    ///
    /// # Errors
    /// When it is no bitstream of a core with a known layout.
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let bitstream = match bytes {
            [] => return Err(FormatError::Empty),
            _ if lattice::begins(bytes) => lattice::parse(bytes)?,
            _ if xilinx::begins(bytes) => xilinx::parse(bytes)?,
            _ => return Err(FormatError::Unknown),
        };
        match bitstream.game() {
            Some(_) => Ok(bitstream),
            None => Err(FormatError::Layout {
                build_id: bitstream.build_id,
                layout_hash: bitstream.layout_hash,
            }),
        }
    }

    /// The game whose message layout its core has.
    pub fn game(&self) -> Option<&'static GameTable> {
        let has_layout = |game: &&GameTable| game.layout_hash() == self.layout_hash;
        layout::GAMES.iter().copied().find(has_layout)
    }
}

/// Parses exactly eight hexadecimal digits.
fn number(text: &str) -> Option<u32> {
    let digits = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    digits.then(|| u32::from_str_radix(text, 16).ok()).flatten()
}

#[cfg(test)]
mod tests;
