//! `lockstep boards`, and backends at serial and TCP ports, over pseudo-terminals
//! with a scripted core behind them.

use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::process::Command;

use lockstep::link::ports::available;
use lockstep::link::registry::Registry;
use protocol::layout::connect4;

use super::*;
use crate::core::{Core, Mood, info};

/// The program with a folder of its own for the virtual boards that run.
fn program(runtime: &TempDir, arguments: &[&str]) -> Command {
    let mut program = lockstep();
    program
        .env("XDG_RUNTIME_DIR", runtime.path())
        .args(arguments);
    program
}

fn runs(runtime: &TempDir, arguments: &[&str]) -> Output {
    let output = program(runtime, arguments).output().expect("lockstep runs");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    output
}

fn fails(runtime: &TempDir, arguments: &[&str], named: &[&str]) {
    let output = program(runtime, arguments).output();
    refused(&output.expect("lockstep runs"), named);
}

/// What is listed at a port.
fn listed<'a>(document: &'a Value, port: &str) -> &'a Value {
    let boards = document["boards"].as_array().expect("a list");
    let mut found = boards.iter().filter(|board| board["port"] == port);
    let first = found
        .next()
        .unwrap_or_else(|| panic!("no {port} in {document}"));
    assert_eq!(found.next(), None, "it is listed twice");
    first
}

/// With no ports, with those of this machine, and with a virtual board.
#[test]
fn boards_lists_what_there_is() {
    let runtime = folder();
    let shown = stdout(&runs(&runtime, &["boards"]));
    let ports = available();
    let nothing = shown.contains("no serial ports here") && shown.contains("lockstep serve --pty");
    assert_eq!(nothing, ports.is_empty(), "{shown}");
    for port in ports {
        assert!(shown.contains(&port.path), "no {} in\n{shown}", port.path);
    }
    let core = Core::start(Mood::Answers(info()));
    let registry = Registry::new(runtime.path().join("lockstep/boards"));
    let board = registry
        .register(core.path(), "Tetris, made up", None)
        .expect("registered");
    let shown = stdout(&runs(&runtime, &["boards"]));
    for part in [
        &format!("{}  virtual board: Tetris, made up", core.path()),
        "tetris, board 10x20, RTL build 00c0ffee",
        &format!("--backend serial:{}", core.path()),
    ] {
        assert!(shown.contains(part), "no {part} in\n{shown}");
    }
    drop(board);
    let shown = stdout(&runs(&runtime, &["boards"]));
    assert!(!shown.contains("virtual board:"), "{shown}");
}

/// The board is described, and played with the game named.
#[test]
fn board_of_another_game_names_it() {
    let runtime = folder();
    let connect4 = protocol::payload::link::Info {
        game: connect4::GAME.number,
        layout_hash: connect4::GAME.layout_hash(),
        columns: connect4::COLUMNS as u8,
        rows: connect4::ROWS as u8,
        ..info()
    };
    let core = Core::start(Mood::Answers(connect4));
    let backend = format!("serial:{}", core.path());
    let shown = stdout(&runs(&runtime, &["boards", core.path()]));
    for part in [
        "connect4, board 7x6",
        &format!("--game connect4 --backend {backend}"),
    ] {
        assert!(shown.contains(part), "no {part} in\n{shown}");
    }
    let shown = stdout(&runs(&runtime, &["info", "--backend", &backend]));
    for part in ["connect4, board 7x6", "00c0ffee"] {
        assert!(shown.contains(part), "no {part} in\n{shown}");
    }
    let named = ["the core plays connect4, not tetris", "--game connect4"];
    fails(&runtime, &["play", "--backend", &backend], &named);
}

#[test]
fn boards_tells_machines_what_answers_and_what_does_not() {
    let runtime = folder();
    let right = Core::start(Mood::Answers(info()));
    let (silent, noise) = (Core::start(Mood::Silent), Core::start(Mood::Noise));
    let foreign = protocol::payload::link::Info {
        layout_hash: !info().layout_hash,
        ..info()
    };
    let foreign = Core::start(Mood::Answers(foreign));
    let link = file(&runtime, "board");
    symlink(right.path(), &link).expect("linked");
    let missing = file(&runtime, "none");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    drop(listener);
    let tcp = format!("tcp:{address}");
    let output = runs(
        &runtime,
        // The same port by two names is asked once.
        &[
            "boards",
            &link,
            right.path(),
            silent.path(),
            noise.path(),
            foreign.path(),
            &missing,
            &tcp,
            "ffff:ffff",
            "--json",
            "-",
        ],
    );
    let document = json(&stdout(&output));
    assert_eq!(document["command"], "boards");
    let core = &listed(&document, &link)["core"];
    assert_eq!(core["game"], "tetris", "{document}");
    assert_eq!(core["build_id"], "00c0ffee", "{document}");
    let hash = format!("{:08x}", info().layout_hash);
    assert_eq!(core["layout_hash"], hash.as_str(), "{document}");
    let backend = format!("serial:{link}");
    assert_eq!(listed(&document, &link)["backend"], backend.as_str());
    let text = stdout(&output);
    assert!(!text.contains(&format!("\"{}\"", right.path())), "{text}");
    let remark = listed(&document, foreign.path())["remark"].to_string();
    assert!(remark.contains("the same source"), "{remark}");
    for (port, said) in [
        (silent.path(), "silent"),
        (noise.path(), "bytes that answer nothing"),
        (&missing, "no such port"),
        (&address, "nobody listens"),
        ("ffff:ffff", "no such USB device"),
    ] {
        let found = listed(&document, port);
        let error = found["error"].as_str().expect("an error");
        assert!(error.contains(said), "{port}: {error}");
        assert!(found["core"].is_null(), "{found}");
    }
}

