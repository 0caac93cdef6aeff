//! Serial ports, with the system's own code: pseudo-terminals with a scripted core
//! behind them.

use std::io::Write as _;
use std::sync::Mutex;
use std::time::Duration;

use lockstep::backend::wire::client::Client;
use lockstep::link::ports::{Port, Target, Usb};
use lockstep::link::probe::{self, ProbeError};
use lockstep::link::registry::Board;
use lockstep::link::serial::SerialLink;
use lockstep::link::{Link, LinkError, survey};
use protocol::layout;
use serialport::SerialPort as _;

use crate::core::{Behaviour, Core, info};
use crate::fake::frame;
use crate::support::block_on;

/// Longer than anything here takes.
const LONG: Duration = Duration::from_secs(60);
/// Shorter than anything here takes.
const SHORT: Duration = Duration::from_millis(30);
const BAUD: u32 = 115_200;

fn answers() -> Core {
    Core::start(Behaviour::Answers(info()))
}

fn open(core: &Core) -> SerialLink {
    SerialLink::open(Port::of(core.path()), BAUD).expect("open")
}

fn why_closed(error: Result<(), LinkError>) -> String {
    match error.expect_err("it is not there") {
        LinkError::Open(error) => error.why,
        other => panic!("another error: {other}"),
    }
}

#[test]
fn serial_core_answers() {
    let core = answers();
    block_on(async {
        let mut link = open(&core);
        assert_eq!(link.describe(), core.path());
        assert_eq!(probe::info(&mut link, LONG).await, Ok(info()));
        let statistics = link.statistics();
        assert!(statistics.sent > 0 && statistics.received > statistics.sent);
        let mut client = Client::new("core", layout::GAMES[0], Box::new(link), LONG);
        client.handshake(7).await.expect("a core");
    });
}

/// Bytes for an earlier program are not read.
#[test]
fn serial_unread_bytes_of_others_are_dropped() {
    let core = answers();
    let mut before = serialport::new(core.path(), BAUD)
        .timeout(LONG)
        .open_native()
        .expect("open");
    let info = frame(1, layout::link::INFO.id, &[]);
    before.write_all(&info).expect("sent");
    while before.bytes_to_read().expect("a number") < 20 {
        std::thread::yield_now();
    }
    drop(before);
    let silent = block_on(async { open(&core).receive(SHORT).await });
    assert!(matches!(silent, Err(LinkError::Silent(_))), "{silent:?}");
}

#[test]
fn serial_rate_is_set_and_forgotten() {
    let core = answers();
    block_on(async {
        let mut link = open(&core);
        assert_eq!(link.rate(), Some(BAUD));
        link.set_rate(3_000_000).await.expect("set");
        assert_eq!(link.rate(), Some(3_000_000));
        assert_eq!(link.set_rate(0).await, Err(LinkError::Rate(0)));
        assert_eq!(link.rate(), Some(3_000_000));
        assert_eq!(probe::info(&mut link, LONG).await, Ok(info()));
        link.reopen().await.expect("still there");
        assert_eq!(link.rate(), Some(BAUD), "as it was opened first");
    });
}

#[test]
fn serial_hang_up_closes_until_reopened() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder.path().join("board");
    let plug = |core: &Core| std::os::unix::fs::symlink(core.path(), &name).expect("linked");
    let core = answers();
    plug(&core);
    block_on(async {
        let path = name.to_string_lossy();
        let mut link = SerialLink::open(Port::of(&path), BAUD).expect("open");
        drop(core);
        for _ in 0..2 {
            let closed = link.receive(LONG).await.expect_err("unplugged");
            let text = closed.to_string();
            assert!(matches!(closed, LinkError::Closed(_)), "{closed:?}");
            assert!(
                text.contains(&*path) && text.contains("unplugged"),
                "{text}"
            );
        }
        let is_closed = |end: Option<LinkError>| matches!(end, Some(LinkError::Closed(_)));
        assert!(is_closed(link.send(b"x").await.err()));
        assert!(is_closed(link.set_rate(BAUD).await.err()));
        std::fs::remove_file(&name).expect("unplugged");
        let missing = why_closed(link.reopen().await);
        assert!(missing.starts_with("there is no such port"), "{missing}");
        assert!(is_closed(link.receive(SHORT).await.err()));
        let core = answers();
        plug(&core);
        link.reopen().await.expect("it is back");
        assert_eq!(probe::info(&mut link, LONG).await, Ok(info()));
        assert_eq!(link.statistics().reopened, 1);
    });
}

fn usb(path: &str, serial: &str) -> Port {
    Port {
        path: path.into(),
        usb: Some(Usb {
            vid: 0x0403,
            pid: 0x6010,
            serial: Some(serial.into()),
            manufacturer: None,
            product: None,
            interface: Some(1),
        }),
    }
}

