//! What a bitstream says of itself.
//!
//! `make bitstream` puts it there: for an ECP5 in a comment, and the build id as the
//! USERCODE, too; for an Artix-7 the build id as USERID and the layout hash as
//! USR_ACCESS.

mod lattice;
mod xilinx;

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use protocol::layout::{self, GameTable};

use crate::Board;

/// Longest file that is read, in bytes: several times the bitstream of the largest
/// FPGA here.
pub const LONGEST: u64 = 32 << 20;

/// What a bitstream is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bitstream {
    /// The board it is for.
    pub board: Board,
    /// Build id of its core, as `info` reports it.
    pub build_id: u32,
    /// Hash of the layout that its core speaks.
    pub layout_hash: u32,
}

/// Why a file cannot be taken.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error("{}: {why}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: io::Error,
    },
    /// It is a folder, a device or something like that.
    #[error("{}: it is no file; `make bitstream` makes one, out/ulx3s/lockstep.bit", .0.display())]
    NoFile(PathBuf),
    /// It is too long for a bitstream.
    #[error("{}: it is longer than {} MiB, more than any bitstream here", .0.display(), LONGEST >> 20)]
    TooLong(PathBuf),
    /// It is not what it should be.
    #[error("{}: {why}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: FormatError,
    },
}

/// Why some bytes are no bitstream that can be loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// There are none.
    #[error("it is empty; make it again with `make bitstream`")]
    Empty,
    /// They begin as neither kind does.
    #[error("it is no bitstream of an ECP5 (.bit) or an Artix-7 (.bit, not .bin)")]
    Unknown,
    /// They end too early, or something within is missing.
    #[error("the bitstream is damaged: {0}; make it again with `make bitstream`")]
    Damaged(&'static str),
    /// It says nothing of the sort.
    #[error(
        "it does not say {0}, as bitstreams of `make bitstream` do: it is not one of Lockstep's"
    )]
    NoIdentity(&'static str),
    /// It is for another board than there are.
    #[error("it is for the board {0}, which is not known here; known are ulx3s and nexys4")]
    NoBoard(String),
    /// It is for another FPGA than its board has.
    #[error("it is for {got}, and the {board} has {expected}")]
    Device {
        /// Its board.
        board: Board,
        /// The FPGA of that board.
        expected: &'static str,
        /// What it is for.
        got: String,
    },
    /// Its comment tells of another build than its USERCODE.
    #[error(
        "its comment tells of build {comment:08x}, and its USERCODE is another: it was changed; \
         make it again with `make bitstream`"
    )]
    Contradiction {
        /// The build in the comment.
        comment: u32,
    },
    /// Its core speaks another layout than this program.
    #[error(
        "its core (build {build_id:08x}) speaks layout {layout_hash:08x}, which this program does \
         not (it speaks {}); make it again with `make bitstream`, or use the program it was made \
         with",
        spoken()
    )]
    Layout {
        /// Build of its core.
        build_id: u32,
        /// What that speaks.
        layout_hash: u32,
    },
}

fn spoken() -> String {
    let games = layout::GAMES.iter();
    let named = games.map(|game| format!("{:08x}: {}", game.layout_hash(), game.name));
    named.collect::<Vec<_>>().join(", ")
}

impl Bitstream {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or is no bitstream of a core that this program can
    /// talk to.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let failed = |why| FileError::Read {
            path: path.into(),
            why,
        };
        // Before it is opened: to open a pipe may take for ever.
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

    /// What the bytes of a file say.
    ///
    /// # Errors
    /// When they are no bitstream of a core that this program can talk to.
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

    /// The game whose layout its core speaks.
    pub fn game(&self) -> Option<&'static GameTable> {
        let speaks = |game: &&GameTable| game.layout_hash() == self.layout_hash;
        layout::GAMES.iter().copied().find(speaks)
    }
}

/// Eight hexadecimal digits.
fn number(text: &str) -> Option<u32> {
    let digits = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    digits.then(|| u32::from_str_radix(text, 16).ok()).flatten()
}

#[cfg(test)]
mod tests;
