//! Why a record cannot be read or written.

use std::io;
use std::path::{Path, PathBuf};

use super::{MAX_LINE, OLDEST, VERSION};

/// Why a record cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file cannot be read or written.
    #[error("record {}: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// There is no such file.
    #[error("record {}", missing(path))]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// It is there already.
    #[error("record {} exists; --force overwrites it", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// It is not played as is asked for.
    #[error(
        "record {} was played otherwise: {why}; ask for the same, or name another file",
        path.display()
    )]
    Otherwise {
        /// The file.
        path: PathBuf,
        /// What differs.
        why: String,
    },
    /// Nothing can be appended to it.
    #[error("record {} cannot be gone on with: {why}", path.display())]
    NoResume {
        /// The file.
        path: PathBuf,
        /// Why, and what helps.
        why: String,
    },
    /// Somebody else writes it.
    #[error("record {} is being written by another lockstep; name another file", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The first line is not a record's header.
    #[error("record {}: not a lockstep record: {why}", path.display())]
    Head {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The record is of another version.
    #[error(
        "record {} is of version {version}, this lockstep reads versions {OLDEST} to {VERSION}",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// The record is of another game.
    #[error("record {} is of the game {game:?}, expected {expected:?}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// Its game.
        game: String,
        /// The game asked for.
        expected: &'static str,
    },
    /// The header's board is not its setup's.
    #[error(
        "record {}: its header names a board of {board}, and its games were dealt on {setup}",
        path.display()
    )]
    Board {
        /// The file.
        path: PathBuf,
        /// The header's.
        board: lockstep_games::BoardSize,
        /// Those of its setup.
        setup: lockstep_games::BoardSize,
    },
    /// A line is longer than any of a record.
    #[error(
        "record {}, line {line}: longer than {MAX_LINE} bytes, which no line of a record is",
        path.display()
    )]
    TooLong {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: u64,
    },
    /// A line is not a decision.
    #[error("record {}, line {line}: {why}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: u64,
        /// Why.
        why: String,
    },
}

/// What helps hangs on whether there is a link of that name.
fn missing(path: &Path) -> String {
    let name = path.display();
    match std::fs::read_link(path) {
        Ok(to) => format!(
            "{name}: a link to {}, which is not there; remove it, or name the records themselves",
            to.display()
        ),
        Err(_) => format!("{name}: there is no such file; `lockstep play --record FILE` makes one"),
    }
}

impl RecordError {
    pub(super) fn file(path: &Path, why: std::io::Error) -> Self {
        let path = path.into();
        Self::File { path, why }
    }
}
