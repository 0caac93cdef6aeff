//! The TCP address to listen on.

use std::fmt;
use std::io;
use std::net::TcpListener;
use std::str::FromStr;

/// An address to listen on: `HOST`, `HOST:PORT`, `:PORT` or `PORT`.
///
/// An IPv6 address is in brackets if a port follows. The default host is 127.0.0.1, reachable only
/// from this machine, the default port `DEFAULT`; port 0 is any free one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listen<const DEFAULT: u16> {
    host: String,
    port: u16,
}

impl<const DEFAULT: u16> FromStr for Listen<DEFAULT> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (host, port) = match text.strip_prefix('[') {
            Some(rest) => {
                let (host, behind) = rest.split_once(']').ok_or("a ] is missing")?;
                match behind {
                    "" => (host, None),
                    _ => (
                        host,
                        Some(behind.strip_prefix(':').ok_or("expected [HOST]:PORT")?),
                    ),
                }
            }
            None if is_number(text) => ("", Some(text)),
            None => match text.rsplit_once(':') {
                // More than one colon: an IPv6 address without a port.
                Some((before, _)) if before.contains(':') => (text, None),
                Some((host, port)) => (host, Some(port)),
                None => (text, None),
            },
        };
        if text.is_empty() || host.contains(char::is_whitespace) {
            return Err("expected HOST:PORT, HOST, :PORT or PORT".into());
        }
        let port = match port {
            None => DEFAULT,
            Some(port) => port.parse().map_err(|_| {
                let expected = if is_number(text) { "HOST:PORT or " } else { "" };
                format!("expected {expected}a port from 0 to 65535, got '{port}'")
            })?,
        };
        let host = if host.is_empty() { "127.0.0.1" } else { host };
        Ok(Self {
            host: host.into(),
            port,
        })
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl<const DEFAULT: u16> fmt::Display for Listen<DEFAULT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { host, port } = self;
        match host.contains(':') {
            true => write!(f, "[{host}]:{port}"),
            false => write!(f, "{host}:{port}"),
        }
    }
}

impl<const DEFAULT: u16> Listen<DEFAULT> {
    /// Listens, without blocking when a client is accepted.
    ///
    /// # Errors
    /// The address and why it cannot be listened on, with the remedy.
    pub fn bind(&self) -> Result<TcpListener, String> {
        let bound = TcpListener::bind((self.host.as_str(), self.port));
        let listener = bound.and_then(|bound| bound.set_nonblocking(true).map(|()| bound));
        listener.map_err(|why| format!("{self}: {}", reason(&why)))
    }
}

/// Why an address cannot be listened on, with the remedy.
fn reason(why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::AddrInUse => "another program listens there; port 0 picks a free one".into(),
        io::ErrorKind::AddrNotAvailable => {
            "this machine has no such address; 127.0.0.1 is its own".into()
        }
        io::ErrorKind::PermissionDenied => {
            format!("{why}: ports below 1024 need administrator rights; choose a higher one")
        }
        _ => format!("{why}; check the address"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listen_parses_host_and_port() {
        for (text, full) in [
            (":0", "127.0.0.1:0"),
            ("4000", "127.0.0.1:4000"),
            (":4000", "127.0.0.1:4000"),
            ("localhost", "localhost:5760"),
            ("0.0.0.0:1", "0.0.0.0:1"),
            ("::1", "[::1]:5760"),
            ("::", "[::]:5760"),
            ("[::1]", "[::1]:5760"),
            ("[::1]:7", "[::1]:7"),
        ] {
            let listen: Listen<5760> = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(listen.to_string(), full);
        }
        for wrong in [
            "",
            " ",
            "a b:1",
            "host:",
            "host:x",
            "host:65536",
            "65536",
            "[::1",
            "[::1]7",
        ] {
            let parsed = wrong.parse::<Listen<5760>>();
            assert!(parsed.is_err(), "{wrong}: {parsed:?}");
        }
    }
}
