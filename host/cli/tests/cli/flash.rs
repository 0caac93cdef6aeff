//! `lockstep flash`, with a shell script for openFPGALoader.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Output;

use protocol::layout::{GameTable, connect4, tetris};

use super::*;

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

fn of_game(game: &GameTable, build: u32) -> Vec<u8> {
    let (name, layout) = (game.name, game.layout_hash());
    let text = format!("lockstep board=ulx3s game={name} build={build:08x} layout={layout:08x}");
    bitstream(&text, build)
}

/// A folder with a bitstream and an openFPGALoader, which writes its arguments to a file and runs
/// `script`.
fn desk(script: &str) -> Place {
    let place = Place::new();
    place.put("lockstep.bit", of_game(&tetris::GAME, 0x0123_abcd));
    let arguments = place.file("arguments");
    let script = format!("#!/bin/sh\necho \"$@\" > '{arguments}'\n{script}\n");
    let loader = place.put("openFPGALoader", script);
    std::fs::set_permissions(loader, Permissions::from_mode(0o755)).expect("it may be run");
    place
}

/// Runs `lockstep flash` with the loader on PATH.
fn flash(place: &Place, line: &str) -> Output {
    let mut command = place.command(&format!("flash {line}"));
    command.env("PATH", format!("{}:/usr/bin:/bin", place.file("")));
    command.output().expect("lockstep runs")
}

fn was_loaded(place: &Place) -> bool {
    place.names().contains(&"arguments".to_owned())
}

#[test]
fn flash_describes_and_loads() {
    let place = desk("echo Load SRAM: 100%");
    let layout = format!("layout {:08x}", tetris::GAME.layout_hash());
    has(
        &ended(0, &flash(&place, "{}/lockstep.bit")),
        &format!(
            "tetris for the board ulx3s | RTL build 0123abcd | {layout} | another build | \
             Load SRAM: 100%"
        ),
    );
    let bit = place.file("lockstep.bit");
    let sram = format!("-b ulx3s --write-sram {bit}\n");
    assert_eq!(place.text("arguments"), sram);
    let output = flash(&place, "--permanent --board ulx3s -q {}/lockstep.bit");
    assert_eq!(ended(0, &output), "");
    let flash = format!("-b ulx3s --write-flash {bit}\n");
    assert_eq!(place.text("arguments"), flash);
}

#[test]
fn flash_check_loads_nothing() {
    let place = desk("");
    place.put("four.bit", of_game(&connect4::GAME, 7));
    let described = ended(0, &flash(&place, "--check {}/four.bit"));
    has(
        &described,
        "connect4 for the board ulx3s, RTL build 00000007",
    );
    assert!(!was_loaded(&place));
}

/// A refused file never reaches a board; the crate `flash` tests which formats are refused.
#[test]
fn flash_refused_names_remedy() {
    let place = desk("echo 'device not found' >&2; exit 3");
    place.put("empty.bit", "");
    place.put("other.bit", bitstream("Lattice Diamond", 1));
    for (line, parts) in rows(
        "
        {}/empty.bit => empty; make it again with `make bitstream`
        {}/other.bit => it has no build id
        {} => it is not a file
        {}/missing.bit => there is no such file
        --board nexys4 {}/lockstep.bit => expected a bitstream for nexys4, got one for ulx3s
        --loader /no/loader {}/lockstep.bit => install it
        ",
    ) {
        refused(&flash(&place, line), &parts);
        assert!(!was_loaded(&place), "{line}");
    }
    let output = flash(&place, "{}/lockstep.bit");
    refused(
        &output,
        &["device not found", "exit status: 3", "connected"],
    );
}
