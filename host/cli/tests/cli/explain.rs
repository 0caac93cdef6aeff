//! `lockstep explain`, and the explanations of `play` and `replay`.

use super::*;

/// The options for the golden model and the faulty core.
fn both() -> String {
    format!("--backend software --backend {WRONG_CHOICE}")
}

const WHY: &str = "evaluates cumulative_wells differently";

#[test]
fn explain_writes_case_and_waveform() {
    let place = Place::recorded(30);
    let explain = format!("explain {{}}/game --out {{}}/why {}", both());
    let report = place.exits(1, &explain);
    has(
        &report,
        &format!(
            "{WHY} | walls are | smaller case: 1 position | first at placement | game 1, move "
        ),
    );
    let why = place.file("why");
    // The commands work in any folder.
    let gtkwave = format!("gtkwave {why}/waves.fst {why}/waves.gtkw\n");
    has(
        &report,
        &format!("why/case.json | why/waves.fst; the marker is at | {gtkwave}"),
    );
    has(&report, "surfer --command-file ");
    for name in ["case.json", "waves.fst", "waves.gtkw", "waves.sucl"] {
        let about = std::fs::metadata(place.file(&format!("why/{name}")));
        assert!(about.is_ok_and(|about| about.len() > 300), "{name}");
    }
    // What is there stays; the case alone shows the same, and its core is right without the fault.
    std::fs::create_dir(place.file("waves")).expect("a folder");
    place.put("waves/waves.fst", "kept");
    let other = explain.replace("{}/why", "{}/waves");
    place.shows(&format!(
        "
        2 {explain} => there is a case.json in it; --force overwrites it
        1 {explain} --force =>
        1 explain {{}}/why/case.json --no-shrink => {WHY}
        2 explain {{}}/why/case.json --game 1 => is a case, and only a record has games
        0 explain {{}}/why/case.json --backend software --backend sim => they agree
        2 {other} => waves.fst | --force
        "
    ));
    assert_eq!(place.text("waves/waves.fst"), "kept");
}

#[test]
fn explain_takes_one_decision_of_record() {
    let place = Place::recorded(30);
    place.ok("record convert {}/game {}/game.zst");
    place.shows(
        "
        0 explain {}/game --game 1 --move 30 => they agree
        0 explain {}/game.zst --game 1 --move 7 => they agree
        0 explain {}/game --out {}/why => 30 decisions, no difference between software and sim
        2 explain {}/game --game 1 --move 31 => has no move 31 of game 1
        2 explain {}/game --game 2 --move 1 => has no move 1 of game 2
        2 explain {}/game --game 2 => --game 2: | game has 1 game
        2 explain {}/game --game tetris => expected the number of a game in the file
        2 explain {}/game --controller bcts => is a record, which has its own
        2 explain {}/game --depth 1 => is a record, which has its own
    ",
    );
    assert_eq!(place.names(), ["game", "game.zst"]);
}

#[test]
fn explain_json_has_verdict_of_positions() {
    let place = Place::new();
    place.put("positions", format!("{EMPTY}\n").repeat(3));
    let document = place.json(1, &format!("explain {{}}/positions {}", both()));
    let report = &document["report"];
    members(
        report,
        "/positions 1 | /found/verdict/kind weighs | /found/verdict/weighed 6 | \
         /found/verdict/field cumulative_wells | /smaller/smallest true | \
         /smaller/explanation/verdict/field cumulative_wells",
    );
    // The engine reports no candidates.
    let engine = "explain {}/positions --backend software --backend engine";
    assert_eq!(
        place.ok(engine),
        "3 decisions, no difference between software and engine\n"
    );
    place.refuses("explain {}/positions --game 1 => is positions, and only a record has games");
}

#[test]
fn explain_wrong_use_is_refused() {
    let place = Place::recorded(30);
    for (content, named) in [
        ("", "expected a record, a case or positions"),
        ("hello\n", "line 1: neither a record, a case nor a position"),
        (r#"{"lockstep_case":7,"game":"tetris"}"#, "version 1"),
        ("{\"lockstep_record\":2}", "not a lockstep record"),
    ] {
        place.put("other", content);
        place.refuses(&format!("explain {{}}/other => {named}"));
    }
    place.refuses(
        "
        explain {}/nowhere => /nowhere: there is no such file
        explain {}/game --backend sim => expected two
    ",
    );
}

#[test]
fn divergence_is_explained_by_play_and_replay() {
    let place = Place::recorded(30);
    let play = format!("play --max-pieces 30 {}", both());
    let replay = format!("replay {{}}/game {}", both());
    for line in [&play, &replay] {
        has(
            &place.exits(1, line),
            &format!("why:  | {WHY} | smaller case"),
        );
        let report = place.exits(1, &format!("{line} --no-explain"));
        assert!(
            report.contains("DIVERGENCE") && !report.contains("why:"),
            "{report}"
        );
    }
    let document = place.json(1, &format!("{play} --explain {{}}/why"));
    let verdict = &document["explanation"]["found"]["verdict"];
    assert_eq!(verdict["field"], "cumulative_wells");
    assert!(std::fs::exists(place.file("why/waves.fst")).expect("a folder"));
    // Nothing differs, nothing is explained.
    assert_eq!(place.json(0, "replay {}/game")["explanation"], Value::Null);
}

/// Of two backends that differ, the first one on the command line is explained; of two records, the
/// first one.
#[test]
fn replay_explains_first_that_differs() {
    let place = Place::new();
    for seed in [1, 3] {
        let play = "play --backend software --max-pieces 30";
        place.ok(&format!("{play} --seed {seed} --record {{}}/{seed}"));
    }
    let piece = |name: &str| lines(&place.text(name))[1]["piece"].clone();
    assert_ne!(piece("1"), piece("3"));
    // Wrong from the first decision on, each in its own way.
    let faults = [FAULTY, "sim:fault=cycles-one-too-few"];
    for [one, other] in [faults, [faults[1], faults[0]]] {
        let backends = format!("--backend software --backend {one} --backend {other}");
        let document = place.json(1, &format!("replay {{}}/1 {{}}/3 {backends}"));
        let found = &document["explanation"]["found"];
        assert_eq!(found["got"]["backend"]["name"], one, "{found}");
        let first = &document["first_divergence"];
        let differ = first["mismatches"].as_array().map(Vec::len);
        assert_eq!((&first["move"], differ), (&1.into(), Some(2)));
        assert_eq!(
            found["position"]["piece"],
            piece("1"),
            "of the first record"
        );
    }
}
