//! `lockstep replay`: records that are good, edited, broken or not records.

use super::*;

/// A recorded game of 20 decisions.
fn recorded(folder: &TempDir) -> String {
    let record = file(folder, "game.jsonl");
    let what = ["play", "--backend", "software", "--max-pieces", "20"];
    exits(0, &[&what[..], &["--record", &record]].concat());
    record
}

/// A copy with one line changed, counted from 1.
fn edited(record: &str, line: usize, change: impl Fn(Value) -> String) -> String {
    let text = text(record);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let new = change(json(&lines[line - 1]));
    assert_ne!(json(&new), json(&lines[line - 1]), "the edit changes it");
    lines[line - 1] = new;
    let copy = format!("{record}.edited");
    write(&copy, lines.join("\n") + "\n");
    copy
}

/// Sets a field, named as in /decision/column.
fn with(field: &str, value: impl Into<Value>) -> impl Fn(Value) -> String {
    let value = value.into();
    move |mut line| {
        *line.pointer_mut(field).expect("the field") = value.clone();
        line.to_string()
    }
}

fn replay(record: &str) -> Output {
    run(&["replay", record, "--backend", "software"], "")
}

#[test]
fn an_edited_decision_is_found_and_its_move_named() {
    let folder = folder();
    let record = recorded(&folder);
    let copy = edited(&record, 5, |mut line| {
        let column = &mut line["decision"]["column"];
        *column = (if *column == 0 { 1 } else { 0 }).into();
        line.to_string()
    });
    let backends = ["--backend", "software", "--backend", "sim"];
    let summary = file(&folder, "summary.json");
    let arguments = ["replay", &copy, "--json", &summary];
    let output = exits(1, &[&arguments[..], &backends].concat());
    let report = stdout(&output);
    assert_eq!(report.matches("DIVERGENCE").count(), 1, "{report}");
    for part in [
        "game 1, move 4",
        "record",
        "column",
        "19 agreed, 1 diverged",
    ] {
        assert!(report.contains(part), "no {part} in\n{report}");
    }
    let first = &json(&text(&summary))["first_divergence"];
    assert_eq!((&first["game"], &first["move"]), (&json("1"), &json("4")));
    assert_eq!(first["mismatches"].as_array().map(Vec::len), Some(2));
}

/// No number a record holds is trusted: it may be off the board, beyond any
/// board, or none of the piece's rotations.
#[test]
fn impossible_decisions_diverge_and_are_shown() {
    let folder = folder();
    let record = recorded(&folder);
    let mut wrong = Vec::new();
    for (field, value) in [
        ("/decision", Value::Null),
        ("/decision/rotation", 9.into()),
        ("/decision/column", 9.into()),
        ("/decision/column", u64::MAX.into()),
        ("/decision/row", 4_000_000_000_u64.into()),
        ("/decision/row", u64::MAX.into()),
        ("/decision/rows_cleared", u64::MAX.into()),
        ("/decision/score", 1e300.into()),
    ] {
        let output = replay(&edited(&record, 5, with(field, value.clone())));
        let report = stdout(&output);
        let told = report.contains("game 1, move 4") && report.contains("19 agreed");
        if output.status.code() != Some(1) || !told || stderr(&output).contains("panicked") {
            let message: String = shown(&output).chars().take(600).collect();
            wrong.push(format!("{field} = {value}: {message}"));
        }
    }
    none(&wrong);
}

#[test]
fn what_is_no_record_is_refused() {
    let folder = folder();
    let record = recorded(&folder);
    let without = file(&folder, "without");
    std::fs::create_dir(&without).expect("a folder");
    let whole = text(&record);
    let made = |name: &str, content: &[u8]| {
        let path = file(&folder, name);
        write(&path, content);
        path
    };
    let cases: [(String, &[&str]); 8] = [
        (file(&folder, "missing"), &["missing"]),
        (without, &["folder", "*.jsonl"]),
        (made("empty", b""), &["not a lockstep record"]),
        (
            made("binary", b"\xff\xfe\0\x01\n\x80\n"),
            &["not a lockstep record"],
        ),
        (
            made("cut", &whole.as_bytes()[..90]),
            &["not a lockstep record"],
        ),
        (
            root_file("fixtures/tetris/placements.jsonl"),
            &["not a lockstep record", "lockstep_record"],
        ),
        (
            made(
                "5",
                edit_head(&whole, "lockstep_record", 5.into()).as_bytes(),
            ),
            &["version 5", "versions 3 to 4"],
        ),
        (
            made("go", edit_head(&whole, "game", "gomoku".into()).as_bytes()),
            &["gomoku", "tetris"],
        ),
    ];
    let mut wrong = Vec::new();
    for (path, named) in cases {
        let output = replay(&path);
        let named = [&["record", path.as_str()], named].concat();
        wrong.extend(misrefused(&output, &named).map(|w| format!("{path}: {w}")));
    }
    none(&wrong);
}

