//! `lockstep record`: records shown, counted, verified, cut, merged and converted.

use super::*;

/// Three games of 40 pieces, the second backend wrong here and there in the second.
pub fn recorded(folder: &TempDir) -> String {
    let record = file(folder, "games.jsonl");
    let what = [
        "play",
        "--backend",
        "software",
        "--backend",
        "sim",
        "--games",
        "3",
    ];
    let to = [
        "--max-pieces",
        "40",
        "--seed",
        "5",
        "--record",
        &record,
        "-q",
    ];
    exits(0, &[&what[..], &to].concat());
    record
}

/// A copy with a line changed, counted from 1.
fn edited(record: &str, line: usize, change: impl Fn(&mut Value)) -> String {
    let text = text(record);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut value = json(&lines[line - 1]);
    change(&mut value);
    assert_ne!(value, json(&lines[line - 1]), "the edit changes it");
    // In the order it has there.
    lines[line - 1] = value.to_string();
    let copy = format!("{record}.edited");
    write(&copy, lines.join("\n") + "\n");
    copy
}

pub fn record(arguments: &[&str]) -> Output {
    exits(0, &[&["record"], arguments].concat())
}

/// A record of version 3.
pub fn old() -> String {
    let path = crate::support::root().join("fixtures/records/dt-20.jsonl");
    path.to_string_lossy().into_owned()
}

#[test]
fn a_record_names_what_it_was_made_with() {
    let folder = folder();
    let games = recorded(&folder);
    let head = json(text(&games).lines().next().expect("a header"));
    let tools = head["tools"].as_object().expect("by name");
    let names: Vec<_> = tools.keys().map(String::as_str).collect();
    assert_eq!(names, ["lockstep", "rustc", "verilator"]);
    let version = stdout(&exits(0, &["-V"]));
    let own = tools["lockstep"].as_str().expect("a text");
    assert_eq!(version.trim(), format!("lockstep {own}"));
    for (name, tool) in tools {
        assert!(
            tool.as_str().is_some_and(|text| text.len() > 4),
            "{name}: {tool}"
        );
    }
}

