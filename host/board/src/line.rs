//! The line to one client.

use std::io;

use tokio::net::TcpStream;

#[cfg(target_os = "linux")]
use crate::pty::Pty;

/// The line to one client. Its futures may be dropped at any time without losing a byte.
pub(crate) enum Line {
    /// A terminal that the client opens as its serial port.
    #[cfg(target_os = "linux")]
    Terminal(Pty),
    /// A TCP connection.
    Stream(TcpStream),
}

impl Line {
    /// The client's rate in baud; `None` if the line has no rate.
    pub(crate) fn rate(&self) -> io::Result<Option<u32>> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Terminal(pty) => pty.rate().map(Some),
            Self::Stream(_) => Ok(None),
        }
    }

    /// Reads bytes as they arrive; returns 0 when the client has left.
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

    /// Writes at least one byte, as many as there is room for; returns their number.
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
