//! `lockstep serve`: where it is found, what it says, how it ends.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use crate::running::{HANGS, Running};
use crate::support::{lockstep, read};
use crate::{exits, file, folder, json, misrefused, none, refused, text, write};

/// A rate that makes it quick.
const FAST: &str = "--baud=6000000";

/// A board under way in a runtime folder of its own, and its first line.
struct Board {
    running: Running,
    address: String,
    runtime: TempDir,
}

/// The program with that runtime folder.
fn lockstep_in(runtime: &TempDir) -> Command {
    let mut program = lockstep();
    program.env("XDG_RUNTIME_DIR", runtime.path());
    program
}

/// A board under way, and its first line.
fn serve_in(runtime: &TempDir, arguments: &[&str]) -> (Running, String) {
    let mut program = lockstep_in(runtime);
    let mut running = Running::spawn(program.arg("serve").args(arguments));
    let address = running.next_line();
    (running, address)
}

/// Ends it.
fn terminate(running: Running) {
    running.signal("TERM");
    assert_eq!(running.end().0, Some(0));
}

impl Board {
    fn start(arguments: &[&str]) -> Self {
        let runtime = folder();
        let (running, address) = serve_in(&runtime, arguments);
        Self {
            running,
            address,
            runtime,
        }
    }

    /// What lies in its runtime folder, folders left out.
    fn left(&self) -> Vec<PathBuf> {
        let folder = self.runtime.path().join("lockstep");
        let folders = [folder.join("boards"), folder];
        let entries = folders.iter().flat_map(fs::read_dir).flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        paths.filter(|path| !path.is_dir()).collect()
    }

    /// Its file in the registry.
    fn registered(&self) -> Value {
        let name = format!("lockstep/boards/{}-0.json", self.running.id());
        let path = self.runtime.path().join(name);
        json(&fs::read_to_string(path).expect("a file"))
    }

    /// Ends it by a signal; its standard error. Nothing is left of it.
    fn end(self, signal: &str) -> String {
        self.running.signal(signal);
        let Self {
            running, runtime, ..
        } = self;
        let (status, rest, error) = running.end();
        assert_eq!(status, Some(0), "{signal}: {error}");
        assert_eq!(rest, "", "more than the address on standard output");
        let left = Self {
            running: Running::start(&["--version"]),
            address: String::new(),
            runtime,
        }
        .left();
        assert!(left.is_empty(), "{signal}: {left:?}");
        error
    }
}

fn bytes(hexadecimal: &str) -> Vec<u8> {
    let digit = |i| u8::from_str_radix(&hexadecimal[i..i + 2], 16).expect("hexadecimal");
    (0..hexadecimal.len()).step_by(2).map(digit).collect()
}

/// Holds that part of the golden conversation in which weights are set and
/// decisions asked for; how many decisions there were.
fn converse(stream: &mut (impl Read + Write)) -> u64 {
    let mut decisions = 0;
    let mut decoder = protocol::Decoder::new();
    for line in read("fixtures/frames/conversation.jsonl").lines() {
        let line = json(line);
        let replies = line["replies"].as_array().expect("replies");
        let [reply] = &replies[..] else { continue };
        let number = |field: &str| reply[field].as_u64().expect("a number");
        let (seq, kind) = (number("seq"), number("type"));
        if ![0x90, 0x92].contains(&kind) || line.get("at_once").is_some() {
            continue;
        }
        stream
            .write_all(&bytes(line["wire"].as_str().expect("bytes")))
            .expect("sent");
        let expected = reply["payload"].as_str().expect("a payload");
        let (got_seq, got_kind, got) = loop {
            let mut byte = [0];
            stream.read_exact(&mut byte).expect("an answer");
            if let Some(frame) = decoder.push(byte[0]) {
                let frame = frame.expect("a whole frame");
                let digits = frame.payload.iter().map(|byte| format!("{byte:02x}"));
                break (frame.seq, frame.kind, digits.collect::<String>());
            }
        };
        assert_eq!((u64::from(got_seq), u64::from(got_kind)), (seq, kind));
        let agrees = |(a, b): (char, char)| a == '.' || a == b;
        let agrees = expected.len() == got.len() && expected.chars().zip(got.chars()).all(agrees);
        assert!(agrees, "{}: {got}", line["name"]);
        decisions += u64::from(kind == 0x92);
    }
    assert!(decisions >= 3, "{decisions}");
    decisions
}

fn open(path: &str) -> File {
    let mut options = OpenOptions::new();
    options.read(true).write(true).open(path).expect("opened")
}

