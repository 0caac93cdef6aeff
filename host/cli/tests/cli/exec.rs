//! Programs as backends of the command line.

use std::io::{Read as _, Write as _};

use super::*;
use crate::running::Running;

/// The example of the manual.
const EXAMPLE: &str = "exec:python3 examples/tetris.py";

/// `play` on the golden model and a program.
fn play(program: &str, more: &[&str]) -> Output {
    let what = ["play", "--backend", "software", "--backend", program];
    run(&[&what[..], more].concat(), "")
}

fn shell(script: &str) -> String {
    format!("exec:sh -c {}", shlex::try_quote(script).expect("no zero"))
}

#[test]
fn exec_example_agrees_with_the_golden_model() {
    let folder = folder();
    let weights = file(&folder, "mine.json");
    let text =
        r#"{"name": "mine", "source": "me", "weights": {"landing_height": -1.5, "holes": -4}}"#;
    write(&weights, text);
    for (controller, more) in [
        ("lowest", vec!["--games", "2"]),
        (&weights, vec!["--max-pieces", "200"]),
        ("lowest", vec!["--board", "6x12"]),
    ] {
        let what = [vec!["--controller", controller, "--json", "-"], more].concat();
        let output = play(EXAMPLE, &what);
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        let summary = json(&stdout(&output));
        assert!(summary["agreed"].as_u64() >= Some(10), "{summary}");
        assert_eq!(summary["backends"][1]["kind"], "program");
    }
}

#[test]
fn exec_connect4_example_plays_a_seat() {
    let what = ["play", "--game", "connect4", "--games", "2", "--json", "-"];
    let seats = ["yellow=engine", "red=exec:python3 examples/connect4.py"];
    let seats = seats.iter().flat_map(|seat| ["--backend", *seat]);
    let output = run(&what.into_iter().chain(seats).collect::<Vec<_>>(), "");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    let summary = json(&stdout(&output));
    assert_eq!(summary["games"], 2, "{summary}");
}

/// Its lines are those of `decide`, that of a board without a place included.
#[test]
fn exec_decide_agrees_until_the_game_is_over() {
    let decide = format!("exec:{PROGRAM} decide --controller lowest");
    let output = play(&decide, &["--controller", "lowest"]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert!(stdout(&output).contains("game over"), "{}", shown(&output));
}

#[test]
fn exec_failure_is_no_divergence() {
    for (program, board, words) in [
        (
            shell("read line; printf 'no \\033[2Jidea\\n' >&2; echo '{\"row\": 1}'"),
            "10x20",
            &["no \\u{1b}[2Jidea", "missing field `rotation`"][..],
        ),
        // What the example says of a controller it does not know.
        (
            EXAMPLE.into(),
            "10x20",
            &["(exit status: 1)", "this example knows"],
        ),
        // Its lines have no room for the board.
        (EXAMPLE.into(), "40x20", &["of 40x20 cannot be written"]),
    ] {
        let output = play(&program, &["--controller", "dt-20", "--board", board]);
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        let told = stderr(&output);
        assert!(words.iter().all(|word| told.contains(word)), "{told}");
        assert!(!stdout(&output).contains("DIVERGENCE"));
    }
}

/// Neither is it waited for, nor does anything survive that it started.
#[test]
fn exec_interrupt_kills_a_program_that_thinks() {
    let folder = folder();
    let pipe = file(&folder, "pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let quoted = shlex::try_quote(&pipe).expect("no zero");
    let thinks = shell(&format!("read line; (sleep 5; echo survived) > {quoted}"));
    let mut running = Running::start(&["decide", "--backend", &thinks]);
    let mut input = running.input.take().expect("piped");
    writeln!(input, "{EMPTY}").expect("written");
    // Opens once the program was asked.
    let mut pipe = File::open(&pipe).expect("a pipe");
    running.interrupt();
    assert_eq!(running.end(), (Some(130), String::new(), String::new()));
    let mut said = String::new();
    pipe.read_to_string(&mut said).expect("text");
    assert_eq!(said, "");
    drop(input);
}
