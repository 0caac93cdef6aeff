//! `lockstep decide`: positions of every kind as lines.

use std::collections::BTreeSet;

use super::*;
use crate::support::{read, root};

const VECTORS: &str = "fixtures/tetris/placements.jsonl";

/// Decides what is written, bytes of any kind.
fn decide(input: impl AsRef<[u8]>, arguments: &[&str]) -> Output {
    let folder = folder();
    let path = file(&folder, "positions");
    write(&path, input);
    fed(&[&["decide"], arguments].concat(), Path::new(&path))
}

fn lines(output: &Output) -> Vec<Value> {
    assert_eq!(output.status.code(), Some(0), "{}", shown(output));
    stdout(output).lines().map(json).collect()
}

fn cells(placement: &Value) -> BTreeSet<(u64, u64)> {
    let pairs = placement["cells"].as_array().expect("cells");
    let number = |v: &Value| v.as_u64().expect("a number");
    pairs
        .iter()
        .map(|c| (number(&c[0]), number(&c[1])))
        .collect()
}

fn vectors() -> Vec<Value> {
    read(VECTORS).lines().map(json).collect()
}

/// The outside program's choices, wherever its top two do not tie.
#[test]
fn positions_are_decided_a_line_each() {
    let vectors = vectors();
    let software = lines(&fed(&["decide"], &root().join(VECTORS)));
    assert_eq!(software.len(), vectors.len(), "a line a position");
    for (number, (line, vector)) in software.iter().zip(&vectors).enumerate() {
        let best = &vector["best"]["dt20"];
        if best[1] == 0 {
            let index = best[0].as_u64().expect("an index") as usize;
            let expected = cells(&vector["placements"][index]);
            assert_eq!(cells(line), expected, "line {number}: {line}");
        }
        assert!(line["cycles"].is_null(), "software has no clock: {line}");
    }
    let sim = lines(&fed(&["decide", "--backend", "sim"], &root().join(VECTORS)));
    assert_eq!(sim.len(), software.len());
    for (mut sim, software) in sim.into_iter().zip(software) {
        assert!(sim["cycles"].take().as_u64() > Some(0), "{sim}");
        assert_eq!(sim, software, "the RTL's line but for its cycles");
    }
}

#[test]
fn all_placements_are_told_with_their_features() {
    let vectors = vectors();
    let best = lines(&fed(&["decide"], &root().join(VECTORS)));
    let all = lines(&fed(&["decide", "--all"], &root().join(VECTORS)));
    assert_eq!(all.len(), vectors.len(), "a line a position");
    for ((all, best), vector) in all.iter().zip(&best).zip(&vectors) {
        let mine = all["placements"].as_array().expect("placements");
        let theirs = vector["placements"].as_array().expect("placements");
        assert_eq!(mine.len(), theirs.len(), "{vector}");
        for placement in theirs {
            let same = mine.iter().find(|m| cells(m) == cells(placement));
            let features = &same.expect("the placement")["features"];
            let doubled = features["landing_height"].as_f64().map(|h| h * 2.0);
            assert_eq!(doubled, placement["f"][0].as_f64(), "{features}");
            let named = [(1, "eroded_cells"), (4, "holes"), (12, "max_height")];
            for (index, name) in named {
                assert_eq!(features[name], placement["f"][index], "{name}");
            }
        }
        let index = all["best"].as_u64().expect("an index") as usize;
        for field in ["rotation", "column", "row", "cells", "score"] {
            assert_eq!(mine[index][field], best[field], "{field}");
        }
    }
}

/// Every placement that a core weighs is the golden model's, features and all, and those
/// that are legal are those that `--all` tells.
#[test]
fn a_trace_tells_every_placement_as_the_backend_weighs_it() {
    let traced = |backends: &[&str]| {
        let named = backends.iter().flat_map(|b| ["--backend", b]);
        let arguments: Vec<&str> = ["--trace", "--json"].into_iter().chain(named).collect();
        lines(&decide(EMPTY, &arguments)).remove(0)
    };
    let both = traced(&["software", "sim"]);
    assert_eq!(both["differences"], json("[]"));
    let sim = traced(&["sim"]);
    assert_eq!(
        (&both["weighed"], &both["decision"]),
        (&sim["weighed"], &sim["decision"])
    );
    let all = lines(&decide(EMPTY, &["--all"])).remove(0);
    let weighed = sim["weighed"].as_array().expect("placements");
    let placements = all["placements"].as_array().expect("placements");
    assert_eq!((weighed.len(), placements.len()), (34, 34));
    for (weighed, placement) in weighed.iter().zip(placements) {
        assert_eq!(weighed["column"], placement["column"]);
        for field in ["row", "features", "score"] {
            assert_eq!(weighed["evaluated"][field], placement[field], "{field}");
        }
    }
}

