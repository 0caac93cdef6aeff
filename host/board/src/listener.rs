//! Accepts clients, one after the other.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use lockstep::link::listen;
#[cfg(target_os = "linux")]
use lockstep::link::registry::Registry;
use socket2::{SockRef, TcpKeepalive};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

use crate::BoardError;
#[cfg(target_os = "linux")]
use crate::{pty::Pty, pty_link::PtyLink};

/// The port unless another one is given.
pub const DEFAULT_PORT: u16 = 5760;

/// The address to listen on.
pub type Listen = listen::Listen<DEFAULT_PORT>;

/// Time that a board is absent after a hang-up.
const ABSENCE: Duration = Duration::from_millis(200);

/// Idle time before the first TCP keepalive probe, and time between probes: a client whose machine
/// has failed must not occupy the board for ever.
const KEEPALIVE: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(10));

/// Time that a refused client has to close the connection.
const REFUSAL: Duration = Duration::from_secs(1);

/// Time before the next attempt when the system cannot accept a connection.
const RETRY: Duration = Duration::from_millis(100);

/// The pseudo-terminal or TCP port to be opened for clients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Endpoint {
    /// A pseudo-terminal under this path.
    Terminal(PathBuf),
    /// A TCP port.
    Tcp(Listen),
}

/// The address of an open endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// The path of a terminal.
    Terminal(PathBuf),
    /// A TCP port.
    Tcp(SocketAddr),
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Terminal(path) => path.display().fmt(f),
            Self::Tcp(address) => address.fmt(f),
        }
    }
}

impl Address {
    /// Whether only programs on this machine can connect.
    pub fn is_local(&self) -> bool {
        match self {
            Self::Terminal(_) => true,
            Self::Tcp(address) => address.ip().is_loopback(),
        }
    }
}

/// An open endpoint.
pub enum Listener {
    /// A terminal for each client, under one path.
    #[cfg(target_os = "linux")]
    Terminal {
        /// The path.
        link: PtyLink,
        /// The terminal for the next client.
        next: Option<Pty>,
        /// Rate of a new terminal, in baud.
        baud: u32,
    },
    /// A TCP port.
    Tcp {
        /// The socket.
        listener: TcpListener,
        /// Its address.
        address: SocketAddr,
        /// The present client, or the last one.
        client: Option<SocketAddr>,
    },
}

