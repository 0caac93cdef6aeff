//! Controllers that are more than weights: the seeds' programs, lookahead, other
//! boards, the fast engine.

use super::*;

/// `play` on software with a controller and more.
fn play(controller: &str, more: &[&str]) -> Output {
    let what = ["play", "--controller", controller, "--max-pieces", "40"];
    exits(0, &[&what[..], more].concat())
}

#[test]
fn every_program_plays() {
    let expected = [
        ("ece532", "software"),
        ("ece532-v2.5", "software"),
        ("lacaille", "software"),
        ("hidamari", "by its own rules"),
        ("led-tetris", "six games side by side on one 96×64 board"),
    ];
    for (name, who) in expected {
        let report = stdout(&play(name, &[]));
        assert!(report.contains(who), "{name}:\n{report}");
        let end = "40 pieces, ";
        assert!(report.contains(end), "{name}:\n{report}");
    }
}

#[test]
fn a_program_may_play_by_the_common_rules_or_its_own() {
    let lines = |more: &[&str]| {
        let output = play("ece532-v2.5", &[more, &["--json", "-"]].concat());
        let summary = json(&stdout(&output));
        let rules = summary["rules"].as_str().expect("rules").to_owned();
        (rules, summary["backends"][0]["name"].clone())
    };
    assert_eq!(lines(&[]), ("common".into(), "software".into()));
    let own = ["--rules", "own"];
    assert_eq!(lines(&own), ("own".into(), "program".into()));
    // What names other pieces or another board asks for the common rules.
    let report = stdout(&play("hidamari", &["--board", "10x16"]));
    assert!(report.contains("software"), "{report}");
}

#[test]
fn a_record_of_a_program_is_asked_again() {
    let folder = folder();
    let record = file(&folder, "lacaille.jsonl");
    play("lacaille", &["--record", &record]);
    let output = exits(0, &["replay", &record, "--backend", "software"]);
    assert!(stdout(&output).contains("40 agreed, 0 diverged"));
}

/// Whoever of software, engine and sim can play the same, unless backends are
/// named.
#[test]
fn all_that_can_play_are_compared_by_default() {
    let three = ["software", "engine", "sim"];
    let cases: [(&[&str], &[&str]); 7] = [
        (&[], &three),
        (&["--depth", "2"], &three[..2]),
        (&["--depth", "3", "--beam", "2"], &three[..2]),
        (&["--board", "10x10"], &three[..2]),
        (&["--board", "40x8"], &three[..1]),
        (
            &["--controller", "hidamari", "--rules", "common"],
            &three[..1],
        ),
        (&["--controller", "hidamari-linear"], &three),
    ];
    let mut wrong = Vec::new();
    for (arguments, expected) in cases {
        let what = ["play", "--max-pieces", "4", "--json", "-"];
        let summary = json(&stdout(&exits(0, &[&what[..], arguments].concat())));
        let backends = summary["backends"].as_array().expect("a list");
        let names: Vec<_> = backends.iter().filter_map(|b| b["name"].as_str()).collect();
        let compared = if expected.len() > 1 { 4 } else { 0 };
        if names != expected || summary["compared"] != compared {
            wrong.push(format!("{arguments:?}: {names:?} {summary}"));
        }
    }
    none(&wrong);
}

/// The first decisions of lookahead, on another board, by both implementations
/// in software.
#[test]
fn the_engine_agrees_with_software() {
    let cases: [&[&str]; 5] = [
        &[],
        &["--depth", "2"],
        &["--depth", "2", "--next", "averaged", "--max-pieces", "8"],
        &["--depth", "3", "--beam", "2", "--max-pieces", "8"],
        &["--board", "12x22", "--piece-source", "bag"],
    ];
    let both = ["--backend", "software", "--backend", "engine"];
    for case in cases {
        let max = match case.contains(&"--max-pieces") {
            true => vec![],
            false => vec!["--max-pieces", "40"],
        };
        let what = ["play", "--controller", "dt-20"];
        let output = exits(0, &[&what[..], &both, &max, case].concat());
        let report = stdout(&output);
        assert!(report.contains("agreed, 0 diverged"), "{case:?}:\n{report}");
        assert!(report.contains("fast engine, "), "{report}");
    }
    let portable = ["--backend", "software", "--backend", "engine:path=portable"];
    let output = play("bcts", &portable);
    assert!(stdout(&output).contains("fast engine, portable"));
}

