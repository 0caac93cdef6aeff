//! A board behind a TCP port.

use std::io::Read as _;
use std::net::{SocketAddr, TcpStream};

use lockstep_board::{Address, Endpoint, Options};

use crate::support::{BAUD, Client, HANGS, Running, faults, options, ping, pong};

fn endpoint(listen: &str) -> Endpoint {
    Endpoint::Tcp(listen.parse().expect("an address"))
}

fn address(running: &Running) -> SocketAddr {
    match running.address {
        Address::Tcp(address) => address,
        Address::Terminal(_) => panic!("that is no TCP port"),
    }
}

fn connect(address: SocketAddr) -> Client<TcpStream> {
    let stream = TcpStream::connect(address).expect("connected");
    stream.set_read_timeout(Some(HANGS)).expect("set");
    Client::new(stream)
}

#[test]
fn tcp_board_answers_byte_for_byte() {
    let running = Running::start(options(endpoint(":0")));
    assert!(running.address.is_local());
    let mut client = connect(address(&running));
    let request = ping(7, 42);
    client.send(&request).expect("sent");
    let mut answer = vec![0; request.len()];
    client.stream.read_exact(&mut answer).expect("an answer");
    assert_eq!(answer, pong(7, 42));
    let served = running.stop();
    let bytes = request.len() as u64;
    assert_eq!((served.clients, served.frames), (1, 1));
    assert_eq!((served.received, served.sent), (bytes, bytes));
    // The connection ends with the server.
    assert_eq!(client.stream.read(&mut answer).expect("an end"), 0);
}

/// The second client gets only a line of text that names the first one.
#[test]
fn tcp_second_client_is_refused_until_first_has_gone() {
    let running = Running::start(options(endpoint("localhost:0")));
    let mut first = connect(address(&running));
    first.ping().expect("answered");
    let holder = first.stream.local_addr().expect("connected");
    for _ in 0..3 {
        let mut second = connect(address(&running));
        second.send(&ping(1, 1)).expect("sent");
        let mut text = String::new();
        second.stream.read_to_string(&mut text).expect("text");
        assert_eq!(text, format!("in use by {holder}\r\n"));
        first.ping().expect("still the only one");
    }
    drop(first);
    connect(address(&running)).ping().expect("its turn");
    assert_eq!(running.stop().clients, 2);
}

/// The model does not simulate the bytes of a client that has left.
#[test]
fn tcp_gone_client_bytes_are_dropped() {
    let running = Running::start(options(endpoint(":0")));
    let mut first = connect(address(&running));
    first.send(&[0x55; 20_000]).expect("sent");
    drop(first);
    connect(address(&running)).ping().expect("its turn");
    let served = running.stop();
    assert_eq!(served.received, 20_000 + 1 + ping(1, 1).len() as u64);
    let cycles = served.received * 10 * 100_000_000 / u64::from(BAUD);
    assert!(served.cycles < cycles / 2, "{} cycles", served.cycles);
}

#[test]
fn tcp_flooding_client_is_cut_off() {
    let running = Running::start(options(endpoint(":0")));
    let mut flood = connect(address(&running));
    let sent = (0..100_000).find(|_| flood.send(&[0x55; 1_000]).is_err());
    assert!(sent.is_some(), "it takes 100 MB");
    connect(address(&running)).ping().expect("its turn");
    assert!(running.stop().received < 1_000_000);
}

/// A stall ends after a time, and with its client.
#[test]
fn stall_does_not_affect_next_client() {
    let running = Running::start(Options {
        faults: faults(&["stall=1"]),
        ..options(endpoint(":0"))
    });
    let mut first = connect(address(&running));
    // All bytes but the delimiter are held back, also those of the second client.
    first.send(&[&[0], &ping(1, 1)[..]].concat()).expect("sent");
    drop(first);
    let mut second = connect(address(&running));
    second
        .send(&[&[0], &ping(2, 2)[..]].concat())
        .expect("sent");
    let mut answer = vec![0; ping(2, 2).len()];
    second.stream.read_exact(&mut answer).expect("in the end");
    assert_eq!(answer, pong(2, 2));
    assert!(running.stop().faults.bytes.stall >= 2);
}