fn connect(address: &str) -> TcpStream {
    let address = address.strip_prefix("tcp:").expect("a name for --backend");
    let stream = TcpStream::connect(address).expect("connected");
    stream.set_read_timeout(Some(HANGS)).expect("set");
    stream
}

/// However it is asked to end, nothing is left.
#[test]
fn it_serves_a_terminal_until_a_signal_ends_it() {
    for signal in ["INT", "TERM", "HUP"] {
        let board = Board::start(&["--pty", FAST]);
        let name = format!("lockstep/board-{}", board.running.id());
        let path = board.runtime.path().join(name);
        assert_eq!(board.address, path.to_string_lossy());
        assert_eq!(board.left().len(), 2, "{:?}", board.left());
        let registered = board.registered();
        assert_eq!(registered["address"], board.address.as_str());
        assert_eq!(registered["pid"], board.running.id());
        let decisions = converse(&mut open(&board.address));
        let address = board.address.clone();
        let error = board.end(signal);
        let connect = format!("--backend software --backend serial:{address},start=6000000");
        assert!(error.contains(&connect), "{error}");
        let last = error.lines().last().expect("a last line");
        assert!(last.starts_with("served 1 client: "), "{error}");
        assert!(last.ends_with(&format!("{decisions} decisions")), "{error}");
        assert!(!error.contains("warning"), "{error}");
    }
}

#[test]
fn serve_core_fault_diverges() {
    let board = Board::start(&["--pty", FAST, "--core-fault", "well-at-wall"]);
    let backend = format!("serial:{},start=6000000", board.address);
    let backends = [
        "--backend",
        "software",
        "--backend",
        &backend,
        "--no-explain",
    ];
    exits(
        1,
        &[&["play", "--max-pieces", "20"], &backends[..]].concat(),
    );
    let error = board.end("INT");
    assert!(error.contains("with the fault well-at-wall"), "{error}");
}

#[test]
fn it_serves_one_connection_and_says_what_passed() {
    let out = folder();
    let report = file(&out, "served.json");
    let board = Board::start(&["--listen", ":0", "--once", "--json", &report]);
    let (host, port) = board.address.rsplit_once(':').expect("an address");
    assert_eq!(host, "tcp:127.0.0.1");
    assert_ne!(port, "0");
    let registered = board.registered();
    assert_eq!(registered["address"], board.address);
    let decisions = converse(&mut connect(&board.address));
    let address = board.address.clone();
    let (status, rest, error) = board.running.end();
    assert_eq!((status, rest.as_str()), (Some(0), ""), "{error}");
    assert!(error.contains(&format!("--backend {address}\n")), "{error}");
    let report = json(&text(&report));
    assert_eq!(report["clients"], 1);
    assert_eq!(report["decisions"], decisions);
    assert_eq!(report["baud"], 3_000_000);
    assert_eq!(report["address"], address["tcp:".len()..]);
    assert_eq!(report["error"], Value::Null);
    assert_eq!(report["faults"]["flip"], 0);
}

/// Told to serve others, it says what they can do; told to be quiet, it says where
/// it is and nothing else.
#[test]
fn it_warns_when_others_can_connect() {
    let board = Board::start(&["--listen", "0.0.0.0:0"]);
    let error = board.end("TERM");
    assert!(
        error.contains("warning: anybody who can connect"),
        "{error}"
    );
    let board = Board::start(&["-q", "--listen", "[::1]:0"]);
    assert!(board.address.starts_with("tcp:[::1]:"), "{}", board.address);
    assert_eq!(board.end("TERM"), "");
}

/// What strikes is told in the end; the board is there again for the next client.
#[test]
fn faults_are_counted() {
    let out = folder();
    let report = file(&out, "served.json");
    let faults = ["--fault", "stall=0,hang-up=1", "--fault-seed=3"];
    let arguments = [&["--listen=:0", "--json", &report], &faults[..]].concat();
    let board = Board::start(&arguments);
    for _ in 0..2 {
        let mut stream = connect(&board.address);
        stream.write_all(&[0]).expect("sent");
        let heard = stream.read(&mut [0]).expect("it hangs up in good order");
        assert_eq!(heard, 0);
    }
    let error = board.end("INT");
    let last = error.lines().last().expect("a last line");
    assert_eq!(
        last,
        "served 2 clients: 2 bytes received, 0 bytes sent, 0 decisions; faults: hang-up 2"
    );
    let report = json(&text(&report));
    assert_eq!(report["faults"]["hang_up"], 2);
    assert_eq!(report["fault_rates"]["hang_up"], 1.0);
    assert_eq!(report["fault_seed"], 3);
}

