//! `--tui`: a session on the whole terminal, and the keys.

use super::pty::Terminal;
use super::*;

const LEFT: &str = "\x1b[D";
const RIGHT: &str = "\x1b[C";

fn tui(size: (u16, u16), line: &str, environment: &[(&str, &str)]) -> Terminal {
    Terminal::start(size, &Place::new().words(line), environment)
}

#[test]
fn tui_shows_boards_side_by_side_and_goes_back() {
    let line = "play --tui 0 --backend software --backend engine --controller lowest --seed 3 \
                --max-pieces 3";
    let mut terminal = tui((24, 80), line, &[]);
    terminal.wait_for("ENDED         3 decisions");
    terminal.press(LEFT);
    terminal.wait_for("DECISION 2 ");
    terminal.press("\x1b[H");
    terminal.wait_for("DECISION 1 ");
    terminal.press(RIGHT);
    let lines = terminal.wait_until(|lines| lines[23].starts_with("DECISION 2 "));
    let shown = [
        (0, "lowest, game 1, piece 2, 0 lines"),
        (1, "┌software────────────┐┌engine──────────────┐ next Z"),
        (
            2,
            "│· · · · · · · · · · ││· · · · · · · · · · │ legal               yes",
        ),
        (
            3,
            "│· · · · · · · · · · ││· · · · · · · · · · │ rotation              0",
        ),
        (
            4,
            "│· · · · · · · · · · ││· · · · · · · · · · │ column                2",
        ),
        (20, "│##· ZZZZ· · · · · · ││##· ZZZZ· · · · · · │"),
        (21, "│######ZZZZ· · · · · ││######ZZZZ· · · · · │"),
        (22, "└────────────────────┘└────────────────────┘"),
        (
            23,
            "DECISION 2    3 decisions, 0/s, 0 diverged   q quit  ? help  space pause",
        ),
    ];
    for (line, text) in shown {
        let rate = lines[line]
            .split_once("decisions, ")
            .and_then(|(_, rest)| rest.split_once('/'));
        let seen = rate.map_or(lines[line].clone(), |(rate, _)| {
            lines[line].replace(&format!(" {rate}/s"), " 0/s")
        });
        assert_eq!(seen, text, "{line}");
    }
    for (typed, shown) in [
        ("g1\r", "DECISION 1 "),
        ("g9", "GO TO 9_ "),
        ("x", "DECISION 1 "),
        ("g9\x7f3", "GO TO 3_ "),
        ("\r", "DECISION 3 "),
    ] {
        terminal.press(typed);
        terminal.wait_until(|lines| lines[23].starts_with(shown));
    }
    terminal.press("?");
    terminal.wait_for("next divergence, previous");
    terminal.press("q");
    terminal.wait_until(|lines| !lines.iter().any(|line| line.contains("divergence,")));
    terminal.press("q");
    terminal.wait_for("3 decisions compared: 3 agreed");
    assert_eq!(terminal.end().0, Some(0));
}

/// Its pause is a minute: without the keys it would not make a second decision.
#[test]
fn tui_pauses_steps_and_quits() {
    let line = "play --tui 60000 --backend software --backend sim";
    let mut terminal = tui((24, 80), line, &[]);
    terminal.wait_for("60000 ms      1 decision,");
    terminal.press(" ");
    terminal.wait_for("PAUSED        1 decision,");
    terminal.press(RIGHT);
    terminal.wait_for("PAUSED        2 decisions,");
    terminal.press(LEFT);
    terminal.wait_for("DECISION 1 ");
    terminal.press(RIGHT);
    terminal.wait_for("PAUSED        2 decisions,");
    terminal.press("q");
    terminal.wait_for("interrupted");
    terminal.wait_for("2 decisions compared: 2 agreed");
    assert_eq!(terminal.end().0, Some(130));
}

