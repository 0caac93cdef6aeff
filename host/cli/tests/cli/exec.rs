//! Programs as backends of the command line.

use std::process::Output;

use super::*;

/// The example program of the manual.
const EXAMPLE: &str = "exec:python3 examples/tetris.py";

/// `play` on the golden model and a program.
fn play(place: &Place, program: &str, more: &str) -> Output {
    let program = shlex::try_quote(program).expect("no zero");
    place.run(&format!(
        "play --backend software --backend {program} {more}"
    ))
}

#[test]
fn exec_example_agrees_with_the_golden_model() {
    let place = Place::new();
    let weights = r#"{"landing_height": -1.5, "holes": -4}"#;
    place.put(
        "mine.json",
        format!(r#"{{"name": "mine", "source": "me", "weights": {weights}}}"#),
    );
    // `decide` answers in the same lines, also for a board without a placement.
    let decide = format!("exec:{PROGRAM} decide --controller lowest");
    for (program, more) in [
        (EXAMPLE, "--controller lowest --games 2"),
        (EXAMPLE, "--controller {}/mine.json --max-pieces 200"),
        (EXAMPLE, "--controller lowest --board 6x12"),
        (&decide, "--controller lowest"),
    ] {
        let output = play(&place, program, &format!("{more} --json -"));
        ended(0, &output);
        let summary = json(&stdout(&output));
        assert!(summary["agreed"].as_u64() >= Some(10), "{summary}");
        assert_eq!(summary["backends"][1]["kind"], "program");
    }
    let seats = "--backend yellow=engine --backend 'red=exec:python3 examples/connect4.py'";
    let summary = place.json(0, &format!("play --game connect4 --games 2 {seats}"));
    assert_eq!(summary["games"], 2, "{summary}");
}

#[test]
fn exec_failure_is_no_divergence() {
    let place = Place::new();
    place.put("bot.py", "#!/usr/bin/env python3\n");
    let bot = format!("exec:{} --fast", place.file("bot.py"));
    let run = format!("chmod +x {0}", place.file("bot.py"));
    let unknown = ["(exit status: 1)", "this example knows"];
    for (program, board, parts) in [
        // What the example says of a controller it does not know.
        (EXAMPLE, "10x20", &unknown[..]),
        // Its lines have no room for the board.
        (EXAMPLE, "40x20", &["40 columns, expected at most 32"]),
        (&bot, "10x20", &[&run, "exec:python3 "]),
    ] {
        let more = format!("--controller dt-20 --board {board}");
        let output = play(&place, program, &more);
        refused(&output, parts);
        // A summary of no decision would look like a result.
        assert!(!stdout(&output).contains("decisions"), "{}", shown(&output));
    }
}
