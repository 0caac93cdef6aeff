//! `play --watch`: a board that is redrawn in place.

use super::pty::Terminal;
use super::*;

/// Interrupts a session once its screen satisfies `right`; returns that screen.
fn watched(size: (u16, u16), line: &str, right: impl Fn(&str) -> bool) -> String {
    let line = format!("play --watch 30 --max-moves 1000000 {line}");
    let mut terminal = Terminal::start(size, &Place::new().words(&line), &[]);
    let lines = terminal.wait_until(|lines| right(&lines.join("\n")));
    terminal.interrupt();
    let (status, text) = terminal.end();
    assert_eq!(status, Some(130), "{text:?}");
    lines.join("\n")
}

#[test]
fn watch_draws_one_board_in_place() {
    for size in [(24, 80), (40, 120)] {
        let deep = "--depth 2 --backend software --backend engine";
        let rows = |screen: &str| screen.lines().filter(|line| line.contains("  |")).count();
        let screen = watched(size, deep, |screen| {
            screen.contains("piece 20") && rows(screen) == 20
        });
        has(
            &screen,
            "game 1 |  lines | score  | next  | software | 2 backends agree",
        );
        // Not the remains of twenty.
        assert_eq!(screen.matches("piece ").count(), 1, "{size:?}:\n{screen}");
    }
}

#[test]
fn watch_of_large_board_reports_the_cut() {
    let six = "--controller led-tetris";
    let high = "--backend software --board 10x40";
    for (size, line, cut) in [
        ((24, 80), six, "75 of 96 columns, 20 of 64 rows fit here"),
        ((40, 120), six, "96 of 96 columns, 36 of 64 rows fit here"),
        ((24, 80), high, "10 of 10 columns, 20 of 40 rows fit here"),
    ] {
        watched(size, line, |screen| {
            screen.contains("piece 30") && screen.contains(cut)
        });
    }
}

/// The divergence stays on the screen after the game that it ended.
#[test]
fn watch_keeps_divergence_on_screen() {
    let line = format!(
        "play --watch 1 --games 2 --max-divergences 2 --backend software --backend {FAULTY}"
    );
    let mut terminal = Terminal::start((60, 80), &Place::new().words(&line), &[]);
    let lines = terminal.wait_until(|lines| lines.iter().any(|l| l.contains("compared:")));
    let divergence = "DIVERGENCE in game 1, move 1 | DIVERGENCE in game 2, move 1";
    has(&lines.join("\n"), divergence);
    has(&lines.join("\n"), "game 2 of 2 | |TTT");
    assert_eq!(terminal.end().0, Some(1));
}

/// Below the board, a search reports its progress and its seat.
#[test]
fn watch_of_search_shows_progress_and_seat() {
    let line = "--game connect4 --backend yellow=engine --backend red=sim --seat yellow=flat:1 \
                --depth 30";
    let screen = watched((24, 80), line, |screen| {
        screen.contains("move 2: sim, depth")
    });
    has(&screen, "  engine");
    assert!(!screen.contains("backends agree"), "{screen}");
}
