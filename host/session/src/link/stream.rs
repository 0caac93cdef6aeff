//! Carries bytes over serial ports and TCP connections.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::time::timeout;

use super::{LinkError, LinkStatistics};
use crate::text::is_printable;

/// Bytes read at a time, at most.
const CHUNK: usize = 4096;
/// Time after which a line that takes no bytes counts as closed. A full buffer of 4 KiB leaves in less
/// than half a second at 115,200 baud.
const STALL_TIMEOUT: Duration = Duration::from_secs(5);

/// Longest text at the beginning of a stream that is shown, in bytes.
const TEXT: usize = 100;

/// These bytes as a line of text, if they are one. A frame is not, as it ends with a zero.
fn text(bytes: &[u8]) -> Option<&str> {
    let line = str::from_utf8(bytes.trim_ascii()).ok()?;
    let is_line = !line.is_empty() && bytes.len() < TEXT && line.chars().all(is_printable);
    is_line.then_some(line)
}

/// A stream of bytes that can end, and be replaced by another.
pub(super) struct Stream<S> {
    /// `None` once it has ended.
    stream: Option<S>,
    buffer: BytesMut,
    statistics: LinkStatistics,
    /// The error message of its end.
    ended: String,
    /// The first bytes received. They may be text: a server that has another client says so.
    first: Vec<u8>,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream<S> {
    /// An open stream. `ended` is the error when the other side ends it.
    pub(super) fn new(stream: S, ended: String) -> Self {
        Self {
            stream: Some(stream),
            buffer: BytesMut::new(),
            statistics: LinkStatistics::default(),
            ended,
            first: Vec::new(),
        }
    }

    pub(super) fn get(&mut self) -> Result<&mut S, LinkError> {
        let ended = || LinkError::Closed(self.ended.clone());
        self.stream.as_mut().ok_or_else(ended)
    }

    pub(super) fn close(&mut self) {
        self.stream = None;
        self.buffer.clear();
        self.first.clear();
    }

    pub(super) fn replace(&mut self, stream: S) {
        self.close();
        self.stream = Some(stream);
        self.statistics.reopened += 1;
    }

    pub(super) fn statistics(&self) -> LinkStatistics {
        self.statistics
    }

    /// Sends all bytes; dropped, it has sent the first of them.
    pub(super) async fn send(&mut self, mut bytes: &[u8]) -> Result<(), LinkError> {
        while !bytes.is_empty() {
            let written = timeout(STALL_TIMEOUT, self.get()?.write(bytes)).await;
            match written {
                Ok(Ok(count @ 1..)) => {
                    self.statistics.sent += count as u64;
                    bytes = &bytes[count..];
                }
                Ok(Ok(0)) => return self.end(None),
                Ok(Err(error)) => return self.end(Some(error.to_string())),
                Err(_) => {
                    let why = format!("the other side took no byte for {STALL_TIMEOUT:?}");
                    return self.end(Some(why));
                }
            }
        }
        Ok(())
    }

    /// Waits for bytes, but not longer than `within`; dropped, it has taken none.
    pub(super) async fn receive(&mut self, within: Duration) -> Result<Bytes, LinkError> {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.reserve(CHUNK);
        let read = timeout(within, self.get()?.read_buf(&mut buffer)).await;
        match read {
            Ok(Ok(count @ 1..)) => {
                self.statistics.received += count as u64;
                let bytes = buffer.split().freeze();
                let room = TEXT.saturating_sub(self.first.len());
                self.first.extend(bytes.iter().take(room));
                self.buffer = buffer;
                Ok(bytes)
            }
            // The other side closed it.
            Ok(Ok(0)) => self.end(None),
            Ok(Err(error)) => self.end(Some(error.to_string())),
            Err(_) => {
                self.buffer = buffer;
                let ms = within.as_millis();
                Err(LinkError::Silent(format!("nothing came within {ms} ms")))
            }
        }
    }

    /// Closes the stream, so that others can open the port; returns the error.
    fn end<T>(&mut self, why: Option<String>) -> Result<T, LinkError> {
        let why = match (why, text(&self.first)) {
            (_, Some(text)) => format!(": {text}"),
            (Some(why), None) => format!(" ({why})"),
            (None, None) => String::new(),
        };
        self.close();
        Err(LinkError::Closed(format!("{}{why}", self.ended)))
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;
    use tokio::io::{DuplexStream, duplex};

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn pair(size: usize) -> (Stream<DuplexStream>, DuplexStream) {
        let (near, far) = duplex(size);
        (Stream::new(near, "it ended".into()), far)
    }

    #[tokio::test(start_paused = true)]
    async fn stream_late_receive_loses_nothing() {
        let (mut stream, mut far) = pair(64);
        assert!(stream.receive(LONG).now_or_never().is_none());
        far.write_all(b"abc").await.expect("sent");
        assert_eq!(stream.receive(LONG).await, Ok(Bytes::from_static(b"abc")));
        let silent = stream.receive(Duration::from_millis(5)).await;
        assert!(matches!(silent, Err(LinkError::Silent(_))), "{silent:?}");
        far.write_all(b"de").await.expect("sent");
        assert_eq!(stream.receive(LONG).await, Ok(Bytes::from_static(b"de")));
        assert_eq!(stream.statistics().received, 5);
    }

    #[tokio::test(start_paused = true)]
    async fn stream_ended_after_text_shows_it() {
        for (sent, expected) in [
            (
                &b"in use by 10.0.0.1:7\r\n"[..],
                "it ended: in use by 10.0.0.1:7",
            ),
            (b"a frame\0", "it ended"),
            (b"", "it ended"),
        ] {
            let (mut stream, mut far) = pair(64);
            far.write_all(sent).await.expect("sent");
            drop(far);
            while stream.receive(LONG).await.is_ok() {}
            let (next, mut far) = duplex(64);
            stream.replace(next);
            far.write_all(sent).await.expect("sent");
            drop(far);
            let ended = loop {
                match stream.receive(LONG).await {
                    Ok(_) => {}
                    Err(error) => break error,
                }
            };
            assert_eq!(ended, LinkError::Closed(expected.into()));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn stream_full_is_closed() {
        let (mut stream, _far) = pair(8);
        let error = stream.send(&[1; 20]).await.expect_err("it is full");
        let text = error.to_string();
        assert!(
            text.contains("it ended (the other side took no byte"),
            "{text}"
        );
        assert_eq!(stream.statistics().sent, 8);
    }
}
