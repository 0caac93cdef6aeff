//! The text of a record, plain or compressed.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use zstd::stream::raw::{Decoder, InBuffer, Operation as _, OutBuffer};

use crate::stop::Stop;

/// The first bytes of a zstd frame.
pub(super) const ZSTD: [u8; 4] = 0xfd2f_b528_u32.to_le_bytes();

/// The first bytes of a Parquet file.
const PARQUET: &[u8] = b"PAR1";

/// The bytes of a file from its beginning.
pub type Source = Box<dyn Read + Send>;

/// Pipes whose first bytes were read: they cannot be opened at their beginning again.
static PEEKED: Mutex<Vec<(PathBuf, Source)>> = Mutex::new(Vec::new());

fn peeked() -> MutexGuard<'static, Vec<(PathBuf, Source)>> {
    PEEKED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The first bytes of a file or pipe, at most that many; [`open`] reads them again.
///
/// # Errors
/// When it cannot be opened or read.
pub fn peek(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let (first, whole) = begin(open(path)?, most)?;
    if !path.is_file() {
        peeked().push((path.into(), whole));
    }
    Ok(first)
}

/// The first bytes of a source, and the source from its beginning.
fn begin(mut source: Source, most: u64) -> io::Result<(Vec<u8>, Source)> {
    let mut first = Vec::new();
    source.by_ref().take(most).read_to_end(&mut first)?;
    let whole = Cursor::new(first.clone()).chain(source);
    Ok((first, Box::new(whole)))
}

/// Opens a file or pipe at its beginning, also after [`peek`].
///
/// # Errors
/// When it cannot be opened, or is a Parquet file.
pub fn open(path: &Path) -> io::Result<Source> {
    let mut peeked = peeked();
    if let Some(at) = peeked.iter().position(|(name, _)| name == path) {
        return Ok(peeked.swap_remove(at).1);
    }
    let (first, source) = begin(Box::new(File::open(path)?), PARQUET.len() as u64)?;
    if first == PARQUET {
        let why = "a Parquet file; a record is JSON lines, plain or compressed with zstd";
        return Err(io::Error::new(io::ErrorKind::Unsupported, why));
    }
    Ok(source)
}

/// The error of a read after the user wants no more.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub(super) struct Interrupted;

/// A source that fails with [`Interrupted`] once a stop is requested.
struct Stoppable<R> {
    source: R,
    stop: Stop,
}

impl<R: Read> Read for Stoppable<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.stop.requested() {
            true => Err(io::Error::other(Interrupted)),
            false => self.source.read(into),
        }
    }
}

/// Reads the text of a record until a stop is requested.
pub(super) struct Input(Stoppable<Text>);

enum Text {
    Plain(Source),
    Zstd(Box<Frames<Source>>),
}

impl Input {
    /// Opens a file or pipe.
    pub(super) fn open(path: &Path, stop: &Stop) -> io::Result<Self> {
        Self::of(open(path)?, stop)
    }

    /// Reads a source, whose first bytes show its format.
    pub(super) fn of(source: Source, stop: &Stop) -> io::Result<Self> {
        // Compressed bytes need not give any text.
        let stoppable = |source| Stoppable {
            source,
            stop: stop.clone(),
        };
        let (first, source) = begin(Box::new(stoppable(source)), ZSTD.len() as u64)?;
        let source = match first == ZSTD {
            true => Text::Zstd(Box::new(Frames::new(source)?)),
            false => Text::Plain(source),
        };
        let stop = stop.clone();
        Ok(Self(Stoppable { source, stop }))
    }

    /// Length of the file, in bytes, after which others can be appended: that of so many bytes of
    /// text if a frame ends with them, otherwise that of an earlier call.
    pub(super) fn whole(&mut self, text: u64) -> u64 {
        match &mut self.0.source {
            Text::Plain(_) => text,
            Text::Zstd(frames) => frames.whole(text),
        }
    }

    /// Whether the file ends in the midst of a frame, as far as it was read.
    pub(super) fn within(&self) -> bool {
        matches!(&self.0.source, Text::Zstd(frames) if frames.within)
    }

    pub(super) fn form(&self) -> super::Form {
        match &self.0.source {
            Text::Plain(_) => super::Form::Plain,
            Text::Zstd(_) => super::Form::Zstd,
        }
    }
}

impl Read for Input {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }
}

impl Read for Text {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.read(into),
            Self::Zstd(frames) => frames.read(into),
        }
    }
}

/// Zstd frames one after the other. The text of one that is cut is given as far as it can be
/// had; then it ends.
pub(super) struct Frames<R> {
    input: R,
    decoder: Decoder<'static>,
    buffer: Vec<u8>,
    /// The part of the buffer that is still to be decoded.
    left: std::ops::Range<usize>,
    /// Bytes decoded, and bytes of text.
    decoded: u64,
    text: u64,
    /// In the midst of a frame.
    within: bool,
    /// Ends of frames: bytes of text up to there, bytes of the file.
    ends: VecDeque<(u64, u64)>,
    kept: u64,
}

impl<R: Read> Frames<R> {
    pub(super) fn new(input: R) -> io::Result<Self> {
        Ok(Self {
            input,
            decoder: Decoder::new()?,
            buffer: vec![0; 1 << 16],
            left: 0..0,
            decoded: 0,
            text: 0,
            within: false,
            ends: VecDeque::new(),
            kept: 0,
        })
    }

    fn whole(&mut self, text: u64) -> u64 {
        while let Some((end, file)) = self.ends.pop_front_if(|(end, _)| *end <= text) {
            if end == text {
                self.kept = file;
            }
        }
        self.kept
    }

    fn frame_ended(&mut self) {
        self.within = false;
        let end = (self.text, self.decoded);
        match self.ends.back_mut() {
            // There was nothing in it.
            Some(last) if last.0 == end.0 => *last = end,
            _ => self.ends.push_back(end),
        }
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.left.is_empty() {
                let came = self.input.read(&mut self.buffer)?;
                self.left = 0..came;
            }
            let end = self.left.is_empty();
            if into.is_empty() || end && !self.within {
                return Ok(0);
            }
            let mut input = InBuffer::around(&self.buffer[self.left.clone()]);
            let mut output = OutBuffer::around(into);
            let at = self.decoded;
            let more = self.decoder.run(&mut input, &mut output);
            let more = more.map_err(|why| damaged(at, &why))?;
            let (read, written) = (input.pos(), output.pos());
            self.left.start += read;
            self.decoded += read as u64;
            self.text += written as u64;
            self.within = true;
            if more == 0 {
                self.frame_ended();
            }
            if written > 0 || end {
                return Ok(written);
            }
        }
    }
}

fn damaged(at: u64, why: &io::Error) -> io::Error {
    let text = format!("damaged near its byte {at}: {why}; the lines before it can be read");
    io::Error::new(io::ErrorKind::InvalidData, text)
}