#[test]
fn show_draws_what_is_asked_for() {
    let folder = folder();
    let games = recorded(&folder);
    let report = stdout(&record(&["show", &games, "--game", "2", "--move", "5..6"]));
    for part in [
        "controller dt-20",
        "seed 5",
        "game 2, move 5: ",
        "game 2, move 6: ",
        "rotation ",
        "sim: ",
        "clock cycles",
        "0123456789\n",
    ] {
        assert!(report.contains(part), "no {part} in\n{report}");
    }
    assert_eq!(report.matches("\ngame ").count(), 2, "{report}");
    let few = stdout(&record(&["show", &games, "--limit", "3"]));
    assert!(
        few.contains("3 decisions shown, and there are more"),
        "{few}"
    );
    let none = stdout(&record(&["show", &games, "--diverged"]));
    assert!(none.contains("no such decision"), "{none}");
    let wrong = edited(&games, 50, |line| {
        line["diverged"] = json(r#"{"sim":null}"#);
    });
    let shown = stdout(&record(&["show", &wrong, "--diverged", "--json", "-"]));
    let document = json(&shown);
    let decisions = document["decisions"].as_array().expect("decisions");
    assert_eq!(
        (decisions.len(), &decisions[0]["move"]),
        (1, &9.into()),
        "{shown}"
    );
    assert_eq!(document["header"]["seed"], 5);
    let drawn = stdout(&record(&["show", &wrong, "--diverged"]));
    assert!(drawn.contains("sim: no placement is legal"), "{drawn}");
}

#[test]
fn stats_count_what_play_counted() {
    let folder = folder();
    let [games, summary] = ["games.jsonl", "summary.json"].map(|name| file(&folder, name));
    let what = [
        "play",
        "--controller",
        "lowest",
        "--games",
        "3",
        "--record",
        &games,
    ];
    exits(0, &[&what[..], &["--json", &summary, "-q"]].concat());
    let summary = json(&text(&summary));
    let stats = json(&stdout(&record(&["stats", &games, "--json", "-"])));
    let stats = &stats["records"][0];
    assert_eq!(stats["rows_cleared"], summary["lines"]);
    for field in ["decisions", "games", "agreed", "diverged"] {
        assert_eq!(stats[field], summary[field], "{field}");
    }
    assert_eq!(
        (&stats["ending"], &stats["controller"]),
        (&"complete".into(), &"lowest".into())
    );
    let (ours, theirs) = (&stats["backends"][2], &summary["backends"][2]);
    for field in ["mean", "max"] {
        assert_eq!(ours["cycles"][field], theirs["cycles"][field], "{field}");
    }
    let good = stats.clone();
    let text = stdout(&record(&["stats", &games, &old()]));
    for part in ["3 games of ", "rows cleared", "sim", "p99", "dt-20.jsonl"] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    let wrong = edited(&games, 9, |line| {
        line["diverged"] = json(r#"{"sim":null}"#);
        line["due"] = json(r#"{"sim":1,"engine":2}"#);
    });
    let stats = json(&stdout(&record(&["stats", &wrong, "--json", "-"])));
    let stats = &stats["records"][0];
    assert_eq!(stats["diverged"], 1, "{stats}");
    // What not all agreed on is not played.
    let placed = |stats: &Value| 3.0 * stats["pieces"]["mean"].as_f64().expect("a number");
    assert_eq!(placed(stats).round(), placed(&good).round() - 1.0);
    let diverged = |at: usize| stats["backends"][at]["diverged"].clone();
    assert_eq!([diverged(0), diverged(1), diverged(2)], [0, 1, 1]);
}

#[test]
fn verify_names_the_first_line_that_is_wrong() {
    let folder = folder();
    let games = recorded(&folder);
    let good = record(&["verify", &games, &old()]);
    assert!(
        stdout(&good).contains("complete: 120 decisions of 3 games"),
        "{}",
        shown(&good)
    );
    type Change = fn(&mut Value);
    let cases: [(usize, Change, &[&str]); 13] = [
        (
            10,
            |line| line["board"][3] = 1.into(),
            &["line 10", "does not follow", "expected {"],
        ),
        (
            10,
            |line| line["decision"]["row"] = 15.into(),
            &["line 10", "forbidden"],
        ),
        (
            10,
            |line| line["decision"]["rows_cleared"] = 4.into(),
            &["line 10", "forbidden", "rows_cleared is 4"],
        ),
        (
            10,
            |line| line["decision"] = Value::Null,
            &["line 11", "over before"],
        ),
        (
            10,
            |line| line["move"] = 10.into(),
            &["line 10", "expected move 9"],
        ),
        (
            10,
            |line| line["game"] = 3.into(),
            &["line 10", "expected game 2"],
        ),
        (
            42,
            |line| line["game"] = 3.into(),
            &["line 42", "expected game 2"],
        ),
        (
            42,
            |line| line["move"] = 2.into(),
            &["line 42", "expected move 1"],
        ),
        (
            1,
            |line| line["setup"]["seed"] = 6.into(),
            &["seed 5", "dealt from 6"],
        ),
        (
            1,
            |line| line["integers"]["holes"] = 6.into(),
            &["integers"],
        ),
        (
            1,
            |line| line["generator"]["name"] = "bag".into(),
            &["generator", "bag"],
        ),
        (
            122,
            |line| line["end"]["decisions"] = 9.into(),
            &["line 122", "9 decisions, and 120"],
        ),
        (
            122,
            |line| line["end"]["games"] = 4.into(),
            &["line 122", "4 games, and 3"],
        ),
    ];
    let mut wrong = Vec::new();
    for (line, change, named) in cases {
        let copy = edited(&games, line, change);
        let output = run(&["record", "verify", &copy, "--json", "-"], "");
        let told = json(&stdout(&output))["records"][0].clone();
        let why = told["wrong"].as_str().unwrap_or_default();
        let all = named.iter().all(|part| why.contains(part));
        if output.status.code() != Some(1) || told["whole"] != false || !all {
            wrong.push(format!("line {line}: {named:?}: {}", shown(&output)));
        }
    }
    // Another piece than the generator's, from there to the end.
    let other = edited(&games, 41, |line| {
        let piece = if line["piece"] == "I" { "O" } else { "I" };
        line["piece"] = piece.into();
    });
    let output = run(&["record", "verify", &other], "");
    if output.status.code() != Some(1) || !stdout(&output).contains("line 41") {
        wrong.push(shown(&output));
    }
    let whole = text(&games);
    for (length, told) in [
        (whole.len() - 5, "cut short"),
        (whole.len() - 200, "cut short"),
    ] {
        write(&other, &whole[..length]);
        let output = run(&["record", "verify", &other], "");
        if output.status.code() != Some(1) || !stdout(&output).contains(told) {
            wrong.push(shown(&output));
        }
    }
    none(&wrong);
    refused(
        &run(&["record", "verify", &file(&folder, "missing")], ""),
        &["missing"],
    );
}

#[test]
fn what_is_cut_can_be_merged_again() {
    let folder = folder();
    let games = recorded(&folder);
    let [first, rest, merged, turned, moves] = [
        "1.jsonl.zst",
        "2.jsonl",
        "m.jsonl",
        "t.jsonl.zst",
        "p.jsonl",
    ]
    .map(|name| file(&folder, name));
    record(&["cut", &games, "--games", "1", "--out", &first]);
    let output = record(&["cut", &games, "--games", "2..", "--out", &rest]);
    assert!(
        stdout(&output).contains("80 decisions of 2 games"),
        "{}",
        shown(&output)
    );
    record(&["merge", &first, &rest, "--out", &merged]);
    assert!(text(&merged) == text(&games), "{}", text(&merged));
    // In another order games are dealt by what the header says.
    record(&["merge", &rest, &first, "--out", &turned]);
    record(&["cut", &turned, "--moves", "30..35", "--out", &moves]);
    record(&["verify", &first, &rest, &turned, &moves]);
    let lines: Vec<Value> = text(&moves).lines().map(json).collect();
    assert_eq!(lines.len(), 1 + 18 + 1);
    assert_eq!(
        (&lines[0]["setup"], &lines[0]["excerpt"]),
        (&Value::Null, &"--moves 30..35".into())
    );
    assert_eq!(lines[0]["parts"][0]["dealt"], 2);
    assert_eq!(
        (&lines[1]["game"], &lines[1]["move"]),
        (&1.into(), &30.into())
    );
    // A wrong piece in a cut record is found as well.
    let wrong = edited(&moves, 7, |line| line["piece"] = "S".into());
    let wrong = match json(text(&moves).lines().nth(6).expect("a line"))["piece"] == "S" {
        true => edited(&moves, 7, |line| line["piece"] = "Z".into()),
        false => wrong,
    };
    let output = run(&["record", "verify", &wrong], "");
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    // They are replayed as any.
    let again = exits(0, &["replay", &turned, &moves, "--backend", "engine"]);
    assert!(
        stdout(&again).contains("138 agreed, 0 diverged"),
        "{}",
        shown(&again)
    );
    let kept = file(&folder, "kept.jsonl");
    exits(
        0,
        &[
            "replay",
            &moves,
            "--backend",
            "engine",
            "--record",
            &kept,
            "-q",
        ],
    );
    record(&["verify", &kept]);
}

#[test]
fn a_record_is_cut_before_its_divergences() {
    let folder = folder();
    let games = recorded(&folder);
    let wrong = edited(&games, 50, |line| {
        line["diverged"] = json(r#"{"sim":null}"#)
    });
    let out = file(&folder, "out.jsonl");
    record(&["cut", &wrong, "--from-divergence", "2", "--out", &out]);
    let lines: Vec<Value> = text(&out).lines().map(json).collect();
    let place = |line: &Value| (line["game"].clone(), line["move"].clone());
    assert_eq!(place(&lines[1]), (2.into(), 7.into()));
    assert_eq!(lines.len(), 1 + 34 + 1, "to the end of that game");
    record(&[
        "cut",
        &wrong,
        "--from-divergence",
        "--moves",
        "..9",
        "--out",
        &out,
        "--force",
    ]);
    assert_eq!(text(&out).lines().count(), 3);
    // Nothing is no record.
    let none = file(&folder, "none.jsonl");
    let output = run(
        &["record", "cut", &games, "--from-divergence", "--out", &none],
        "",
    );
    refused(&output, &["no decision"]);
    assert!(!Path::new(&none).exists());
    refused(
        &run(&["record", "cut", &games, "--out", &none], ""),
        &["--games"],
    );
}

#[test]
fn records_of_several_kinds_are_not_merged() {
    let folder = folder();
    let games = recorded(&folder);
    let out = file(&folder, "out.jsonl");
    let mut wrong = Vec::new();
    let weights = edited(&games, 1, |head| {
        head["controller"]["weights"]["holes"] = 3.into();
        head["integers"]["holes"] = 3_000_000.into();
    });
    let merge = |other: &str| run(&["record", "merge", &games, other, "--out", &out], "");
    wrong.extend(misrefused(
        &merge(&weights),
        &["controller.weights.holes", &games],
    ));
    let build = edited(&games, 1, |head| {
        head["backends"][1]["build_id"] = "00000001".into()
    });
    wrong.extend(misrefused(
        &merge(&build),
        &["sim is of RTL build 00000001"],
    ));
    none(&wrong);
    assert!(!Path::new(&out).exists());
}
