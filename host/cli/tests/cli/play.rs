//! `lockstep play`: games that agree, games that do not, and what is written.

use lockstep_games::Golden as _;
use lockstep_games::tetris::{Position, Tetris};

use super::*;
use crate::support::controller;

const BACKENDS: [&str; 3] = ["software", "sim", PINS];

fn on<'a>(backends: &[&'a str]) -> Vec<&'a str> {
    backends.iter().flat_map(|b| ["--backend", b]).collect()
}

/// A record's decisions: its lines without the header and the last one.
fn entries(record: &str) -> Vec<Value> {
    let mut lines: Vec<Value> = text(record).lines().skip(1).map(json).collect();
    let last = lines.pop().expect("a last line");
    assert_eq!(last["end"]["decisions"], lines.len(), "{last}");
    assert_eq!(last["end"]["complete"], true, "{last}");
    lines
}

#[test]
fn games_are_played_recorded_and_asked_again_on_every_backend() {
    let folder = folder();
    let (summary, record) = (file(&folder, "summary.json"), file(&folder, "games.jsonl"));
    let what = ["play", "--games", "2", "--max-pieces", "40"];
    let to = ["--json", &summary, "--record", &record];
    let output = exits(0, &[&what[..], &to, &on(&BACKENDS)].concat());
    let report = stdout(&output);
    assert_eq!(stderr(&output), "", "nothing went wrong");
    for part in ["game 2 of 2", "80 agreed, 0 diverged", &record, PINS] {
        assert!(report.contains(part), "no {part} in\n{report}");
    }

    let summary = json(&text(&summary));
    for (field, value) in [("decisions", 80), ("diverged", 0), ("games", 2)] {
        assert_eq!(summary[field], value, "{field}: {summary}");
    }
    let entries = entries(&record);
    assert_eq!(entries.len(), 80, "a line a decision");
    for (index, entry) in entries.iter().enumerate() {
        let place = (entry["game"].as_u64(), entry["move"].as_u64());
        let index = index as u64;
        assert_eq!(
            place,
            (Some(index / 40 + 1), Some(index % 40 + 1)),
            "{entry}"
        );
    }
    let cleared = entries
        .iter()
        .map(|e| e["decision"]["rows_cleared"].as_u64());
    assert_eq!(summary["lines"].as_u64(), cleared.sum::<Option<u64>>());
    let dt20 = controller("dt-20");
    for entry in &entries {
        let position: Position = serde_json::from_value(entry.clone()).expect("a position");
        let golden = Tetris::decide(&dt20, &position).expect("a decision");
        let golden = serde_json::to_value(golden).expect("JSON");
        assert_eq!(entry["decision"], golden, "{entry}");
    }
    for (index, name) in BACKENDS.iter().enumerate() {
        let backend = &summary["backends"][index];
        assert_eq!(backend["name"], *name);
        assert_eq!(backend["decisions"], 80, "{backend}");
        let recorded: Vec<u64> = entries
            .iter()
            .filter_map(|e| e["cycles"][*name].as_u64())
            .collect();
        let max = recorded.iter().max().copied();
        assert_eq!(backend["cycles"]["max"].as_u64(), max, "{backend}");
        let mean = max.map(|_| recorded.iter().sum::<u64>() as f64 / 80.0);
        assert_eq!(backend["cycles"]["mean"].as_f64(), mean, "{backend}");
        assert_eq!(max.is_some(), index > 0, "{name}: cycles are the core's");
    }

    for backends in [&BACKENDS[..1], &BACKENDS[1..2], &BACKENDS[2..], &BACKENDS] {
        let again = exits(0, &[&["replay", &record], &on(backends)[..]].concat());
        let report = stdout(&again);
        assert!(report.contains("80 agreed, 0 diverged"), "{report}");
    }
}