/// The rates that a client names are those it uses: that of the board after power-up,
/// and the highest one.
#[test]
fn a_client_goes_by_the_rates_it_names() {
    let board = Board::start(&["--pty", "--baud=1000000"]);
    let out = folder();
    let report = file(&out, "played.json");
    for rate in [1_000_000, 3_000_000] {
        let backend = format!("serial:{},start=1000000,baud={rate}", board.address);
        let play = ["play", "--max-pieces=2", "--json", &report];
        exits(0, &[&play[..], &["--backend", &backend]].concat());
        let link = &json(&text(&report))["backends"][0]["link"];
        assert_eq!(
            (&link["rate"], &link["mended"]),
            (&Value::from(rate), &Value::from(0))
        );
    }
    let slower = format!("serial:{},start=1000000,baud=1999999", board.address);
    let output = exits(2, &["info", "--backend", &slower]);
    refused(&output, &["baud=1999999", "that of start="]);
    board.end("TERM");
}

/// At the pace of the clock on the wall idle time passes, too, and is simulated.
#[test]
fn at_real_pace_it_is_at_work_without_being_asked() {
    let board = Board::start(&["--listen=:0", "--pace=real"]);
    board.running.wait_until_it_is_at_work();
    board.end("TERM");
}

/// What ends it before it is told to is an error.
#[test]
fn a_board_whose_place_is_gone_says_so() {
    let places = folder();
    let inside = places.path().join("inside");
    fs::create_dir(&inside).expect("a folder");
    let path = inside.join("board").to_string_lossy().into_owned();
    let report = file(&places, "served.json");
    let board = Board::start(&["--pty", &path, FAST, "--json", &report]);
    let mut client = open(&path);
    converse(&mut client);
    fs::remove_dir_all(&inside).expect("removed");
    drop(client);
    let (status, _, error) = board.running.end();
    assert_eq!(status, Some(2), "{error}");
    assert!(error.contains(&path), "{error}");
    let told = json(&text(&report))["error"].to_string();
    assert!(told.contains(&path), "{told}");
}

/// A variable that is set to nothing names no folder.
#[test]
fn an_empty_runtime_folder_is_none() {
    let places = folder();
    let mut program = lockstep();
    program
        .env("XDG_RUNTIME_DIR", "")
        .env("TMPDIR", places.path())
        .args(["serve", "--listen=:0"]);
    let mut running = Running::spawn(&mut program);
    running.next_line();
    let mut inside = fs::read_dir(places.path()).expect("a folder").flatten();
    let own = inside.next().expect("a folder of the user's").path();
    let name = format!("boards/{}-0.json", running.id());
    let registered = own.join(name).exists();
    let mode = fs::metadata(&own).expect("a folder").permissions().mode();
    running.signal("TERM");
    let (status, _, error) = running.end();
    assert_eq!(status, Some(0), "{error}");
    assert!(registered, "it is told of elsewhere");
    let name = own.file_name().expect("a name").to_string_lossy();
    assert!(name.starts_with("lockstep-"), "{name} is for all users");
    assert_eq!(mode & 0o777, 0o700, "others can look into it");
}

/// A board that was killed leaves its link, and the terminal it leads to may be
/// somebody else's by now.
#[test]
fn the_link_of_a_board_that_was_killed_is_not_followed() {
    let places = folder();
    let path = file(&places, "board");
    let Board {
        running, runtime, ..
    } = Board::start(&["--pty", &path, FAST]);
    running.kill();
    let others = Board::start(&["--pty", FAST]);
    let terminal = fs::read_link(&others.address).expect("a link");
    fs::remove_file(&path).expect("it was left");
    symlink(terminal, &path).expect("a link");
    let backend = format!("serial:{path},start=6000000");
    let info = |status: i32| {
        let mut program = lockstep_in(&runtime);
        let output = program.args(["info", "--backend", &backend]).output();
        let output = output.expect("lockstep runs");
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        output
    };
    refused(&info(2), &["was killed", "lockstep serve --pty"]);
    others.end("TERM");
    let (again, _) = serve_in(&runtime, &["--pty", &path, FAST]);
    info(0);
    terminate(again);
}