#[test]
fn a_known_next_piece_is_used_by_what_looks_ahead() {
    let next = EMPTY.replace('}', r#","next":"L"}"#);
    let arguments = ["decide", "--depth", "2", "--backend", "software"];
    let both = [&arguments[..], &["--backend", "engine"]].concat();
    let output = run(&both, &next);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert_eq!(json(&stdout(&output))["legal"], true);
    refused(
        &run(&["decide"], &next),
        &["what comes next", "no lookahead"],
    );
}

#[test]
fn a_position_may_have_another_size() {
    let position = r#"{"size":"10x4","board":[15,0,0,0],"piece":"O"}"#;
    let output = run(&["decide", "--controller", "dellacherie"], position);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    let short = r#"{"board":[15,0,0,0],"piece":"O"}"#;
    refused(&run(&["decide"], short), &["4 rows", "expected 20", "size"]);
    let sim = ["decide", "--backend", "sim"];
    refused(
        &run(&sim, position),
        &["sim", "is 10x4, but it decides on boards of 10x20"],
    );
}

/// A board a program does not play on is not a lost position.
#[test]
fn positions_a_program_does_not_play_are_refused() {
    let rows = "0,".repeat(16);
    let low = format!(
        r#"{{"size":"10x16","board":[{}],"piece":"T"}}"#,
        &rows[..31]
    );
    let decide = ["decide", "--controller", "ece532-v2.5"];
    refused(
        &run(&decide, &low),
        &["ece532-v2.5", "10x16", "its own is 10x20"],
    );
    let full = format!(r#"{{"board":[{}],"piece":"T"}}"#, &"1023,".repeat(20)[..99]);
    for name in ["hidamari", "ece532", "lacaille", "led-tetris", "dt-20"] {
        let output = run(&["decide", "--controller", name], &full);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", shown(&output));
        assert_eq!(json(&stdout(&output))["legal"], false, "{name}");
    }
}

#[test]
fn a_record_that_could_not_be_read_is_not_written() {
    let folder = folder();
    let record = file(&folder, "wide.jsonl");
    let play = [
        "play",
        "--controller",
        "lowest",
        "--board",
        "40x8",
        "--record",
        &record,
    ];
    refused(&run(&play, ""), &["--record", "32 columns", "40x8"]);
    // Nor one of a session that cannot be held.
    let both = ["--backend", "software", "--backend", "sim"];
    let play = ["play", "--board", "10x16", "--record", &record];
    refused(&run(&[&play[..], &both].concat(), ""), &["sim", "10x16"]);
    assert!(!Path::new(&record).exists());
}

#[test]
fn the_controller_is_not_written_over() {
    let folder = folder();
    let mine = file(&folder, "mine.json");
    let content = include_str!("../../../../fixtures/weights/lowest.json");
    for arguments in [
        &["play", "--backend", "software", "--record", &mine][..],
        &["play", "--backend", "software", "--json", &mine],
        &["bench", "--json", &mine],
    ] {
        write(&mine, content);
        let output = run(&[arguments, &["--controller", &mine]].concat(), "");
        refused(&output, &[&mine, "which is read"]);
        assert_eq!(text(&mine), content, "{arguments:?}");
    }
}

#[test]
fn controller_files_are_refused_for_what_is_wrong() {
    let folder = folder();
    let mine = file(&folder, "mine.json");
    let weights = r#""weights":{"holes":-1}"#;
    let cases = [
        (
            r#""name":"a","source":"b""#.to_owned(),
            "expected weights or the name of a program",
        ),
        (
            format!(r#""name":"a","source":"b",{weights},"program":"lacaille""#),
            "leave one out",
        ),
        (
            format!(r#""name":"a","source":"b",{weights},"search":{{"depth":2,"beam":0}}"#),
            "the beam is 0",
        ),
        (
            format!(r#""name":"a","source":"b",{weights},"search":{{"depth":4}}"#),
            "the depth is 4",
        ),
        (
            format!(r#""name":"","source":"b",{weights}"#),
            "expected 1 to 64",
        ),
        (
            format!(r#""name":"a\nb","source":"b",{weights}"#),
            "a control character",
        ),
        (
            r#""name":"a","source":"b","program":"dt-20""#.to_owned(),
            "unknown program 'dt-20'",
        ),
    ];
    let mut wrong = Vec::new();
    for (members, named) in cases {
        write(&mine, format!("{{{members}}}"));
        let output = run(&["decide", "--controller", &mine], "");
        wrong.extend(misrefused(&output, &[&mine, named]));
    }
    none(&wrong);
}

#[test]
fn what_cannot_be_played_is_refused() {
    let record = "--record";
    let cases: [(&[&str], &[&str]); 11] = [
        (
            &["--controller", "lacaille", "--backend", "sim"],
            &["sim", "linear", "lacaille is a program"],
        ),
        (
            &["--depth", "2", "--backend", "sim"],
            &["sim", "no lookahead", "dt-20 has depth 2"],
        ),
        (
            &["--controller", "lacaille", "--backend", "engine"],
            &["engine", "lacaille is a program"],
        ),
        (
            &["--controller", "lacaille", "--depth", "2"],
            &["lacaille is a program", "--depth"],
        ),
        (
            &["--controller", "led-tetris", "--backend", "sim"],
            &["--backend", "led-tetris", "--rules common"],
        ),
        (
            &["--controller", "led-tetris", record, "/dev/null"],
            &["--record", "led-tetris", "--rules common"],
        ),
        (&["--rules", "own"], &["--rules own", "dt-20 has no rules"]),
        (
            &["--controller", "hidamari", "--board", "12x22"],
            &["hidamari", "12x22", "10x22"],
        ),
        (&["--next", "averaged"], &["--next", "dt-20", "--depth 2"]),
        (
            &["--backend", "engine:path=mmx"],
            &["engine:path=mmx", "mmx", "portable"],
        ),
        (
            &["--backend", "engine", "--board", "10x40"],
            &["engine", "12x32", "10x40"],
        ),
    ];
    let mut wrong = Vec::new();
    for (arguments, named) in cases {
        let output = run(&[&["play", "--max-pieces", "3"], arguments].concat(), "");
        wrong.extend(misrefused(&output, named).map(|w| format!("{arguments:?}: {w}")));
    }
    none(&wrong);
}

/// Nothing is compared, but what the program did is counted, as its own.
#[test]
fn the_moves_of_a_program_are_counted_as_its_own() {
    let what = ["play", "--controller", "hidamari", "--max-pieces", "7"];
    let summary = json(&stdout(&exits(0, &[&what[..], &["--json", "-"]].concat())));
    let program = &summary["backends"][0];
    for (counted, expected) in [
        (&summary["decisions"], 7),
        (&program["decisions"], 7),
        (&summary["compared"], 0),
    ] {
        assert_eq!(counted, expected, "{summary}");
    }
}
