//! `lockstep explain`, and what `play` and `replay` say of a divergence by themselves.

use super::*;

/// The fault changes a choice in the first games there are.
const FAULTY: &str = "sim:fault=well-at-wall";

/// The record of a short game, in a folder.
fn recorded(folder: &TempDir) -> String {
    let record = file(folder, "games.jsonl");
    let play = ["play", "--backend", "software", "--max-pieces", "30"];
    exits(0, &[&play[..], &["--record", &record]].concat());
    record
}

#[test]
fn a_record_is_explained_and_written_down() {
    let folder = folder();
    let (record, out) = (recorded(&folder), file(&folder, "why"));
    let backends = ["--backend", "software", "--backend", FAULTY];
    let words = [&["explain", &record, "--out", &out][..], &backends].concat();
    let told = stdout(&exits(1, &words));
    for part in [
        "weighs cumulative_wells otherwise, first at placement",
        "walls are",
        "smaller case: 1 position",
        "of what is a step simpler nothing shows the same",
        "why/case.json",
        "why/waves.fst; the marker is at",
        // From any folder
        "gtkwave {out}/waves.fst {out}/waves.gtkw\n",
        "surfer --command-file ",
    ] {
        let part = part.replace("{out}", &out);
        assert!(told.contains(&part), "no {part:?} in\n{told}");
    }
    for name in ["case.json", "waves.fst", "waves.gtkw", "waves.sucl"] {
        let file = folder.path().join("why").join(name);
        assert!(
            file.metadata().is_ok_and(|about| about.len() > 300),
            "{name}"
        );
    }
    // What is there stays.
    let again = exits(2, &words);
    assert!(stderr(&again).contains("there is a case.json in it; --force overwrites it"));
    exits(1, &[&words[..], &["--force"]].concat());
    // The case alone tells the same; its core is right without the fault.
    let case = file(&folder, "why/case.json");
    let told = stdout(&exits(1, &["explain", &case, "--no-shrink"]));
    assert!(told.contains("weighs cumulative_wells otherwise"), "{told}");
    let right = ["--backend", "software", "--backend", "sim"];
    let told = stdout(&exits(0, &[&["explain", &case][..], &right].concat()));
    assert!(told.contains("they agree"), "{told}");
}

#[test]
fn one_decision_of_a_record_can_be_named() {
    let folder = folder();
    let record = recorded(&folder);
    let at = |game, step| ["--game", game, "--move", step];
    let told = stdout(&exits(
        0,
        &[&["explain", &record][..], &at("1", "30")].concat(),
    ));
    assert!(told.contains("they agree"), "{told}");
    for (game, step) in [("1", "31"), ("2", "1")] {
        let wrong = exits(2, &[&["explain", &record][..], &at(game, step)].concat());
        let told = format!("has no move {step} of game {game}");
        assert!(stderr(&wrong).contains(&told), "{}", shown(&wrong));
    }
    let told = stdout(&exits(0, &["explain", &record]));
    assert_eq!(told, "no decision differs\n");
    let compressed = file(&folder, "games.jsonl.zst");
    exits(0, &["record", "convert", &record, &compressed]);
    let told = stdout(&exits(
        0,
        &[&["explain", &compressed][..], &at("1", "7")].concat(),
    ));
    assert!(told.contains("they agree"), "{told}");
}

#[test]
fn positions_are_explained_and_told_to_machines() {
    let folder = folder();
    let positions = file(&folder, "positions.jsonl");
    let empty = format!("{{\"board\":{:?},\"piece\":\"T\"}}\n", [0; 20]);
    write(&positions, empty.repeat(3));
    let backends = ["--backend", "software", "--backend", FAULTY];
    let words = [&["explain", &positions, "--json", "-"][..], &backends].concat();
    let report = &json(&stdout(&exits(1, &words)))["report"];
    assert_eq!(report["positions"], 1);
    let verdict = &report["found"]["verdict"];
    assert_eq!(verdict["kind"], "weighs");
    assert_eq!(verdict["field"], "cumulative_wells");
    assert_eq!(verdict["weighed"], 6);
    let smaller = &report["smaller"];
    assert_eq!(smaller["smallest"], true);
    assert_eq!(
        smaller["explanation"]["verdict"]["field"],
        "cumulative_wells"
    );
    // The engine does not tell what it weighs.
    let engine = ["--backend", "software", "--backend", "engine"];
    let words = [&["explain", &positions][..], &engine].concat();
    assert_eq!(stdout(&exits(0, &words)), "no decision differs\n");
}

