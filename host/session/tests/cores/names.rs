//! Backends by their names: options, targets, help, defaults, and what cannot be opened.

use lockstep::backend::exec::exec;
use lockstep::backend::software::{engine, golden};
use lockstep::backend::{Kind, board, simulated};
use lockstep::{BackendRegistry, Identity};
use lockstep_games::tetris::Tetris;
use lockstep_games::{Capabilities, Catalog, Golden as _, GoldenModel};

use crate::block_on;
use crate::positions::controller;

/// All backends of a game; the engine is its golden model again.
pub fn registry<G: Catalog>() -> BackendRegistry<G> {
    let options = &[("path", "is not looked at")];
    BackendRegistry::new()
        .with(golden())
        .with(engine("another", options, |_| {
            Ok(Box::new(GoldenModel::default()))
        }))
        .with(simulated::bytes())
        .with(simulated::pins())
        .with(simulated::netlist())
        .with(board::serial())
        .with(board::tcp())
        .with(exec())
}

fn error(text: &str) -> String {
    registry::<Tetris>()
        .parse(text)
        .expect_err(text)
        .to_string()
}

#[test]
fn registry_parses_port_and_rates_of_board() {
    let registry = registry::<Tetris>();
    for (link, target, baud, start) in [
        ("serial", "/dev/ttyUSB1", None, None),
        ("serial", "auto", None, None),
        ("serial", "0403:6010:A1", Some(3_000_000), None),
        ("serial", "COM3", Some(9_600), Some(9_600)),
        ("tcp", "[::1]:5000", None, None),
        ("tcp", "localhost:5000", None, None),
    ] {
        let option = |name, rate: Option<u32>| rate.map(|rate| format!(",{name}={rate}"));
        let options = [option("start", start), option("baud", baud)].map(Option::unwrap_or_default);
        let text = format!("{link}:{target}{}", options.concat());
        let spec = registry.parse(&text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(spec.target(), target);
        let rates = ["baud", "start"].map(|name| spec.option(name)?.parse().ok());
        assert_eq!(rates, [baud, start], "{text}");
        assert_eq!(registry.kind(&spec), Some(Kind::Link), "{text}");
        assert_eq!(spec.to_string(), text);
    }
    let spec = registry.parse("sim-uart:baud=9600").expect("a name");
    assert_eq!((spec.target(), spec.option("baud")), ("", Some("9600")));
}

#[test]
fn registry_refuses_unclear_board_with_syntax() {
    for text in ["serial", "serial:", "serial:,baud=9600", "serial:baud=9600"] {
        assert!(error(text).ends_with("serial:PORT"), "{}", error(text));
    }
    assert!(error("tcp").ends_with("tcp:HOST:PORT"));
    for (text, expected) in [
        ("serial:0403:60", "VID:PID:SERIAL"),
        ("tcp:localhost", "expected HOST:PORT"),
        ("tcp:::1:5000", "[::1]:5000"),
        ("tcp:localhost:5000,baud=1", "tcp has no option 'baud'"),
        (
            "serial:auto,speed=1",
            "'speed'; the options are baud, start",
        ),
        ("serial:auto,baud=1,baud=2", "'baud' is named twice"),
        ("serial:auto,baud=fast", "baud=fast: expected the base rate"),
        ("serial:auto,start=0", "start=0: expected a whole number"),
        ("serial:auto,baud=9600", "the base rate (start="),
        ("serial:auto,start=9600,baud=4800", "from twice that"),
    ] {
        assert!(error(text).contains(expected), "{}", error(text));
    }
}

/// The help of every backend with its target and its options.
const SUMMARY: &str = "\
    software  the golden model\n\
    engine  another; engine:path=… is not looked at\n\
    sim  the RTL, simulated without its UART; sim:core=… is another core of the game; \
    sim:fault=… seeds a fault\n\
    sim-uart  the RTL, simulated bit by bit at its serial pins; \
    sim-uart:baud=… sets the rate; sim-uart:core=… is another core of the game; \
    sim-uart:fault=… seeds a fault\n\
    sim-netlist  the RTL's netlist for an ECP5, simulated cell by cell; \
    sim-netlist:fault=… seeds a fault\n\
    serial:PORT  a board at a serial port, named by its path, as VID:PID[:SERIAL] of its USB \
    device, or auto for the only board that answers; \
    serial:PORT,baud=… sets the highest raised rate; \
    serial:PORT,start=… sets the rate the board has after power-up\n\
    tcp:HOST:PORT  a board behind ser2net, or a virtual board on another machine\n\
    exec:COMMAND  a program of your own that answers JSON lines; \
    exec:timeout=…,COMMAND limits an answer to … seconds";

#[test]
fn summary_shows_every_target_and_option() {
    let registry = registry::<Tetris>();
    assert_eq!(registry.summary(), SUMMARY);
    let targets = registry
        .iter()
        .filter_map(|f| Some((f.name, f.target.name()?)));
    let expected = [
        ("serial", "PORT"),
        ("tcp", "HOST:PORT"),
        ("exec", "COMMAND"),
    ];
    assert!(targets.eq(expected));
    let absent = registry
        .iter()
        .filter(|f| f.absent.is_some())
        .map(|f| f.name);
    let netlist = cfg!(not(feature = "netlist")).then_some("sim-netlist");
    assert!(absent.eq(netlist));
}

/// The golden model, an engine and a core: no board, and no core for what the wire cannot carry.
#[test]
fn registry_defaults_can_play() {
    for (name, deep, rows, expected) in [
        ("dt-20", false, 20, "software engine sim"),
        ("dt-20", true, 20, "software engine"),
        ("dt-20", false, 16, "software engine"),
        ("hidamari", false, 20, "software engine"),
        ("dt-20", false, 1_000, ""),
    ] {
        let mut controller = controller(name);
        if deep {
            controller = controller.with_search(2, None).expect("a depth");
        }
        let board = lockstep_games::BoardSize::new(10, rows);
        let names = registry::<Tetris>().defaults(&controller, board);
        let names: Vec<_> = names.iter().map(ToString::to_string).collect();
        assert_eq!(names.join(" "), expected, "{name}");
    }
}

/// Whatever the program can do, it gets the positions of the golden model.
#[test]
fn program_has_the_boards_and_lookahead_of_the_golden_model() {
    let registry = registry::<Tetris>();
    let spec = registry.parse("exec:timeout=0.5,cat").expect("a name");
    let opened = block_on(registry.open(&spec, 1)).unwrap_or_else(|e| panic!("{e}"));
    let golden = Tetris::capabilities(None);
    assert!(golden.known_next && golden.averaged_next);
    let expected = Identity {
        name: "exec:timeout=0.5,cat".into(),
        kind: Kind::Program,
        description: "a program, 0.5 s an answer".into(),
        capabilities: Capabilities {
            known_next: true,
            averaged_next: true,
            ..Capabilities::plain(golden.boards)
        },
        core: None,
    };
    assert_eq!(opened.identity(), &expected);
}

/// A backend's name and the error of opening it.
const REFUSED: &str = "
    sim:fault=nope       | not available: 
    sim:core=nope        | not available: no core is called 'nope'; the other ones: lanes
    sim-netlist          | not available: this lockstep was built without the netlist; `make netlist` builds one with it
    sim-uart:baud=299    | its clock of 100000000 Hz allows 300 to 12500000 baud
    serial:/dev/no-board | there is no such port
    tcp:127.0.0.1:1      | nobody listens there
";

#[test]
fn registry_open_refused_says_why() {
    for row in REFUSED.trim().lines() {
        let (name, why) = row.split_once('|').expect("a row");
        let (name, registry) = (name.trim(), registry::<Tetris>());
        let spec = registry.parse(name).unwrap_or_else(|e| panic!("{e}"));
        let error = block_on(registry.open(&spec, 1))
            .err()
            .expect(name)
            .to_string();
        let expected = format!("backend {name}: {}", why.trim());
        assert!(error.starts_with(&expected), "{error}");
    }
}
