//! `play --watch`: a board that stands still on the screen.

use super::pty::Terminal;
use super::*;

/// Waits until a move is drawn to its last line, which is told by `last`, and
/// gives the lines on the screen; the session is then ended.
fn watched(
    (rows, columns): (u16, u16),
    arguments: &[&str],
    step: &str,
    last: impl Fn(&[String]) -> bool,
) -> Vec<String> {
    let what = ["play", "--watch", "30", "--max-pieces", "1000000"];
    let mut terminal = Terminal::start((rows, columns), &[&what, arguments].concat(), &[]);
    let lines =
        terminal.wait_until(|lines| lines.iter().any(|line| line.contains(step)) && last(lines));
    terminal.interrupt();
    let (status, text) = terminal.end();
    assert_eq!(status, Some(130), "{text:?}");
    lines
}

#[test]
fn the_board_and_what_is_known_stand_on_the_screen() {
    let deep = [
        "--depth",
        "2",
        "--backend",
        "software",
        "--backend",
        "engine",
    ];
    for size in [(24, 80), (40, 120)] {
        let lines = watched(size, &deep, "piece 20", |lines| {
            lines.iter().filter(|line| line.contains("  |")).count() == 20
        });
        let screen = lines.join("\n");
        for part in [
            "game 1",
            "piece 20",
            " lines",
            "score ",
            "next ",
            "software",
            "2 backends agree",
        ] {
            let times = lines.iter().filter(|line| line.contains(part)).count();
            assert!(times >= 1, "{size:?}: no {part} in\n{screen}");
        }
        // One board, not the remains of twenty.
        let rows: Vec<&String> = lines.iter().filter(|line| line.contains("  |")).collect();
        assert_eq!(rows.len(), 20, "{size:?}:\n{screen}");
        assert_eq!(screen.matches("piece ").count(), 1, "{size:?}:\n{screen}");
    }
}

#[test]
fn a_board_that_is_too_large_is_cut_and_said_to_be() {
    let screen = |size, arguments: &[&str]| {
        let noted = |lines: &[String]| lines.iter().any(|line| line.contains("fit here"));
        watched(size, arguments, "piece 30", noted).join("\n")
    };
    let six = ["--controller", "led-tetris"];
    let small = screen((24, 80), &six);
    assert!(
        small.contains("75 of 96 columns, 21 of 64 rows fit here"),
        "{small}"
    );
    let wide = screen((40, 120), &six);
    assert!(
        wide.contains("96 of 96 columns, 37 of 64 rows fit here"),
        "{wide}"
    );
    let high = screen((24, 80), &["--backend", "software", "--board", "10x40"]);
    assert!(
        high.contains("10 of 10 columns, 22 of 40 rows fit here"),
        "{high}"
    );
}

/// The divergence stays when the game it ended is over.
#[test]
fn a_divergence_is_not_wiped_off_the_screen() {
    let what = [
        "play",
        "--watch",
        "1",
        "--games",
        "2",
        "--backend",
        "software",
        "--backend",
        FAULTY,
    ];
    let mut terminal = Terminal::start((60, 80), &what, &[]);
    let lines = terminal.wait_until(|lines| lines.iter().any(|l| l.contains("compared:")));
    let screen = lines.join("\n");
    for part in [
        "DIVERGENCE in game 1, move 1",
        "DIVERGENCE in game 2, move 1",
        "game 2 of 2",
        "|TTT",
    ] {
        assert!(screen.contains(part), "no {part} in\n{screen}");
    }
    assert_eq!(terminal.end().0, Some(1));
}

/// Below the board that its seat's backend decided on, a search reports its progress.
#[test]
fn search_watched_shows_progress_and_seat() {
    let seats = ["--backend", "yellow=engine", "--backend", "red=sim"];
    let depths = ["--seat", "yellow=flat:1", "--depth", "30"];
    let what = ["play", "--game", "connect4", "--watch", "30"];
    let arguments = [&what[..], &seats, &depths].concat();
    let mut terminal = Terminal::start((24, 80), &arguments, &[]);
    let has = |lines: &[String], part: &str| lines.iter().any(|line| line.contains(part));
    let lines = terminal.wait_until(|lines| has(lines, "move 2: sim, depth"));
    terminal.interrupt();
    let (status, text) = terminal.end();
    assert_eq!(status, Some(130), "{text:?}");
    assert!(has(&lines, "  engine"), "{lines:?}");
    assert!(!has(&lines, "backends agree"), "{lines:?}");
}
