//! Reads a record line by line.

use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use lockstep_games::catalog::plainly;

use super::input::Input;
use super::source::open;
use super::{Form, MAX_LINE, RecordError, RecordErrorKind};
use crate::stop::Stop;
use crate::text::printable;

/// The lines of a file, none longer than [`MAX_LINE`].
pub(super) struct Lines {
    text: BufReader<Input>,
    path: PathBuf,
    /// Number of the line read last, from 1.
    pub(super) number: u64,
    /// Bytes of text read.
    read: u64,
    /// Length of the file in bytes up to the last line, before the one read last, after which lines
    /// can be appended. The end of a compressed frame may be read only with the next line.
    pub(super) appendable: u64,
}

pub(super) struct Line {
    pub(super) text: Vec<u8>,
    /// Whether it has no line break: the file ends within it.
    pub(super) cut: bool,
}

impl Line {
    pub(super) fn is_blank(&self) -> bool {
        self.text.iter().all(u8::is_ascii_whitespace)
    }

    /// Whether it is complete, although it may lack its line break.
    pub(super) fn is_whole(&self) -> bool {
        !self.cut || serde_json::from_slice::<serde::de::IgnoredAny>(&self.text).is_ok()
    }

    pub(super) fn is_tail(&self) -> bool {
        self.text.starts_with(b"{\"end\"")
    }
}

impl Lines {
    pub(super) fn open(path: &Path, stop: &Stop) -> Result<Self, RecordError> {
        let input = open(path, stop).and_then(Input::of);
        let input = input.map_err(|why| RecordErrorKind::opening(path, why).of(path))?;
        Ok(Self {
            text: BufReader::new(input),
            path: path.into(),
            number: 0,
            read: 0,
            appendable: 0,
        })
    }

    pub(super) fn next(&mut self) -> Result<Option<Line>, RecordError> {
        let mut text = Vec::new();
        let read = self.read(&mut text);
        let read = read.map_err(|why| RecordError::file(&self.path, why))?;
        if read == 0 {
            return Ok(None);
        }
        self.read += read as u64;
        self.number += 1;
        let cut = text.pop_if(|byte| *byte == b'\n').is_none();
        if text.len() > MAX_LINE {
            let why = format!("longer than {MAX_LINE} bytes, which no line of a record is");
            return Err(self.wrong(why));
        }
        Ok(Some(Line { text, cut }))
    }

    fn read(&mut self, text: &mut Vec<u8>) -> io::Result<usize> {
        // The end of a frame may be found only with the bytes after it.
        self.text.fill_buf()?;
        self.appendable = self.text.get_mut().appendable(self.read);
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

/// The text of a serde error in one line: with its column, without its line number.
pub fn reason(error: &serde_json::Error) -> String {
    let text = printable(&plainly(error));
    match error.column() {
        0 => text,
        column => format!("{text} (column {column})"),
    }
}