#[test]
fn what_is_nothing_to_explain_is_an_error() {
    let folder = folder();
    let other = file(&folder, "other");
    for (text, told) in [
        ("", "holds no position"),
        ("hello\n", "line 1: neither a record, a case nor a position"),
        (
            "{\"lockstep_case\":7,\"game\":\"tetris\"}",
            "reads version 1",
        ),
        ("{\"lockstep_record\":2}", "not a lockstep record"),
    ] {
        write(&other, text);
        let wrong = exits(2, &["explain", &other]);
        assert!(stderr(&wrong).contains(told), "{text}: {}", shown(&wrong));
    }
    let wrong = exits(2, &["explain", &file(&folder, "nowhere")]);
    assert!(stderr(&wrong).contains("nowhere"), "{}", shown(&wrong));
    let one = exits(2, &["explain", &recorded(&folder), "--backend", "sim"]);
    assert!(stderr(&one).contains("name two"), "{}", shown(&one));
}

#[test]
fn a_divergence_explains_itself() {
    let folder = folder();
    let (record, out) = (recorded(&folder), file(&folder, "why"));
    let backends = ["--backend", "software", "--backend", FAULTY];
    let why = "why: sim:fault=well-at-wall weighs cumulative_wells otherwise";
    let play = [&["play", "--max-pieces", "30"][..], &backends].concat();
    let replay = [&["replay", &record][..], &backends].concat();
    for words in [play, replay] {
        let told = stdout(&exits(1, &words));
        assert!(told.contains(why), "{told}");
        assert!(told.contains("smaller case"), "{told}");
        let told = stdout(&exits(1, &[&words[..], &["--no-explain"]].concat()));
        assert!(
            told.contains("DIVERGENCE") && !told.contains("why:"),
            "{told}"
        );
    }
    let words = [
        "play",
        "--max-pieces",
        "30",
        "--json",
        "-",
        "--explain",
        &out,
    ];
    let document = json(&stdout(&exits(1, &[&words[..], &backends].concat())));
    let verdict = &document["explanation"]["found"]["verdict"];
    assert_eq!(verdict["field"], "cumulative_wells");
    assert!(folder.path().join("why/waves.fst").exists());
    // Nothing differs, nothing is explained.
    let document = json(&stdout(&exits(0, &["replay", &record, "--json", "-"])));
    assert_eq!(document["explanation"], Value::Null);
}

/// Of two that differ it is the one named first, of two records the first one.
#[test]
fn the_first_that_differs_is_explained() {
    let folder = folder();
    let (first, second) = (file(&folder, "1.jsonl"), file(&folder, "2.jsonl"));
    for (seed, path) in [("1", &first), ("3", &second)] {
        let play = ["play", "--backend", "software", "--max-pieces", "30"];
        exits(
            0,
            &[&play[..], &["--seed", seed, "--record", path]].concat(),
        );
    }
    let pieces = [&first, &second].map(|path| {
        let text = text(path);
        json(text.lines().nth(1).expect("a decision"))["piece"].clone()
    });
    assert_ne!(pieces[0], pieces[1]);
    // Wrong from the first decision on, each in its own way.
    let faults = [
        "sim:fault=landing-height-off-by-one",
        "sim:fault=cycles-one-too-few",
    ];
    for [one, other] in [faults, [faults[1], faults[0]]] {
        let backends = [
            "--backend",
            "software",
            "--backend",
            one,
            "--backend",
            other,
        ];
        let what = [&["replay", &first, &second, "--json", "-"][..], &backends].concat();
        let told = json(&stdout(&exits(1, &what)));
        let found = &told["explanation"]["found"];
        assert_eq!(found["got"]["backend"]["name"], one, "{found}");
        assert_eq!(told["first_divergence"]["move"], 1);
        assert_eq!(found["position"]["piece"], pieces[0], "of the first record");
    }
}

#[test]
fn a_waveform_that_is_there_is_not_overwritten() {
    let folder = folder();
    let record = recorded(&folder);
    std::fs::create_dir(folder.path().join("why")).expect("a folder");
    let (out, waves) = (file(&folder, "why"), file(&folder, "why/waves.fst"));
    write(&waves, "kept");
    let what = [
        "explain",
        &record,
        "--backend",
        "software",
        "--backend",
        FAULTY,
    ];
    let output = run(&[&what[..], &["--out", &out]].concat(), "");
    refused(&output, &["waves.fst", "--force"]);
    assert_eq!(text(&waves), "kept");
}
