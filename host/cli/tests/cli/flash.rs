//! `lockstep flash`, with a made-up openFPGALoader.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{PROGRAM, lockstep, run, stderr, stdout};

/// A bitstream as ecppack writes it, shorter.
fn bitstream(build: u32, layout: u32) -> Vec<u8> {
    let mut games = protocol::layout::GAMES.iter();
    let game = games.find(|game| game.layout_hash() == layout);
    let game = game.map_or("unknown", |game| game.name);
    let comment = format!("lockstep board=ulx3s game={game} build={build:08x} layout={layout:08x}");
    let mut bytes = vec![0xff, 0];
    bytes.extend(comment.bytes());
    bytes.extend([0, 0xff, 0xff, 0xff, 0xbd, 0xb3, 0xff, 0xff, 0xff, 0xff]);
    bytes.extend([
        0x3b, 0, 0, 0, 0xe2, 0, 0, 0, 0x41, 0x11, 0x30, 0x43, 0xc2, 0x80, 0, 0,
    ]);
    bytes.extend(build.to_be_bytes());
    bytes.extend([1, 2, 0x5e, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
    bytes
}

fn layout() -> u32 {
    protocol::layout::tetris::GAME.layout_hash()
}

struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let desk = Self { folder };
        desk.put("lockstep.bit", &bitstream(0x0123_abcd, layout()));
        desk
    }

    fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).expect("written");
        path
    }

    /// An openFPGALoader that writes down what it was called with, then does this.
    fn loader(&self, script: &str) -> PathBuf {
        let arguments = self.folder.path().join("arguments");
        let script = format!(
            "#!/bin/sh\necho \"$@\" > '{}'\n{script}\n",
            arguments.display()
        );
        let path = self.put("openFPGALoader", script.as_bytes());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let all = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(&path, all).expect("it may be run");
        }
        path
    }

    /// What the loader was called with; `None` if it was not.
    fn called(&self) -> Option<String> {
        std::fs::read_to_string(self.folder.path().join("arguments")).ok()
    }

    fn file(&self) -> String {
        self.folder
            .path()
            .join("lockstep.bit")
            .display()
            .to_string()
    }

    /// With its loader as the only program on PATH.
    fn flash(&self, arguments: &[&str]) -> Output {
        let mut command = lockstep();
        command.arg("flash").args(arguments);
        let path = format!("{}:/usr/bin:/bin", self.folder.path().display());
        command.env("PATH", path).output().expect("lockstep runs")
    }
}

fn assert_fails(output: &Output, parts: &[&str]) {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = stderr(output);
    for part in parts {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
}

#[test]
fn a_bitstream_is_described_and_loaded() {
    let desk = Desk::new();
    desk.loader(
        "printf '\\rLoad SRAM: [==   ] 45.00%%'; printf '\\rLoad SRAM: [=====] 100.00%%\\nDone\\n'",
    );
    let output = desk.flash(&[&desk.file()]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let told = stdout(&output);
    let layout = format!("layout {:08x}", layout());
    for part in [
        "tetris for the board ulx3s",
        "RTL build 0123abcd",
        &layout,
        "another build",
    ] {
        assert!(told.contains(part), "{part} is not in: {told}");
    }
    // No bar where there is no terminal.
    assert_eq!(stderr(&output), "");
    let called = desk.called().expect("it was called");
    assert_eq!(
        called.trim_end(),
        format!("-b ulx3s --write-sram {}", desk.file())
    );

    let output = desk.flash(&["--permanent", "--board", "ulx3s", "-q", &desk.file()]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(stdout(&output), "");
    let called = desk.called().expect("it was called");
    assert_eq!(
        called.trim_end(),
        format!("-b ulx3s --write-flash {}", desk.file())
    );
}

#[test]
fn a_look_alone_loads_nothing() {
    let desk = Desk::new();
    desk.loader("");
    let output = desk.flash(&["--check", &desk.file()]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(stdout(&output).contains("0123abcd"), "{output:?}");
    let layout = protocol::layout::connect4::GAME.layout_hash();
    let other = desk.put("four.bit", &bitstream(7, layout));
    let output = desk.flash(&["--check", &other.display().to_string()]);
    let told = "connect4 for the board ulx3s, RTL build 00000007";
    assert!(stdout(&output).contains(told), "{output:?}");
    assert_eq!(desk.called(), None);
}

#[test]
fn what_the_loader_says_when_it_fails_is_told() {
    let desk = Desk::new();
    desk.loader("echo 'unable to open ftdi device: -3 (device not found)' >&2; exit 1");
    let output = desk.flash(&[&desk.file()]);
    assert_fails(
        &output,
        &["exit status: 1", "device not found", "connected"],
    );
    desk.loader("i=0; while test $i -lt 20000; do echo line $i; i=$((i+1)); done; exit 3");
    let output = desk.flash(&[&desk.file()]);
    assert_fails(&output, &["exit status: 3", "line 19999"]);
    assert!(!stderr(&output).contains("line 19900"), "{output:?}");
}

#[test]
fn without_a_loader_it_is_said_where_to_get_one() {
    let desk = Desk::new();
    // None on this PATH, even if there is one on this machine.
    let mut command = Command::new(PROGRAM);
    command.args(["flash", &desk.file()]);
    let output = command.env("PATH", "/no/such/folder").output();
    let output = output.expect("lockstep runs");
    assert_fails(&output, &["openFPGALoader", "install it", "--loader"]);
    let missing = desk.folder.path().join("missing");
    let output = run(
        &[
            "flash",
            &desk.file(),
            "--loader",
            &missing.display().to_string(),
        ],
        "",
    );
    assert_fails(&output, &["missing", "--loader"]);
}

/// Nothing of what is refused reaches a board.
#[test]
fn what_is_no_bitstream_for_a_board_is_refused() {
    let desk = Desk::new();
    desk.loader("");
    let refused = |bytes: &[u8], parts: &[&str]| {
        let path = desk.put("bad.bit", bytes).display().to_string();
        assert_fails(&desk.flash(&[&path]), parts);
    };
    let whole = bitstream(0x0123_abcd, layout());
    refused(&[], &["bad.bit", "empty", "make bitstream"]);
    refused(b"#!/bin/sh\n", &["no bitstream"]);
    refused(&whole[..whole.len() - 9], &["damaged", "make bitstream"]);
    refused(&[0xff, 0], &["damaged"]);
    let other = layout() ^ 1;
    let spoken = format!("{:08x}: tetris", layout());
    refused(&bitstream(1, other), &[&format!("{other:08x}"), &spoken]);
    let mut changed = whole.clone();
    changed[2..10].copy_from_slice(b"whatever");
    refused(&changed, &["does not say which build"]);
    let output = desk.flash(&["--board", "nexys4", &desk.file()]);
    assert_fails(&output, &["board ulx3s, not for nexys4"]);
    let folder: &Path = desk.folder.path();
    assert_fails(
        &desk.flash(&[&folder.display().to_string()]),
        &["it is no file"],
    );
    let missing = folder.join("missing.bit").display().to_string();
    assert_fails(&desk.flash(&[&missing]), &["missing.bit", "No such file"]);
    assert_eq!(desk.called(), None);
}
