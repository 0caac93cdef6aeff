//! Backends by their names: options, targets, help, defaults, and what cannot be opened.

use lockstep::backend::exec::exec;
use lockstep::backend::software::{engine, golden};
use lockstep::backend::{Kind, board, simulated};
use lockstep::{BackendRegistry, Identity};
use lockstep_games::tetris::Tetris;
use lockstep_games::{Capabilities, Catalog, Golden as _, GoldenModel};

use crate::positions::controller;
use crate::{block_on, cells};

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

/// A backend's name, its target, and an option.
const NAMES: &str = "
    serial:/dev/ttyUSB1              | /dev/ttyUSB1              |
    serial:auto                      | auto                      |
    serial:0403:6010:A1,baud=3000000 | 0403:6010:A1              | baud=3000000
    serial:COM3,start=9600,baud=9600 | COM3                      | start=9600
    tcp:[::1]:5000                   | [::1]:5000                |
    tcp:localhost:5000               | localhost:5000            |
    sim-uart:baud=9600               |                           | baud=9600
    engine:path=                     |                           | path=
    exec:python3 a.py,b --c=1,2      | python3 a.py,b --c=1,2    |
    exec:timeout=0.5,sh -c 'a, b'    | sh -c 'a, b'              | timeout=0.5
    exec:timeout 5 sh,x              | timeout 5 sh,x            |
";

#[test]
fn registry_reads_target_and_options() {
    let registry = registry::<Tetris>();
    for row in NAMES.trim().lines() {
        let [text, target, option] = cells(row);
        let spec = registry.parse(text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((spec.target(), &*spec.to_string()), (target, text));
        let (name, value) = option.split_once('=').unzip();
        assert_eq!(spec.option(name.unwrap_or("baud")), value, "{text}");
        let (kind, _) = text.split_once(':').expect("a kind");
        assert_eq!(spec.factory(), kind);
    }
    let kinds = ["tcp:here:1", "exec:x", "sim"].map(|text| registry.parse(text).expect(text));
    let kinds = kinds.map(|spec| registry.kind(&spec));
    assert_eq!(
        kinds,
        [Kind::Link, Kind::Program, Kind::Simulated].map(Some)
    );
}

/// A name that is refused, and a part of the error.
const REFUSED: &str = "
    serail:auto               | 'serail'; there are software, engine, sim,
    software,sim              | ; repeat the option for each backend
    SIM                       | 'SIM'; there are
    sim-uart:baud             | baud=: expected a whole number
    sim-uart:baud=-9600       | baud=-9600: expected a whole number
    software:x=1              | has no option 'x'; write software alone
    engine:                   | no option ''
    serial                    | serial:PORT
    serial:                   | serial:PORT
    serial:,baud=9600         | serial:PORT
    serial:baud=9600          | serial:PORT
    serial:0403:60            | VID:PID:SERIAL
    serial:auto,speed=1       | 'speed'; the options are baud, start
    serial:auto,baud=1,baud=2 | 'baud' is named twice
    serial:auto,baud=fast     | baud=fast: expected the base rate
    serial:auto,start=0       | start=0: expected a whole number
    serial:auto,baud=9600     | the base rate (start=
    serial:auto,start=9600,baud=4800 | from twice that
    tcp                       | tcp:HOST:PORT
    tcp:localhost             | expected HOST:PORT
    tcp:::1:5000              | [::1]:5000
    tcp:localhost:5000,baud=1 | tcp has no option 'baud'
    exec                      | exec:COMMAND
    exec:                     | exec:COMMAND
    exec:timeout=5            | exec:COMMAND
    exec:timeout=0,x          | timeout=0: expected more than 0 s
    exec:timeout=soon,x       | =soon: expected more than 0 s
    exec:timeout=1,timeout=2,x | 'timeout' is named twice
    exec:sh -c 'x             | a quote is not closed in sh -c 'x
";

#[test]
fn registry_refuses_unclear_name_with_syntax() {
    for row in REFUSED.trim().lines() {
        let [text, why] = cells(row);
        let error = registry::<Tetris>()
            .parse(text)
            .expect_err(text)
            .to_string();
        assert!(error.contains(why), "{error}");
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
    sim-netlist:core=… is another core of the game; sim-netlist:fault=… seeds a fault\n\
    serial:PORT  a board at a serial port, named by its path, as VID:PID[:SERIAL] of its USB \
    device, or auto for the only board that answers; \
    serial:PORT,baud=… limits the rate to which the host raises the line; \
    serial:PORT,start=… is the rate of the line after power-up\n\
    tcp:HOST:PORT  a board behind ser2net, or a virtual board on another machine; \
    tcp:HOST:PORT,wait=… waits up to … seconds while another client has the board\n\
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

/// A backend's name and the error of opening it. No name has a part as long as the last one's.
const UNOPENED: &str = "
    sim:fault=nope       | not available: 
    sim:core=nope        | not available: no core is called 'nope'; the game's other cores: lanes
    sim-netlist          | not available: this lockstep was built without the netlist; `make netlist` builds one with it
    sim-netlist:core=lanes | not available: this lockstep was built without the netlist; `make netlist` builds one with it
    sim-uart:baud=12500001    | its clock of 100000000 Hz allows 300 to 12500000 baud
    sim-uart:baud=99999999999 | its clock of 100000000 Hz allows 300 to 12500000 baud
    sim-uart:baud=299    | its clock of 100000000 Hz allows 300 to 12500000 baud
    serial:/dev/no-board | there is no such port
    tcp:127.0.0.1:1      | no server listens there
    tcp:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:1 | there is no host of that name
";

#[test]
fn registry_open_refused_says_why() {
    let built = |row: &&str| cfg!(feature = "netlist") && row.contains("sim-netlist ");
    for row in UNOPENED.trim().lines().filter(|row| !built(row)) {
        let ([name, why], registry) = (cells(row), registry::<Tetris>());
        let spec = registry.parse(name).unwrap_or_else(|e| panic!("{e}"));
        let opened = block_on(registry.open(&spec, 1));
        let error = opened.err().expect(name).to_string();
        let expected = format!("backend {name}: {why}");
        assert!(error.starts_with(&expected), "{error}");
    }
}
