//! `lockstep record convert`: what comes back is what went in.

use super::recorded::{record, recorded};
use super::*;

/// A whole record, one that was cut short, and one with a line edited by hand.
#[test]
fn convert_there_and_back_keeps_every_byte() {
    let folder = folder();
    let games = recorded(&folder);
    let whole = text(&games);
    let last = whole.trim_end().rfind('\n').expect("lines") + 1;
    let edited = whole.replacen("{\"game\":1,", "{ \"note\": \"by hand\", \"game\":1,", 1);
    let [by, back] = ["by.jsonl.zst", "back.jsonl"].map(|name| file(&folder, name));
    for (name, content) in [
        ("whole", &*whole),
        ("cut", &whole[..last]),
        ("edited", &edited),
    ] {
        let from = file(&folder, name);
        write(&from, content);
        record(&["convert", &from, &by, "--force", "-q"]);
        record(&["convert", &by, &back, "--force", "-q"]);
        assert!(text(&back) == content, "{name}:\n{}", text(&back));
    }
}

#[test]
fn convert_that_fails_leaves_output_untouched() {
    let folder = folder();
    let games = recorded(&folder);
    let [out, broken] = ["out.jsonl", "broken.jsonl"].map(|name| file(&folder, name));
    write(&out, "precious");
    write(&broken, text(&games) + "more\n");
    let cases: [(&[&str], &[&str]); 5] = [
        (&["convert", &games, &out], &["out.jsonl", "--force"]),
        (
            &["convert", &broken, &out, "--force"],
            &["broken.jsonl, line 123"],
        ),
        (&["convert", &games, &games], &["which is read"]),
        (
            &["merge", &games, "--out", &games, "--force"],
            &["which is read"],
        ),
        (
            &["convert", &games, "/nowhere/at/all.jsonl"],
            &["/nowhere/at"],
        ),
    ];
    let mut wrong = Vec::new();
    for (arguments, named) in cases {
        let output = run(&[&["record"], arguments].concat(), "");
        wrong.extend(misrefused(&output, named));
    }
    none(&wrong);
    let left = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!((left, text(&out)), (3, "precious".into()));
}

#[test]
fn parquet_file_where_record_is_read_is_refused() {
    let folder = folder();
    let table = file(&folder, "a.parquet");
    write(&table, "PAR1\u{15}\u{4}PAR1");
    let mut wrong = Vec::new();
    for what in [
        &["record", "verify"][..],
        &["record", "stats"],
        &["replay", "--backend", "software"],
        &["explain", "--backend", "software", "--backend", "engine"],
    ] {
        let output = run(&[what, &[&table]].concat(), "");
        let named = ["a.parquet: a Parquet file", "JSON lines"];
        wrong.extend(misrefused(&output, &named));
    }
    none(&wrong);
}
