//! The text of a record, plain or compressed.

use std::collections::VecDeque;
use std::io::{self, Read};

use zstd::stream::raw::{Decoder, InBuffer, Operation as _, OutBuffer};

use super::source::{Source, check};
use crate::stop::Stop;

/// The first bytes of a zstd frame.
const ZSTD: [u8; 4] = 0xfd2f_b528_u32.to_le_bytes();

/// Reads the text of a record until a stop is requested.
pub(super) struct Input {
    text: Text,
    /// Compressed text may be much longer than its bytes.
    stop: Stop,
}

enum Text {
    Plain(Source),
    Zstd(Box<Frames<Source>>),
}

impl Input {
    /// Reads a source, whose first bytes show its format.
    pub(super) fn of(mut source: Source) -> io::Result<Self> {
        let stop = source.stop.clone();
        let text = match source.start(ZSTD.len() as u64)? == ZSTD {
            true => Text::Zstd(Box::new(Frames::new(source)?)),
            false => Text::Plain(source),
        };
        Ok(Self { text, stop })
    }

    /// Length of the file in bytes up to where lines can be appended: after `text` bytes of text if
    /// a frame ends there, otherwise as at the call before.
    pub(super) fn appendable(&mut self, text: u64) -> u64 {
        match &mut self.text {
            Text::Plain(_) => text,
            Text::Zstd(frames) => frames.appendable(text),
        }
    }

    /// Whether a frame is incomplete, as far as the file was read.
    pub(super) fn within(&self) -> bool {
        matches!(&self.text, Text::Zstd(frames) if frames.within)
    }

    pub(super) fn form(&self) -> super::Form {
        match &self.text {
            Text::Plain(_) => super::Form::Plain,
            Text::Zstd(_) => super::Form::Zstd,
        }
    }
}

impl Read for Input {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        check(&self.stop)?;
        match &mut self.text {
            Text::Plain(file) => file.read(into),
            Text::Zstd(frames) => frames.read(into),
        }
    }
}

/// Decodes consecutive zstd frames. Of a frame that is cut, the text is decoded as far as possible.
struct Frames<R> {
    input: R,
    decoder: Decoder<'static>,
    buffer: Vec<u8>,
    /// The part of the buffer that is not decoded yet.
    left: std::ops::Range<usize>,
    /// Bytes of the file that were decoded.
    decoded: u64,
    /// Bytes of text decoded from them.
    text: u64,
    /// Whether a frame has begun and not ended.
    within: bool,
    /// Ends of frames: bytes of text and of the file up to each.
    ends: VecDeque<(u64, u64)>,
    kept: u64,
}

impl<R: Read> Frames<R> {
    fn new(input: R) -> io::Result<Self> {
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

    fn appendable(&mut self, text: u64) -> u64 {
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
            // The frame was empty.
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
    let text = format!("damaged, read up to byte {at}: {why}; the lines before it can be read");
    io::Error::new(io::ErrorKind::InvalidData, text)
}
