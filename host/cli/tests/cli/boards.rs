//! `lockstep boards`, and backends at serial and TCP ports, over pseudo-terminals
//! with a scripted core behind them.

use std::net::TcpListener;
use std::os::unix::fs::symlink;

use lockstep::link::ports::available;
use lockstep::link::registry::{Registered, Registry};
use protocol::layout::connect4;
use protocol::payload::link::Info;

use super::*;
use crate::core::{Behaviour, Core, info};

/// Registers a core as a virtual board.
fn register(place: &Place, core: &Core) -> Registered {
    let registry = Registry::new(place.file("run/lockstep/boards"));
    let registered = registry.register(core.path(), "Tetris, made up", None);
    registered.expect("registered")
}

/// An address on which nothing listens.
fn unused_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").to_string()
}

/// With no ports, with those of this machine, and with a virtual board.
#[test]
fn boards_lists_ports_and_virtual_boards() {
    let place = Place::new();
    let report = place.ok("boards");
    let ports = available();
    let nothing =
        report.contains("no serial ports here") && report.contains("lockstep serve --pty");
    assert_eq!(nothing, ports.is_empty(), "{report}");
    for port in ports {
        has(&report, &port.path);
    }
    let core = Core::start(Behaviour::Answers(info()));
    let board = register(&place, &core);
    let title = format!("{}  virtual board: Tetris, made up", core.path());
    let backend = format!("--backend serial:{}", core.path());
    let answers = "tetris, board 10x20, RTL build 00c0ffee";
    has(
        &place.ok("boards"),
        &format!("{title} | {answers} | {backend}"),
    );
    drop(board);
    assert!(!place.ok("boards").contains("virtual board:"));
}

/// The core of another game is described, and can be played with that game.
#[test]
fn board_of_another_game_names_it() {
    let place = Place::new();
    let core = Core::start(Behaviour::Answers(Info {
        game: connect4::GAME.number,
        layout_hash: connect4::GAME.layout_hash(),
        columns: connect4::COLUMNS as u8,
        rows: connect4::ROWS as u8,
        ..info()
    }));
    let (path, backend) = (core.path(), format!("--backend serial:{}", core.path()));
    let named = format!("--game connect4 {backend}");
    place.shows(&format!(
        "
        0 boards {path} => connect4, board 7x6 | {named}
        0 info {backend} => connect4, board 7x6 | 00c0ffee
        2 play {backend} => connect4 | tetris | --game connect4
    "
    ));
}

#[test]
fn boards_json_has_answers_and_errors() {
    let place = Place::new();
    let right = Core::start(Behaviour::Answers(info()));
    let (silent, noise) = (
        Core::start(Behaviour::Silent),
        Core::start(Behaviour::Noise),
    );
    let foreign = Core::start(Behaviour::Answers(Info {
        layout_hash: !info().layout_hash,
        ..info()
    }));
    let link = place.file("board");
    symlink(right.path(), &link).expect("linked");
    let (missing, address) = (place.file("none"), unused_address());
    let paths = [&right, &silent, &noise, &foreign]
        .map(Core::path)
        .join(" ");
    // The same port by two names is asked once.
    let line = format!("boards {link} {paths} {missing} tcp:{address} ffff:ffff");
    let document = place.json(2, &line);
    assert_eq!(document["command"], "boards");
    let boards = document["boards"].as_array().expect("a list");
    let listed = |port: &str| {
        let found: Vec<_> = boards
            .iter()
            .filter(|board| board["port"] == port)
            .collect();
        assert!(found.len() < 2, "{port} is listed twice");
        found.first().copied().unwrap_or(&Value::Null)
    };
    let board = listed(&link);
    let hash = format!("{:08x}", info().layout_hash);
    let core =
        format!("/core/game tetris | /core/build_id 00c0ffee | /core/layout_hash \"{hash}\"");
    members(board, &format!("{core} | /backend serial:{link}"));
    assert_eq!(listed(right.path()), &Value::Null);
    has(
        &listed(foreign.path())["remark"].to_string(),
        "the same source",
    );
    for (port, error) in [
        (silent.path(), "silent"),
        (noise.path(), "bytes that are not frames of this protocol"),
        (&missing, "no such port"),
        (&address, "no server listens"),
        ("ffff:ffff", "no such USB device"),
    ] {
        let found = listed(port);
        has(found["error"].as_str().expect("an error"), error);
        assert!(found["core"].is_null(), "{found}");
    }
}

#[test]
fn boards_and_info_refuse_wrong_places() {
    let place = Place::new();
    let core = Core::start(Behaviour::Answers(info()));
    let _board = register(&place, &core);
    let (address, path) = (unused_address(), core.path());
    let nobody = format!("info --backend tcp:{address}");
    place.refuses(&format!(
        "
        boards 0403:60 => VID:PID:SERIAL
        boards auto => all USB ports are identified
        info --backend serial:{path} --backend serial:/..{path} => is the same port as serial:{path}
        boards tcp:{address} tcp:localhost:1 => tcp:{address}, tcp:localhost:1 cannot be opened
        boards --json {{}}/none/boards.json => create it first
        info --backend serial:{{}}/none => /none: there is no such port
        info --backend serial:{{}}/run => not a serial port | lockstep boards
        info --backend serial:ffff:ffff => no such USB device
        info --backend serail:x => did you mean 'serial'
        {nobody} => {address} | no server listens there
    "
    ));
    // No virtual board is taken unless it is named.
    if available().iter().all(|port| port.usb.is_none()) {
        let named = format!("serial:{}", core.path());
        place.refuses(&format!(
            "info --backend serial:auto => no board answers | must be named | {named}"
        ));
    }
}

/// Without arguments no port is opened, and the backends that need a port are listed.
#[test]
fn info_describes_core_behind_serial_port() {
    let place = Place::new();
    let core = Core::start(Behaviour::Answers(info()));
    let line = format!("info --backend serial:{}", core.path());
    let answers = ["RTL build 00c0ffee", core.path(), "tetris, board 10x20"];
    let parts = answers.join(" | ");
    place.shows(&format!(
        "
        0 {line} => {parts}
        0 {line},baud=115200,start=115200 => {parts}
        0 info => serial:PORT | tcp:HOST:PORT | lockstep boards | VID:PID[:SERIAL]
        "
    ));
}
