//! `lockstep strength`: what it says of games, and that no game is lost when it
//! is interrupted, killed or asked for more.

use std::io::{BufRead as _, BufReader};
use std::process::Command;

use super::running::Running;
use super::terminal::on_a_terminal;
use super::*;

/// Games of a few dozen pieces.
const SHORT: [&str; 5] = ["strength", "--controller", "lowest", "--board", "6x6"];

/// The program with the user's state files in a folder.
fn at(folder: &TempDir) -> Command {
    let mut program = lockstep();
    program.env("XDG_STATE_HOME", folder.path());
    program
}

/// Runs short games and fails unless that ends well.
fn short(folder: &TempDir, more: &[&str]) -> String {
    let output = at(folder).args(SHORT).args(more).output();
    let output = output.expect("lockstep runs");
    assert_eq!(
        output.status.code(),
        Some(0),
        "{more:?}: {}",
        shown(&output)
    );
    assert_eq!(stderr(&output), "", "{more:?}");
    stdout(&output)
}

/// The JSON of short games but how fast they were.
fn result(folder: &TempDir, more: &[&str]) -> String {
    let text = short(folder, &[more, &["--json", "-"]].concat());
    let (result, speed) = text.split_once("\"speed\"").expect("how fast it was");
    assert!(speed.contains("seconds"), "{text}");
    result.to_owned()
}

/// Files below a folder.
fn left_in(folder: &TempDir) -> Vec<String> {
    let mut find = Command::new("find");
    let found = find.arg(folder.path()).args(["-type", "f"]).output();
    let found = found.expect("find runs");
    stdout(&found).lines().map(str::to_owned).collect()
}

#[test]
fn the_games_are_those_that_play_deals() {
    for more in [&[][..], &["--piece-source", "bag"]] {
        let games = [
            &["--controller", "lowest", "--games", "3", "--seed", "5"],
            more,
        ]
        .concat();
        let played = exits(
            0,
            &[&["play", "--backend", "software"], &games[..]].concat(),
        );
        let folder = folder();
        let mut strength = at(&folder);
        let strength = strength.arg("strength").args(&games);
        let strength = strength.args(["--json", "-"]).output();
        let found = json(&stdout(&strength.expect("lockstep runs")));
        let played = stdout(&played);
        for (index, lines) in found["lines"]
            .as_array()
            .expect("a list")
            .iter()
            .enumerate()
        {
            let (game, told) = (index + 1, format!(", {lines} lines, game over"));
            let line = played
                .lines()
                .find(|l| l.contains(&format!("game {game} of 3:")));
            assert!(line.is_some_and(|l| l.ends_with(&told)), "{told}: {played}");
        }
        let told = played
            .split(" pieces, ")
            .filter_map(|t| t.split(' ').next_back());
        let told = told.filter_map(|pieces| pieces.parse::<u64>().ok());
        assert_eq!(found["pieces"], told.sum::<u64>(), "{played}");
    }
}

#[test]
fn the_result_does_not_depend_on_the_threads() {
    let folder = folder();
    let one = result(&folder, &["--games", "300", "--threads", "1"]);
    let three = result(&folder, &["--games", "300", "--threads", "3"]);
    assert_eq!(one, three);
    let seed = result(&folder, &["--games", "300", "--seed", "2"]);
    assert_ne!(one, seed);
}

