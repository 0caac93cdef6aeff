//! The address at which browsers are served.

use std::fmt;
use std::io;
use std::net::{IpAddr, TcpListener};
use std::str::FromStr;

use anyhow::anyhow;
use axum::http::HeaderValue;
use axum::http::uri::Authority;

/// The host unless another one is given.
const HOST: &str = "127.0.0.1";

/// An address to serve at: `HOST:PORT`, or a port on this machine alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// A name or an IP address without brackets.
    host: String,
    port: u16,
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (host, port) = text.rsplit_once(':').unwrap_or((HOST, text));
        let expected = "expected HOST:PORT or a port from 0 to 65535, such as 127.0.0.1:8080 or 0";
        let port = port.parse();
        Ok(Self {
            port: port.map_err(|_| format!("{expected}, got '{text}'"))?,
            host: match host.trim_matches(['[', ']']) {
                "" => HOST.into(),
                host => host.into(),
            },
        })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { host, port } = self;
        match host.contains(':') {
            true => write!(f, "[{host}]:{port}"),
            false => write!(f, "{host}:{port}"),
        }
    }
}

impl Address {
    /// Listens at it; `option` is named in errors.
    ///
    /// # Errors
    /// Why it cannot, with the remedy.
    pub fn bind(&self, option: &str) -> anyhow::Result<TcpListener> {
        let bound = TcpListener::bind((self.host.as_str(), self.port));
        bound.map_err(|why| {
            let why = match why.kind() {
                io::ErrorKind::AddrInUse => {
                    "another program listens there; port 0 picks a free one".into()
                }
                _ => format!("{why}; 127.0.0.1 and a port above 1023 are this machine's own"),
            };
            anyhow!("{option} {self}: {why}")
        })
    }
}

/// Prints where browsers find the page, and warns if other machines can connect.
pub fn announce(listener: &TcpListener) -> io::Result<()> {
    let address = listener.local_addr()?;
    anstream::eprintln!("view: http://{address}/");
    if !address.ip().is_loopback() {
        anstream::eprintln!(
            "warning: everybody who can connect to {address} can watch, and nothing is encrypted; \
             127.0.0.1 is for this machine alone"
        );
    }
    Ok(())
}

/// Whether a `Host` header names this machine itself: the name of another site that leads here, as in
/// DNS rebinding, does not.
pub fn is_local(host: &HeaderValue) -> bool {
    let authority = Authority::try_from(host.as_bytes());
    authority.is_ok_and(|authority| {
        let host = authority.host().trim_matches(['[', ']']);
        let is_loopback = host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
        is_loopback || host.eq_ignore_ascii_case("localhost")
    })
}
