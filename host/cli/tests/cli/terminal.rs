//! Output to a terminal and to a pipe.

use super::pty::Terminal;
use super::*;

/// Runs the program on a pseudo-terminal; returns its exit status and all output.
pub fn on_a_terminal(
    place: &Place,
    line: &str,
    environment: &[(&str, &str)],
) -> (Option<i32>, String) {
    Terminal::start((24, 80), &place.words(line), environment).end()
}

/// Whether a text has colours or bold letters; control codes that move the cursor do not count.
fn styled(text: &str) -> bool {
    let mut codes = text.split("\x1b[").skip(1);
    codes.any(|code| {
        code.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';')
            .starts_with('m')
    })
}

#[test]
fn terminal_without_no_color_shows_colours() {
    let place = Place::new();
    let divergence = format!("play --backend software --backend {FAULTY}");
    for (status, line, part) in [
        (1, &*divergence, "DIVERGENCE"),
        (2, "replay nowhere", "error:"),
        (2, "info --nothing", "error:"),
    ] {
        for (environment, colours) in [(&[][..], true), (&[("NO_COLOR", "1")], false)] {
            let (ended, text) = on_a_terminal(&place, line, environment);
            assert_eq!((ended, styled(&text)), (Some(status), colours), "{text:?}");
            has(&text, part);
        }
    }
}

#[test]
fn pipe_gets_plain_lines_of_progress() {
    let place = Place::new();
    let report = place.ok("play --backend engine --max-pieces 2000");
    has(&report, "\n  1,000 of 2,000 decisions\n");
    for line in ["info --backend sim", "--help"] {
        assert!(!place.ok(line).contains(['\x1b', '\r']), "{line}");
    }
}