#[test]
fn the_report_and_the_document_say_the_same() {
    let folder = folder();
    let file = file(&folder, "strength.json");
    let report = short(&folder, &["--games", "50", "--seed", "3", "--json", &file]);
    let found = json(&text(&file));
    for (field, value) in [
        ("command", "\"strength\""),
        ("controller", "\"lowest\""),
        ("board", "\"6x6\""),
        ("piece_source", "\"uniform\""),
        ("seed", "3"),
        ("max_pieces", "null"),
        ("games", "50"),
        ("planned", "50"),
        ("finished", "50"),
        ("interrupted", "false"),
        ("error", "null"),
        ("interval", "\"normal\""),
        ("cut", "0"),
    ] {
        assert_eq!(found[field], json(value), "{field}: {found}");
    }
    let lines: Vec<u64> = serde_json::from_value(found["lines"].clone()).expect("numbers");
    assert_eq!(lines.len(), 50);
    let number = |field: &str| found[field].as_f64().expect("a number");
    let mean = lines.iter().sum::<u64>() as f64 / 50.0;
    assert_eq!(number("mean"), mean);
    let squares = lines.iter().map(|&l| (l as f64 - mean).powi(2));
    let deviation = (squares.sum::<f64>() / 49.0).sqrt();
    assert!((number("stddev") - deviation).abs() < 1e-9, "{found}");
    let (low, high) = (&found["ci95"][0], &found["ci95"][1]);
    // t of 49 degrees of freedom is 2.0096.
    let half = 2.009_575_2 * deviation / 50f64.sqrt();
    assert!(
        (low.as_f64().expect("low") - (mean - half)).abs() < 1e-6,
        "{found}"
    );
    assert!(
        (high.as_f64().expect("high") - (mean + half)).abs() < 1e-6,
        "{found}"
    );

    assert!(report.contains("50 games, lines per game:\n"), "{report}");
    assert!(
        report.contains(&format!("  mean      {mean:.2}\n")),
        "{report}"
    );
    assert!(
        report.contains("lowest on 6x6, uniform pieces, seed 3"),
        "{report}"
    );
    let bars = report.lines().filter(|line| line.ends_with('#'));
    let counted = bars.map(|bar| {
        let count = bar.split_whitespace().rev().nth(1).expect("a count");
        count.parse::<u64>().expect("a number")
    });
    assert_eq!(counted.sum::<u64>(), 50, "{report}");
    assert!(report.lines().all(|line| line.len() <= 80), "{report}");
    assert!(!report.contains(['\x1b', '\r']), "{report:?}");
    assert_eq!(
        left_in(&folder),
        [file],
        "the state is gone with the last game"
    );
}

#[test]
fn one_game_has_no_spread_and_cut_games_a_lower_bound() {
    let folder = folder();
    let one = json(&short(&folder, &["--games", "1", "--json", "-"]));
    assert!(one["stddev"].is_null(), "{one}");
    assert_eq!(one["interval"], "chi-squared", "{one}");
    assert_eq!(one["mean"].as_f64(), one["lines"][0].as_f64(), "{one}");
    let told = short(&folder, &["--games", "1"]);
    assert!(told.contains(" (chi-squared)\n  std dev   -\n"), "{told}");

    let cut = ["--games", "4", "--max-pieces", "5"];
    let told = short(&folder, &cut);
    let bound = "4 of 4 stopped at --max-pieces: the mean is a lower bound";
    assert!(
        told.contains(bound) && told.contains(" (normal)\n"),
        "{told}"
    );
    let found = json(&short(&folder, &[&cut[..], &["--json", "-"]].concat()));
    assert_eq!((&found["cut"], &found["pieces"]), (&json("4"), &json("20")));
}

#[test]
fn a_kept_state_is_gone_on_from_with_more_games() {
    let folder = folder();
    let state = file(&folder, "state.jsonl");
    let kept = ["--state", &state];
    short(&folder, &[&kept[..], &["--games", "20"]].concat());
    assert_eq!(text(&state).lines().count(), 21, "a header and the games");
    let told = short(&folder, &[&kept[..], &["--games", "50"]].concat());
    assert!(told.contains("\nresumed: 20 of 50 games\n"), "{told}");
    let whole = result(&folder, &["--games", "50"]);
    let again = short(
        &folder,
        &[&kept[..], &["--games", "50", "--json", "-"]].concat(),
    );
    assert!(again.starts_with(&whole), "{again}");
    let speed = &json(&again)["speed"];
    assert_eq!(speed["resumed"], 50, "{speed}");
    assert!(speed["pieces_per_second"].is_null(), "{speed}");
    // Fewer than there are: the first of them.
    let fewer = result(&folder, &[&kept[..], &["--games", "10"]].concat());
    assert_eq!(fewer, result(&folder, &["--games", "10"]));
    let fresh = short(&folder, &[&kept[..], &["--games", "5", "--fresh"]].concat());
    assert!(!fresh.contains("resumed"), "{fresh}");
    assert_eq!(text(&state).lines().count(), 6);
}

