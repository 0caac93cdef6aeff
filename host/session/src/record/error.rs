//! Errors of records.

use std::io;
use std::path::{Path, PathBuf};

use lockstep_games::catalog::file_error;

use super::source::Interrupted;
use super::{OLDEST, VERSION};

/// The error of a record that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("record {}{kind}", path.display())]
pub struct RecordError {
    /// The file.
    pub path: PathBuf,
    /// What happened.
    pub kind: RecordErrorKind,
}

/// Why a record cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RecordErrorKind {
    /// The file cannot be read or written.
    #[error(": {}", file_error(.0))]
    File(io::Error),
    /// A stop was requested while it was read.
    #[error(": interrupted")]
    Interrupted,
    /// There is no such file: the reason, with the remedy.
    #[error(": {0}")]
    Missing(String),
    /// The file exists.
    #[error(" exists; --force overwrites it")]
    Exists,
    /// It was played with other options: the first one that differs.
    #[error(" was played with other options: {0}; give the same options, or name another file")]
    OtherOptions(String),
    /// Nothing can be appended to it: the reason, with the remedy.
    #[error(" cannot be resumed: {0}")]
    NoResume(String),
    /// Another program writes it.
    #[error(" is being written by another lockstep; name another file")]
    Locked,
    /// The first line is not a record's header, or its fields contradict each other: how.
    #[error(": {0}")]
    Head(String),
    /// The record is of another version.
    #[error(
        " is of version {0}, this lockstep reads versions {OLDEST} to {VERSION}; use {age} one",
        age = if *.0 > VERSION { "a newer" } else { "an older" }
    )]
    Version(u32),
    /// The record is of another game, expected the second.
    #[error(
        " is of the game {0:?}, expected {1:?}; name records of one game, or for a pipe its game \
         (--game)"
    )]
    Game(String, &'static str),
    /// The line of that number, from 1, is not a decision.
    #[error(", line {0}: {1}")]
    Line(u64, String),
}

impl RecordErrorKind {
    /// The error of a file that cannot be opened.
    pub(super) fn opening(path: &Path, why: io::Error) -> Self {
        if why.kind() != io::ErrorKind::NotFound {
            return Self::reading(why);
        }
        Self::Missing(match std::fs::read_link(path) {
            Ok(to) => format!(
                "a link to {}, which is not there; remove it, or name the records themselves",
                to.display()
            ),
            Err(_) => "there is no such file; `lockstep play --record FILE` makes one".into(),
        })
    }

    /// The error of a read.
    fn reading(why: io::Error) -> Self {
        match why.get_ref().is_some_and(|why| why.is::<Interrupted>()) {
            true => Self::Interrupted,
            false => Self::File(why),
        }
    }

    /// The error of the record at that path.
    pub fn of(self, path: &Path) -> RecordError {
        RecordError {
            path: path.into(),
            kind: self,
        }
    }
}

impl RecordError {
    pub(super) fn file(path: &Path, why: io::Error) -> Self {
        RecordErrorKind::reading(why).of(path)
    }
}
