//! The line to one client.

use std::io;

use tokio::net::TcpStream;

#[cfg(target_os = "linux")]
use crate::pty::Pty;

/// The line to one client. Its futures may be dropped at any time: no byte is
/// lost.
pub(crate) enum Line {
    /// The client opens a terminal as its serial port.
    #[cfg(target_os = "linux")]
    Terminal(Pty),
    /// The client has connected.
    Stream(TcpStream),
}

impl Line {
    /// The rate the client runs its end at, in baud; `None` where it cannot set
    /// one.
    pub(crate) fn rate(&self) -> io::Result<Option<u32>> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Terminal(pty) => pty.rate().map(Some),
            Self::Stream(_) => Ok(None),
        }
    }

    /// Waits for bytes; 0 when the client has gone.
    pub(crate) async fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Terminal(pty) => pty.read(buffer).await,
            Self::Stream(stream) => loop {
                stream.readable().await?;
                match stream.try_read(buffer) {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    read => return read,
                }
            },
        }
    }

    /// Writes what there is room for, at least one byte.
    pub(crate) async fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Terminal(pty) => pty.write(bytes).await,
            Self::Stream(stream) => loop {
                stream.writable().await?;
                match stream.try_write(bytes) {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    written => return written,
                }
            },
        }
    }
}
