//! The address at which browsers are served.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, UdpSocket};

use axum::http::HeaderValue;
use axum::http::uri::Authority;
use lockstep::link::listen::Listen;

/// The port unless another one is given.
pub const PORT: u16 = 8080;

/// The address to serve at.
pub type Address = Listen<PORT>;

/// Prints where browsers find the page, and warns if other machines can connect.
pub fn announce(listener: &TcpListener) -> io::Result<()> {
    announce_game(listener, None)
}

/// As [`announce`], with the URL of the player, whose token permits moves.
pub fn announce_game(listener: &TcpListener, token: Option<&str>) -> io::Result<()> {
    let bound = listener.local_addr()?;
    let address = reachable(bound);
    if let Some(token) = token {
        anstream::eprintln!("play: http://{address}/#{token}");
    }
    anstream::eprintln!("view: http://{address}/");
    if !bound.ip().is_loopback() {
        let play = token.map(|_| {
            ", everybody with the URL after play: can play, and anybody on the way can read its token"
        });
        anstream::eprintln!(
            "warning: everybody who can connect to {bound} can watch{}, as nothing is encrypted; \
             127.0.0.1 is for this machine alone",
            play.unwrap_or_default()
        );
    }
    Ok(())
}

/// The address under which browsers find a listener on all addresses: this machine's own on its way
/// to others, or the loopback address if it has none.
fn reachable(bound: SocketAddr) -> SocketAddr {
    let (other, loopback): (IpAddr, IpAddr) = match bound {
        _ if !bound.ip().is_unspecified() => return bound,
        // Addresses of documentation; to connect a datagram socket sends nothing.
        SocketAddr::V4(_) => (
            Ipv4Addr::new(192, 0, 2, 1).into(),
            Ipv4Addr::LOCALHOST.into(),
        ),
        SocketAddr::V6(_) => (
            Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(),
            Ipv6Addr::LOCALHOST.into(),
        ),
    };
    let own = UdpSocket::bind((bound.ip(), 0)).and_then(|socket| {
        socket.connect((other, 9))?;
        socket.local_addr()
    });
    SocketAddr::new(own.map_or(loopback, |own| own.ip()), bound.port())
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