#[test]
fn a_divergence_ends_the_game_and_is_drawn() {
    let folder = folder();
    let (summary, record) = (file(&folder, "summary.json"), file(&folder, "games.jsonl"));
    let to = ["play", "--json", &summary, "--record", &record];
    let output = exits(1, &[&to[..], &on(&["software", FAULTY])].concat());
    let report = stdout(&output);
    let boards = "   1 |.T........|    |.T........|\n   0 |TTT.......|    |TTT.......|\n";
    for part in [
        "DIVERGENCE in game 1, move 1",
        boards,
        "score             -165.8  -167.14",
        "0 agreed, 1 diverged",
    ] {
        assert!(report.contains(part), "no {part:?} in\n{report}");
    }
    let summary = json(&text(&summary));
    assert_eq!(summary["decisions"], 1, "it stops at the first");
    let first = &summary["first_divergence"];
    assert_eq!((&first["game"], &first["move"]), (&json("1"), &json("1")));
    assert_eq!(first["mismatches"][0]["field"], "score", "{first}");
    assert_eq!(first["mismatches"][0]["name"], FAULTY, "{first}");

    let entries = entries(&record);
    assert_eq!(entries.len(), 1, "the diverging decision is recorded");
    assert_eq!(entries[0]["diverged"][FAULTY]["score"], -167.14);
    exits(0, &["replay", &record, "--backend", "software"]);
    exits(1, &["replay", &record, "--backend", FAULTY]);
}

/// The first few divergences are drawn, the rest is counted.
#[test]
fn divergences_that_are_not_drawn_are_counted() {
    let what = ["play", "--games", "5", "--max-pieces", "4"];
    let output = exits(1, &[&what[..], &on(&["software", FAULTY])].concat());
    let report = stdout(&output);
    assert_eq!(report.matches("DIVERGENCE").count(), 3, "{report}");
    for part in ["\n2 more divergences are not shown\n", "5 diverged"] {
        assert!(report.contains(part), "no {part} in\n{report}");
    }
    let positions = format!("{}\n", crate::EMPTY).repeat(4);
    let output = crate::run(
        &[&["decide"][..], &on(&["software", FAULTY])].concat(),
        &positions,
    );
    let report = crate::stderr(&output);
    assert_eq!(report.matches("DIVERGENCE").count(), 3, "{report}");
    assert!(
        report.contains("\n1 more divergence is not shown\n"),
        "{report}"
    );
}

#[test]
fn the_same_seed_gives_the_same_record_and_another_one_another() {
    let folder = folder();
    let play = |name: &str, more: &[&str]| {
        let record = file(&folder, name);
        let what = ["play", "--games", "2", "--max-pieces", "30"];
        exits(0, &[&what[..], &["--record", &record], more].concat());
        text(&record)
    };
    let first = play("1", &["--seed", "5"]);
    assert_eq!(first, play("2", &["--seed", "5"]), "the same seed");
    let games = |record: &str| record.split_once('\n').expect("a header").1.to_owned();
    assert_ne!(games(&first), games(&play("3", &["--seed", "6"])), "seed");
    let bag = play("4", &["--seed", "5", "--piece-source", "bag"]);
    assert_ne!(games(&first), games(&bag), "piece source");
    let last = u64::MAX.to_string();
    play("5", &["--seed", &last]);
}

#[test]
fn the_summary_alone_goes_to_standard_output() {
    for (status, backend) in [(0, "sim"), (1, FAULTY)] {
        let what = ["play", "--max-pieces", "20", "--json", "-"];
        let output = exits(status, &[&what[..], &on(&["software", backend])].concat());
        let summary = json(&stdout(&output));
        assert_eq!(summary["diverged"], status, "{summary}");
        assert_eq!(stderr(&output), "", "the report is silenced");
        assert!(!Path::new("-").exists(), "a file called - was written");
    }
}

#[test]
fn quiet_is_silent() {
    for (status, backend) in [(0, "sim"), (1, FAULTY)] {
        let what = ["-q", "play", "--max-pieces", "20"];
        let output = exits(status, &[&what[..], &on(&["software", backend])].concat());
        assert_eq!(stdout(&output) + &stderr(&output), "", "{backend}");
    }
}