fn root_file(path: &str) -> String {
    crate::support::root()
        .join(path)
        .to_string_lossy()
        .into_owned()
}

fn edit_head(record: &str, field: &str, value: Value) -> String {
    let (head, rest) = record.split_once('\n').expect("a header");
    let mut head = json(head);
    head[field] = value;
    format!("{head}\n{rest}")
}

/// Line 5 is broken: the three decisions before it are compared all the same.
#[test]
fn a_broken_line_is_named_and_those_before_it_are_compared() {
    let folder = folder();
    let record = recorded(&folder);
    let with_next = |mut line: Value| {
        line["next"] = "I".into();
        line.to_string()
    };
    let broken = |change: &dyn Fn(Value) -> String| text(&edited(&record, 5, change));
    let cases: [(String, &[&str]); 6] = [
        (broken(&with("/board/0", 1024)), &["row 0", "1024"]),
        (broken(&with("/board", vec![0])), &["1 rows", "20"]),
        (broken(&with("/piece", "X")), &["X"]),
        (broken(&with("/move", -1)), &["-1"]),
        (broken(&|_| "{}".into()), &["game"]),
        (broken(&with_next), &["what comes next"]),
    ];
    let mut wrong = Vec::new();
    for (content, named) in cases {
        let path = file(&folder, "broken.jsonl");
        write(&path, &content);
        let output = replay(&path);
        let named = [&[path.as_str(), "line 5"], named].concat();
        wrong.extend(misrefused(&output, &named));
        if !stdout(&output).contains("3 agreed, 0 diverged") {
            wrong.push(format!("3 good decisions were lost\n{}", shown(&output)));
        }
    }
    none(&wrong);
}

/// Nothing that was compared is no agreement.
#[test]
fn a_record_without_decisions_is_refused() {
    let folder = folder();
    let record = recorded(&folder);
    let whole = text(&record);
    let (head, _) = whole.split_once('\n').expect("a header");
    // Neither right after the header nor within the first decision.
    for rest in ["", "{\"game\":1,\"mo"] {
        write(&record, format!("{head}\n{rest}"));
        refused(&replay(&record), &[&record, "holds no decisions"]);
    }
}

#[test]
fn bytes_that_are_no_text_are_named_with_their_line() {
    let folder = folder();
    let record = recorded(&folder);
    let whole = text(&record);
    let decisions = whole.lines().take(21).map(|line| format!("{line}\n"));
    let mut bytes = decisions.collect::<String>().into_bytes();
    bytes.extend(b"\xff\xfe\n");
    write(&record, bytes);
    refused(&replay(&record), &[&record, "line 22", "UTF-8"]);
    write(&record, whole + "more\n");
    refused(&replay(&record), &[&record, "line 23", "ends a record"]);
}