impl Listener {
    /// Opens an endpoint; a terminal has the rate `baud` until a client sets another.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub async fn open(endpoint: &Endpoint, baud: u32) -> Result<Self, BoardError> {
        match endpoint {
            #[cfg(target_os = "linux")]
            Endpoint::Terminal(path) => {
                let left_behind = Registry::shared().clear_killed(path);
                let mut link = PtyLink::claim(path.clone(), left_behind)?;
                let next = Some(terminal(&mut link, baud)?);
                Ok(Self::Terminal { link, next, baud })
            }
            #[cfg(not(target_os = "linux"))]
            Endpoint::Terminal(_) => {
                Err(BoardError("--pty needs Linux; --listen works here".into()))
            }
            Endpoint::Tcp(listen) => {
                let bound = listen.bind();
                let bound = bound.map_err(|why| BoardError(format!("--listen {why}")))?;
                let wrong = |why| BoardError(format!("--listen {listen}: {why}"));
                let listener = TcpListener::from_std(bound).map_err(wrong)?;
                let address = listener.local_addr().map_err(wrong)?;
                Ok(Self::Tcp {
                    listener,
                    address,
                    client: None,
                })
            }
        }
    }

    /// The address that clients connect to.
    pub fn address(&self) -> Address {
        match self {
            #[cfg(target_os = "linux")]
            Self::Terminal { link, .. } => Address::Terminal(link.path().into()),
            Self::Tcp { address, .. } => Address::Tcp(*address),
        }
    }

    /// The line to the next client: a terminal at once, before a client opens it; a connection
    /// when it is made. The future may be dropped at any time.
    ///
    /// # Errors
    /// When a new terminal cannot be opened.
    pub async fn client(&mut self) -> Result<Line, BoardError> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Terminal { link, next, baud } => {
                let pty = next.take().map_or_else(|| terminal(link, *baud), Ok)?;
                Ok(Line::Terminal(pty))
            }
            Self::Tcp {
                listener, client, ..
            } => {
                let (stream, from) = accept(listener).await;
                *client = Some(from);
                Ok(Line::Stream(stream))
            }
        }
    }

    /// Refuses further TCP clients, each with a line of text that names the present client.
    ///
    /// Terminals refuse a second client by themselves. The future may be dropped at any time.
    pub async fn refuse_others(&self) {
        match self {
            Self::Tcp {
                listener,
                client: Some(client),
                ..
            } => loop {
                let (stream, from) = accept(listener).await;
                tracing::info!("{from} is refused: the board is in use by {client}");
                let text = format!("in use by {client}\r\n");
                tokio::spawn(async move { timeout(REFUSAL, refuse(stream, text)).await });
            },
            _ => std::future::pending().await,
        }
    }

    /// Prepares for the next client after one has left. The next client gets a new terminal, so
    /// that unread bytes and exclusive mode stay with the old one.
    ///
    /// # Errors
    /// When the new terminal cannot be opened.
    pub fn renew(&mut self, line: Line) -> Result<(), BoardError> {
        match (self, line) {
            #[cfg(target_os = "linux")]
            (Self::Terminal { link, next, baud }, Line::Terminal(old)) => {
                let fresh = terminal(link, *baud)?;
                *next = Some(match old.is_open() {
                    false => fresh,
                    // Another client has opened the old terminal meanwhile.
                    true => {
                        link.point(old.path())?;
                        old.reopened().map_err(BoardError::terminal)?
                    }
                });
            }
            _ => {}
        }
        Ok(())
    }

    /// Closes the line to a client like a pulled cable, then waits [`ABSENCE`].
    pub(crate) async fn hang_up(&mut self, line: Line) {
        #[cfg(target_os = "linux")]
        if let Self::Terminal { link, .. } = self {
            link.remove();
        }
        drop(line);
        sleep(ABSENCE).await;
    }
}

/// A new terminal, to which the link then leads.
#[cfg(target_os = "linux")]
fn terminal(link: &mut PtyLink, baud: u32) -> Result<Pty, BoardError> {
    let pty = Pty::open(baud).map_err(BoardError::terminal)?;
    link.point(pty.path())?;
    Ok(pty)
}

/// The line to one client. Its futures may be dropped at any time without losing a byte.
pub enum Line {
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
    ///
    /// # Errors
    /// When the line fails.
    pub async fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
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
    ///
    /// # Errors
    /// When the client has left.
    pub async fn write(&self, bytes: &[u8]) -> io::Result<usize> {
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

/// Accepts a connection. The future may be dropped at any time.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        let accepted = listener.accept().await;
        match accepted.and_then(|(stream, from)| prepare(&stream).map(|()| (stream, from))) {
            Ok(accepted) => return accepted,
            Err(error) => {
                // The client has left already, or too many files are open.
                tracing::warn!("a client could not be accepted: {error}");
                sleep(RETRY).await;
            }
        }
    }
}

fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (time, interval) = KEEPALIVE;
    let keepalive = TcpKeepalive::new().with_time(time).with_interval(interval);
    SockRef::from(stream).set_tcp_keepalive(&keepalive)
}

/// Sends a line of text and waits until the client closes the connection. Closing it at this end
/// with unread bytes would reset the connection, and the text would be lost.
async fn refuse(mut stream: TcpStream, text: String) -> io::Result<()> {
    stream.write_all(text.as_bytes()).await?;
    stream.shutdown().await?;
    tokio::io::copy(&mut stream, &mut tokio::io::sink()).await?;
    Ok(())
}
