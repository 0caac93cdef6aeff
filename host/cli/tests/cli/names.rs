//! Names of files that are odd, are not there or lead nowhere, and what is said of where bytes
//! could not go.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;

use super::*;

const GOOD: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../fixtures/records/bcts.jsonl"
);

/// A byte that is not UTF-8 is another sign in reports, and nothing is lost for it.
#[test]
fn a_name_that_is_not_utf8_is_told_as_well_as_it_can_be() {
    let folder = folder();
    let odd = folder.path().join(OsStr::from_bytes(b"odd-\xff.jsonl"));
    std::fs::copy(GOOD, &odd).expect("copied");
    let page = file(&folder, "page.html");
    let commands: [&[&str]; 5] = [
        &["record", "stats"],
        &["record", "verify"],
        &["record", "show"],
        &["replay", "--backend", "software", "--html", &page],
        &["explain", "--backend", "engine", "--backend", "software"],
    ];
    for command in commands {
        let mut program = lockstep();
        program.args(command).args(["--json", "-"]).arg(&odd);
        let ended = program.output().expect("it runs");
        assert_eq!(ended.status.code(), Some(0), "{}", shown(&ended));
        let told = json(&stdout(&ended)).to_string();
        assert!(told.contains("odd-\u{fffd}.jsonl"), "{command:?}: {told}");
    }
    assert!(text(&page).contains("odd-\u{fffd}.jsonl"));
}

/// Whoever reads a log line by line would take the second line of a name for a command.
#[test]
fn a_name_with_a_line_break_is_refused() {
    let folder = folder();
    let name = "a\n::error ::b.jsonl";
    let odd = file(&folder, name);
    std::fs::copy(GOOD, &odd).expect("copied");
    let inside = folder.path().to_str().expect("UTF-8");
    for named in [&odd, inside] {
        let ended = run(&["replay", named, "--backend", "software"], "");
        refused(&ended, &["line break", "a\\n::error ::b.jsonl"]);
        let all = stdout(&ended) + &stderr(&ended);
        assert!(!all.contains("\n::error"), "{all}");
    }
}

#[test]
fn a_record_that_is_not_there_is_told_with_what_helps() {
    let folder = folder();
    let none = file(&folder, "none.jsonl");
    let copy = file(&folder, "copy.jsonl.zst");
    let commands: [&[&str]; 4] = [
        &["replay", &none],
        &["record", "verify", &none],
        &["record", "stats", &none],
        &["record", "convert", &none, &copy],
    ];
    for command in commands {
        refused(&run(command, ""), &[&none, "no such file", "play --record"]);
    }
    let link = file(&folder, "link.jsonl");
    symlink("nowhere.jsonl", &link).expect("a link");
    let inside = folder.path().to_str().expect("UTF-8");
    let ended = run(&["replay", inside], "");
    refused(&ended, &[&link, "a link to nowhere.jsonl", "remove it"]);
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_is_full_is_named() {
    let commands: [&[&str]; 9] = [
        &["--help"],
        &["replay", "--help"],
        &["info", "--backend", "software"],
        &["controllers"],
        &["man"],
        &["completions", "bash"],
        &["record", "stats", GOOD],
        &["record", "stats", GOOD, "--json", "-"],
        &["replay", GOOD, "--backend", "software"],
    ];
    let mut wrong = Vec::new();
    for command in commands {
        let full = File::options().write(true).open("/dev/full");
        let mut program = lockstep();
        program.args(command).stdout(full.expect("Linux has it"));
        let ended = program.output().expect("it runs");
        wrong.extend(misrefused(&ended, &["standard output", "No space left"]));
    }
    none(&wrong);
}
