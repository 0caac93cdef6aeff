//! `lockstep replay`: several jobs, folders, shards, and comparisons of records.

use super::*;

/// A core that is right at the first request, and whose later answers depend on earlier requests.
const REMEMBERS: &str = "sim:fault=best-kept";

/// Records games that fill more than one chunk.
fn games(place: &Place, name: &str, seed: &str) {
    let play = "play --controller lowest --backend software --games 2";
    place.ok(&format!("{play} --seed {seed} --record {{}}/{name}"));
}

/// Changes the decision in one line to another column.
fn turn(place: &Place, name: &str, line: usize) {
    let copy = place.edited(name, line, |entry| {
        let column = entry["decision"]["column"].as_u64().expect("a column");
        entry["decision"]["column"] = (if column == 0 { 1 } else { column - 1 }).into();
    });
    std::fs::rename(copy, place.file(name)).expect("renamed");
}

#[test]
fn replay_by_jobs_reports_agreement_of_pairs() {
    let place = Place::new();
    games(&place, "a.jsonl", "1");
    games(&place, "b.jsonl.zst", "2");
    let what = "replay {}/a.jsonl {}/b.jsonl.zst --no-explain --backend software";
    let line = format!("{what} --backend {REMEMBERS} --jobs 3 --json {{}}/summary");
    let report = place.exits(1, &line);
    let summary = json(&place.text("summary"));
    let decisions = summary["decisions"].as_u64();
    let agreement = &summary["agreement"];
    assert!(summary["diverged"].as_u64() > Some(0), "{summary}");
    assert_eq!(agreement["class"], "piece");
    let [first, second] = [0, 1].map(|index| &agreement["pairs"][index]);
    members(first, "/first record | /second software");
    assert_eq!(
        (first["agreed"].as_u64(), &second["second"]),
        (decisions, &REMEMBERS.into())
    );
    let found = &agreement["divergences"][0];
    members(
        found,
        &format!("/file {} | /record 1", place.file("a.jsonl")),
    );
    for field in ["game", "move"] {
        assert_eq!(found[field], summary["first_divergence"][field]);
    }
    has(
        &report,
        &format!("record – {REMEMBERS} |     field  |     piece "),
    );
    // The summary fits a terminal.
    let rest = report
        .lines()
        .skip_while(|line| !line.contains(" compared: "));
    let long = rest.filter(|line| line.chars().count() > 80);
    assert_eq!(long.collect::<Vec<_>>(), [""; 0]);
}

/// Each chunk begins with a newly opened core; the case that is explained has the chunk's requests.
#[test]
fn replay_by_jobs_explains_fault_of_two_requests() {
    let place = Place::new();
    games(&place, "games.jsonl", "1");
    let what = format!("replay {{}}/games.jsonl --backend software --backend {REMEMBERS}");
    let explained = |jobs| place.json(1, &format!("{what} --jobs {jobs}"))["explanation"].take();
    let two = explained("2");
    assert_ne!(two["found"]["verdict"], "agrees", "{two}");
    let positions = two["smaller"]["positions"].as_array();
    assert_eq!(positions.map(Vec::len), Some(2), "one before it: {two}");
    assert_eq!(explained("1"), two);
}

#[test]
fn replay_of_folder_takes_all_its_records() {
    let place = Place::new();
    std::fs::create_dir_all(place.file("all/later/empty")).expect("folders");
    for (name, seed) in [
        ("all/later/a.jsonl", "3"),
        ("all/a.jsonl.zst", "1"),
        ("all/b.jsonl", "2"),
    ] {
        games(&place, name, seed);
    }
    place.put("all/notes.txt", "no record");
    turn(&place, "all/b.jsonl", 90);
    let [first, middle, last] =
        ["all/a.jsonl.zst", "all/b.jsonl", "all/later/a.jsonl"].map(|name| place.file(name));
    let what = "replay {}/all --backend engine --no-explain";
    let summary = place.json(1, what);
    assert_eq!(summary["files"], serde_json::json!([first, middle, last]));
    members(&summary, "/diverged 1 | /games 6");
    let divergences = summary["agreement"]["divergences"].as_array();
    let [found] = divergences.expect("divergences").as_slice() else {
        panic!("{summary}");
    };
    let at = (&found["file"], &found["line"], &found["record"]);
    assert_eq!(at, (&middle.as_str().into(), &90.into(), &2.into()));
    let report = place.exits(1, what);
    let (title, found) = (report.find(&*middle), report.find("DIVERGENCE"));
    assert!(title < found && found < report.find(&*last), "{report}");
    let listed = report.lines().filter(|line| line.starts_with("  engine  "));
    let listed = listed.filter(|line| !line.ends_with('-'));
    assert_eq!(listed.count(), 1, "once for all: {report}");
    has(
        &place.exits(1, &format!("{what} --brief")),
        &format!("{middle}:90: game 1, move 89: engine: column"),
    );

    place.put("all/z.jsonl", "hello\n");
    place.refuses(
        "
        replay {}/all/later/empty => /empty | *.jsonl.zst
        replay {}/all => /z.jsonl | not a lockstep record
    ",
    );
}

