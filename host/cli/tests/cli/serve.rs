//! `lockstep serve`: its endpoint, its output, its end.

use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::time::Duration;

use protocol::layout::link;
use protocol::payload::link::Buttons;
use protocol::{Decoder, Frame};

use super::*;
use crate::running::{HANGS, Running};

/// A board that is being served in a folder of its own, and its first line of output.
///
/// It runs at 6 Mbaud, to save simulation time.
struct Board {
    running: Running,
    address: String,
}

impl Board {
    fn start(place: &Place, arguments: &str) -> Self {
        let mut running = place.start(&format!("serve {arguments}"));
        let address = running.next_line();
        Self { running, address }
    }

    /// Its file in the registry.
    fn registered(&self, place: &Place) -> Value {
        let name = format!("run/lockstep/boards/{}-0.json", self.running.id());
        json(&place.text(&name))
    }

    /// Ends the board by a signal, checks that no file is left, and returns its standard error.
    fn end(self, place: &Place, signal: &str) -> String {
        self.running.signal(signal);
        let (status, rest, error) = self.running.end();
        assert_eq!(status, Some(0), "{signal}: {error}");
        assert_eq!(rest, "", "more than the address on standard output");
        assert_eq!(left(place), [""; 0].map(PathBuf::from), "{signal}");
        error
    }
}

/// The files in the runtime folder.
fn left(place: &Place) -> Vec<PathBuf> {
    let folders = ["run/lockstep/boards", "run/lockstep"].map(|name| place.file(name));
    let entries = folders.iter().flat_map(fs::read_dir).flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths.filter(|path| !path.is_dir()).collect()
}

/// Opens the terminal as a client and sends a byte.
fn client(path: &str) -> File {
    let mut options = OpenOptions::new();
    let mut client = options.read(true).write(true).open(path).expect("opened");
    client.write_all(&[0]).expect("sent");
    client
}

/// No file is left, whichever signal ends it.
#[test]
fn serve_pty_ends_by_signal() {
    for signal in ["INT", "TERM", "HUP"] {
        let place = Place::new();
        let board = Board::start(&place, "--pty --baud=6000000");
        let path = place.file(&format!("run/lockstep/board-{}", board.running.id()));
        assert_eq!(board.address, path);
        assert_eq!(left(&place).len(), 2, "{:?}", left(&place));
        let registered = board.registered(&place);
        let known = (&registered["address"], &registered["pid"]);
        assert_eq!(
            known,
            (&board.address.as_str().into(), &board.running.id().into())
        );
        place.ok(&format!("info --backend serial:{path},start=6000000"));
        let error = board.end(&place, signal);
        has(
            &error,
            &format!("--backend software --backend serial:{path},start=6000000"),
        );
        let last = error.lines().last().expect("a last line");
        assert!(last.starts_with("served 1 client: "), "{error}");
        assert!(!error.contains("warning"), "{error}");
    }
}

#[test]
fn serve_core_fault_diverges() {
    let place = Place::new();
    let board = Board::start(&place, "--pty --baud=6000000 --core-fault well-at-wall");
    let backends = format!(
        "--backend software --backend serial:{},start=6000000",
        board.address
    );
    place.exits(1, &format!("play --max-pieces 20 --no-explain {backends}"));
    has(&board.end(&place, "INT"), "with the fault well-at-wall");
}

/// The pixels of a PNG whose rows have no filter, 640 × 480.
fn pixels(png: &[u8]) -> Vec<[u8; 3]> {
    let be = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!((be(16), be(20)), (640, 480));
    let begin = 33;
    assert_eq!(&png[begin + 4..begin + 8], b"IDAT");
    let data = &png[begin + 8..begin + 8 + be(begin) as usize];
    let rows = miniz_oxide::inflate::decompress_to_vec_zlib(data).expect("zlib");
    assert_eq!(rows.len(), 480 * (1 + 3 * 640));
    let rows = rows.chunks(1 + 3 * 640);
    rows.flat_map(|row| row[1..].as_chunks().0.to_vec())
        .collect()
}

