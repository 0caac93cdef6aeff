//! `lockstep bench` and `lockstep signature`.

use lockstep_engine::tetris::Path as Dispatch;

use super::*;

#[test]
fn bench_has_row_and_object_for_every_backend() {
    let place = Place::new();
    let table = place.ok(
        "bench --backend software --backend engine --backend sim --runs 1 --span 2 \
         --controller dt-20 --threads 2 --json {}/bench.json",
    );
    let document = json(&place.text("bench.json"));
    members(
        &document,
        "/command bench | /runs 1 | /span_ms 2 | /interrupted false | /error null",
    );
    let rows = document["rows"].as_array().expect("a list");
    let paths = Dispatch::ALL.into_iter().filter(|path| path.available());
    // Software, every path, the fastest on two threads, sim.
    assert_eq!(rows.len(), 1 + paths.count() + 1 + 1);
    for row in rows {
        let fields: Vec<_> = row.as_object().expect("an object").keys().collect();
        let expected = "backend controller decisions_per_s ns_per_placement path runs threads";
        assert!(fields.into_iter().eq(expected.split(' ')), "{row}");
        assert!(row["decisions_per_s"].as_f64() > Some(0.0), "{row}");
        assert_eq!(row["path"].is_string(), row["backend"] == "engine", "{row}");
    }
    assert_eq!(table.lines().count(), 1 + rows.len() + 2, "{table}");
    let widest = table.lines().map(str::len).max();
    assert!(widest <= Some(80), "{table}");
    has(&table, "portable");
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
fn bench_times_a_controller_at_several_depths() {
    let place = Place::new();
    let run = "bench --game gomoku --backend engine:threads=1 --runs 1 --span 1";
    place.shows(&format!(
        "
        0 {run} --controller lines:1 --controller lines:2 => lines:1 | lines:2
        "
    ));
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
fn signature_of_all_paths_and_golden_model_is_one() {
    let place = Place::new();
    let report = place.ok(
        "signature --controller lowest --controller dt-20 --pieces 1000 --golden --board 10x12 \
         --json {}/signatures.json",
    );
    has(&report, "1,000 pieces each: every move agrees\n");
    let document = json(&place.text("signatures.json"));
    assert_eq!(document["agreed"], true);
    let found = document["signatures"].as_array().expect("a list");
    for name in ["lowest", "dt-20"] {
        let own: Vec<_> = found.iter().filter(|s| s["controller"] == name).collect();
        assert_eq!(own[own.len() - 1]["player"], "golden");
        assert!(own.len() >= 2, "{document}");
        for one in &own {
            assert_eq!(one["signature"], own[0]["signature"], "{document}");
        }
        has(&report, own[0]["signature"].as_str().expect("text"));
    }
}
