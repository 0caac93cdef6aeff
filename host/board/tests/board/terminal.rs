//! A board behind a pseudo-terminal, opened as the serial port it stands for.

use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use lockstep_board::{BoardError, Entrance, Options, Server};
use serialport::{SerialPort as _, TTYPort};
use tempfile::TempDir;

use crate::support::{
    BAUD, Client, HANGS, Running, block_on, options, ping, pong, set_rate, until,
};

/// A board, and the path of its terminal.
pub struct Served {
    pub running: Running,
    pub path: PathBuf,
    folder: TempDir,
}

impl Served {
    pub fn start(change: impl FnOnce(Options) -> Options) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("board");
        let running = Running::start(change(options(Entrance::Terminal(path.clone()))));
        assert_eq!(running.address.to_string(), path.to_string_lossy());
        Self {
            running,
            path,
            folder,
        }
    }

    /// The terminal that it leads to.
    fn terminal(&self) -> PathBuf {
        std::fs::read_link(&self.path).expect("a link")
    }

    /// Waits until the client of a terminal is known to be gone.
    fn wait_for_another_than(&self, terminal: &Path) {
        until(|| (self.terminal() != terminal).then_some(()));
    }

    /// Ends it; nothing is left of its path.
    pub fn stop(self) -> lockstep_board::Served {
        let served = self.running.stop();
        let left = std::fs::read_dir(self.folder.path()).expect("a folder");
        assert_eq!(left.count(), 0, "something is left");
        served
    }
}

/// Opens the terminal as any serial program does; `None` while it is not there, or
/// still that of somebody else.
pub fn try_open(path: &Path, baud: u32) -> Option<Client<TTYPort>> {
    let port = serialport::new(path.to_string_lossy(), baud).timeout(HANGS);
    port.open_native().ok().map(Client::new)
}

fn open(path: &Path, baud: u32) -> Client<TTYPort> {
    until(|| try_open(path, baud))
}

#[test]
fn it_answers_byte_for_byte() {
    let served = Served::start(|options| options);
    let mut client = open(&served.path, BAUD);
    // Any byte that a terminal might take for a control character.
    for nonce in [0, 0x0313_0d0a_1104_7f1c, u64::MAX] {
        client.send(&ping(0x1a0d, nonce)).expect("sent");
        let mut answer = vec![0; ping(0x1a0d, nonce).len()];
        client.stream.read_exact(&mut answer).expect("an answer");
        assert_eq!(answer, pong(0x1a0d, nonce));
    }
    let info = client.info().expect("answered");
    assert_eq!(info.build_id, crate::support::power().variant.build_id);
    drop(client);
    let passed = served.stop();
    assert_eq!((passed.clients, passed.frames, passed.decisions), (1, 4, 0));
    assert!(passed.cycles > 0 && passed.framing_errors == 0);
}

/// At another rate than the core's nothing is understood; at the right one it is.
#[test]
fn the_rate_that_the_client_sets_is_that_of_the_line() {
    let mut served = Served::start(|options| options);
    let mut client = open(&served.path, 115_200);
    let mut sent = 0;
    for wrong in [115_200, BAUD * 2 / 3, BAUD * 2] {
        client.stream.set_baud_rate(wrong).expect("set");
        client.send(&ping(1, 1)).expect("sent");
        sent += ping(1, 1).len() as u64;
        served.running.wait_until_it_sleeps_after(sent);
        assert_eq!(client.stream.bytes_to_read().expect("told"), 0, "{wrong}");
    }
    client.stream.set_baud_rate(BAUD).expect("set");
    client.ping().expect("answered");
    assert!(
        client.stats().expect("answered").malformed > 0,
        "no garbage came"
    );

    // Both ends go to a rate that is no constant of any system.
    let mut answer = vec![0; 9];
    client.send(&set_rate(2, 1_234_567)).expect("sent");
    client.stream.read_exact(&mut answer).expect("an answer");
    client.stream.set_baud_rate(1_234_567).expect("set");
    client.ping().expect("answered");
    drop(client);
    served.stop();
}

