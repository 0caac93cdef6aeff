//! The serial protocol of another player on an FPGA: `serve --protocol wujian`, and `wujian:`.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use super::*;
use crate::running::{HANGS, Running};

/// Starts a board; returns it with its address.
fn serve(place: &Place, arguments: &str) -> (Running, String) {
    let line = format!("serve --game gomoku --protocol wujian {arguments}");
    let mut running = place.start(&line);
    let address = running.next_line();
    (running, address)
}

/// Ends a board by a signal; returns its standard error.
fn end(running: Running) -> String {
    running.signal("INT");
    let (status, rest, error) = running.end();
    assert_eq!((status, rest.as_str()), (Some(0), ""), "{error}");
    error
}

/// The test bench of that player: four stones and their answers. All bytes come alone.
#[test]
fn wujian_served_answers_as_that_player() {
    let place = Place::new();
    let (running, address) = serve(&place, "--listen :0");
    let address = address.strip_prefix("tcp:").expect("a TCP port");
    let mut client = TcpStream::connect(address).expect("it listens");
    client.set_nodelay(true).expect("a setting");
    client.set_read_timeout(Some(HANGS)).expect("a timeout");
    let mut send = |x: i32, y: i32| {
        for byte in [x.to_le_bytes(), y.to_le_bytes()].concat() {
            client.write_all(&[byte]).expect("sent");
        }
    };
    // Neither the cleared board nor the point outside is answered.
    for (x, y) in [(15, 15), (99, 99), (7, 20), (7, 7), (7, 8), (8, 6), (8, 7)] {
        send(x, y);
    }
    let expected = "7\n7\n6\n6\n6\n7\n8\n6\n7\n6\n";
    let mut answers = vec![0; expected.len()];
    client.read_exact(&mut answers).expect("answers");
    assert_eq!(String::from_utf8_lossy(&answers), expected);
    let mut second = TcpStream::connect(address).expect("it listens");
    let mut refusal = String::new();
    second.read_to_string(&mut refusal).expect("a refusal");
    has(&refusal, "in use by");
    drop(client);
    let error = end(running);
    has(
        &error,
        "no answer: the host sent (7, 20): the point is x 7, y 20 | \
         --opening 0 --backend black=wujian:tcp:127 | served 1 client: 5 decisions\n",
    );
}

/// Such a board on a terminal plays a seat; its points are compared with a backend of the same search.
#[test]
fn wujian_board_plays_a_seat() {
    let place = Place::new();
    let search = "--backend sim --controller wujian:2";
    let (running, path) = serve(&place, &format!("--pty {{}}/board {search}"));
    let play = "play --game gomoku --opening 0 --games 2 --controller wujian:2";
    for seat in ["black", "white"] {
        let other = if seat == "black" { "white" } else { "black" };
        let seats = format!(
            "--backend {seat}=wujian:{path} --backend {seat}=engine --backend {other}=engine \
             --seat {other}=lines:2"
        );
        let played = place.json(0, &format!("{play} {seats} --record {{}}/{seat}"));
        members(&played, "/games 2 | /diverged 0");
        assert!(played["agreed"].as_u64() >= Some(8), "{played}");
        place.ok(&format!("record verify {{}}/{seat}"));
    }
    let opening =
        format!("play --game gomoku --backend black=wujian:{path} --backend white=engine");
    place.refuses(&format!(
        "
        {opening} => does not continue that game | --opening 0
        play --game gomoku --opening 0 --backend wujian:{path} => give it one seat
        serve --game gomoku --backend sim --pty => --protocol
        serve --game gomoku --protocol wujian --pty --pace real => --pace
        serve --protocol wujian --pty => --protocol
        "
    ));
    has(&end(running), "served 3 clients: ");
}