/// How often the buttons were pressed. `lockstep info` would take the board for silent on a busy
/// machine.
fn presses(path: &str) -> [u8; link::BUTTON_COUNT] {
    let request = Frame {
        seq: 7,
        kind: link::BUTTONS.id,
        payload: &[],
    };
    let mut line = client(path);
    let wire = protocol::frame::encode(&request).expect("it fits");
    line.write_all(wire.as_ref()).expect("sent");
    let mut decoder = Decoder::new();
    let mut byte = [0];
    loop {
        line.read_exact(&mut byte).expect("a reply");
        if let Some(Ok(frame)) = decoder.push(byte[0]) {
            assert_eq!((frame.seq, frame.kind), (7, link::BUTTONS_REPLY.id));
            return Buttons::decode(frame.payload).expect("its length").presses;
        }
    }
}

/// Before anything was decided the picture has a frame around an empty board; the page has the same
/// bytes as the file. Lines of standard input press its buttons.
#[test]
fn serve_board_shows_its_picture_and_has_buttons() {
    for board in ["nexys4", "ulx3s"] {
        let place = Place::new();
        let arguments =
            format!("--pty --board {board} --buttons --png {{}}/now.png --view 127.0.0.1:0");
        let mut served = Board::start(&place, &arguments);
        let line = loop {
            let line = served.running.error_line();
            if line.starts_with("view: ") {
                break line;
            }
        };
        let address = line
            .trim_start_matches("view: http://")
            .trim_end_matches(['/', '\n']);
        let mut stream = TcpStream::connect(address).expect("connected");
        stream.set_read_timeout(Some(HANGS)).expect("set");
        let request = b"GET /picture HTTP/1.0\r\nHost: localhost\r\n\r\n";
        stream.write_all(request).expect("sent");
        let (mut got, mut part) = (Vec::new(), [0; 1024]);
        let is_end = |got: &[u8]| got.ends_with(b"\r\n--picture\r\n") && got.len() > 1_000;
        while !is_end(&got) {
            let count = stream.read(&mut part).expect("more");
            assert!(count > 0, "{}", String::from_utf8_lossy(&got));
            got.extend(&part[..count]);
        }
        let png = fs::read(place.file("now.png")).expect("a file");
        let sent = got.windows(png.len()).any(|bytes| bytes == png);
        assert!(sent, "{board}: the page has the file's bytes");
        let pixels = pixels(&png);
        let at = |x: usize, y: usize| pixels[640 * y + x];
        assert_eq!(at(0, 0), [0; 3]);
        assert_eq!(at(110, 16), [0x88, 0x88, 0xaa], "the frame");
        assert_eq!(at(115, 21), [0x11, 0x11, 0x22], "an empty cell");
        let mut input = served.running.input.take().expect("piped");
        input
            .write_all(b"left\nup\n left\nmiddle\n")
            .expect("taken");
        let why = served.running.error_line();
        has(
            &why,
            &format!("\"middle\" is no button of the {board}: expected left, right, up"),
        );
        assert_eq!(presses(&served.address), [2, 0, 1, 0, 0, 0]);
        served.end(&place, "INT");
    }
}

#[test]
fn serve_once_ends_after_one_connection() {
    let place = Place::new();
    let board = Board::start(&place, "--listen :0 --once --json {}/served.json");
    let (host, port) = board.address.rsplit_once(':').expect("an address");
    assert!(host == "tcp:127.0.0.1" && port != "0", "{}", board.address);
    assert_eq!(board.registered(&place)["address"], board.address);
    place.ok(&format!("play --max-pieces 3 --backend {}", board.address));
    let (status, rest, error) = board.running.end();
    assert_eq!((status, rest.as_str()), (Some(0), ""), "{error}");
    has(&error, &format!("--backend {}\n", board.address));
    let report = json(&place.text("served.json"));
    let address = &board.address["tcp:".len()..];
    let expected = "/clients 1 | /baud 3000000 | /error null | /faults/flip 0";
    members(&report, &format!("{expected} | /address {address}"));
    assert!(report["decisions"].as_u64() >= Some(3), "{report}");
}

/// With -q only the address is printed.
#[test]
fn serve_warns_if_others_can_connect() {
    let place = Place::new();
    let open = Board::start(&place, "--listen 0.0.0.0:0");
    has(
        &open.end(&place, "TERM"),
        "warning: anybody who can connect",
    );
    let quiet = Board::start(&place, "-q --listen [::1]:0");
    assert!(quiet.address.starts_with("tcp:[::1]:"), "{}", quiet.address);
    assert_eq!(quiet.end(&place, "TERM"), "");
}

