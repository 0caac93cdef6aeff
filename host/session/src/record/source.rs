//! Opens the file or pipe of a record, and reads its bytes until a stop is requested.

use std::fs::{File, OpenOptions};
use std::io::{self, Cursor, Read};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::stop::Stop;

/// The first bytes of a Parquet file.
const PARQUET: &[u8] = b"PAR1";

/// Interval at which a requested stop is noticed.
const POLL_INTERVAL: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};

/// Pipes whose first bytes were read: they cannot be opened at their beginning again.
static PEEKED: Mutex<Vec<(PathBuf, Source)>> = Mutex::new(Vec::new());

fn peeked() -> MutexGuard<'static, Vec<(PathBuf, Source)>> {
    PEEKED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The error of a read after a stop was requested.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub(super) struct Interrupted;

/// Fails once a stop is requested.
pub(super) fn check(stop: &Stop) -> io::Result<()> {
    match stop.requested() {
        true => Err(io::Error::other(Interrupted)),
        false => Ok(()),
    }
}

/// Reads a file or pipe from its beginning until a stop is requested.
pub struct Source {
    /// Bytes that were read to recognise the format.
    first: Cursor<Vec<u8>>,
    rest: Option<File>,
    /// Whether a read of `rest` may wait for another program.
    is_pipe: bool,
    pub(super) stop: Stop,
}

impl Source {
    fn open(path: &Path, stop: &Stop) -> io::Result<Self> {
        // Opening and reading a pipe must not block, or a stop would not be noticed. Another program
        // need not have opened it yet.
        let flags = OFlags::NONBLOCK.bits() as i32;
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(flags)
            .open(path)?;
        Ok(Self {
            first: Cursor::default(),
            is_pipe: file.metadata()?.file_type().is_fifo(),
            rest: Some(file),
            stop: stop.clone(),
        })
    }

    pub(super) fn of_bytes(bytes: &[u8]) -> Self {
        Self {
            first: Cursor::new(bytes.to_vec()),
            rest: None,
            is_pipe: false,
            stop: Stop::never(),
        }
    }

    /// The first bytes, at most that many; reading returns them again.
    pub(super) fn start(&mut self, most: u64) -> io::Result<&[u8]> {
        let mut start = Vec::new();
        self.by_ref().take(most).read_to_end(&mut start)?;
        let behind = self.first.position() as usize;
        start.extend_from_slice(&self.first.get_ref()[behind..]);
        self.first = Cursor::new(start);
        let start = self.first.get_ref();
        Ok(&start[..start.len().min(most as usize)])
    }
}

impl Read for Source {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        check(&self.stop)?;
        let count = self.first.read(into)?;
        let Some(rest) = self.rest.as_mut().filter(|_| count == 0) else {
            return Ok(count);
        };
        loop {
            if self.is_pipe {
                wait(rest, &self.stop)?;
            }
            match rest.read(into) {
                // Another program may have read what came.
                Err(why) if why.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }
}

/// Waits until bytes or the end of a pipe can be read, or a stop is requested.
fn wait(pipe: &File, stop: &Stop) -> io::Result<()> {
    loop {
        check(stop)?;
        let mut fds = [PollFd::new(pipe, PollFlags::IN)];
        match poll(&mut fds, Some(&POLL_INTERVAL)) {
            Ok(0) | Err(Errno::INTR) => {}
            ready => return ready.map(drop).map_err(Into::into),
        }
    }
}

/// The first bytes of a file or pipe, at most that many; [`open`] reads them again.
///
/// # Errors
/// When it cannot be opened or read, or `stop` is requested meanwhile.
pub fn peek(path: &Path, most: u64, stop: &Stop) -> io::Result<Vec<u8>> {
    let mut source = open(path, stop)?;
    let start = source.start(most)?.to_vec();
    if !path.is_file() {
        peeked().push((path.into(), source));
    }
    Ok(start)
}

/// Opens a file or pipe at its beginning, also after [`peek`]. Reading fails once `stop` is
/// requested.
///
/// # Errors
/// When it cannot be opened, or is a Parquet file.
pub fn open(path: &Path, stop: &Stop) -> io::Result<Source> {
    let mut peeked = peeked();
    if let Some(at) = peeked.iter().position(|(name, _)| name == path) {
        let mut source = peeked.swap_remove(at).1;
        source.stop = stop.clone();
        return Ok(source);
    }
    drop(peeked);
    let mut source = Source::open(path, stop)?;
    if source.start(PARQUET.len() as u64)? == PARQUET {
        let why = "a Parquet file; a record is JSON lines, plain or compressed with zstd";
        return Err(io::Error::new(io::ErrorKind::Unsupported, why));
    }
    Ok(source)
}