/// Some are finished and most are not.
fn under_way(folder: &TempDir, more: &[&str]) -> Running {
    let mut program = at(folder);
    let program = program.args(SHORT).args(["--games", "20000"]).args(more);
    let mut running = Running::spawn(program);
    running.wait_for("/20,000 games");
    running
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let folder = folder();
    let state = file(&folder, "state.jsonl");
    under_way(&folder, &["--state", &state]).kill();
    let kept = text(&state);
    let lines = kept.lines().count();
    assert!((2_001..20_001).contains(&lines), "{lines} lines are kept");
    // As when it is killed while it writes.
    write(&state, &kept[..kept.len() - 5]);
    let more = ["--games", "3000", "--state", &state];
    let told = short(&folder, &more);
    let resumed = told.lines().find(|line| line.starts_with("resumed: "));
    assert!(
        resumed.is_some_and(|l| l.ends_with(" of 3,000 games")),
        "{told}"
    );
    let whole = result(&folder, &["--games", "3000"]);
    assert_eq!(result(&folder, &more), whole);
}

#[test]
fn an_interrupted_run_goes_on_with_the_same_command() {
    let folder = folder();
    let running = under_way(&folder, &[]);
    running.interrupt();
    let (status, told, error) = running.end();
    assert_eq!((status, error.as_str()), (Some(130), ""), "{told}");
    assert!(!told.contains("mean  "), "short games end first: {told}");
    let states = left_in(&folder);
    assert_eq!(states.len(), 1, "{states:?}");
    let finished = text(&states[0]).lines().count() - 1;
    let kept = told.replace(',', "");
    let kept = kept.contains(&format!("interrupted: {finished} of 20000 games"));
    assert!(kept && told.contains(&states[0]), "{told}");
    assert!(told.contains("the same command goes on"), "{told}");

    // The same command would do all of them; as many as are there are enough.
    let games = (finished + 100).to_string();
    let resumed = short(&folder, &["--games", &games, "--json", "-"]);
    assert_eq!(json(&resumed)["speed"]["resumed"], finished, "{resumed}");
    assert!(left_in(&folder).is_empty(), "nothing is left at the end");
    let whole = result(&folder, &["--games", &games]);
    assert!(resumed.starts_with(&whole), "{resumed}");
}

#[test]
fn two_runs_do_not_share_a_state() {
    let folder = folder();
    let running = under_way(&folder, &[]);
    for more in [&[][..], &["--fresh"]] {
        let second = at(&folder).args(SHORT).args(more).output();
        refused(&second.expect("lockstep runs"), &["in use", "--state"]);
    }
    running.kill();
    short(&folder, &["--games", "1"]);
}

