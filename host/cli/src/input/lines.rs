//! Lines from standard input.

use std::io::{self, BufRead as _, Read as _};
use std::thread;

use tokio::sync::mpsc;

/// Longest line of input, in bytes.
const MAX_LINE: usize = 1 << 20;

/// Reads lines with their ends on a thread of its own, so that an interrupt also ends the wait for
/// a line; an error is the last.
pub fn lines() -> mpsc::Receiver<io::Result<Vec<u8>>> {
    let (send, lines) = mpsc::channel(64);
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            let read = input
                .by_ref()
                .take(MAX_LINE as u64 + 2)
                .read_until(b'\n', &mut line);
            let line = match read {
                Ok(0) => break,
                Ok(_) if line.trim_ascii_end().len() > MAX_LINE || line.len() > MAX_LINE + 1 => {
                    Err(io::Error::other(format!(
                        "longer than {MAX_LINE} bytes, the limit of a line"
                    )))
                }
                Ok(_) => Ok(line),
                Err(error) => Err(error),
            };
            let last = line.is_err();
            if send.blocking_send(line).is_err() || last {
                break;
            }
        }
    });
    lines
}
