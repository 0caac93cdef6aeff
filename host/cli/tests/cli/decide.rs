//! `lockstep decide`: positions of every kind as lines.

use std::process::Output;

use super::*;

const VECTORS: &str = "fixtures/tetris/placements.jsonl";

/// Runs `decide` with an input of any bytes.
fn decide(more: &str, input: impl AsRef<[u8]>) -> Output {
    Place::new().feed(&format!("decide {more}"), input)
}

/// The answers to positions; the backends must agree.
fn answers(more: &str, input: impl AsRef<[u8]>) -> Vec<Value> {
    let output = decide(more, input);
    ended(0, &output);
    lines(&stdout(&output))
}

#[test]
fn decide_answers_each_position() {
    let text = text(VECTORS);
    let software = answers("", &text);
    assert_eq!(software.len(), text.lines().count(), "a line a position");
    let sim = answers("--backend sim", &text);
    assert_eq!(sim.len(), software.len());
    for (mut sim, software) in sim.into_iter().zip(software) {
        assert!(software["cycles"].is_null(), "software has no clock");
        assert!(sim["cycles"].take().as_u64() > Some(0), "{sim}");
        assert_eq!(sim, software, "the RTL's line except for its cycles");
    }
}

#[test]
fn decide_all_lists_placements_with_features() {
    let text = text(VECTORS);
    let (best, all) = (answers("", &text), answers("--all", &text));
    assert_eq!(all.len(), best.len(), "a line a position");
    for ((all, best), vector) in all.iter().zip(&best).zip(lines(&text)) {
        let mine = all["placements"].as_array().expect("placements");
        let theirs = vector["placements"].as_array().expect("placements");
        assert_eq!(mine.len(), theirs.len(), "{vector}");
        // An index from 0.
        let index = all["best"].as_u64().expect("an index") as usize;
        for field in ["rotation", "column", "row", "cells", "score"] {
            assert_eq!(mine[index][field], best[field], "{field}");
        }
    }
}

/// Every candidate of a core equals the golden model's, with its features; the legal ones are those
/// of `--all`.
#[test]
fn trace_candidates_are_those_of_golden_model() {
    let traced = |more: &str| answers(&format!("--trace --json {more}"), EMPTY).remove(0);
    let both = traced("--backend software --backend sim");
    assert_eq!(both["differences"], json("[]"));
    let sim = traced("--backend sim");
    for member in ["weighed", "decision"] {
        assert_eq!(both[member], sim[member]);
    }
    let all = answers("--all", EMPTY).remove(0);
    let candidates = sim["weighed"].as_array().expect("placements");
    let placements = all["placements"].as_array().expect("placements");
    assert_eq!((candidates.len(), placements.len()), (34, 34));
    for (candidate, placement) in candidates.iter().zip(placements) {
        assert_eq!(candidate["column"], placement["column"]);
        for field in ["row", "features", "score"] {
            assert_eq!(candidate["evaluated"][field], placement[field], "{field}");
        }
    }
}

#[test]
fn trace_table_marks_chosen_placement() {
    let best = &answers("--backend sim", EMPTY)[0];
    let text = stdout(&decide("--trace --backend sim", EMPTY));
    assert!(text.starts_with("position 1, piece T\n"), "{text}");
    has(&text, "rotation | wells | score");
    let chosen: Vec<&str> = text.lines().filter(|line| line.contains('*')).collect();
    assert_eq!(chosen.len(), 1, "{text}");
    let words: Vec<&str> = chosen[0].split_whitespace().collect();
    let expected = ["rotation", "column", "row"].map(|name| best[name].to_string());
    assert_eq!(words[1..4], expected);
    let full = stdout(&decide("--trace --backend sim", EMPTY.replace('0', "1023")));
    assert!(!full.contains('*') && full.contains(" - "), "{full}");
}

#[test]
fn trace_difference_names_placement_and_field() {
    let line = format!("--trace --backend software --backend {FAULTY} --backend sim");
    let output = decide(&line, format!("{EMPTY}\n{EMPTY}"));
    ended(1, &output);
    let differs = format!(
        "  {FAULTY} differs from software first at placement 0 (rotation 0, column 0): \
         landing_height: expected 0.5, got 1"
    );
    let expected = [1, 2].map(|n| format!("position {n}, piece T\n{differs}\n"));
    assert_eq!(stdout(&output), expected.concat());
    let output = decide(&format!("{line} --json"), EMPTY);
    ended(1, &output);
    let differences =
        r#"[{"backend":"B","weighed":0,"field":"landing_height","expected":"0.5","got":"1"}]"#;
    let differences = json(&differences.replace('B', FAULTY));
    assert_eq!(json(&stdout(&output))["differences"], differences);
    let agreed = stdout(&decide("--trace --backend software --backend sim", EMPTY));
    let text = "position 1, piece T\n  all agree on 34 placements and the decision\n";
    assert_eq!(agreed, text);
}

