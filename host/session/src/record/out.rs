//! Writes lines into a file, plain or compressed.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;
use zstd::bulk::Compressor;

/// Bytes of plain lines that are written with one system call.
const CALL: usize = 1 << 16;
/// Bytes of text in a zstd frame.
const FRAME: usize = 1 << 20;
/// How long a line waits for others of its frame.
const WAIT: Duration = Duration::from_millis(100);
const LEVEL: i32 = 3;

/// The form of a record's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Plain text.
    Plain,
    /// In zstd frames of whole lines.
    Zstd,
}

impl Form {
    /// The form of a new file, by its name.
    pub fn of(path: &Path) -> Self {
        match path.extension().and_then(OsStr::to_str) {
            Some(ending) if ending.eq_ignore_ascii_case("zst") => Self::Zstd,
            _ => Self::Plain,
        }
    }
}

/// Writes lines, several with one call. Lines that wait when it is dropped are lost.
pub struct Writer<W: Write> {
    to: W,
    /// `None` for plain text.
    compressor: Option<Compressor<'static>>,
    /// Whole lines that are not written yet.
    waiting: Vec<u8>,
    /// When the first of them came.
    since: Option<Instant>,
}

impl<W: Write> Writer<W> {
    /// Writes to `to`.
    ///
    /// # Errors
    /// When there is no memory for compressing.
    pub fn new(to: W, form: Form) -> io::Result<Self> {
        let compressor = match form {
            Form::Plain => None,
            Form::Zstd => {
                let mut compressor = Compressor::new(LEVEL)?;
                compressor.include_checksum(true)?;
                Some(compressor)
            }
        };
        Ok(Self {
            to,
            compressor,
            waiting: Vec::new(),
            since: None,
        })
    }

    /// Adds a line as JSON.
    ///
    /// # Errors
    /// When it cannot write.
    pub fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.waiting, line)?;
        self.ended()
    }

    /// Adds a line of text.
    ///
    /// # Errors
    /// When it cannot write.
    pub fn text(&mut self, line: &[u8]) -> io::Result<()> {
        self.waiting.extend_from_slice(line);
        self.ended()
    }

    fn ended(&mut self) -> io::Result<()> {
        self.waiting.push(b'\n');
        let full = match self.compressor {
            None => self.waiting.len() >= CALL,
            Some(_) => {
                let since = *self.since.get_or_insert_with(Instant::now);
                self.waiting.len() >= FRAME || since.elapsed() >= WAIT
            }
        };
        if full { self.write() } else { Ok(()) }
    }

    /// Writes the waiting lines, or returns how long they may wait for more; `None` when none wait.
    ///
    /// # Errors
    /// When it cannot write.
    pub fn idle(&mut self) -> io::Result<Option<Duration>> {
        let left = self.since.map(|since| WAIT.saturating_sub(since.elapsed()));
        if let Some(left) = left.filter(|left| !left.is_zero()) {
            return Ok(Some(left));
        }
        self.write()?;
        Ok(None)
    }

    /// Writes the waiting lines, compressed as one zstd frame.
    ///
    /// # Errors
    /// When it cannot write.
    pub fn write(&mut self) -> io::Result<()> {
        self.since = None;
        if self.waiting.is_empty() {
            return Ok(());
        }
        // In one call, so that only the last line of the file can be incomplete.
        let written = match &mut self.compressor {
            None => self.to.write_all(&self.waiting),
            Some(compressor) => {
                let frame = compressor.compress(&self.waiting);
                frame.and_then(|frame| self.to.write_all(&frame))
            }
        };
        self.waiting.clear();
        written
    }

    /// The underlying writer.
    pub fn to(&mut self) -> &mut W {
        &mut self.to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_follows_the_name() {
        for (name, form) in [
            ("a.jsonl", Form::Plain),
            ("a.jsonl.zst", Form::Zstd),
            ("a.ZST", Form::Zstd),
            ("zst", Form::Plain),
            (".zst", Form::Plain),
        ] {
            assert_eq!(Form::of(Path::new(name)), form, "{name}");
        }
    }
}
