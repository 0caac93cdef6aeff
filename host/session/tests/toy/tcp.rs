//! Cores behind TCP ports, on this machine.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

use lockstep::link::tcp::TcpLink;
use lockstep::link::{Link, LinkError, probe};
use protocol::Decoder;

use crate::core::{Behaviour, answer, info};
use crate::support::block_on;

/// Longer than anything here takes.
const LONG: Duration = Duration::from_secs(60);

/// Serves connections, one after the other; each ends after that many bytes from the host.
fn serve(listener: TcpListener, connections: usize, bytes: usize) -> JoinHandle<()> {
    let serve_one = move |mut stream: TcpStream| {
        let mut decoder = Decoder::new();
        let (mut some, mut came) = ([0; 512], 0);
        while came < bytes {
            let count = stream.read(&mut some).expect("it comes");
            came += count;
            let answers = answer(Behaviour::Answers(info()), &mut decoder, &some[..count]);
            stream.write_all(&answers).expect("it goes");
        }
    };
    spawn(move || {
        for _ in 0..connections {
            serve_one(listener.accept().expect("a connection").0);
        }
    })
}

fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    (listener, address)
}

#[test]
fn tcp_ended_connection_is_closed_until_it_reopens() {
    let (listener, address) = listen();
    // A delimiter and a request without payload.
    let server = serve(listener, 2, 10);
    block_on(async {
        let mut link = TcpLink::open(&address).await.expect("open");
        assert_eq!(link.describe(), format!("TCP {address}"));
        assert_eq!(link.rate(), None, "this end cannot set it");
        assert_eq!(link.set_rate(9600).await, Err(LinkError::Rate(9600)));
        assert_eq!(probe::info(&mut link, LONG).await, Ok(info()));
        for _ in 0..2 {
            let closed = link.receive(LONG).await.expect_err("it ended");
            let expected = format!("{address} closed the connection (another client");
            assert!(closed.to_string().starts_with(&expected), "{closed}");
            assert!(matches!(closed, LinkError::Closed(_)));
        }
        link.reopen().await.expect("it listens");
        assert_eq!(probe::info(&mut link, LONG).await, Ok(info()));
        assert_eq!(link.statistics().reopened, 1);
    });
    server.join().expect("served");
}