#[test]
fn decide_full_board_has_no_placement() {
    let full = EMPTY.replace('0', "1023");
    let line = &answers("--backend sim", &full)[0];
    members(
        line,
        "/legal false | /cells [] | /score null | /column null",
    );
    let all = &answers("--all", &full)[0];
    assert_eq!(all["placements"], json("[]"));
    assert!(all["best"].is_null(), "{all}");
}

#[test]
fn decide_ignores_line_ends_and_empty_lines() {
    let two = answers("", format!("{EMPTY}\n{EMPTY}\n"));
    assert_eq!(two.len(), 2);
    for input in [
        format!("{EMPTY}\r\n{EMPTY}\r\n"),
        format!("{EMPTY}\n{EMPTY}"),
        format!("\n{EMPTY}\n\n  \n{EMPTY}\n\n"),
    ] {
        assert_eq!(answers("", &input), two, "{input:?}");
    }
    for input in ["", "\n", "\r\n\r\n"] {
        assert!(answers("", input).is_empty(), "{input:?}");
    }
}

#[test]
fn decide_bad_line_is_named_after_earlier_answers() {
    let row = |value: &str| EMPTY.replace("[0,", &format!("[{value},"));
    let piece = |value: &str| EMPTY.replace("\"T\"", value);
    let more = |members: &str| EMPTY.replace('}', &format!(",{members}}}"));
    let next = more("\"next\":\"I\"");
    let ahead: &[&str] = &["look ahead", "what comes next"];
    let cases: [(&str, String, &[&str]); 15] = [
        ("", EMPTY.replace("[0,", "["), &["20 rows", "got 19"]),
        ("", row("1024"), &["row 0", "1024", "1023"]),
        ("", row("-1"), &["-1"]),
        ("", row("1e400"), &["number"]),
        ("", piece("\"t\""), &["`t`", "`T`"]),
        ("", piece("2"), &["\"piece\":\"T\""]),
        ("", r#"{"piece":"T"}"#.into(), &["board"]),
        ("", EMPTY.replace(",\"piece\":\"T\"", ""), &["piece"]),
        ("", more("\"piece\":\"T\""), &["piece"]),
        ("", format!("{EMPTY}{EMPTY}"), &["expected nothing after"]),
        ("", "[".repeat(100_000), &["\"board\":[20 numbers"]),
        ("", "\0".repeat(100_000), &[]),
        // A next piece that is ignored would give another answer than was requested.
        ("", next.clone(), ahead),
        ("--backend sim", next.clone(), ahead),
        ("--all", next, ahead),
    ];
    let mut wrong = Vec::new();
    for (more, line, named) in cases {
        // An editor counts the empty line, too.
        let output = decide(more, format!("{EMPTY}\n\n{line}\n{EMPTY}\n"));
        let named = [&["standard input, line 3:"], named].concat();
        let start: String = line.chars().take(80).collect();
        wrong.extend(misrefused(&output, &named).map(|w| format!("{start}: {w}")));
        if stdout(&output).lines().count() != 1 {
            wrong.push(format!("{start}: line 1 was not answered"));
        }
    }
    for input in [&b"\xff\xfe\x00\x01\n"[..], b"\xff\xff\n"] {
        wrong.extend(misrefused(&decide("", input), &["standard input, line 1"]));
    }
    none(&wrong);
    assert_eq!(answers("", more("\"next\":null")).len(), 1);
}

#[test]
fn decide_wrong_options_are_refused() {
    let place = Place::new();
    place.put("empty", EMPTY);
    place.refuses_after(
        "decide",
        "
        --trace --backend engine < empty => engine | no candidates | name a backend that does
        --trace --depth 2 < empty => software | or another controller
        --json => --trace
        --trace --all => --all
        --all --backend sim => --all | software | --backend
        --all --backend software --backend sim => --all | software
        ",
    );
    assert_eq!(answers("--all --backend software", EMPTY).len(), 1);
}

/// The first backend's answers are on standard output, the divergences on standard error; one
/// divergence determines the exit status.
#[test]
fn decide_compares_several_backends() {
    let line = format!("--backend software --backend {FAULTY}");
    // Nothing can be placed on a full board, so that nothing can be scored wrongly.
    let full = EMPTY.replace('0', "1023");
    let input = format!("{EMPTY}\n{}{EMPTY}\n", format!("{full}\n").repeat(200));
    let output = decide(&line, &input);
    ended(1, &output);
    let alone = stdout(&decide("", &input));
    assert_eq!(stdout(&output), alone, "the first one's answers");
    let report = stderr(&output);
    assert_eq!(report.matches("DIVERGENCE").count(), 2, "{report}");
    has(&report, "score             -165.8  -167.14");
    let quiet = decide(&format!("{line} -q"), &input);
    let ended = (quiet.status.code(), stdout(&quiet), stderr(&quiet));
    assert_eq!(ended, (Some(1), alone, String::new()));
}
