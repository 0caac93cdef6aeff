//! `lockstep flash`, with a shell script for openFPGALoader.

use std::path::PathBuf;
use std::process::Output;

use crate::support::*;

/// A short bitstream in ecppack's format; `text` is its comment.
fn bitstream(text: &str, build: u32) -> Vec<u8> {
    let mut bytes = vec![0xff, 0];
    bytes.extend(text.bytes());
    bytes.extend([0, 0xff, 0xff, 0xff, 0xbd, 0xb3, 0xff, 0xff, 0xff, 0xff]);
    bytes.extend([
        0x3b, 0, 0, 0, 0xe2, 0, 0, 0, 0x41, 0x11, 0x30, 0x43, 0xc2, 0x80, 0, 0,
    ]);
    bytes.extend(build.to_be_bytes());
    bytes.extend([1, 2, 0x5e, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
    bytes
}

fn of_game(game: &protocol::layout::GameTable, build: u32) -> Vec<u8> {
    let (name, layout) = (game.name, game.layout_hash());
    let text = format!("lockstep board=ulx3s game={name} build={build:08x} layout={layout:08x}");
    bitstream(&text, build)
}

/// A folder with a bitstream and an openFPGALoader.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    /// The loader writes its arguments to a file, then runs `script`.
    fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let desk = Self { folder };
        desk.put(
            "lockstep.bit",
            &of_game(&protocol::layout::tetris::GAME, 0x0123_abcd),
        );
        let arguments = desk.path("arguments");
        let script = format!("#!/bin/sh\necho \"$@\" > '{arguments}'\n{script}\n");
        let loader = desk.put("openFPGALoader", script.as_bytes());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let all = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(loader, all).expect("it may be run");
        }
        desk
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).expect("written");
        path
    }

    /// The arguments of the loader; `None` if it was not run.
    fn loaded_with(&self) -> Option<String> {
        let arguments = std::fs::read_to_string(self.path("arguments")).ok()?;
        Some(arguments.trim_end().to_owned())
    }

    /// Runs `lockstep flash` with the loader on PATH.
    fn flash(&self, options: &[&str], file: &str) -> Output {
        let path = format!("{}:/usr/bin:/bin", self.folder.path().display());
        let mut command = lockstep();
        command.arg("flash").args(options).arg(self.path(file));
        command.env("PATH", path).output().expect("lockstep runs")
    }
}

#[test]
fn flash_describes_and_loads() {
    let desk = Desk::new("echo Load SRAM: 100%");
    let output = desk.flash(&[], "lockstep.bit");
    ended(0, &output);
    let layout = format!(
        "layout {:08x}",
        protocol::layout::tetris::GAME.layout_hash()
    );
    for part in [
        "tetris for the board ulx3s",
        "RTL build 0123abcd",
        &layout,
        "another build",
        "Load SRAM: 100%",
    ] {
        has(&stdout(&output), part);
    }
    let sram = format!("-b ulx3s --write-sram {}", desk.path("lockstep.bit"));
    assert_eq!(desk.loaded_with(), Some(sram));

    let options = ["--permanent", "--board", "ulx3s", "-q"];
    let output = desk.flash(&options, "lockstep.bit");
    ended(0, &output);
    assert_eq!(stdout(&output), "");
    let flash = format!("-b ulx3s --write-flash {}", desk.path("lockstep.bit"));
    assert_eq!(desk.loaded_with(), Some(flash));
}

#[test]
fn flash_check_loads_nothing() {
    let desk = Desk::new("");
    desk.put("four.bit", &of_game(&protocol::layout::connect4::GAME, 7));
    let output = desk.flash(&["--check"], "four.bit");
    ended(0, &output);
    let described = "connect4 for the board ulx3s, RTL build 00000007";
    assert!(stdout(&output).contains(described), "{output:?}");
    assert_eq!(desk.loaded_with(), None);
}

/// A refused file never reaches a board; the crate `flash` tests which formats are refused.
#[test]
fn flash_refused_names_remedy() {
    let desk = Desk::new("echo 'device not found' >&2; exit 3");
    desk.put("empty.bit", &[]);
    desk.put("script.bit", b"#!/bin/sh\n");
    desk.put("other.bit", &bitstream("Lattice Diamond", 1));
    let (nexys4, loader) = (["--board", "nexys4"], ["--loader", "/no/loader"]);
    for (options, file, part) in [
        (
            &[][..],
            "empty.bit",
            "empty; make it again with `make bitstream`",
        ),
        (&[], "script.bit", "no bitstream"),
        (&[], "other.bit", "it has no build id"),
        (&[], "", "it is no file"),
        (&[], "missing.bit", "No such file"),
        (
            &nexys4,
            "lockstep.bit",
            "expected a bitstream for nexys4, got one for ulx3s",
        ),
        (&loader, "lockstep.bit", "install it"),
    ] {
        let output = desk.flash(options, file);
        ended(2, &output);
        has(&stderr(&output), part);
        assert_eq!(desk.loaded_with(), None, "{file}");
    }
    let output = desk.flash(&[], "lockstep.bit");
    ended(2, &output);
    for part in ["device not found", "exit status: 3", "connected"] {
        has(&stderr(&output), part);
    }
}