/// While a board is away there is nothing to be seen of the game: it is said why.
#[test]
fn a_board_that_is_away_for_a_while_is_told_of() {
    let places = folder();
    let path = file(&places, "board");
    let (first, _) = serve_in(&places, &["--pty", &path, FAST]);
    let backend = format!("serial:{path},start=6000000,baud=6000000");
    let mut play = lockstep_in(&places);
    let play = play.args(["play", "--max-pieces=200", "--backend", &backend]);
    let mut play = Running::spawn(play);
    play.next_line();
    first.kill();
    std::thread::sleep(Duration::from_millis(1_500));
    let (second, _) = serve_in(&places, &["--pty", &path, FAST]);
    let (status, rest, error) = play.end();
    assert_eq!(status, Some(0), "{rest}{error}");
    let mut lines = error.lines();
    let away = lines.next().expect("it was away");
    assert!(away.starts_with(&format!("{backend}: ")), "{away}");
    assert!(away.ends_with("retrying for 30 s"), "{away}");
    let mended = lines.next().expect("it came back");
    assert!(mended.contains("recovered after "), "{mended}");
    terminate(second);
}

/// Named by the user, a path is taken as it is named, and is gone afterwards.
#[test]
fn a_terminal_is_where_it_was_named() {
    let places = folder();
    let path = file(&places, "my board");
    let board = Board::start(&["--pty", &path, FAST]);
    assert_eq!(board.address, path);
    assert_eq!(board.registered()["address"], path.as_str());
    converse(&mut open(&path));
    board.end("TERM");
    assert_eq!(fs::read_dir(places.path()).expect("a folder").count(), 0);
}

#[test]
fn bad_use_is_refused_before_anything_is_made() {
    let places = folder();
    let taken = file(&places, "taken");
    write(&taken, "mine");
    let busy = TcpListener::bind("127.0.0.1:0").expect("a port");
    let busy = busy.local_addr().expect("an address").to_string();
    let missing = file(&places, "no/such/folder/board");
    let cases: [(&[&str], &[&str]); 15] = [
        (&[], &["--pty", "--listen"]),
        (&["--pty", "--listen", ":0"], &["cannot be used with"]),
        (&["--pty", &taken], &[&taken, "name another path"]),
        (&["--pty", &missing], &[&missing, "create it first"]),
        (&["--pty", ""], &["--pty"]),
        (
            &["--listen", &busy],
            &[&busy, "another program listens there"],
        ),
        (
            &["--listen", "here:there"],
            &["expected a port from 0 to 65535, got 'there'"],
        ),
        (
            &["--listen", "192.0.2.1:0"],
            &["192.0.2.1:0", "no such address"],
        ),
        (
            &["--listen=:0", "--baud", "299"],
            &["--baud", "300 to 12500000"],
        ),
        (
            &["--listen=:0", "--fault", "flop=1"],
            &["flop=1", "clean-to=BAUD"],
        ),
        (&["--listen=:0", "--fault", "flip=2"], &["flip=2", "0 to 1"]),
        (
            &["--listen=:0", "--fault=noise=0.1,flip=0.1"],
            &["flip", "twice"],
        ),
        (&["--listen=:0", "--game", "chess"], &["chess", "tetris"]),
        (
            &["--listen=:0", "--core-fault", "top-row-lots"],
            &["top-row-lots", "did you mean 'top-row-lost'"],
        ),
        (
            &["--listen=:0", "--json", &missing],
            &["--json", "create it first"],
        ),
    ];
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(arguments, named)| {
            let mut program = lockstep();
            program.env("XDG_RUNTIME_DIR", places.path());
            let output = program.arg("serve").args(*arguments).output();
            misrefused(&output.expect("lockstep runs"), named)
        })
        .collect();
    none(&wrong);
    assert_eq!(text(&taken), "mine");
}

/// Where a runtime folder cannot be had, a path can be named, and only the list of
/// boards lacks it.
#[test]
fn without_a_runtime_folder_it_is_served_all_the_same() {
    let places = folder();
    let not_a_folder = file(&places, "file");
    write(&not_a_folder, "");
    let serve = |arguments: &[&str]| {
        let mut program = lockstep();
        program.env("XDG_RUNTIME_DIR", &not_a_folder);
        program.arg("serve").args(arguments);
        program
    };
    let output = serve(&["--pty"]).output().expect("lockstep runs");
    refused(&output, &["--pty PATH", "cannot be made"]);
    let path = file(&places, "board");
    let mut running = Running::spawn(&mut serve(&["--pty", &path]));
    assert_eq!(running.next_line(), path);
    running.signal("TERM");
    let (status, _, error) = running.end();
    assert_eq!(status, Some(0), "{error}");
    assert!(
        error.contains("`lockstep boards` will not find it"),
        "{error}"
    );
    let help = exits(0, &["serve", "--help"]);
    assert!(crate::support::stdout(&help).contains("5760"));
}
