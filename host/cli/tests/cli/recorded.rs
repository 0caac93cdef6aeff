//! `lockstep record`: shows, counts, verifies, cuts, merges and converts records.

use super::*;

/// Records three games of 40 pieces in `{}/games.jsonl`.
fn recorded() -> Place {
    let place = Place::new();
    let play = "play --backend software --backend sim --games 3 --max-pieces 40 --seed 5";
    place.ok(&format!("{play} --record {{}}/games.jsonl -q"));
    place
}

/// Records the three games with a divergence at game 2, move 9.
fn diverged() -> Place {
    let place = recorded();
    place.edited("games.jsonl", 50, |line| {
        line["diverged"] = json(r#"{"sim":null}"#)
    });
    place
}

/// A record of version 3.
const OLD: &str = "fixtures/records/dt-20.jsonl";

/// The last line of a record.
fn tail(record: &str) -> Value {
    lines(record).pop().expect("a line")["end"].take()
}

#[test]
fn record_names_what_it_was_made_with() {
    let place = recorded();
    let head = lines(&place.text("games.jsonl")).remove(0);
    let tools = head["tools"].as_object().expect("by name");
    let names: Vec<_> = tools.keys().map(String::as_str).collect();
    assert_eq!(names, ["lockstep", "rustc", "verilator"]);
    let own = tools["lockstep"].as_str().expect("a text");
    assert_eq!(place.ok("-V").trim(), format!("lockstep {own}"));
    for (name, tool) in tools {
        let known = tool.as_str().is_some_and(|text| text.len() > 4);
        assert!(known, "{name}: {tool}");
    }
}

#[test]
fn record_show_draws_selected_decisions() {
    let place = diverged();
    let report = place.ok("record show {}/games.jsonl --game 2 --move 5..6");
    has(
        &report,
        "controller dt-20 | seed 5 | game 2, move 5:  | game 2, move 6:  | rotation  | sim:  | \
         clock cycles | 0123456789\n",
    );
    assert_eq!(report.matches("\ngame ").count(), 2, "{report}");
    let wrong = "record show {}/games.jsonl.edited --diverged";
    let document = place.json(0, wrong);
    let decisions = document["decisions"].as_array().expect("decisions");
    assert_eq!((decisions.len(), &decisions[0]["move"]), (1, &9.into()));
    assert_eq!(document["header"]["seed"], 5);
    place.shows(&format!(
        "
        0 record show {{}}/games.jsonl --limit 3 => 3 decisions shown, and there are more
        0 {wrong} => sim: no placement is legal
        0 record show {{}}/games.jsonl --diverged => no decision diverged
        2 record show {{}}/games.jsonl --game 9 => --game | 3 games
        2 record show {{}}/games.jsonl --game 2 --move 41.. => no decision is selected by --game 2 --move 41..:
        2 record show {{}}/games.jsonl --move 41 => --move | 120 decisions
        "
    ));
}

#[test]
fn record_stats_count_what_play_counted() {
    let place = Place::new();
    let play = "play --controller lowest --games 3 --record {}/games.jsonl -q";
    place.ok(&format!("{play} --json {{}}/summary.json"));
    let summary = json(&place.text("summary.json"));
    let stats =
        |name: &str| place.json(0, &format!("record stats {{}}/{name}"))["records"][0].take();
    let good = stats("games.jsonl");
    assert_eq!(good["rows_cleared"], summary["lines"]);
    for field in ["decisions", "games", "agreed", "diverged"] {
        assert_eq!(good[field], summary[field], "{field}");
    }
    members(&good, "/ending complete | /controller lowest");
    for field in ["mean", "max"] {
        let cycles = |of: &Value| of["backends"][2]["cycles"][field].clone();
        assert_eq!(cycles(&good), cycles(&summary), "{field}");
    }
    let text = place.ok(&format!("record stats {{}}/games.jsonl {OLD}"));
    has(
        &text,
        "3 games of  | rows cleared | sim | p99 | dt-20.jsonl",
    );
    place.edited("games.jsonl", 9, |line| {
        line["diverged"] = json(r#"{"sim":null}"#);
        line["due"] = json(r#"{"sim":1,"engine":2}"#);
    });
    let wrong = stats("games.jsonl.edited");
    assert_eq!(wrong["diverged"], 1, "{wrong}");
    // A decision on which not all agreed is not played.
    let placed = |stats: &Value| 3.0 * stats["pieces"]["mean"].as_f64().expect("a number");
    assert_eq!(placed(&wrong).round(), placed(&good).round() - 1.0);
    let of_backend = [0, 1, 2].map(|at| wrong["backends"][at]["diverged"].clone());
    assert_eq!(of_backend, [0, 1, 1]);
}

/// Line, member and its new value; the mistake. `other` is another piece than the generator's, from
/// there to the end.
const MISTAKES: &str = r#"
    10 /board/3 1               => does not follow | expected {
    10 /decision/row 15         => line 10 | forbidden
    10 /decision/rows_cleared 4 => line 10 | forbidden | 4
    10 /decision null           => line 11 | had ended before
    42 /game 3                  => line 42 | expected game 2
    1 /setup/seed 6             => seed is 5, but 6 in its setup
    122 /end/decisions 9        => line 122 | 9 decisions | 120
    122 /end/games 4            => line 122 | 4 games | 3
    122 /end/games 2            => line 122 | 2 games | 3
    41 /piece other             => line 41
    42 /cycles/sim 1            => line 42 | cycles: expected | got 1
    42 /decision/score -1.5     => line 42 | game 2, move 1: score: expected -159.16 | got -1.5
    121 /piece other            => line 121
"#;

#[test]
fn record_verify_names_first_wrong_line() {
    let place = recorded();
    let good = place.ok(&format!("record verify {{}}/games.jsonl {OLD}"));
    has(&good, "complete: 120 decisions of 3 games");
    let mut wrong = Vec::new();
    for (row, named) in rows(MISTAKES) {
        let words: Vec<&str> = row.split(' ').collect();
        let number = words[0].parse().expect("a line");
        place.edited("games.jsonl", number, |line| match words[2] {
            "other" => other_piece(line),
            value => *line.pointer_mut(words[1]).expect(row) = json(value),
        });
        let verified = &place.json(1, "record verify {}/games.jsonl.edited")["records"][0];
        let why = verified["wrong"].as_str().unwrap_or_default();
        if verified["whole"] != false || !named.iter().all(|part| why.contains(part)) {
            wrong.push(format!("{row}: {named:?}: {verified}"));
        }
    }
    none(&wrong);
    place.edited("games.jsonl", 42, |line| line["cycles"]["sim"] = 1.into());
    let by_rules = place.ok("record verify --rules-only {}/games.jsonl.edited");
    has(&by_rules, "all by the rules (decisions not recomputed)");
    let whole = place.text("games.jsonl");
    for missing in [5, 200] {
        place.put("short", &whole[..whole.len() - missing]);
        place.shows("1 record verify {}/short => cut short");
    }
}

/// In another order, the header says how each game was dealt; games that are not consecutive keep
/// their deals.
#[test]
fn record_cut_can_be_merged_again() {
    let place = recorded();
    let record = |line: &str| place.ok(&format!("record {line}"));
    record("cut {}/games.jsonl --games 1 --out {}/1.jsonl.zst");
    record("cut {}/games.jsonl --games 3 --out {}/3.jsonl");
    let report = record("cut {}/games.jsonl --games 2.. --out {}/2.jsonl");
    has(&report, "80 decisions of 2 games");
    record("merge {}/1.jsonl.zst {}/2.jsonl --out {}/merged.jsonl");
    assert!(place.text("merged.jsonl") == place.text("games.jsonl"));
    record("merge {}/1.jsonl.zst {}/3.jsonl --out {}/13.jsonl");
    record("merge {}/2.jsonl {}/1.jsonl.zst --out {}/turned.jsonl.zst");
    record("cut {}/turned.jsonl.zst --moves 30..35 --out {}/moves.jsonl");
    record("verify {}/1.jsonl.zst {}/2.jsonl {}/13.jsonl {}/turned.jsonl.zst {}/moves.jsonl");
    let head = &lines(&place.text("13.jsonl"))[0];
    let dealt = [0, 1].map(|part| head["parts"][part]["dealt"].clone());
    assert_eq!(dealt, [1, 3], "{head}");
    let moves = lines(&place.text("moves.jsonl"));
    assert_eq!(moves.len(), 1 + 18 + 1);
    let head = (
        &moves[0]["setup"],
        &moves[0]["excerpt"],
        &moves[0]["parts"][0]["dealt"],
    );
    assert_eq!(head, (&Value::Null, &"--moves 30..35".into(), &2.into()));
    members(&moves[1], "/game 1 | /move 30");
    // A wrong piece in a cut record is found as well.
    place.edited("moves.jsonl", 7, other_piece);
    place.exits(1, "record verify {}/moves.jsonl.edited");
    // They are replayed as any.
    let again = place.ok("replay {}/turned.jsonl.zst {}/moves.jsonl --backend engine");
    has(&again, "138 agreed, 0 diverged");
    place.ok("replay {}/moves.jsonl --backend engine --record {}/kept.jsonl -q");
    record("verify {}/kept.jsonl");
}

#[test]
fn record_cut_begins_before_divergence() {
    let place = diverged();
    let cut = "record cut {}/games.jsonl.edited --from-divergence";
    place.ok(&format!("{cut} 2 --out {{}}/out.jsonl"));
    let entries = lines(&place.text("out.jsonl"));
    members(&entries[1], "/game 2 | /move 7");
    assert_eq!(entries.len(), 1 + 34 + 1, "to the end of that game");
    place.ok(&format!("{cut} --moves ..9 --out {{}}/out.jsonl --force"));
    assert_eq!(place.text("out.jsonl").lines().count(), 3);
    // Nothing is no record.
    place.refuses(
        "
        record cut {}/games.jsonl --from-divergence --out {}/none => no decision is selected by --from-divergence 0
        record cut {}/games.jsonl --out {}/none => --games
    ",
    );
    assert_eq!(place.names().len(), 3, "{:?}", place.names());
}

#[test]
fn record_of_cut_short_record_is_not_complete() {
    let place = recorded();
    let whole = place.text("games.jsonl");
    let last = whole.trim_end().rfind('\n').expect("lines") + 1;
    place.put("short", &whole[..last]);
    let record = |line: &str| place.ok(&format!("record {line}"));
    record("cut {}/short --games 1.. --out {}/part");
    assert_eq!(tail(&place.text("part"))["complete"], false);
    for both in ["{}/short {}/games.jsonl", "{}/games.jsonl {}/short"] {
        record(&format!("merge {both} --out {{}}/merged --force"));
        let end = tail(&place.text("merged"));
        assert_eq!(end, json(r#"{"decisions":240,"games":6,"complete":false}"#));
        let verified = place.json(0, "record verify {}/merged");
        assert_ne!(verified["records"][0]["ending"], "complete", "{verified}");
    }
    let twice = place.run("record merge {}/games.jsonl {}/games.jsonl --out {}/merged --force");
    has(&stderr(&twice), "warning: | games.jsonl is named twice");
    assert_eq!(
        tail(&place.text("merged"))["complete"],
        true,
        "of two that are"
    );
}

#[test]
fn records_of_several_kinds_are_not_merged() {
    let place = recorded();
    let merge = "record merge {}/games.jsonl {}/games.jsonl.edited --out {}/out.jsonl";
    place.edited("games.jsonl", 1, |head| {
        head["controller"]["weights"]["holes"] = 3.into();
        head["integers"]["holes"] = 3_000_000.into();
    });
    let games = place.file("games.jsonl");
    place.refuses(&format!("{merge} => controller.weights.holes | {games}"));
    place.edited("games.jsonl", 1, |head| {
        head["backends"][1]["build_id"] = "00000001".into();
    });
    place.refuses(&format!("{merge} => sim has RTL build 00000001"));
    assert_eq!(place.names().len(), 2, "{:?}", place.names());
}

/// A complete record, an incomplete one, and one with a line edited by hand.
#[test]
fn record_convert_there_and_back_keeps_every_byte() {
    let place = recorded();
    let whole = place.text("games.jsonl");
    let last = whole.trim_end().rfind('\n').expect("lines") + 1;
    let edited = whole.replacen("{\"game\":1,", "{ \"note\": \"by hand\", \"game\":1,", 1);
    for content in [&*whole, &whole[..last], &edited] {
        place.put("from", content);
        place.ok("record convert {}/from {}/by.jsonl.zst --force -q");
        place.ok("record convert {}/by.jsonl.zst {}/back --force -q");
        assert!(place.text("back") == content, "{}", place.text("back"));
    }
}

#[test]
fn record_output_that_cannot_be_written_is_left_alone() {
    let place = recorded();
    place.put("out", "precious");
    place.put("broken", place.text("games.jsonl") + "more\n");
    place.put("a.parquet", "PAR1\u{15}\u{4}PAR1");
    let before = place.names();
    place.refuses("
        record convert {}/games.jsonl {}/out => /out | --force
        record convert {}/games.jsonl - => output -: expected a file
        record convert {}/broken {}/out --force => /broken, line 123
        record convert {}/games.jsonl {}/games.jsonl => it is the input
        record merge {}/games.jsonl --out {}/games.jsonl --force => it is the input
        record convert {}/games.jsonl /nowhere/at/all => /nowhere/at
        record verify {}/a.parquet => a.parquet: a Parquet file | JSON lines
        record stats {}/a.parquet => a.parquet: a Parquet file | JSON lines
        replay {}/a.parquet --backend software => a.parquet: a Parquet file | JSON lines
        explain {}/a.parquet --backend software --backend engine => a.parquet: a Parquet file | JSON lines
    ");
    assert_eq!(
        (place.names(), place.text("out")),
        (before, "precious".into())
    );
}
