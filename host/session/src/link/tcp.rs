//! A core behind a TCP port: a board behind ser2net, or a virtual board.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;

use super::error::WAIT_LONGER;
use super::stream::Stream;
use super::{Link, LinkError, LinkStatistics, PortError, error};

const CONNECTING: Duration = Duration::from_secs(5);
/// Time within which a server refuses a second client.
const REFUSING: Duration = Duration::from_millis(100);

/// A connection to a core. This end cannot set the rate of the line behind it.
pub struct TcpLink {
    address: String,
    stream: Stream<TcpStream>,
}

/// Whether a text is an address: `HOST:PORT`, a numeric IPv6 host in brackets.
pub fn is_address(text: &str) -> bool {
    let Some((host, port)) = text.rsplit_once(':') else {
        return false;
    };
    let bracketed = host.strip_prefix('[').and_then(|h| h.strip_suffix(']'));
    let host_is_right = match bracketed {
        Some(host) => host.parse::<std::net::Ipv6Addr>().is_ok(),
        None => !host.is_empty() && !host.contains([':', '[', ']', '/']),
    };
    host_is_right && port.parse::<u16>().is_ok_and(|port| port > 0)
}

impl TcpLink {
    /// Connects to `HOST:PORT`.
    ///
    /// # Errors
    /// When the host is unknown, no program listens, or the connection takes too long.
    pub async fn open(address: &str) -> Result<Self, PortError> {
        let stream = connect(address).await?;
        if let Some(text) = refusal(&stream).await {
            let why = format!("{text}; {WAIT_LONGER}");
            return Err(PortError::new(address, why));
        }
        let ended = format!(
            "{address} closed the connection (another client may have it, or no board is there)"
        );
        Ok(Self {
            address: address.into(),
            stream: Stream::new(stream, ended),
        })
    }
}

/// The refusal of a server that has another client; a core sends nothing before a request.
async fn refusal(stream: &TcpStream) -> Option<String> {
    let mut text = [0; 100];
    let length = timeout(REFUSING, stream.peek(&mut text)).await.ok()?.ok()?;
    let text = str::from_utf8(&text[..length]).ok()?.trim();
    text.contains("in use").then(|| text.to_owned())
}

async fn connect(address: &str) -> Result<TcpStream, PortError> {
    let connected = timeout(CONNECTING, try_all(address)).await;
    let late = || {
        format!("no connection within {CONNECTING:?}; check the address, and firewalls on the way")
    };
    let connected = connected.unwrap_or_else(|_| Err(late()));
    connected.map_err(|why| PortError::new(address, why))
}

/// Connects to the first of a host's addresses that answers.
async fn try_all(address: &str) -> Result<TcpStream, String> {
    let unknown = || "there is no host of that name; check it".to_owned();
    let addresses = lookup_host(address).await.map_err(|_| unknown())?;
    let mut failed = unknown();
    for address in addresses {
        let connected = match TcpStream::connect(address).await {
            // A frame is shorter than a packet, and should leave at once.
            Ok(stream) => stream.set_nodelay(true).map(|()| stream),
            failed => failed,
        };
        match connected {
            Ok(stream) => return Ok(stream),
            Err(error) => failed = error::connection(&error),
        }
    }
    Err(failed)
}

#[async_trait]
impl Link for TcpLink {
    fn describe(&self) -> String {
        format!("TCP {}", self.address)
    }

    async fn send(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.stream.send(bytes).await
    }

    async fn receive(&mut self, within: Duration) -> Result<Bytes, LinkError> {
        self.stream.receive(within).await
    }

    async fn reopen(&mut self) -> Result<(), LinkError> {
        self.stream.close();
        self.stream.replace(connect(&self.address).await?);
        Ok(())
    }

    fn statistics(&self) -> LinkStatistics {
        self.stream.statistics()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_address_takes_host_and_port() {
        for text in [
            "localhost:5000",
            "10.0.0.1:1",
            "[::1]:65535",
            "a.example:80",
        ] {
            assert!(is_address(text), "{text}");
        }
        let wrong = "localhost :5000 localhost: a:0 a:65536 a:x ::1:5000 [::1] [a]:1 /dev/a:1";
        for text in wrong.split(' ').chain([""]) {
            assert!(!is_address(text), "{text}");
        }
    }
}
