//! `lockstep play`: games that agree, games that diverge, and the output.

use super::*;

const BACKENDS: [&str; 3] = ["software", "sim", PINS];

/// The options for these backends.
fn on(backends: &[&str]) -> String {
    let options = backends
        .iter()
        .map(|backend| format!("--backend {backend}"));
    options.collect::<Vec<_>>().join(" ")
}

/// The decisions of a record: its lines without the header and the last line.
fn entries(record: &str) -> Vec<Value> {
    let mut entries = lines(record).split_off(1);
    let last = entries.pop().expect("a last line");
    assert_eq!(last["end"]["decisions"], entries.len(), "{last}");
    assert_eq!(last["end"]["complete"], true, "{last}");
    entries
}

#[test]
fn play_record_replays_on_every_backend() {
    let place = Place::new();
    let play = "play --games 2 --max-pieces 40 --json {}/summary.json --record {}/games.jsonl";
    let output = place.run(&format!("{play} {}", on(&BACKENDS)));
    assert_eq!(stderr(&output), "", "nothing went wrong");
    let record = place.file("games.jsonl");
    has(
        &stdout(&output),
        &format!("game 2 of 2 | 80 agreed, 0 diverged | {record} | {PINS}"),
    );

    let summary = json(&place.text("summary.json"));
    members(&summary, "/decisions 80 | /diverged 0 | /games 2");
    let entries = entries(&text(&record));
    assert_eq!(entries.len(), 80, "a line a decision");
    place.ok("record verify {}/games.jsonl");
    let cleared = entries
        .iter()
        .map(|e| e["decision"]["rows_cleared"].as_u64());
    assert_eq!(summary["lines"].as_u64(), cleared.sum::<Option<u64>>());
    for (index, name) in BACKENDS.iter().enumerate() {
        let backend = &summary["backends"][index];
        members(backend, &format!("/name {name} | /decisions 80"));
        let max = &backend["cycles"]["max"];
        assert_eq!(max.is_u64(), index > 0, "{name}: cycles are the core's");
    }
    for backends in [&BACKENDS[..1], &BACKENDS[1..2], &BACKENDS[2..], &BACKENDS] {
        let report = place.ok(&format!("replay {record} {}", on(backends)));
        has(&report, "80 agreed, 0 diverged");
    }
}

#[test]
fn play_divergence_ends_game_and_is_drawn() {
    let place = Place::new();
    let faulty = on(&["software", FAULTY]);
    let play = "play --json {}/summary.json --record {}/games.jsonl";
    let report = place.exits(1, &format!("{play} {faulty}"));
    // Both make the same move.
    let boards =
        format!("software, {FAULTY}\n   2 |..........|\n   1 |.T........|\n   0 |TTT.......|\n");
    has(
        &report,
        &format!("DIVERGENCE in game 1, move 1 | {boards} | score             -165.8  -167.14"),
    );
    has(&report, "0 agreed, 1 diverged");
    let summary = json(&place.text("summary.json"));
    // It stops at the first.
    members(
        &summary,
        "/decisions 1 | /first_divergence/game 1 | /first_divergence/move 1",
    );
    let first = &summary["first_divergence"]["mismatches"][0];
    members(first, &format!("/field score | /name {FAULTY}"));

    let entries = entries(&place.text("games.jsonl"));
    assert_eq!(entries.len(), 1, "the diverging decision is recorded");
    assert_eq!(entries[0]["diverged"][FAULTY]["score"], -167.14);
    place.ok("replay {}/games.jsonl --backend software");
    place.exits(1, &format!("replay {{}}/games.jsonl --backend {FAULTY}"));
    assert_eq!(place.exits(1, &format!("play -q {faulty}")), "", "silenced");
}

/// The first few divergences are shown, the others are counted.
#[test]
fn play_counts_divergences_that_are_not_drawn() {
    let place = Place::new();
    let faulty = on(&["software", FAULTY]);
    let play = format!("play --games 5 --max-pieces 4 {faulty}");
    for (options, drawn, more) in [("", 1, 4), ("--max-divergences 3", 3, 2)] {
        let report = place.exits(1, &format!("{play} {options}"));
        assert_eq!(report.matches("DIVERGENCE").count(), drawn, "{report}");
        has(
            &report,
            &format!("\ndivergences not shown: {more} (--max-divergences N; "),
        );
        has(&report, " at the end)\n | 5 diverged");
    }
    // A line for each divergence, the cause and the verdict.
    let report = place.exits(1, &format!("{play} --brief"));
    let lines: Vec<_> = report.lines().collect();
    let [one, .., why, verdict] = &lines[..] else {
        panic!("{report}")
    };
    assert_eq!(lines.len(), 7, "{report}");
    let score = "score: expected -165.8, got -167.14";
    assert_eq!(*one, format!("game 1, move 1: {FAULTY}: {score}"));
    has(why, "why: | landing_height");
    assert_eq!(*verdict, "5 decisions compared: 0 agreed, 5 diverged");
    let positions = format!("{EMPTY}\n").repeat(4);
    let report = stderr(&place.feed(&format!("decide {faulty}"), positions));
    assert_eq!(report.matches("DIVERGENCE").count(), 3, "{report}");
    has(&report, "\ndivergences not shown: 1\n");
}

#[test]
fn play_of_one_backend_compares_nothing() {
    let place = Place::new();
    let play = "play --backend software --max-pieces 2";
    let summary = place.json(0, play);
    members(
        &summary,
        "/decisions 2 | /compared 0 | /agreed null | /diverged null | /error null | \
         /first_divergence null",
    );
    assert!(summary["lines"].is_u64(), "{summary}");
    has(&place.ok(play), "none compared");
}
