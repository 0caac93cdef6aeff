//! A board behind a pseudo-terminal that clients open as a serial port.

use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use lockstep_board::{Endpoint, Options, Server};
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
        let running = Running::start(change(options(Endpoint::Terminal(path.clone()))));
        assert_eq!(running.address.to_string(), path.to_string_lossy());
        Self {
            running,
            path,
            folder,
        }
    }

    /// The terminal that the path leads to.
    fn terminal(&self) -> PathBuf {
        std::fs::read_link(&self.path).expect("a link")
    }

    /// Waits until the server has noticed that the client of a terminal has left.
    fn wait_for_another_than(&self, terminal: &Path) {
        until(|| (self.terminal() != terminal).then_some(()));
    }

    /// Stops the server and checks that its path is removed.
    pub fn stop(self) -> lockstep_board::Served {
        let served = self.running.stop();
        let left = std::fs::read_dir(self.folder.path()).expect("a folder");
        assert_eq!(left.count(), 0, "something is left");
        served
    }
}

/// Opens the terminal as a serial program does; `None` if it does not exist or is in use.
pub fn try_open(path: &Path, baud: u32) -> Option<Client<TTYPort>> {
    let port = serialport::new(path.to_string_lossy(), baud).timeout(HANGS);
    port.open_native().ok().map(Client::new)
}

fn open(path: &Path, baud: u32) -> Client<TTYPort> {
    until(|| try_open(path, baud))
}

#[test]
fn terminal_board_answers_byte_for_byte() {
    let served = Served::start(|options| options);
    let mut client = open(&served.path, BAUD);
    // Bytes that a terminal might interpret as control characters.
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

#[test]
fn terminal_rate_of_client_is_rate_of_line() {
    let mut served = Served::start(|options| options);
    let mut client = open(&served.path, 115_200);
    let mut sent = 0;
    for wrong in [115_200, BAUD * 2 / 3, BAUD * 2] {
        client.stream.set_baud_rate(wrong).expect("set");
        client.send(&ping(1, 1)).expect("sent");
        sent += ping(1, 1).len() as u64;
        served.running.wait_until_it_sleeps_after(sent);
        assert_eq!(
            client.stream.bytes_to_read().expect("a number"),
            0,
            "{wrong}"
        );
    }
    client.stream.set_baud_rate(BAUD).expect("set");
    client.ping().expect("answered");
    assert!(
        client.stats().expect("answered").malformed > 0,
        "no garbage came"
    );

    // Both ends change to a non-standard rate.
    let mut answer = vec![0; 9];
    client.send(&set_rate(2, 1_234_567)).expect("sent");
    client.stream.read_exact(&mut answer).expect("an answer");
    client.stream.set_baud_rate(1_234_567).expect("set");
    client.ping().expect("answered");
    drop(client);
    served.stop();
}

#[test]
fn terminal_serves_one_client_after_other() {
    let served = Served::start(|options| options);
    for _ in 0..5 {
        let terminal = served.terminal();
        open(&served.path, BAUD).ping().expect("answered");
        served.wait_for_another_than(&terminal);
    }
    // A client that opens the terminal before the server notices that the last one has left.
    for _ in 0..5 {
        open(&served.path, BAUD).ping().expect("answered");
    }
    assert!((6..=10).contains(&served.stop().clients));
}

/// A killed client leaves its terminal locked and a reply unread; the next client gets another
/// terminal under the same path.
#[test]
fn terminal_killed_client_does_not_affect_next() {
    let served = Served::start(|options| options);
    let first = served.terminal();
    let script = r#"exec 3<>"$0"; printf '%b' "$1" >&3; kill -9 $$"#;
    let request: String = ping(1, 1).iter().map(|b| format!("\\0{b:03o}")).collect();
    let mut shell = Command::new("bash");
    let killed = shell.args(["-c", script]).arg(&served.path).arg(request);
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

/// Opening the terminal without sending a byte does not count as a client.
#[test]
fn terminal_once_ends_after_client_that_sent_bytes() {
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

/// A client that sends faster than the core receives has to wait.
#[test]
fn terminal_flood_blocks_client() {
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
        assert!(kept < 1_000_000, "all bytes are kept");
    };
    assert_eq!(full.kind(), std::io::ErrorKind::WouldBlock);
    let terminal = served.terminal();
    drop(flood);
    served.wait_for_another_than(&terminal);
    open(&served.path, BAUD).ping().expect("answered");
    assert_eq!(served.stop().clients, 2);
}

#[test]
fn terminal_path_in_use_is_refused() {
    let served = Served::start(|options| options);
    let file = served.folder.path().join("file");
    std::fs::write(&file, "mine").expect("written");
    let nowhere = served.folder.path().join("no/such/folder");
    for (path, words) in [
        (&served.path, "lockstep boards"),
        (&file, "it exists, and is not a link"),
        (&nowhere, "there is no such folder"),
    ] {
        let options = options(Endpoint::Terminal(path.clone()));
        let error = block_on(Server::open(&options)).err().expect("refused");
        assert!(error.to_string().contains(words), "{error}");
    }
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), "mine");
    std::fs::remove_file(&file).expect("removed");
    open(&served.path, BAUD).ping().expect("still there");
    served.stop();
}
