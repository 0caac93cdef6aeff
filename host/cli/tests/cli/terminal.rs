//! Standard output as a terminal, as a pipe and closed early.

use std::io::{BufRead as _, BufReader};

use super::pty::Terminal;
use super::*;

const DIVERGING: [&str; 5] = ["play", "--backend", "software", "--backend", FAULTY];

/// Runs the program on a terminal of its own; its status and all it wrote.
pub(super) fn on_a_terminal(
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> (Option<i32>, String) {
    Terminal::start((24, 80), arguments, environment).end()
}

/// Whether it has colours or bold letters; moving the cursor is neither.
fn styled(text: &str) -> bool {
    let mut codes = text.split("\x1b[").skip(1);
    codes.any(|code| {
        code.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';')
            .starts_with('m')
    })
}

#[test]
fn a_terminal_shows_colours_unless_told_not_to() {
    let (status, text) = on_a_terminal(&DIVERGING, &[]);
    assert_eq!(status, Some(1), "{text:?}");
    assert!(styled(&text) && text.contains("DIVERGENCE"), "{text:?}");
    let (status, text) = on_a_terminal(&DIVERGING, &[("NO_COLOR", "1")]);
    assert_eq!(status, Some(1), "{text:?}");
    assert!(!styled(&text) && text.contains("DIVERGENCE"), "{text:?}");
}

#[test]
fn errors_are_red_on_a_terminal_unless_told_not_to() {
    for arguments in [["replay", "nowhere"], ["info", "--nothing"]] {
        let (status, text) = on_a_terminal(&arguments, &[]);
        assert_eq!(status, Some(2), "{text:?}");
        assert!(styled(&text) && text.contains("error:"), "{text:?}");
        let (_, text) = on_a_terminal(&arguments, &[("NO_COLOR", "1")]);
        assert!(!styled(&text) && text.contains("error:"), "{text:?}");
    }
}

#[test]
fn quiet_is_silent_on_a_terminal() {
    let quiet = [&["-q"], &DIVERGING[..]].concat();
    assert_eq!(on_a_terminal(&quiet, &[]), (Some(1), String::new()));
}

/// The summary on a terminal is JSON too, without a bar around it.
#[test]
fn json_on_a_terminal_is_pure() {
    let what = ["play", "--backend", "software", "--json", "-"];
    let (status, text) = on_a_terminal(&what, &[]);
    assert_eq!(
        (status, json(&text)["decisions"].as_u64()),
        (Some(0), Some(1000))
    );
}

#[test]
fn without_a_terminal_there_are_plain_lines_of_progress() {
    let long = ["play", "--backend", "engine", "--max-pieces", "2000"];
    let output = exits(0, &long);
    assert!(
        stdout(&output).contains("\n  1,000 of 2,000 decisions\n"),
        "{}",
        shown(&output)
    );
    for (status, arguments) in [
        (0, &long[..]),
        (1, &DIVERGING),
        (0, &["info", "--backend", "sim"]),
        (0, &["--help"]),
        (2, &["replay", "nowhere"]),
        (2, &["play", "--nothing"]),
    ] {
        let output = exits(status, arguments);
        let all = stdout(&output) + &stderr(&output);
        assert!(!all.contains(['\x1b', '\r']), "{arguments:?}: {all:?}");
    }
}

/// As with `| head -1`: nobody wants to hear that nobody listens.
#[test]
fn output_that_nobody_reads_ends_the_program_quietly() {
    let positions = crate::support::root().join("fixtures/tetris/placements.jsonl");
    let cases: [&[&str]; 4] = [
        &[
            "play",
            "--backend",
            "software",
            "--games",
            "1000",
            "--max-pieces",
            "20",
        ],
        &["play", "--games", "1000", "--max-pieces", "20"],
        &["decide", "--all"],
        &["faults", "--fault", "stale-run", "--max-decisions", "100"],
    ];
    for arguments in cases {
        let mut child = lockstep()
            .args(arguments)
            .stdin(File::open(&positions).expect("positions"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("lockstep runs");
        let mut reader = BufReader::new(child.stdout.take().expect("piped"));
        let mut line = String::new();
        reader.read_line(&mut line).expect("a line");
        assert!(!line.is_empty(), "{arguments:?} writes something");
        drop(reader);
        let output = child.wait_with_output().expect("lockstep ends");
        // As a shell gives the status of a program that SIGPIPE ended.
        assert_eq!(
            output.status.code(),
            Some(141),
            "{arguments:?}: {}",
            shown(&output)
        );
        assert_eq!(stderr(&output), "", "{arguments:?}");
    }
}
