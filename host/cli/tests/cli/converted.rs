//! `lockstep record convert`: what comes back is what went in.

use super::recorded::{old, record, recorded};
use super::*;

#[test]
fn records_of_every_version_come_back_from_every_form() {
    let folder = folder();
    let games = recorded(&folder);
    let odd = odd(&folder, &games);
    let cut = file(&folder, "cut.jsonl");
    let whole = text(&games);
    let last = whole.trim_end().rfind('\n').expect("lines") + 1;
    write(&cut, &whole[..last]);
    for from in [games, odd, cut, old()] {
        for by in ["by.parquet", "by.jsonl.zst"] {
            let [by, back] = [by, "back.jsonl"].map(|name| file(&folder, name));
            record(&["convert", &from, &by, "--force", "-q"]);
            record(&["convert", &by, &back, "--force", "-q"]);
            assert!(text(&back) == text(&from), "{from}, {by}:\n{}", text(&back));
        }
    }
}

/// A record of whatever a line can hold.
fn odd(folder: &TempDir, games: &str) -> String {
    let games = text(games);
    let mut lines = games.lines();
    let mut odd = vec![lines.next().expect("a header").to_owned()];
    let mut state = 7u64;
    let mut number = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % below
    };
    let pieces = ["I", "O", "T", "S", "Z", "J", "L"];
    for line in lines.clone().take(100) {
        let mut line = json(line);
        line["game"] = (1 + number(1 << 30)).into();
        line["board"][0] = number(1 << 10).into();
        line["piece"] = pieces[number(7) as usize].into();
        match number(12) {
            0 => line["decision"] = Value::Null,
            1 => line["decision"]["row"] = u64::MAX.into(),
            2 => line["decision"]["score"] = 1e300.into(),
            3 => line["decision"]["score"] = 0.000_001.into(),
            4 => line["cycles"] = json(r#"{"nobody":4294967295,"sim":0}"#),
            5 => line["due"] = json(r#"{"sim":7}"#),
            6 => line["diverged"] = json(r#"{"sim":null,"é \" x":null}"#),
            7 => line["next"] = "I".into(),
            8 => line["note"] = "of somebody's own hand".into(),
            9 => line["cycles"] = json("{}"),
            10 => line["size"] = "10x20".into(),
            _ => {
                line["size"] = "32x4".into();
                line["board"] = json("[4294967295,0,1,2147483648]");
            }
        }
        odd.push(line.to_string());
    }
    // As lockstep writes them where nothing is odd.
    odd.extend(lines.skip(100).take(20).map(str::to_owned));
    odd.push(
        r#"{"end" : {"decisions":120,"games":3,"complete":false, "more": 1}}"#
            .replace("{\"end\" :", "{\"end\":"),
    );
    let path = file(folder, "odd.jsonl");
    write(&path, odd.join("\n") + "\n");
    path
}

#[test]
fn what_is_written_is_whole_or_not_there() {
    let folder = folder();
    let games = recorded(&folder);
    let out = file(&folder, "out.parquet");
    write(&out, "precious");
    let mut wrong = Vec::new();
    let convert = |from: &str, to: &str| run(&["record", "convert", from, to], "");
    wrong.extend(misrefused(
        &convert(&games, &out),
        &["out.parquet", "--force"],
    ));
    if text(&out) != "precious" {
        wrong.push("it is overwritten".into());
    }
    let broken = file(&folder, "broken.jsonl");
    write(&broken, text(&games) + "more\n");
    let forced = run(&["record", "convert", &broken, &out, "--force"], "");
    wrong.extend(misrefused(&forced, &["broken.jsonl, line 123"]));
    wrong.extend(misrefused(&convert(&games, &games), &["which is read"]));
    let all = ["record", "merge", &games, "--out", &games, "--force"];
    wrong.extend(misrefused(&run(&all, ""), &["which is read"]));
    wrong.extend(misrefused(
        &convert(&games, "/nowhere/at/all.jsonl"),
        &["/nowhere/at"],
    ));
    wrong.extend(misrefused(
        &convert(&out, &file(&folder, "b.jsonl")),
        &["out.parquet"],
    ));
    let folder_is = std::fs::read_dir(folder.path()).expect("a folder");
    let left: Vec<_> = folder_is
        .map(|e| e.expect("an entry").file_name())
        .collect();
    if left.len() != 3 || text(&out) != "precious" {
        wrong.push(format!("{left:?}"));
    }
    none(&wrong);
}

#[test]
fn table_where_record_is_read_names_convert() {
    let folder = folder();
    let table = file(&folder, "a.parquet");
    record(&["convert", &old(), &table, "-q"]);
    let mut wrong = Vec::new();
    for what in [
        &["record", "verify"][..],
        &["record", "show"],
        &["record", "stats"],
        &["record", "merge", "--out", "b.jsonl"],
        &["replay", "--backend", "software"],
        &["explain", "--backend", "software", "--backend", "engine"],
    ] {
        let output = run(&[what, &[&table]].concat(), "");
        wrong.extend(misrefused(
            &output,
            &["a.parquet", "lockstep record convert"],
        ));
    }
    none(&wrong);
}

/// Parquet that was damaged, and of other programs.
#[test]
fn damaged_tables_are_refused() {
    let folder = folder();
    let [table, bad, back] = ["a.parquet", "bad.parquet", "back.jsonl"].map(|n| file(&folder, n));
    record(&["convert", &old(), &table, "-q"]);
    let whole = std::fs::read(&table).expect("bytes");
    let mut wrong = Vec::new();
    let mut refused = 0;
    for at in (0..whole.len()).step_by(whole.len() / 30) {
        for bytes in [whole[..at].to_vec(), {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x55;
            bytes
        }] {
            write(&bad, bytes);
            let output = run(&["record", "convert", &bad, &back, "--force", "-q"], "");
            let error = stderr(&output);
            match output.status.code() {
                Some(0) => {}
                Some(2) if error.contains("bad.parquet") && !error.contains("panicked") => {
                    refused += 1
                }
                _ => wrong.push(format!("{at}: {}", shown(&output))),
            }
        }
    }
    none(&wrong);
    assert!(refused > 30, "{refused}");
}
