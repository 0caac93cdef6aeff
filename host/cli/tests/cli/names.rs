//! Unusual, missing and dangling file names, and a full standard output.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt as _;

use super::*;

const GOOD: &str = "fixtures/records/bcts.jsonl";

/// In reports, another character replaces a byte that is not UTF-8, and nothing else is lost.
#[test]
fn name_invalid_utf8_is_reported() {
    let place = Place::new();
    let folder = place.file("");
    let odd = [folder.as_bytes(), b"odd-\xff.jsonl"].concat();
    let odd = OsStr::from_bytes(&odd);
    std::fs::copy(root().join(GOOD), odd).expect("copied");
    for line in [
        "record stats --json -",
        "record verify --json -",
        "record show --json -",
        "replay --backend software --html {}/page.html --json -",
        "explain --backend engine --backend software --json -",
    ] {
        let output = place.command(line).arg(odd).output().expect("it runs");
        ended(0, &output);
        has(&stdout(&output), "odd-\u{fffd}.jsonl");
    }
    has(&place.text("page.html"), "odd-\u{fffd}.jsonl");
}

/// A CI system could take the second line of a name in its log for a command.
#[test]
fn name_with_line_break_is_refused() {
    let place = Place::new();
    let odd = place.file("a\n::error ::b.jsonl");
    std::fs::copy(root().join(GOOD), &odd).expect("copied");
    for named in [&odd, &place.file("")] {
        let mut command = place.command("replay --backend software");
        let output = command.arg(named).output().expect("it runs");
        refused(&output, &["line break", "a\\n::error ::b.jsonl"]);
        let all = stdout(&output) + &stderr(&output);
        assert!(!all.contains("\n::error"), "{all}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_standard_output_is_named() {
    let mut wrong = Vec::new();
    for line in [
        "--help",
        "replay --help",
        "info --backend software",
        "controllers",
        "man",
        "completions bash",
        "record stats fixtures/records/bcts.jsonl",
        "record stats fixtures/records/bcts.jsonl --json -",
        "replay fixtures/records/bcts.jsonl --backend software",
    ] {
        let full = File::options().write(true).open("/dev/full");
        let mut program = Place::new().command(line);
        let output = program.stdout(full.expect("Linux has it")).output();
        let named = ["standard output", "No space left"];
        wrong.extend(misrefused(&output.expect("it runs"), &named));
    }
    none(&wrong);
}