#[test]
fn a_trace_is_a_table_with_the_chosen_placement_marked() {
    let best = &lines(&decide(EMPTY, &["--backend", "sim"]))[0];
    let output = decide(EMPTY, &["--trace", "--backend", "sim"]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    let text = stdout(&output);
    assert!(text.starts_with("position 1, piece T\n"), "{text}");
    for header in ["rotation", "wells", "score"] {
        assert!(text.contains(header), "{text}");
    }
    let chosen: Vec<&str> = text.lines().filter(|line| line.contains('*')).collect();
    let [chosen] = chosen[..] else {
        panic!("{} are chosen", chosen.len())
    };
    let words: Vec<&str> = chosen.split_whitespace().collect();
    let number = |name: &str| best[name].to_string();
    assert_eq!(
        words[1..4],
        [number("rotation"), number("column"), number("row")]
    );
    let full = decide(EMPTY.replace('0', "1023"), &["--trace", "--backend", "sim"]);
    let text = stdout(&full);
    assert!(!text.contains('*') && text.contains(" - "), "{text}");
}

#[test]
fn traces_that_differ_name_the_first_placement_and_field() {
    let backends = [
        "--backend",
        "software",
        "--backend",
        FAULTY,
        "--backend",
        "sim",
    ];
    let arguments = [&["--trace"], &backends[..]].concat();
    let output = decide(format!("{EMPTY}\n{EMPTY}"), &arguments);
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    let line = format!(
        "  {FAULTY} differs from software first at placement 0 (rotation 0, column 0): \
         landing_height is 1, not 0.5"
    );
    let expected = [1, 2]
        .map(|n| format!("position {n}, piece T\n{line}\n"))
        .concat();
    assert_eq!(stdout(&output), expected);
    let output = decide(EMPTY, &[&arguments[..], &["--json"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    let differences = json(
        r#"[{"backend":"B","weighed":0,"field":"landing_height","expected":"0.5","got":"1"}]"#
            .replace('B', FAULTY)
            .as_str(),
    );
    assert_eq!(json(stdout(&output).trim())["differences"], differences);
    let agreed = decide(
        EMPTY,
        &["--trace", "--backend", "software", "--backend", "sim"],
    );
    assert_eq!(agreed.status.code(), Some(0), "{}", shown(&agreed));
    let text = "position 1, piece T\n  all agree on 34 placements and the decision\n";
    assert_eq!(stdout(&agreed), text);
}

#[test]
fn who_does_not_trace_is_named() {
    let engine = decide(EMPTY, &["--trace", "--backend", "engine"]);
    refused(&engine, &["engine", "no candidates", "leave it out"]);
    let deep = decide(EMPTY, &["--trace", "--depth", "2"]);
    refused(&deep, &["software", "with this controller"]);
    refused(&decide(EMPTY, &["--json"]), &["--trace"]);
    refused(&decide(EMPTY, &["--trace", "--all"]), &["--all"]);
}

#[test]
fn a_full_board_has_no_placement() {
    let full = EMPTY.replace('0', "1023");
    let line = &lines(&decide(&full, &["--backend", "sim"]))[0];
    assert_eq!(
        (&line["legal"], &line["cells"]),
        (&json("false"), &json("[]"))
    );
    assert!(
        line["score"].is_null() && line["column"].is_null(),
        "{line}"
    );
    let all = &lines(&decide(&full, &["--all"]))[0];
    assert_eq!(all["placements"], json("[]"));
    assert!(all["best"].is_null(), "{all}");
}

#[test]
fn line_ends_and_empty_lines_do_not_matter() {
    let two = lines(&decide(format!("{EMPTY}\n{EMPTY}\n"), &[]));
    assert_eq!(two.len(), 2);
    for input in [
        format!("{EMPTY}\r\n{EMPTY}\r\n"),
        format!("{EMPTY}\n{EMPTY}"),
        format!("\n{EMPTY}\n\n  \n{EMPTY}\n\n"),
    ] {
        assert_eq!(lines(&decide(&input, &[])), two, "{input:?}");
    }
    for input in ["", "\n", "\r\n\r\n"] {
        assert!(lines(&decide(input, &[])).is_empty(), "{input:?}");
    }
}

#[test]
fn what_is_not_a_position_is_named_with_its_line() {
    let row = |value: &str| EMPTY.replace("[0,", &format!("[{value},"));
    let piece = |value: &str| EMPTY.replace("\"T\"", value);
    let cases: [(String, &[&str]); 19] = [
        (EMPTY.replace("[0,", "["), &["19 rows", "20"]),
        (EMPTY.replace("[0,", "[0,0,"), &["21 rows", "20"]),
        (row("1024"), &["row 0", "1024", "1023"]),
        (row("-1"), &["-1"]),
        (row("\"1\""), &["\"1\""]),
        (row("1.5"), &["1.5"]),
        (row("1e400"), &["number"]),
        (row("null"), &["null"]),
        (piece("\"X\""), &["X", "`L`"]),
        (piece("\"t\""), &["`t`", "`T`"]),
        (piece("2"), &["\"piece\":\"T\""]),
        (r#"{"piece":"T"}"#.into(), &["board"]),
        (EMPTY.replace(",\"piece\":\"T\"", ""), &["piece"]),
        (EMPTY.replace('}', ",\"piece\":\"T\"}"), &["piece"]),
        (EMPTY.replace('}', ",\"next\":\"Q\"}"), &["Q"]),
        (EMPTY[..40].into(), &["\"board\":[20 numbers"]),
        (format!("{EMPTY}{EMPTY}"), &["trailing"]),
        ("hello".into(), &["\"board\":[20 numbers"]),
        ("[".repeat(100_000), &["\"board\":[20 numbers"]),
    ];
    let mut wrong = Vec::new();
    for (line, named) in cases {
        let output = decide(format!("{EMPTY}\n{line}\n{EMPTY}\n"), &[]);
        let named = [&["standard input, line 2"], named].concat();
        let start: String = line.chars().take(80).collect();
        wrong.extend(misrefused(&output, &named).map(|w| format!("{start}: {w}")));
        if stdout(&output).lines().count() != 1 {
            wrong.push(format!("{start}: line 1 was not answered"));
        }
    }
    none(&wrong);
}

/// The line is that of an editor, which counts the empty ones.
#[test]
fn empty_lines_count_where_a_line_is_named() {
    let output = decide(format!("\n{EMPTY}\n\nhello\n"), &[]);
    refused(&output, &["standard input, line 4:"]);
}

#[test]
fn binary_input_is_refused() {
    for (input, line) in [
        (b"\xff\xfe\x00\x01\n".to_vec(), "line 1"),
        ([EMPTY.as_bytes(), b"\n\xff\xff\n"].concat(), "line 2"),
        (vec![0; 100_000], "line 1"),
    ] {
        refused(&decide(input, &[]), &["standard input", line]);
    }
}

/// No backend looks ahead yet; a next piece that is passed over in silence
/// would give another answer than was asked for.
#[test]
fn a_next_piece_is_refused_by_who_does_not_look_ahead() {
    let next = EMPTY.replace('}', ",\"next\":\"I\"}");
    let mut wrong = Vec::new();
    for arguments in [&[][..], &["--backend", "sim"], &["--all"]] {
        let output = decide(format!("{EMPTY}\n{next}\n"), arguments);
        let named = ["line 2", "lookahead", "what comes next"];
        wrong.extend(misrefused(&output, &named).map(|w| format!("{arguments:?}: {w}")));
        if stdout(&output).lines().count() != 1 {
            wrong.push(format!("{arguments:?}: line 1 was not answered"));
        }
    }
    none(&wrong);
    let none_given = EMPTY.replace('}', ",\"next\":null}");
    assert_eq!(lines(&decide(none_given, &[])).len(), 1);
}

#[test]
fn all_is_for_software_alone() {
    for backends in [&["sim"][..], &["software", "sim"]] {
        let named = backends.iter().flat_map(|b| ["--backend", b]);
        let arguments: Vec<&str> = ["--all"].into_iter().chain(named).collect();
        let output = decide(EMPTY, &arguments);
        refused(&output, &["--all", "software", "--backend"]);
        assert_eq!(stdout(&output), "", "nothing was decided");
    }
    let named = decide(EMPTY, &["--all", "--backend", "software"]);
    assert_eq!(lines(&named).len(), 1, "it may be named");
}

/// The first one's answers on standard output, the rest on standard error.
#[test]
fn several_backends_are_compared() {
    let arguments = ["--backend", "software", "--backend", FAULTY];
    let input = format!("{EMPTY}\n{EMPTY}\n");
    let output = decide(&input, &arguments);
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    let alone = stdout(&decide(&input, &[]));
    assert_eq!(stdout(&output), alone, "the first one's answers");
    let report = stderr(&output);
    assert_eq!(report.matches("DIVERGENCE").count(), 2, "{report}");
    assert!(
        report.contains("score             -165.8  -167.14"),
        "{report}"
    );

    let quiet = decide(&input, &[&arguments[..], &["-q"]].concat());
    assert_eq!(quiet.status.code(), Some(1), "{}", shown(&quiet));
    assert_eq!((stdout(&quiet), stderr(&quiet)), (alone, String::new()));
}

/// Agreement later on, in positions that are asked together and in those after
/// them, does not make up for it.
#[test]
fn one_divergence_among_many_positions_is_told_by_the_exit_status() {
    // Nothing can be placed, so that nothing can be scored wrongly.
    let full = EMPTY.replace('0', "1023");
    let input = format!("{EMPTY}\n{}", format!("{full}\n").repeat(200));
    let output = decide(&input, &["--backend", "software", "--backend", FAULTY]);
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    let report = stderr(&output);
    assert_eq!(report.matches("DIVERGENCE").count(), 1, "{report}");
    assert_eq!(stdout(&output).lines().count(), 201, "all are answered");
}
