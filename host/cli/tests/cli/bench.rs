//! `lockstep bench` and `lockstep signature`.

use lockstep_engine::tetris::Path as Dispatch;

use super::terminal::on_a_terminal;
use super::*;

#[test]
fn every_backend_is_a_row_and_an_object() {
    let folder = folder();
    let out = file(&folder, "bench.json");
    let backends = [
        "--backend",
        "software",
        "--backend",
        "engine",
        "--backend",
        "sim",
    ];
    let quick = [
        "--runs",
        "1",
        "--span",
        "2",
        "--controller",
        "dt-20",
        "--threads",
        "2",
    ];
    let output = exits(
        0,
        &[&["bench", "--json", &out], &backends[..], &quick].concat(),
    );
    let document = json(&text(&out));
    let known = |field: &str| document[field].clone();
    assert_eq!(known("command"), "bench");
    assert_eq!((known("runs"), known("span_ms")), (1.into(), 2.into()));
    assert_eq!(
        (known("interrupted"), known("error")),
        (false.into(), Value::Null)
    );
    let rows = document["rows"].as_array().expect("a list");
    let paths: Vec<Dispatch> = Dispatch::ALL
        .into_iter()
        .filter(|p| p.available())
        .collect();
    // Software, every path, the fastest on two threads, sim.
    assert_eq!(rows.len(), 1 + paths.len() + 1 + 1);
    for row in rows {
        let fields: Vec<&String> = row.as_object().expect("an object").keys().collect();
        let expected = [
            "backend",
            "controller",
            "decisions_per_s",
            "ns_per_placement",
            "path",
            "runs",
            "threads",
        ];
        assert_eq!(fields, expected);
        let rate = row["decisions_per_s"].as_f64().expect("a number");
        let each = row["ns_per_placement"].as_f64().expect("a number");
        assert!(rate > 0.0, "{row}");
        assert!((rate * each * 162.0 / 7.0 - 1e9).abs() < 1.0, "{row}");
        assert_eq!(row["path"].is_string(), row["backend"] == "engine", "{row}");
    }
    let table = stdout(&output);
    assert_eq!(table.lines().count(), 1 + rows.len() + 2, "{table}");
    let widest = table.lines().map(str::len).max();
    assert!(widest <= Some(80), "{table}");
    assert!(table.contains("portable"), "{table}");
}

#[test]
fn all_paths_and_the_golden_model_have_one_signature() {
    let what = [
        "signature",
        "--controller",
        "lowest",
        "--controller",
        "dt-20",
    ];
    let most = ["--pieces", "2000", "--golden", "--board", "10x12"];
    let output = exits(0, &[&what[..], &most].concat());
    let report = stdout(&output);
    assert!(report.ends_with("every move agrees\n"), "{report}");
    for name in ["lowest", "dt-20"] {
        let lines = report.lines().filter(|l| l.trim_start().starts_with(name));
        let mut numbers: Vec<&str> = lines
            .map(|line| line.split_whitespace().nth(2).expect("a signature"))
            .collect();
        assert!(numbers.len() >= 2, "{report}");
        numbers.dedup();
        assert_eq!(numbers.len(), 1, "{report}");
    }
}

#[test]
fn what_cannot_be_timed_is_refused() {
    let program = ["bench", "--controller", "lacaille"];
    refused(&run(&program, ""), &["--controller lacaille", "linear"]);
    let program = ["signature", "--controller", "hidamari"];
    refused(&run(&program, ""), &["--controller hidamari", "linear"]);
    let large = ["signature", "--board", "10x40"];
    refused(&run(&large, ""), &["12x32", "10x40"]);
    let nowhere = ["bench", "--json", "/nowhere/bench.json"];
    refused(&run(&nowhere, ""), &["--json", "/nowhere"]);
}

#[test]
fn json_of_what_cannot_be_timed_has_the_error() {
    let program = ["bench", "--controller", "lacaille", "--json", "-"];
    let output = run(&program, "");
    refused(&output, &["--controller lacaille", "linear"]);
    let document = json(&stdout(&output));
    let error = document["error"].as_str().expect("text");
    assert!(error.contains("a program is not timed"), "{document}");
    assert_eq!(document["interrupted"], false);
    assert_eq!(document["rows"], json("[]"));
}

#[test]
fn signatures_are_told_to_machines_too() {
    let folder = folder();
    let out = file(&folder, "signatures.json");
    let what = ["signature", "--controller", "dt-20", "--pieces", "2000"];
    let output = exits(0, &[&what[..], &["--golden", "--json", &out]].concat());
    let document = json(&text(&out));
    assert_eq!(
        (&document["agreed"], &document["pieces"]),
        (&true.into(), &2000.into())
    );
    let found = document["signatures"].as_array().expect("a list");
    let golden = found.last().expect("a player");
    assert_eq!(golden["player"], "golden");
    let report = stdout(&output);
    for one in found {
        assert_eq!(one["signature"], golden["signature"], "{document}");
        let shown = one["signature"].as_str().expect("text");
        assert!(report.contains(shown), "{report}");
    }
    assert!(
        report.contains("2,000 pieces each: every move agrees\n"),
        "{report}"
    );
}

#[test]
fn a_terminal_sees_how_far_a_signature_is() {
    let what = ["signature", "--controller", "dt-20", "--pieces", "3000"];
    let (status, drawn) = on_a_terminal(&[&what[..], &["--golden"]].concat(), &[]);
    assert_eq!(status, Some(0), "{drawn:?}");
    assert!(
        drawn.contains(" pieces, ") && drawn.contains(" left  dt-20"),
        "{drawn:?}"
    );
}
