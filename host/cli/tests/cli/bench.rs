//! `lockstep bench` and `lockstep signature`.

use lockstep_engine::tetris::Path as Dispatch;

use super::running::Running;
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
fn signature_all_players_agree_in_text_and_json() {
    let folder = folder();
    let out = file(&folder, "signatures.json");
    let controllers = ["--controller", "lowest", "--controller", "dt-20"];
    let most = ["--pieces", "2000", "--golden", "--board", "10x12"];
    let what = [&["signature"], &controllers[..], &most, &["--json", &out]].concat();
    let report = stdout(&exits(0, &what));
    let end = "2,000 pieces each: every move agrees\n";
    assert!(report.ends_with(end), "{report}");
    let document = json(&text(&out));
    assert_eq!(
        (&document["agreed"], &document["pieces"]),
        (&true.into(), &2000.into())
    );
    let signatures = document["signatures"].as_array().expect("a list");
    for name in ["lowest", "dt-20"] {
        let own = signatures.iter().filter(|one| one["controller"] == name);
        let own: Vec<&Value> = own.collect();
        assert_eq!(own.last().map(|one| &one["player"]), Some(&"golden".into()));
        assert!(own.len() >= 2, "{document}");
        for one in &own {
            assert_eq!(one["signature"], own[0]["signature"], "{document}");
            let shown = one["signature"].as_str().expect("text");
            assert!(report.contains(shown), "{report}");
        }
    }
}

#[test]
fn what_cannot_be_timed_is_refused() {
    let program = ["bench", "--controller", "lacaille", "--json", "-"];
    let output = run(&program, "");
    refused(&output, &["--controller lacaille", "linear"]);
    let document = json(&stdout(&output));
    let error = document["error"].as_str().expect("text");
    assert!(error.contains("a program is not timed"), "{document}");
    assert_eq!(document["interrupted"], false);
    assert_eq!(document["rows"], json("[]"));
    let program = ["signature", "--controller", "hidamari"];
    refused(&run(&program, ""), &["--controller hidamari", "linear"]);
    let large = ["signature", "--board", "10x40"];
    refused(&run(&large, ""), &["12x32", "10x40"]);
    let nowhere = ["bench", "--json", "/nowhere/bench.json"];
    refused(&run(&nowhere, ""), &["--json", "/nowhere"]);
}

/// Whatever they are busy with: opening a core at a rate that takes minutes, a
/// run that takes a minute, more pieces than anybody waits for.
#[test]
fn one_interrupt_ends_it_and_json_has_what_is_known() {
    let slow = ["bench", "--backend", "sim-uart:baud=300"];
    let long = ["bench", "--backend", "engine", "--span", "60000"];
    let pieces = ["signature", "--golden", "--pieces", "1000000000000"];
    for command in [&slow[..], &long, &pieces] {
        for signal in ["INT", "TERM", "HUP"] {
            let running = Running::start(&[command, &["--json", "-"]].concat());
            running.wait_until_it_listens();
            running.signal(signal);
            let (status, document, error) = running.end();
            assert_eq!((status, error.as_str()), (Some(130), ""), "{command:?}");
            let document = json(&document);
            assert_eq!(document["command"], command[0]);
            assert_eq!(document["interrupted"], true, "{document}");
            assert!(document["error"].is_null(), "{document}");
        }
    }
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
    let (_, drawn) = on_a_terminal(&[&what[..], &["-q"]].concat(), &[]);
    assert_eq!(drawn, "");
}
