//! The address at which browsers are served.

use std::io;
use std::net::{IpAddr, TcpListener};

use axum::http::HeaderValue;
use axum::http::uri::Authority;
use lockstep::link::listen::Listen;

/// The port unless another one is given.
pub const PORT: u16 = 8080;

/// The address to serve at.
pub type Address = Listen<PORT>;

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