#[test]
fn replay_recorded_compares_two_records() {
    let place = Place::new();
    for (name, seed) in [("a.jsonl", "1"), ("b.jsonl", "1"), ("other.jsonl", "2")] {
        games(&place, name, seed);
    }
    let what = "replay {}/a.jsonl {}/b.jsonl --recorded";
    has(&place.ok(what), "agreed, 0 diverged");
    turn(&place, "b.jsonl", 20);
    let report = place.exits(1, what);
    has(
        &report,
        "a.jsonl:software – b.jsonl:software |     field column  | \
         DIVERGENCE in game 1, move 19",
    );
    let summary = place.json(1, what);
    assert_eq!(summary["diverged"], 1);
    assert_eq!(summary["agreement"]["divergences"][0]["line"], 20);
    assert_eq!(summary["common"]["parted"], 0, "its positions are the same");

    // Other games are not the same, whatever was decided in them, from their first move on, too.
    let alone = format!("decisions of {}", place.file("other.jsonl"));
    for game in ["1", "2"] {
        let cut = format!("--games {game} --out {{}}/{game}.jsonl");
        place.ok(&format!("record cut {{}}/a.jsonl {cut}"));
    }
    place.edited("1.jsonl", 2, other_piece);
    let board = "play --backend software --controller lowest --max-pieces 10 --record {}";
    place.ok(&format!("{board}/narrow.jsonl --board 8x20"));
    let dt20 = "fixtures/records/dt-20.jsonl";
    place.shows(&format!(
        "
        1 replay {{}}/a.jsonl {{}}/other.jsonl --recorded => game 2: positions differ from move | not compared: | {alone}
        1 replay {{}}/1.jsonl {{}}/1.jsonl.edited --recorded => game 1: positions differ from move 1 on | 0 decisions
        2 replay {{}}/1.jsonl {{}}/2.jsonl --recorded => no position is in both
        2 replay {{}}/a.jsonl {{}}/b.jsonl {{}}/a.jsonl --recorded => 3 are named
        2 replay {{}}/a.jsonl {dt20} --recorded => a.jsonl | controller
        2 replay {{}}/a.jsonl {{}}/narrow.jsonl --recorded => a.jsonl | narrow.jsonl | board
        2 replay {{}}/a.jsonl {{}}/a.jsonl --recorded => name another record
        "
    ));
    // One that was cut short is named.
    let text = place.text("a.jsonl");
    let end = text.trim_end().rfind('\n').expect("lines") + 1;
    place.put("short.jsonl", &text[..end]);
    let summary = place.json(0, "replay {}/short.jsonl {}/a.jsonl --recorded");
    assert_eq!(summary["cut"], Value::from(vec![place.file("short.jsonl")]));
}

#[test]
fn replay_wrong_use_is_refused() {
    let place = Place::new();
    games(&place, "games.jsonl", "1");
    place.refuses_after(
        "replay {}/games.jsonl",
        "
        --jobs 0 => --jobs | from 1 to 1024
        --jobs many => --jobs | whole number
        --jobs 2 --backend serial:nowhere => serial:nowhere | --jobs
        --shard 2 => --shard | I/N
        --shard 1/2 --record {}/into => --record | /into | --shard
        --recorded --backend sim => --recorded | --backend
        --recorded --jobs 2 => --recorded | --jobs
    ",
    );
    assert_eq!(place.names(), ["games.jsonl"]);
    let last = "replay {}/games.jsonl --shard 40/40 --backend engine";
    has(&place.ok(last), "shard 40/40 is empty");
    assert_eq!(place.json(0, last)["shard"], "40/40");
    let all = "replay {}/games.jsonl --backend engine";
    assert_eq!(place.json(0, all)["shard"], Value::Null);
}