#[test]
fn tui_marks_divergences_of_replay() {
    let line = format!("replay fixtures/records/lowest.jsonl --backend {FAULTY} --tui 0");
    for (environment, is_coloured) in [(&[][..], true), (&[("NO_COLOR", "1")], false)] {
        let mut terminal = tui((30, 90), &line, environment);
        terminal.wait_for("ENDED");
        for (key, shown) in [
            ("d", "DECISION 1 "),
            ("d", "DECISION 2 "),
            ("D", "DECISION 1 "),
        ] {
            terminal.press(key);
            let lines = terminal.wait_until(|lines| lines[29].starts_with(shown));
            has(
                &lines.join("\n"),
                "┌! sim:fault= | record  sim:fault | !-0.5",
            );
        }
        terminal.press("q");
        let (status, text) = terminal.end();
        assert_eq!(status, Some(1));
        assert_eq!(text.contains("\x1b[38;5;"), is_coloured, "{environment:?}");
    }
}

/// Other games, and terminals that are too small for a board.
#[test]
fn tui_shows_every_game_on_any_terminal() {
    for (size, line, shown) in [
        ((24, 80), "--game connect4 --depth 2", "┌software──────┐"),
        ((24, 80), "--game gomoku --controller lines:1", "┌software"),
        ((60, 200), "--controller led-tetris --rules own", "┌program"),
        ((8, 30), "--controller lowest", "┌software"),
        ((2, 5), "--controller lowest", "ENDED"),
        ((1, 1), "--controller lowest", "E"),
    ] {
        let line = format!("play --tui 0 --max-moves 3 --backend software {line}");
        let mut terminal = tui(size, &line, &[]);
        terminal.wait_for(shown);
        terminal.wait_until(|lines| lines.last().is_some_and(|line| line.starts_with('E')));
        terminal.press("q");
        assert_eq!(terminal.end().0, Some(0), "{line}");
    }
}

/// The shell starts the session as a job, tells when it is stopped, and continues it.
#[test]
fn tui_suspends_at_control_z_and_returns() {
    let mut shell = Terminal::command("sh");
    let script =
        format!("{PROGRAM} play --tui 60000 --backend software; echo stopped $?; read -r x; fg");
    shell.args(["-mc", &script]);
    let mut terminal = Terminal::run((24, 80), shell);
    terminal.wait_for("60000 ms      1 decision,");
    terminal.press("\x1a");
    // A shell gives 128 + SIGTSTP.
    terminal.wait_for("stopped 148");
    assert!(!terminal.screen().alternate_screen());
    terminal.press("\n");
    terminal.wait_for("60000 ms      1 decision,");
    assert!(terminal.screen().alternate_screen());
    terminal.press("q");
    terminal.wait_for("interrupted before the end");
    assert_eq!(terminal.end().0, Some(130));
}

/// The program of the LED wall is shown with the six metrics of its choice.
#[test]
fn tui_shows_metrics_of_the_led_wall() {
    let line = "play --tui 0 --controller led-tetris --rules own --max-moves 3";
    let mut terminal = tui((40, 130), line, &[]);
    let lines = terminal.wait_until(|lines| lines[39].starts_with("ENDED"));
    let metrics = "lines 0 × 50 | created empties 0 × -3 | nearby empties | average height | \
                   variation | distance | score ";
    has(&lines.join("\n"), metrics);
    terminal.press("q");
    assert_eq!(terminal.end().0, Some(0));
}

#[test]
fn tui_shows_rate_of_a_line() {
    let place = Place::new();
    let mut board = place.start("serve --pty {}/board --baud=6000000");
    board.wait_for("board");
    let line = place.words("play --tui 0 --backend serial:{}/board,start=6000000 --max-pieces 3");
    let mut terminal = Terminal::start((24, 80), &line, &[]);
    terminal.wait_for("at 12,000,000 baud");
    terminal.wait_for("ENDED");
    terminal.press("q");
    assert_eq!(terminal.end().0, Some(0));
    board.kill();
}