/// The faults of all clients are counted; the board returns for the next client.
#[test]
fn serve_counts_faults() {
    let place = Place::new();
    let faults = "--fault stall=0,hang-up=1 --fault-seed=3";
    let board = Board::start(
        &place,
        &format!("--listen=:0 --json {{}}/served.json {faults}"),
    );
    for _ in 0..2 {
        let address = board.address.strip_prefix("tcp:").expect("a name");
        let mut stream = TcpStream::connect(address).expect("connected");
        stream.set_read_timeout(Some(HANGS)).expect("set");
        stream.write_all(&[0]).expect("sent");
        let heard = stream.read(&mut [0]).expect("it hangs up in good order");
        assert_eq!(heard, 0);
    }
    let error = board.end(&place, "INT");
    let last = "served 2 clients: 2 bytes received, 0 bytes sent, 0 decisions; faults: hang-up 2";
    assert_eq!(error.lines().last(), Some(last));
    let report = json(&place.text("served.json"));
    let counts = (
        &report["faults"]["hang_up"],
        &report["fault_rates"]["hang_up"],
    );
    assert_eq!(counts, (&2.into(), &1.0.into()));
    assert_eq!(report["fault_seed"], 3);
}

/// An end without a signal is an error.
#[test]
fn serve_missing_folder_fails() {
    let place = Place::new();
    fs::create_dir(place.file("inside")).expect("a folder");
    let path = place.file("inside/board");
    let line = "--pty {}/inside/board --baud=6000000 --json {}/served.json";
    let board = Board::start(&place, line);
    let client = client(&path);
    fs::remove_dir_all(place.file("inside")).expect("removed");
    drop(client);
    let (status, _, error) = board.running.end();
    assert_eq!(status, Some(2), "{error}");
    has(&error, &path);
    has(
        &json(&place.text("served.json"))["error"].to_string(),
        &path,
    );
}

/// An empty variable names no folder.
#[test]
fn serve_without_runtime_folder_uses_private_one() {
    let place = Place::new();
    let mut program = place.command("serve --listen=:0");
    program
        .env("XDG_RUNTIME_DIR", "")
        .env("TMPDIR", place.file(""));
    let mut running = Running::spawn(&mut program);
    running.next_line();
    let names = place.names();
    let [name] = &names[..] else {
        panic!("{names:?}")
    };
    let registered = place.file(&format!("{name}/boards/{}-0.json", running.id()));
    let registered = fs::exists(registered).expect("it can be looked at");
    let mode = fs::metadata(place.file(name))
        .expect("a folder")
        .permissions()
        .mode();
    running.signal("TERM");
    let (status, _, error) = running.end();
    assert_eq!(status, Some(0), "{error}");
    assert!(registered, "it is registered elsewhere");
    assert!(name.starts_with("lockstep-"), "{name} is for all users");
    assert_eq!(mode & 0o777, 0o700, "others can look into it");
}

/// A board that was killed leaves its link, which may lead to the terminal of another program.
#[test]
fn serve_link_of_killed_board_is_not_followed() {
    let place = Place::new();
    let serve = "--pty {}/board --baud=6000000";
    Board::start(&place, serve).running.kill();
    let others = Place::new();
    let other = Board::start(&others, "--pty --baud=6000000");
    let terminal = fs::read_link(&other.address).expect("a link");
    fs::remove_file(place.file("board")).expect("it was left");
    symlink(terminal, place.file("board")).expect("a link");
    let info = "info --backend serial:{}/board,start=6000000";
    place.refuses(&format!("{info} => was killed | lockstep serve --pty"));
    other.end(&others, "TERM");
    let again = Board::start(&place, serve);
    place.ok(info);
    again.running.signal("TERM");
    assert_eq!(again.running.end().0, Some(0));
}

