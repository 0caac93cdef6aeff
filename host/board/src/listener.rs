//! Where clients come in, one after the other.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

#[cfg(target_os = "linux")]
use lockstep::link::registry::Registry;
use socket2::{SockRef, TcpKeepalive};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

use crate::line::Line;
use crate::{BoardError, Listen};
#[cfg(target_os = "linux")]
use crate::{place::Place, pty::Pty};

/// Time a board is away after it hung up.
const MOMENT: Duration = Duration::from_millis(200);

/// Time after which a connection that says nothing is asked whether it is still
/// there, and time between two such questions: a client whose machine went away
/// must not keep the board for ever.
const KEEPALIVE: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(10));

/// Time that a client which is refused has to close the connection.
const REFUSAL: Duration = Duration::from_secs(1);

/// Time to wait when the system cannot take a connection.
const AGAIN: Duration = Duration::from_millis(100);

/// Where clients are to come in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entrance {
    /// A pseudo-terminal under that path.
    Terminal(PathBuf),
    /// A TCP port.
    Tcp(Listen),
}

/// Where clients come in.
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
    /// Whether only programs on this machine can come in.
    pub fn is_local(&self) -> bool {
        match self {
            Self::Terminal(_) => true,
            Self::Tcp(address) => address.ip().is_loopback(),
        }
    }
}

pub(crate) enum Door {
    #[cfg(target_os = "linux")]
    Terminal {
        place: Place,
        /// The terminal for the next client.
        next: Option<Pty>,
        /// Rate of a new one, in baud.
        baud: u32,
    },
    Listener {
        listener: TcpListener,
        address: SocketAddr,
        /// The client that has the board, or had it last.
        client: Option<SocketAddr>,
    },
}

impl Door {
    pub(crate) async fn open(entrance: &Entrance, baud: u32) -> Result<Self, BoardError> {
        match entrance {
            #[cfg(target_os = "linux")]
            Entrance::Terminal(path) => {
                let left_behind = Registry::shared().clear(path);
                let mut place = Place::claim(path.clone(), left_behind)?;
                let pty = Pty::open(baud).map_err(BoardError::Terminal)?;
                place.point(pty.path())?;
                Ok(Self::Terminal {
                    place,
                    next: Some(pty),
                    baud,
                })
            }
            #[cfg(not(target_os = "linux"))]
            Entrance::Terminal(_) => Err(BoardError::NoTerminals),
            Entrance::Tcp(listen) => {
                let listener = listen.bind().await?;
                let local = listener.local_addr();
                let address = local.map_err(|why| BoardError::Listen {
                    address: listen.to_string(),
                    why,
                })?;
                Ok(Self::Listener {
                    listener,
                    address,
                    client: None,
                })
            }
        }
    }

    pub(crate) fn address(&self) -> Address {
        match self {
            #[cfg(target_os = "linux")]
            Self::Terminal { place, .. } => Address::Terminal(place.path().into()),
            Self::Listener { address, .. } => Address::Tcp(*address),
        }
    }

    /// The line to the next client. That of a terminal is there before its client
    /// is; a connection is waited for. May be dropped at any time.
    pub(crate) async fn client(&mut self) -> Result<Line, BoardError> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Terminal { place, next, baud } => {
                if let Some(pty) = next.take() {
                    return Ok(Line::Terminal(pty));
                }
                let pty = Pty::open(*baud).map_err(BoardError::Terminal)?;
                place.point(pty.path())?;
                Ok(Line::Terminal(pty))
            }
            Self::Listener {
                listener, client, ..
            } => {
                let (stream, from) = accept(listener).await;
                *client = Some(from);
                Ok(Line::Stream(stream))
            }
        }
    }

    /// Refuses one client after the other, each with a line of text that says who has
    /// the board. A terminal refuses by itself. May be dropped at any time.
    pub(crate) async fn refuse_others(&self) {
        match self {
            Self::Listener {
                listener,
                client: Some(client),
                ..
            } => loop {
                let (stream, from) = accept(listener).await;
                tracing::info!("{from} is refused: {client} has the board");
                let text = format!("in use by {client}\r\n");
                tokio::spawn(async move { timeout(REFUSAL, refuse(stream, text)).await });
            },
            _ => std::future::pending().await,
        }
    }

    /// After a client has gone: the next one gets a terminal of its own. What is
    /// unread, or that it may be opened once only, stays with the old one.
    pub(crate) fn renew(&mut self, line: Line) -> Result<(), BoardError> {
        match (self, line) {
            #[cfg(target_os = "linux")]
            (Self::Terminal { place, next, baud }, Line::Terminal(old)) => {
                let fresh = Pty::open(*baud).map_err(BoardError::Terminal)?;
                place.point(fresh.path())?;
                *next = Some(match old.is_open() {
                    false => fresh,
                    // Somebody was quicker.
                    true => {
                        place.point(old.path())?;
                        old.again().map_err(BoardError::Terminal)?
                    }
                });
            }
            _ => {}
        }
        Ok(())
    }

    /// Closes the line to a client, as a cable that is pulled out, and waits for a
    /// moment before anybody can come in again.
    pub(crate) async fn hang_up(&mut self, line: Line) {
        #[cfg(target_os = "linux")]
        if let Self::Terminal { place, .. } = self {
            place.lift();
        }
        drop(line);
        sleep(MOMENT).await;
    }
}

/// Waits for a connection. May be dropped at any time.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        let accepted = listener.accept().await;
        match accepted.and_then(|(stream, from)| prepare(&stream).map(|()| (stream, from))) {
            Ok(accepted) => return accepted,
            Err(error) => {
                // It has gone again, or too many files are open just now.
                tracing::warn!("a client could not be let in: {error}");
                sleep(AGAIN).await;
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

/// Sends a line and waits until the client closes the connection: closed by this end
/// with bytes unread, the connection would be reset and the line lost.
async fn refuse(mut stream: TcpStream, text: String) -> io::Result<()> {
    stream.write_all(text.as_bytes()).await?;
    stream.shutdown().await?;
    tokio::io::copy(&mut stream, &mut tokio::io::sink()).await?;
    Ok(())
}
