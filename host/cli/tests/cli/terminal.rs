//! Standard output as a terminal, as a pipe and closed early.

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