#[test]
fn a_record_cut_short_is_compared_up_to_there() {
    let folder = folder();
    let record = recorded(&folder);
    let whole = text(&record);
    let entries = whole.rfind("{\"end\"").expect("a last line");
    let line_21 = whole[..entries - 1].rfind('\n').expect("more lines") + 1;
    let mut wrong = Vec::new();
    for (length, line, agreed) in [
        (whole.len() - 10, Some(22), 20),
        (entries + 3, Some(22), 20),
        (entries, None, 20),
        (entries - 30, Some(21), 19),
        (line_21 + 1, Some(21), 19),
        (line_21, None, 19),
    ] {
        write(&record, &whole[..length]);
        let output = run(&["replay", &record, "--backend", "software"], "");
        let place = line.map_or("cut short:".into(), |line| {
            format!("cut short in line {line}:")
        });
        let compared = format!("{agreed} agreed, 0 diverged");
        let told = stderr(&output).contains(&place) && stdout(&output).contains(&compared);
        let summary = [
            "replay",
            &record,
            "--backend",
            "software",
            "--json",
            "-",
            "-q",
        ];
        let quiet = run(&summary, "");
        let cut = &json(&stdout(&quiet))["cut"];
        let known = *cut == Value::from(vec![record.as_str()]) && stderr(&quiet).is_empty();
        if output.status.code() != Some(0) || !told || !known {
            wrong.push(format!(
                "{length} bytes: {}{}",
                shown(&output),
                shown(&quiet)
            ));
        }
    }
    none(&wrong);
}

#[test]
fn line_ends_do_not_matter() {
    let folder = folder();
    let record = recorded(&folder);
    let whole = text(&record);
    for content in [whole.replace('\n', "\r\n"), whole.trim_end().to_owned()] {
        write(&record, content);
        let output = replay(&record);
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        assert!(stdout(&output).contains("20 agreed"), "{}", shown(&output));
    }
}

/// By whatever name: what is read must not be overwritten.
#[test]
fn a_record_is_not_written_onto_itself() {
    let folder = folder();
    let record = recorded(&folder);
    let content = text(&record);
    let (soft, hard) = (file(&folder, "soft"), file(&folder, "hard"));
    std::os::unix::fs::symlink(&record, &soft).expect("a link");
    std::fs::hard_link(&record, &hard).expect("a link");
    let dotted = file(&folder, "./game.jsonl");
    let mut wrong = Vec::new();
    for to in [&record, &dotted, &soft, &hard] {
        for option in ["--record", "--json"] {
            let output = run(&["replay", &record, option, to], "");
            wrong.extend(misrefused(&output, &[to, "another file"]));
            if text(&record) != content {
                wrong.push(format!("{option} {to}: the record is overwritten"));
                write(&record, &content);
            }
        }
    }
    none(&wrong);
}

#[test]
fn several_records_are_summed_up_but_not_recorded_into_one() {
    let folder = folder();
    let record = recorded(&folder);
    let both = exits(0, &["replay", &record, &record, "--backend", "software"]);
    assert!(stdout(&both).contains("40 agreed"), "{}", shown(&both));
    let into = file(&folder, "both.jsonl");
    write(&into, "precious");
    let output = run(
        &["replay", &record, &record, "--record", &into, "--force"],
        "",
    );
    refused(&output, &[&into, "one file at a time"]);
    assert_eq!(text(&into), "precious");

    let again = file(&folder, "again.jsonl");
    exits(0, &["replay", &record, "--record", &again]);
    exits(0, &["replay", &again]);
    let missing = file(&folder, "missing");
    let output = run(&["replay", &record, &missing], "");
    refused(&output, &[&missing]);
    assert_eq!(stdout(&output), "", "a wrong file costs nothing");
}

/// Who cannot play one of them is not asked for any, whichever comes first.
#[test]
fn several_records_are_replayed_by_who_can_play_all_of_them() {
    let folder = folder();
    let standard = recorded(&folder);
    let wide = file(&folder, "wide.jsonl");
    let what = ["play", "--backend", "software", "--max-pieces", "5"];
    exits(
        0,
        &[&what[..], &["--board", "12x20", "--record", &wide]].concat(),
    );
    let names = |records: &[&str]| {
        let replay = [&["replay", "--json", "-"], records].concat();
        let summary = json(&stdout(&exits(0, &replay)));
        let backends = summary["backends"].as_array().expect("backends");
        let names = backends.iter().map(|b| b["name"].as_str().unwrap_or("?"));
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    let (first, last) = (names(&[&wide, &standard]), names(&[&standard, &wide]));
    assert_eq!(first, last);
    let is_sim = |name: &String| name == "sim";
    assert!(names(&[&standard]).iter().any(is_sim), "it plays this one");
    assert!(!first.is_empty() && !first.iter().any(is_sim), "{first:?}");
}