/// The present ports, for the test below.
static THERE: Mutex<Vec<Port>> = Mutex::new(Vec::new());

fn there() -> Vec<Port> {
    THERE.lock().expect("not poisoned").clone()
}

#[test]
fn serial_moved_device_is_found() {
    let (first, second) = (answers(), answers());
    block_on(async {
        let port = usb(first.path(), "A");
        let mut link = SerialLink::open_listed(port, BAUD, there).expect("open");
        let gone = why_closed(link.reopen().await);
        assert!(
            gone.starts_with("no such USB device is plugged in; there is no"),
            "{gone}"
        );
        let other = usb(first.path(), "B");
        *THERE.lock().expect("not poisoned") = vec![other, usb(second.path(), "A")];
        link.reopen().await.expect("found");
        assert_eq!(link.port(), &usb(second.path(), "A"));
        assert_eq!(probe::info(&mut link, LONG).await, Ok(info()));
        // The one it left is free.
        open(&first);
    });
}

#[test]
fn probe_without_an_answer_says_why() {
    let other = layout::PROTOCOL_VERSION + 1;
    let version = protocol::payload::link::Info {
        protocol_version: other,
        ..info()
    };
    for (behaviour, within, expected) in [
        (Behaviour::Silent, SHORT, ProbeError::Silent(Some(BAUD))),
        // The noise should come in that time.
        (Behaviour::Noise, SHORT * 100, ProbeError::Noise(Some(BAUD))),
        (
            Behaviour::Answers(version),
            LONG,
            ProbeError::Version(other),
        ),
    ] {
        let core = Core::start(behaviour);
        let answer = block_on(async { probe::info(&mut open(&core), within).await });
        assert_eq!(answer, Err(expected));
    }
}

/// The chosen port, or the error.
fn choose(
    target: &str,
    ports: &[Port],
    within: Duration,
    boards: Vec<Board>,
) -> Result<String, String> {
    let target: Target = target.parse().expect("a target");
    block_on(async {
        let chosen = survey::choose(&target, ports, BAUD, within, || boards).await;
        chosen
            .map(|link| link.port().path.clone())
            .map_err(|error| error.to_string())
    })
}

#[test]
fn choose_takes_the_only_port_that_answers() {
    let [silent, noise, right] = [
        Behaviour::Silent,
        Behaviour::Noise,
        Behaviour::Answers(info()),
    ]
    .map(Core::start);
    let ports = [
        usb(silent.path(), "A"),
        usb(noise.path(), "A"),
        usb(right.path(), "A"),
        Port::of("/dev/not-tried"),
    ];
    // The silent one is waited for as long as this.
    let within = Duration::from_secs(2);
    let chosen = choose("auto", &ports, within, Vec::new());
    assert_eq!(chosen.as_deref(), Ok(right.path()));
}

#[test]
fn choose_several_boards_are_named() {
    let (one, two) = (answers(), answers());
    let ports = [usb(one.path(), "A"), usb(two.path(), "B")];
    let error = choose("auto", &ports, LONG, Vec::new()).expect_err("which?");
    let parts = ["auto: several", one.path(), two.path(), "00c0ffee"];
    for part in parts.into_iter().chain(["VID:PID:SERIAL"]) {
        assert!(error.contains(part), "no {part} in {error}");
    }
    let chosen = choose("0403:6010:B", &ports, LONG, Vec::new());
    assert_eq!(chosen.as_deref(), Ok(two.path()));
}

#[test]
fn choose_without_a_board_names_each_answer() {
    let [silent, noise, taken] = [
        Behaviour::Silent,
        Behaviour::Noise,
        Behaviour::Answers(info()),
    ]
    .map(Core::start);
    let _open = block_on(async { open(&taken) });
    let ports = [
        usb(silent.path(), "A"),
        usb(noise.path(), "B"),
        usb(taken.path(), "C"),
        Port::of("/dev/not-tried"),
    ];
    let board = Board {
        pid: 1,
        address: "/run/board".into(),
        kind: "virtual".into(),
        about: "Tetris".into(),
        start: None,
    };
    let error = choose("auto", &ports, SHORT * 10, vec![board]).expect_err("nobody");
    for part in [
        "no board answers",
        &format!("{} (0403:6010, A): silent", silent.path()),
        &format!("{} (0403:6010, B): it sends bytes", noise.path()),
        &format!("{}: it is busy", taken.path()),
        "serial:/run/board",
    ] {
        assert!(error.contains(part), "no {part} in {error}");
    }
    assert!(!error.contains("not-tried"), "{error}");
    let no_usb = ["no USB serial port", "lockstep serve"];
    let other_usb = ["0403:6001: no such USB device", "0403:6010"];
    for (target, ports, words) in [
        ("auto", &ports[3..], no_usb),
        ("0403:6001", &ports, other_usb),
    ] {
        let error = choose(target, ports, LONG, Vec::new()).expect_err("no port");
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }
}