#[test]
fn wrong_use_is_refused_by_name_and_touches_nothing() {
    let folder = folder();
    let names = ["state.jsonl", "precious", "controller.json"];
    let [state, precious, controller] = names.map(|name| file(&folder, name));
    short(&folder, &["--games", "2", "--state", &state]);
    write(&precious, "precious\n");
    let before = text(&state);
    // A copy: were it not refused, it would be overwritten.
    let weights = crate::support::read("fixtures/weights/lowest.json");
    write(&controller, &weights);
    let mut wrong = Vec::new();
    let cases: [(&[&str], &[&str]); 17] = [
        (&["--games", "0"], &["--games", "0"]),
        (&["--games", "-1"], &["--games", "-1"]),
        (&["--threads", "0"], &["--threads", "from 1 to 1024"]),
        (&["--max-pieces", "0"], &["--max-pieces", "0"]),
        (&["--seed", "x"], &["--seed", "'x'"]),
        (&["--piece-source", "dice"], &["'dice'", "bag"]),
        (&["--state", "-"], &["--state -", "name one"]),
        (&["--state", "fixtures"], &["--state fixtures", "folder"]),
        (&["--state", "/dev/null"], &["/dev/null", "ordinary"]),
        (&["--state", "nowhere/x"], &["nowhere/x", "create it"]),
        (&["--json", "nowhere/x"], &["--json nowhere/x", "create it"]),
        (&["--json", &state, "--state", &state], &["same file"]),
        (&["--state", &precious], &["precious", "left alone"]),
        (&["--state", &precious, "--fresh"], &["precious", "--state"]),
        (
            &["--state", &controller, "--controller", &controller],
            &["is the controller"],
        ),
        (
            &["--json", &controller, "--controller", &controller],
            &["which is read"],
        ),
        (
            &["--state", &state, "--seed", "2", "--max-pieces", "9"],
            &["seed is 1 there and 2 here", "max_pieces", "--fresh"],
        ),
    ];
    for (more, named) in cases {
        let base = if more.contains(&"--controller") {
            &SHORT[..1]
        } else {
            &SHORT
        };
        let output = at(&folder).args(base).args(more).output();
        let output = output.expect("lockstep runs");
        wrong.extend(misrefused(&output, named).map(|w| format!("{more:?}: {w}")));
        if !output.stdout.is_empty() {
            wrong.push(format!("{more:?}: it began\n{}", shown(&output)));
        }
    }
    none(&wrong);
    for board in ["3x20", "10", "10x", "x", "0x0", "10x20x30", "999x999"] {
        let output = at(&folder)
            .args(&SHORT[..3])
            .args(["--board", board])
            .output();
        refused(&output.expect("lockstep runs"), &["--board", board]);
    }
    for controller in ["nobody", "Cargo.toml"] {
        let output = at(&folder)
            .args(["strength", "--controller", controller])
            .output();
        refused(&output.expect("lockstep runs"), &[controller]);
    }
    assert_eq!(
        (text(&state), text(&precious), text(&controller)),
        (before, "precious\n".into(), weights)
    );
}