#[test]
fn boards_refuses_what_is_no_place() {
    let runtime = folder();
    let inside = file(&runtime, "none/boards.json");
    for (arguments, named) in [
        (&["boards", "0403:60"][..], "VID:PID:SERIAL"),
        (&["boards", "tcp:localhost"], "expected HOST:PORT"),
        (&["boards", "brd,rate=3000000"], "there is baud, start"),
        (&["boards", "brd,start=fast"], "start=fast: expected a rate"),
        (&["boards", "auto"], "all USB ports are asked"),
        (&["boards", "--json", &inside], "create it first"),
    ] {
        fails(&runtime, arguments, &[named]);
    }
}

#[test]
fn info_asks_a_core_behind_a_serial_port() {
    let runtime = folder();
    let core = Core::start(Mood::Answers(info()));
    let backend = format!("serial:{}", core.path());
    let shown = stdout(&runs(&runtime, &["info", "--backend", &backend]));
    for part in [
        &*backend,
        "RTL build 00c0ffee",
        core.path(),
        "tetris, board 10x20",
    ] {
        assert!(shown.contains(part), "no {part} in\n{shown}");
    }
    let options = format!("{backend},baud=115200,start=115200");
    let shown = stdout(&runs(&runtime, &["info", "--backend", &options]));
    assert!(shown.contains("RTL build 00c0ffee"), "{shown}");
}

/// Without arguments it asks no port, but says what may be named.
#[test]
fn info_says_what_else_may_be_named() {
    let shown = stdout(&exits(0, &["info"]));
    for part in [
        "serial:PORT",
        "tcp:HOST:PORT",
        "lockstep boards",
        "VID:PID[:SERIAL]",
    ] {
        assert!(shown.contains(part), "no {part} in\n{shown}");
    }
}

#[test]
fn a_backend_that_is_not_there_is_told_with_what_helps() {
    let runtime = folder();
    let core = Core::start(Mood::Answers(info()));
    let registry = Registry::new(runtime.path().join("lockstep/boards"));
    let _board = registry
        .register(core.path(), "Tetris", None)
        .expect("registered");
    let info = |backend: &str, named: &[&str]| {
        fails(&runtime, &["info", "--backend", backend], named);
    };
    let missing = format!("serial:{}", file(&runtime, "none"));
    info(
        &missing,
        &[&format!("backend {missing}: there is no such port")],
    );
    let no_port = format!("serial:{}", file(&runtime, "lockstep"));
    info(&no_port, &["not a serial port", "lockstep boards"]);
    info("serial:ffff:ffff", &["no such USB device"]);
    info("serial", &["serial:PORT"]);
    info("tcp:", &["tcp:HOST:PORT"]);
    info(
        "tcp:localhost",
        &["'localhost' is no address", "localhost:5000"],
    );
    info("serail:x", &["did you mean 'serial'"]);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    drop(listener);
    info(
        &format!("tcp:{address}"),
        &[&address, "nobody listens there"],
    );
    // No virtual board is taken unless it is named.
    if available().iter().all(|port| port.usb.is_none()) {
        let named = format!("serial:{}", core.path());
        info(
            "serial:auto",
            &["no board answers", "only taken by name", &named],
        );
    }
}

#[test]
fn a_port_that_is_open_is_told_to_be_busy() {
    let runtime = folder();
    let core = Core::start(Mood::Answers(info()));
    let port = serialport::new(core.path(), 115_200);
    let _open = serialport::TTYPort::open(&port).expect("open");
    let backend = format!("serial:{}", core.path());
    fails(
        &runtime,
        &["info", "--backend", &backend],
        &[core.path(), "busy", "another program"],
    );
    let shown = stdout(&runs(&runtime, &["boards", core.path()]));
    assert!(shown.contains("it is busy"), "{shown}");
}
