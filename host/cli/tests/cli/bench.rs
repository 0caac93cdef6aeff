//! `lockstep bench` and `lockstep signature`.

use lockstep_engine::tetris::Path as Dispatch;

use super::terminal::on_a_terminal;
use super::*;

#[test]
fn bench_has_row_and_object_for_every_backend() {
    let place = Place::new();
    let table = place.ok(
        "bench --backend software --backend engine --backend sim --runs 1 --span 2 \
         --controller dt-20 --threads 2 --json {}/bench.json",
    );
    let document = json(&place.text("bench.json"));
    let expected = r#"{"command": "bench", "runs": 1, "span_ms": 2, "interrupted": false,
        "error": null}"#;
    for (field, value) in json(expected).as_object().expect("an object") {
        assert_eq!(document[field], *value, "{field}");
    }
    let rows = document["rows"].as_array().expect("a list");
    let paths = Dispatch::ALL.into_iter().filter(|path| path.available());
    // Software, every path, the fastest on two threads, sim.
    assert_eq!(rows.len(), 1 + paths.count() + 1 + 1);
    for row in rows {
        let fields: Vec<_> = row.as_object().expect("an object").keys().collect();
        let expected = "backend controller decisions_per_s ns_per_placement path runs threads";
        assert!(fields.into_iter().eq(expected.split(' ')), "{row}");
        let rate = row["decisions_per_s"].as_f64().expect("a number");
        let each = row["ns_per_placement"].as_f64().expect("a number");
        assert!(rate > 0.0, "{row}");
        assert!((rate * each * 162.0 / 7.0 - 1e9).abs() < 1.0, "{row}");
        assert_eq!(row["path"].is_string(), row["backend"] == "engine", "{row}");
    }
    assert_eq!(table.lines().count(), 1 + rows.len() + 2, "{table}");
    let widest = table.lines().map(str::len).max();
    assert!(widest <= Some(80), "{table}");
    has(&table, "portable");
}

#[test]
fn signature_of_all_paths_and_golden_model_is_one() {
    let report = Place::new()
        .ok("signature --controller lowest --controller dt-20 --pieces 400 --golden --board 10x12");
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
fn bench_and_signature_wrong_use_is_refused() {
    Place::new().refuses(
        "
        bench --controller lacaille => --controller lacaille | linear
        signature --controller hidamari => --controller hidamari | linear
        signature --board 10x40 => 12x32 | 10x40
    ",
    );
}

#[test]
fn bench_json_has_error() {
    let output = Place::new().run("bench --controller lacaille --json -");
    refused(&output, &["--controller lacaille", "linear"]);
    let document = json(&stdout(&output));
    let error = document["error"].as_str().expect("text");
    assert!(error.contains("a program is not timed"), "{document}");
    assert_eq!(document["interrupted"], false);
    assert_eq!(document["rows"], json("[]"));
}

#[test]
fn signature_json_and_report_agree() {
    let place = Place::new();
    let report =
        place.ok("signature --controller dt-20 --pieces 1000 --golden --json {}/signatures.json");
    let document = json(&place.text("signatures.json"));
    assert_eq!(
        (&document["agreed"], &document["pieces"]),
        (&true.into(), &1000.into())
    );
    let found = document["signatures"].as_array().expect("a list");
    let golden = found.last().expect("a player");
    assert_eq!(golden["player"], "golden");
    for one in found {
        assert_eq!(one["signature"], golden["signature"], "{document}");
        let shown = one["signature"].as_str().expect("text");
        assert!(report.contains(shown), "{report}");
    }
    has(&report, "1,000 pieces each: every move agrees\n");
}

#[test]
fn signature_on_terminal_shows_progress() {
    let line = "signature --controller dt-20 --pieces 3000 --golden";
    let (status, drawn) = on_a_terminal(&Place::new(), line, &[]);
    assert_eq!(status, Some(0), "{drawn:?}");
    has(&drawn, " pieces,  |  left  dt-20");
}