/// The state of a replay has the traffic of each chunk, which adds up to that of the board.
#[test]
fn replay_on_board_keeps_traffic_of_each_chunk() {
    let place = Place::new();
    let board = Board::start(&place, "--pty {}/board --baud=6000000 --json {}/served -q");
    let summary = place.json(
        0,
        "replay fixtures/records/lowest.jsonl fixtures/records/bcts.jsonl \
         --backend serial:{}/board,start=6000000,baud=6000000 --state {}/state",
    );
    board.end(&place, "TERM");
    let received = json(&place.text("served"))["received"].as_u64();
    assert_eq!(summary["backends"][0]["link"]["sent"].as_u64(), received);
    let chunks = lines(&place.text("state")).into_iter().skip(1);
    let sent = chunks.map(|line| line["entry"]["links"][0]["sent"].as_u64());
    let sent: Vec<u64> = sent.collect::<Option<_>>().expect("numbers");
    assert!(sent.len() > 1, "{sent:?}");
    assert_eq!(received, Some(sent.iter().sum()), "{sent:?}");
}

/// While a board is absent, the session prints the reason.
#[test]
fn play_reports_board_that_is_away() {
    let place = Place::new();
    let serve = "--pty {}/board --baud=6000000";
    let first = Board::start(&place, serve);
    let backend = format!("serial:{},start=6000000,baud=6000000", place.file("board"));
    let mut play = place.start(&format!("play --max-pieces=200 --backend {backend}"));
    play.next_line();
    first.running.kill();
    std::thread::sleep(Duration::from_millis(1_500));
    let second = Board::start(&place, serve);
    let (status, rest, error) = play.end();
    assert_eq!(status, Some(0), "{rest}{error}");
    let mut lines = error.lines();
    let away = lines.next().expect("it was away");
    assert!(away.starts_with(&format!("{backend}: ")), "{away}");
    assert!(away.ends_with("retrying for 30 s"), "{away}");
    has(lines.next().expect("it came back"), "recovered after ");
    second.running.signal("TERM");
    assert_eq!(second.running.end().0, Some(0));
}

#[test]
fn serve_wrong_use_is_refused() {
    let place = Place::new();
    place.put("taken", "mine");
    let busy = TcpListener::bind("127.0.0.1:0").expect("a port");
    let busy = busy.local_addr().expect("an address").to_string();
    let on_busy = format!("serve --listen {busy}");
    place.refuses(&format!(
        "
        serve => --pty | --listen
        serve --pty --listen :0 => cannot be used with
        serve --pty {{}}/taken => /taken | name another path
        serve --pty {{}}/no/such/board => /no/such | create it first
        serve --pty '' => --pty
        {on_busy} => {busy} | another program listens there
        serve --listen here:there => expected a port from 0 to 65535, got 'there'
        serve --listen 192.0.2.1:0 => 192.0.2.1:0 | no such address
        serve --listen=:0 --baud 299 => --baud | 300 to 12500000
        serve --listen=:0 --fault flop=1 => flop=1 | clean-to=BAUD
        serve --listen=:0 --fault flip=2 => flip=2 | 0 to 1
        serve --listen=:0 --fault clean-to=0 => clean-to=0 | 1 or more
        serve --listen=:0 --fault=noise=0.1,flip=0.1 => flip | twice
        serve --listen=:0 --game chess => chess | tetris
        serve --listen=:0 --core-fault top-row-lots => 'top-row-lots' | top-row-lost
        serve --listen=:0 --json {{}}/no/x => --json | create it first
        serve --listen=:0 --png {{}}/x.png => --board
        serve --listen=:0 --buttons => --board
        serve --listen=:0 --board tang-nano-20k => tang-nano-20k | nexys4 or ulx3s
        serve --listen=:0 --board nexys4 --baud 3000000 => --baud 3000000 | 115200
        serve --listen=:0 --board nexys4 --fault rebuild=1e-3 => rebuild | --board
        serve --listen=:0 --board nexys4 --game connect4 => nexys4 | --game tetris
        serve --listen=:0 --board nexys4 --png {{}}/no/x => --png | create it first
        serve --listen=:0 --board nexys4 --view {busy} => --view {busy}
    "
    ));
    assert_eq!(place.text("taken"), "mine");
}

/// Without a runtime folder a path is required; the board is then not in the list of boards.
#[test]
fn serve_without_any_runtime_folder_needs_path() {
    let place = Place::new();
    place.put("run", "no folder");
    place.refuses("serve --pty => --pty PATH | cannot be created");
    let board = Board::start(&place, "--pty {}/board");
    assert_eq!(board.address, place.file("board"));
    has(
        &board.end(&place, "TERM"),
        "`lockstep boards` will not find it",
    );
    has(&place.ok("serve --help"), "5760");
}
