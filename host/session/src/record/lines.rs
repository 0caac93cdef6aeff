//! The lines of a record.

use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use lockstep_games::text::plainly;

use super::input::Input;
use super::{Form, MAX_LINE, RecordError, RecordErrorKind};
use crate::text::printable;

/// The lines of a file, none longer than [`MAX_LINE`].
pub(super) struct Lines {
    text: BufReader<Input>,
    path: PathBuf,
    /// Number of the line read last, from 1.
    pub(super) number: u64,
    /// Bytes of text read.
    read: u64,
    /// Length of the file, in bytes, that has only lines which were read, and after which others
    /// can be appended.
    pub(super) whole: u64,
}

pub(super) struct Line {
    pub(super) text: Vec<u8>,
    /// It does not end with a line break: the file ends within it.
    pub(super) cut: bool,
}

impl Line {
    pub(super) fn is_blank(&self) -> bool {
        self.text.iter().all(u8::is_ascii_whitespace)
    }

    /// The file may end within it.
    pub(super) fn is_whole(&self) -> bool {
        !self.cut || serde_json::from_slice::<serde::de::IgnoredAny>(&self.text).is_ok()
    }

    pub(super) fn is_tail(&self) -> bool {
        self.text.starts_with(b"{\"end\"")
    }
}

impl Lines {
    pub(super) fn open(path: &Path) -> Result<Self, RecordError> {
        let input = Input::open(path);
        let input = input.map_err(|why| RecordErrorKind::opening(path, why).of(path))?;
        Ok(Self {
            text: BufReader::new(input),
            path: path.into(),
            number: 0,
            read: 0,
            whole: 0,
        })
    }

    pub(super) fn next(&mut self) -> Result<Option<Line>, RecordError> {
        let mut text = Vec::new();
        let read = self.read(&mut text);
        let read = read.map_err(|why| RecordError::file(&self.path, why))?;
        if text.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        self.read += read as u64;
        self.whole = self.text.get_mut().whole(self.read);
        let cut = text.pop_if(|byte| *byte == b'\n').is_none();
        if text.len() > MAX_LINE {
            return Err(RecordErrorKind::TooLong(self.number).of(&self.path));
        }
        Ok(Some(Line { text, cut }))
    }

    fn read(&mut self, text: &mut Vec<u8>) -> io::Result<usize> {
        let most = MAX_LINE as u64 + 2;
        self.text.by_ref().take(most).read_until(b'\n', text)
    }

    /// Whether the file ends in the midst of a frame.
    pub(super) fn within(&self) -> bool {
        self.text.get_ref().within()
    }

    pub(super) fn form(&self) -> Form {
        self.text.get_ref().form()
    }

    pub(super) fn wrong(&self, why: impl Into<String>) -> RecordError {
        RecordErrorKind::Line(self.number, printable(&why.into())).of(&self.path)
    }
}

/// An error of serde in one line, with its column but without a line number of its own.
pub fn reason(error: &serde_json::Error) -> String {
    let text = printable(&plainly(error));
    let place = format!(" at line {} column {}", error.line(), error.column());
    match text.strip_suffix(&place) {
        Some(reason) if error.column() == 0 => reason.to_owned(),
        Some(reason) => format!("{reason} (column {})", error.column()),
        None => text,
    }
}