#[test]
fn interrupt_gives_the_terminal_back() {
    let mut terminal = tui((24, 80), "play --tui 60000 --backend software", &[]);
    terminal.wait_for("1 decision,");
    terminal.interrupt();
    let (status, text) = terminal.end();
    assert_eq!(status, Some(130));
    let (_, after) = text.split_once("\x1b[?1049l").expect("the screen before");
    has(after, "\x1b[?25h | interrupted | 1 decision");
}

/// A wall that is higher than the terminal has two cells in a character.
#[test]
fn tui_draws_high_boards_in_half_blocks() {
    let line = "play --tui 0 --controller led-tetris --rules own --max-moves 40";
    let mut terminal = tui((36, 130), line, &[]);
    terminal.wait_for("ENDED");
    let lines = terminal.wait_until(|lines| lines[34].starts_with('└'));
    let wall = &lines[2..34];
    assert!(
        wall.iter()
            .all(|line| line.chars().take(98).filter(|c| *c == '│').count() == 2)
    );
    let blocks = |line: &String| line.chars().filter(|c| "▀▄█".contains(*c)).count();
    assert!(blocks(&wall[31]) > 30 && blocks(&wall[0]) == 0, "{wall:#?}");
    terminal.press("q");
    assert_eq!(terminal.end().0, Some(0));
}

/// Each frame has 3 bytes for each of 10×20 cells; the first shows the piece on the floor.
#[test]
fn frames_are_raw_pictures_of_all_records() {
    let place = Place::new();
    let frames = "--frames {}/all.rgb";
    let record = "fixtures/records/lowest.jsonl";
    place.ok(&format!(
        "replay {record} {record} --backend engine {frames}"
    ));
    let bytes = std::fs::read(place.file("all.rgb")).expect("frames");
    assert_eq!(bytes.len(), 2 * 60 * 200 * 3);
    let (first, second) = bytes.split_at(60 * 200 * 3);
    assert!(first == second);
    // Four cells of an I in its colour, cyan; the others are empty.
    let row = |at: usize| &first[at * 30..][..30];
    let piece = [[0, 188, 212]; 4].concat();
    assert_eq!(row(19), [piece, [24, 24, 28].repeat(6)].concat());
    assert_eq!(row(18), [24, 24, 28].repeat(10));
}

#[test]
fn tui_shows_error_and_what_is_cut() {
    let line = "play --tui 0 --backend software --backend exec:/bin/false";
    let mut terminal = tui((24, 80), line, &[]);
    terminal.wait_for("FAILED");
    terminal.wait_for("error: ");
    terminal.press("q");
    assert_eq!(terminal.end().0, Some(2));
    let line = "play --tui 0 --controller led-tetris --rules own --max-moves 3";
    let mut terminal = tui((24, 80), line, &[]);
    terminal.wait_for("78 of 96 columns, 40 of 64 rows");
    terminal.press("q");
    assert_eq!(terminal.end().0, Some(0));
}

/// Each decision stands under the controller of its own record.
#[test]
fn tui_shows_records_one_after_the_other() {
    let records = ["lowest", "bcts"].map(|name| format!("fixtures/records/{name}.jsonl"));
    let line = format!("replay {} --backend engine --tui 0", records.join(" "));
    let mut terminal = tui((24, 80), &line, &[]);
    terminal.wait_for("ENDED         120 decisions");
    terminal.wait_for("bcts, game ");
    terminal.press("\x1b[H");
    terminal.wait_for("lowest, game 1, piece 1, line 2 of the record");
    terminal.press("q");
    assert_eq!(terminal.end().0, Some(0));
}

/// A pipe is opened once, for writing.
#[test]
fn outputs_may_be_pipes() {
    let place = Place::new();
    let pipe = place.file("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read(pipe).expect("frames").len()
    });
    place.ok("play --backend software --max-pieces 5 --frames {}/pipe");
    assert_eq!(reader.join().expect("read"), 5 * 600);
}