#[test]
fn quiet_is_silent_and_an_unread_report_ends_it_quietly() {
    let folder = folder();
    assert_eq!(short(&folder, &["--games", "30", "-q"]), "");
    let mut child = at(&folder)
        .args(SHORT)
        .args(["--games", "20000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("lockstep runs");
    // It has begun when nobody reads any more.
    let mut report = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    report.read_line(&mut line).expect("a line");
    assert!(line.starts_with("lowest on 6x6"), "{line}");
    drop(report);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(141), "{}", shown(&output));
    assert_eq!(stderr(&output), "");
}

#[test]
fn a_terminal_shows_a_bar_unless_told_not_to() {
    let folder = folder();
    let environment = [("XDG_STATE_HOME", folder.path().to_str().expect("a path"))];
    let games = [&SHORT[..], &["--games", "5"]].concat();
    let (status, text) = on_a_terminal(&games, &environment);
    assert_eq!(status, Some(0), "{text:?}");
    assert!(text.contains("/5 games  "), "{text:?}");
    assert!(text.contains('\x1b'), "it is drawn in place: {text:?}");
    let (_, text) = on_a_terminal(&[&games[..], &["-q"]].concat(), &environment);
    assert_eq!(text, "");
    let (_, text) = on_a_terminal(&[&games[..], &["--json", "-"]].concat(), &environment);
    assert_eq!(json(&text)["games"], 5);
}

/// Two games say little of the mean, but not that it may be below zero.
#[test]
fn few_games_have_an_interval_above_zero() {
    let folder = folder();
    for games in ["1", "2", "5", "29"] {
        let found = json(&short(&folder, &["--games", games, "--json", "-"]));
        let bound = |index: usize| found["ci95"][index].as_f64().expect("a number");
        let mean = found["mean"].as_f64().expect("a number");
        assert!(
            0.0 < bound(0) && bound(0) < mean && mean < bound(1),
            "{found}"
        );
        assert_eq!(found["interval"], "chi-squared", "{found}");
    }
}

/// A single decision there takes longer than anybody waits.
#[test]
fn one_interrupt_ends_it_in_the_midst_of_a_decision() {
    let folder = folder();
    for signal in ["INT", "TERM", "HUP"] {
        let mut program = at(&folder);
        let program = program.args(["strength", "--depth", "3", "--board", "128x128"]);
        let running = Running::spawn(program.args(["--games", "2", "--json", "-"]));
        running.wait_until_it_is_at_work();
        running.signal(signal);
        let (status, document, _) = running.end();
        assert_eq!(status, Some(130), "{document}");
        let document = json(&document);
        let known = ["planned", "finished", "interrupted", "error", "mean"];
        let known = known.map(|field| document[field].clone());
        let expected = [2.into(), 0.into(), true.into(), Value::Null, Value::Null];
        assert_eq!(known, expected, "{document}");
    }
    assert!(left_in(&folder).is_empty(), "nothing was finished");
}

#[test]
fn json_of_an_interrupted_run_says_what_is_kept() {
    let folder = folder();
    let out = file(&folder, "strength.json");
    let running = under_way(&folder, &["--json", &out]);
    running.interrupt();
    let (status, told, _) = running.end();
    assert_eq!(status, Some(130), "{told}");
    let document = json(&text(&out));
    assert_eq!(document["interrupted"], true, "{document}");
    let state = document["state"].as_str().expect("a file");
    assert_eq!(document["finished"], text(state).lines().count() - 1);
    assert!(told.contains(state), "{told}");
}

/// A run whose state can no longer be written.
#[test]
fn json_of_a_failed_run_has_the_error() {
    let folder = folder();
    let limited = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", limited])
        .arg(crate::PROGRAM)
        .args(SHORT)
        .args(["--games", "200", "--json", "-"])
        .current_dir(crate::support::root())
        .env("XDG_STATE_HOME", folder.path())
        .output()
        .expect("sh runs");
    refused(&output, &["state ", "File too large"]);
    let document = json(&stdout(&output));
    let error = document["error"].as_str().expect("text");
    assert!(error.contains("File too large"), "{document}");
    assert_eq!(document["interrupted"], false, "{document}");
    let finished = document["finished"].as_u64().expect("a number");
    assert!((1..200).contains(&finished), "{document}");
}

#[test]
fn a_state_that_contradicts_itself_is_refused_by_line() {
    let folder = folder();
    let state = file(&folder, "state.jsonl");
    let kept = ["--games", "3", "--state", &state];
    short(&folder, &kept);
    let whole = text(&state);
    for (line, named) in [
        (
            r#"{"game":0,"pieces":500,"lines":9,"end":"lost"}"#,
            "game 0 ended otherwise",
        ),
        (
            r#"{"game":7,"pieces":3,"lines":18446744073709551615,"end":"lost"}"#,
            "18446744073709551615 lines",
        ),
        (
            r#"{"game":7,"pieces":5,"lines":4,"end":"lost"}"#,
            "at least 6 pieces, not 5",
        ),
        (
            r#"{"game":7,"pieces":5,"lines":1,"end":"cut"}"#,
            "not stopped",
        ),
    ] {
        write(&state, format!("{whole}{line}\n"));
        let output = at(&folder).args(SHORT).args(kept).output();
        let named = ["state.jsonl, line 5: ", named, "--fresh"];
        refused(&output.expect("lockstep runs"), &named);
    }
}