#[test]
fn one_client_comes_after_the_other() {
    let served = Served::start(|options| options);
    for _ in 0..5 {
        let terminal = served.terminal();
        open(&served.path, BAUD).ping().expect("answered");
        served.wait_for_another_than(&terminal);
    }
    // One that is so quick that nobody sees the last one go has its terminal.
    for _ in 0..5 {
        open(&served.path, BAUD).ping().expect("answered");
    }
    assert!((6..=10).contains(&served.stop().clients));
}

/// A client that is killed leaves its terminal locked, and an answer unread: the
/// next one gets another terminal, under the same path.
#[test]
fn a_killed_client_leaves_nothing_behind() {
    let served = Served::start(|options| options);
    let first = served.terminal();
    let script = r#"exec 3<>"$0"; printf '%b' "$1" >&3; kill -9 $$"#;
    let asked: String = ping(1, 1).iter().map(|b| format!("\\0{b:03o}")).collect();
    let mut shell = Command::new("bash");
    let killed = shell.args(["-c", script]).arg(&served.path).arg(asked);
    assert_eq!(killed.status().expect("a shell").code(), None, "not killed");
    served.wait_for_another_than(&first);
    let mut client = open(&served.path, BAUD);
    client.send(&[0]).expect("sent");
    client.send(&ping(2, 2)).expect("sent");
    client
        .receive(2, protocol::layout::link::PONG.id)
        .expect("answered");
    drop(client);
    assert_eq!(served.stop().clients, 2);
}

/// Whoever opens it and says nothing is no client.
#[test]
fn once_is_for_one_client_that_says_something() {
    let served = Served::start(|options| Options {
        once: true,
        ..options
    });
    let first = served.terminal();
    drop(open(&served.path, BAUD));
    served.wait_for_another_than(&first);
    open(&served.path, BAUD).ping().expect("answered");
    assert_eq!(served.running.end().clients, 1);
    assert!(!served.path.is_symlink());
}

/// What a client sends faster than the core takes it waits at the client.
#[test]
fn a_flood_is_not_kept() {
    let served = Served::start(|options| options);
    let mut file = std::fs::OpenOptions::new();
    file.read(true).write(true);
    let mut flood = file
        .custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32)
        .open(&served.path)
        .expect("opened");
    let mut kept = 0;
    let full = loop {
        match flood.write(&[0; 4096]) {
            Ok(count) => kept += count,
            Err(error) => break error,
        }
        assert!(kept < 1_000_000, "all of it is kept");
    };
    assert_eq!(full.kind(), std::io::ErrorKind::WouldBlock);
    let terminal = served.terminal();
    drop(flood);
    served.wait_for_another_than(&terminal);
    open(&served.path, BAUD).ping().expect("answered");
    assert_eq!(served.stop().clients, 2);
}

#[test]
fn a_path_that_is_taken_is_refused() {
    let served = Served::start(|options| options);
    let refused = |path: &Path| {
        let options = options(Entrance::Terminal(path.into()));
        block_on(Server::open(&options)).err().expect("refused")
    };
    let error = refused(&served.path);
    assert!(matches!(error, BoardError::InUse { .. }), "{error}");
    assert!(error.to_string().contains("lockstep boards"), "{error}");
    let file = served.folder.path().join("file");
    std::fs::write(&file, "mine").expect("written");
    let error = refused(&file);
    assert!(matches!(error, BoardError::Taken(_)), "{error}");
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), "mine");
    std::fs::remove_file(&file).expect("removed");
    let error = refused(&served.folder.path().join("no/such/folder"));
    assert!(matches!(error, BoardError::Link { .. }), "{error}");
    open(&served.path, BAUD).ping().expect("still there");
    served.stop();
}
