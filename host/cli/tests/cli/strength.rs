//! `lockstep strength`: its games, its report, its state.

use std::process::Command;

use super::running::Running;
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
fn strength_plays_games_that_play_deals() {
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
fn strength_result_does_not_depend_on_threads() {
    let folder = folder();
    let one = result(&folder, &["--games", "300", "--threads", "1"]);
    let three = result(&folder, &["--games", "300", "--threads", "3"]);
    assert_eq!(one, three);
    let seed = result(&folder, &["--games", "300", "--seed", "2"]);
    assert_ne!(one, seed);
}

#[test]
fn strength_report_and_json_agree() {
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
fn strength_of_one_or_cut_games_says_what_is_unknown() {
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
fn strength_continues_with_more_or_fewer_games() {
    let folder = folder();
    let state = file(&folder, "state.jsonl");
    let kept = ["--state", &state];
    short(&folder, &[&kept[..], &["--games", "20"]].concat());
    assert_eq!(text(&state).lines().count(), 21, "a header and the games");
    let more = short(&folder, &[&kept[..], &["--games", "50"]].concat());
    assert!(more.contains("\nresumed: 20 of 50 games\n"), "{more}");
    for games in ["50", "10"] {
        let again = [&kept[..], &["--games", games]].concat();
        let again = result(&folder, &again);
        assert_eq!(again, result(&folder, &["--games", games]));
    }
}

/// Among the user's state files, until all games are finished.
#[test]
fn strength_without_state_option_keeps_games_for_the_user() {
    let folder = folder();
    let mut program = at(&folder);
    program
        .args(SHORT)
        .args(["--games", "20000", "--json", "-"]);
    let running = Running::spawn(&mut program);
    running.wait_until_it_is_at_work();
    running.interrupt();
    let (status, document, _) = running.end();
    assert_eq!(status, Some(130), "{document}");
    let document = json(&document);
    let states = left_in(&folder);
    assert_eq!(document["state"], states[0], "{states:?}");
    let finished = text(&states[0]).lines().count() - 1;
    assert_eq!(document["finished"], finished, "{document}");
    let games = (finished + 10).to_string();
    let resumed = short(&folder, &["--games", &games, "--json", "-"]);
    assert_eq!(json(&resumed)["speed"]["resumed"], finished, "{resumed}");
    assert!(left_in(&folder).is_empty(), "nothing is left at the end");
}

#[test]
fn strength_wrong_use_is_refused() {
    let folder = folder();
    let controller = file(&folder, "controller.json");
    // A copy: were it not refused, it would be overwritten.
    write(
        &controller,
        crate::support::read("fixtures/weights/lowest.json"),
    );
    let own = ["--controller", &controller];
    let cases: [(&[&str], &[&str]); 9] = [
        (&["--games", "0"], &["--games", "0"]),
        (&["--threads", "0"], &["--threads", "from 1 to 1024"]),
        (&["--piece-source", "dice"], &["'dice'", "bag"]),
        (&["--json", "x", "--state", "x"], &["same file"]),
        (
            &[&own[..], &["--state", &controller]].concat(),
            &["is the controller"],
        ),
        (
            &[&own[..], &["--json", &controller]].concat(),
            &["which is read"],
        ),
        (&["--board", "3x20"], &["--board", "3x20"]),
        (&["--controller", "nobody"], &["nobody"]),
        (&["--controller", "Cargo.toml"], &["Cargo.toml"]),
    ];
    let mut wrong = Vec::new();
    for (more, named) in cases {
        let output = run(&[&["strength"], more].concat(), "");
        wrong.extend(misrefused(&output, named).map(|w| format!("{more:?}: {w}")));
        if !output.stdout.is_empty() {
            wrong.push(format!("{more:?}: it began\n{}", shown(&output)));
        }
    }
    none(&wrong);
}
