//! `lockstep play --resume`: records that go on.

use std::process::Stdio;

use super::running::Running;
use super::*;

/// Some thousand decisions, soon played.
const MANY: [&str; 7] = [
    "play",
    "--backend",
    "engine",
    "--games",
    "8",
    "--max-pieces",
    "400",
];

/// Both kinds of record.
const NAMES: [&str; 2] = ["games.jsonl", "games.jsonl.zst"];

fn with<'a>(what: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [what, more].concat()
}

/// The text of a record.
fn unpacked(path: &str) -> String {
    let folder = folder();
    let plain = file(&folder, "plain.jsonl");
    exits(0, &["record", "convert", path, &plain, "-q"]);
    text(&plain)
}

/// Numbers that look random, the same every time.
fn numbers(mut state: u64) -> impl Iterator<Item = u64> {
    std::iter::repeat_with(move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    })
}

/// Killed again and again, it ends with the record of a session that nobody killed. While it is
/// killed it has more games to play than any machine gets through.
#[test]
fn resume_after_kills_completes_record() {
    const KILLS: usize = 8;
    let folder = folder();
    let whole = file(&folder, "whole.jsonl");
    let play = ["play", "--backend", "engine", "--max-pieces", "400"];
    for (seed, name) in NAMES.into_iter().enumerate() {
        let record = file(&folder, name);
        let what = with(&play, &["--record", &record, "--resume"]);
        let size = || std::fs::metadata(&record).map_or(0, |about| about.len());
        let mut before = 0;
        for more in numbers(seed as u64).take(KILLS) {
            let mut child = lockstep()
                .args(with(&what, &["--games", "1000000"]))
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .expect("lockstep runs");
            // At once, in the midst of the first game, or later.
            while size() < before + more % 40_000 {
                if child.try_wait().expect("a child").is_some() {
                    let ended = child.wait_with_output().expect("it ended");
                    panic!("{name}: {}", shown(&ended));
                }
                std::thread::yield_now();
            }
            child.kill().expect("killed");
            child.wait().expect("it ends");
            // Half a line goes, no more.
            assert!(
                size() + 400 > before,
                "{name}: {} bytes after {before}",
                size()
            );
            before = size();
        }
        let stats = json(&stdout(&exits(
            0,
            &["record", "stats", &record, "--json", "-"],
        )));
        let begun = stats["records"][0]["games"].as_u64().expect("a number");
        let games = (begun + 1).to_string();
        exits(0, &with(&what, &["--games", &games]));
        let unkilled = with(&play, &["--record", &whole, "--force", "-q"]);
        exits(0, &with(&unkilled, &["--games", &games]));
        assert!(
            unpacked(&record) == text(&whole),
            "{name}: it is another record"
        );
    }
}

#[test]
fn an_interrupted_session_goes_on_and_sums_all_of_it_up() {
    let folder = folder();
    let [whole, all, first, rest] =
        ["w.jsonl", "w.json", "a.json", "b.json"].map(|n| file(&folder, n));
    let what = [
        "play",
        "--backend",
        "software",
        "--backend",
        "engine",
        "--games",
        "15",
    ];
    let what = with(&what, &["--max-pieces", "40"]);
    exits(0, &with(&what, &["--record", &whole, "--json", &all, "-q"]));
    for name in NAMES {
        let record = file(&folder, name);
        let what = with(&what, &["--record", &record]);
        let mut running = Running::start(&with(&what, &["--json", &first]));
        running.wait_for("game 2 of");
        running.interrupt();
        let (status, ..) = running.end();
        let decisions = json(&text(&first))["decisions"].as_u64().expect("a number");
        assert!(decisions >= 80, "two games were played");
        let output = exits(0, &with(&what, &["--resume", "--json", &rest]));
        assert!(status == Some(130) || decisions == 600, "{status:?}");
        let told = format!("{decisions} decisions of");
        assert!(
            stdout(&output).contains(&told) || decisions >= 600,
            "{}",
            shown(&output)
        );
        assert!(
            unpacked(&record) == text(&whole),
            "{name}: it is another record"
        );
        let (mut all, mut rest) = (json(&text(&all)), json(&text(&rest)));
        assert_eq!(rest["resumed"]["decisions"], decisions);
        rest.as_object_mut().expect("a summary").remove("resumed");
        for summary in [&mut all, &mut rest] {
            summary["record"] = Value::Null;
        }
        assert_eq!(rest, all, "the summary is that of the whole session");
    }
}

/// With the simulated RTL as well: its clock cycles are in it.
#[test]
fn the_same_session_writes_the_same_bytes() {
    let folder = folder();
    let what = ["play", "--controller", "lowest", "--max-pieces", "60"];
    let records = ["a.jsonl", "b.jsonl", "c.jsonl.zst"].map(|name| file(&folder, name));
    for record in &records {
        exits(0, &with(&what, &["--record", record, "-q"]));
    }
    let [a, b, c] = &records;
    assert!(text(a) == text(b), "two runs, two records");
    assert!(text(a) == unpacked(c), "compressed it is another");
    let head = json(text(a).lines().next().expect("a header"));
    assert_eq!(head["lockstep_record"], 4);
    assert_eq!(head["seed"], 1);
    assert_eq!(head["integers"]["landing_height"], -500_000);
    for (part, expected) in [
        ("/rules/about", "straight down"),
        ("/generator/about", "SplitMix64"),
        ("/tools/lockstep", env!("CARGO_PKG_VERSION")),
        ("/tools/rustc", "1."),
    ] {
        let found = head
            .pointer(part)
            .and_then(Value::as_str)
            .unwrap_or_default();
        assert!(found.contains(expected), "{part}: {head}");
    }
    let sim = &head["backends"][2];
    assert_eq!(
        (&sim["name"], &sim["clock_hz"]),
        (&"sim".into(), &100_000_000.into())
    );
    for hash in ["build_id", "layout_hash"] {
        assert_eq!(sim[hash].as_str().map(str::len), Some(8), "{hash}: {sim}");
    }
    assert!(
        text(a)
            .lines()
            .skip(1)
            .take(60)
            .all(|line| line.contains(r#""cycles":{"sim":"#))
    );
}

#[test]
fn what_was_played_otherwise_is_named_and_stays() {
    let folder = folder();
    let record = file(&folder, "games.jsonl");
    let what = ["play", "--backend", "software", "--backend", "sim"];
    let what = with(&what, &["--record", &record]);
    exits(
        0,
        &with(&what, &["--games", "2", "--max-pieces", "6", "-q"]),
    );
    let before = text(&record);
    let resume = with(&what, &["--resume"]);
    let mut wrong = Vec::new();
    let cases: [(&[&str], &[&str]); 8] = [
        (&["--seed", "2"], &["setup.seed is 1 there and 2 here"]),
        (
            &["--controller", "lowest"],
            &["controller.name is \"dt-20\" there", "more"],
        ),
        (&["--piece-source", "bag"], &["setup.piece_source", "bag"]),
        (
            &["--backend", "engine"],
            &["backend.3 is not set there and \"engine\" here"],
        ),
        (&["--games", "1"], &["line 8", "1 are asked for"]),
        (
            &["--max-pieces", "5", "--games", "2"],
            &["line 7", "5 are the most"],
        ),
        (
            &["--max-pieces", "9", "--games", "2"],
            &["line 8", "game 1 was stopped before"],
        ),
        (&["--force"], &["--force"]),
    ];
    for (more, named) in cases {
        let output = run(&with(&resume, more), "");
        wrong.extend(misrefused(&output, named));
    }
    let again = with(&resume, &["--games", "2", "--max-pieces", "6"]);
    let edited =
        before
            .replace("RTL build", "RTL built")
            .replacen(r#""build_id":""#, r#""build_id":"f"#, 1);
    write(&record, &edited);
    wrong.extend(misrefused(
        &run(&again, ""),
        &["backend.2 is \"sim, RTL build f"],
    ));
    let board = before.replacen(r#""piece":"#, r#""next":"I","piece":"#, 1);
    write(&record, &board);
    wrong.extend(misrefused(&run(&again, ""), &["line 2"]));
    write(&record, &before);
    wrong.extend(misrefused(&run(&["play", "--resume"], ""), &["--record"]));
    none(&wrong);
    let output = exits(0, &again);
    assert!(
        stdout(&output).contains("is complete: 12 decisions of 2 games"),
        "{}",
        shown(&output)
    );
    assert_eq!(text(&record), before);
    // More of the same goes on.
    let more = with(&resume, &["--games", "3", "--max-pieces", "6"]);
    let output = exits(0, &more);
    assert!(
        stdout(&output).contains("after 12 decisions of 2 games"),
        "{}",
        shown(&output)
    );
    assert!(text(&record).contains(r#"{"decisions":18,"games":3,"complete":true}"#));
}

/// A disk that is full in the midst of a session: what is there counts, and goes on.
#[test]
fn a_record_goes_on_after_the_disk_was_full() {
    let folder = folder();
    let whole = file(&folder, "whole.jsonl");
    exits(0, &with(&MANY, &["--record", &whole, "-q"]));
    for name in NAMES {
        let record = file(&folder, name);
        let what = with(&MANY, &["--record", &record]);
        // Blocks of 512 bytes.
        let limited = "trap '' XFSZ; ulimit -f 16; exec \"$0\" \"$@\"";
        let mut shell = std::process::Command::new("sh");
        let shell = shell.args(["-c", limited, PROGRAM]).args(&what);
        let output = shell.output().expect("sh runs");
        refused(&output, &["record", &record, "File too large"]);
        assert!(std::fs::metadata(&record).expect("a record").len() <= 16 * 1024);
        let stats = exits(0, &["record", "stats", &record, "--json", "-"]);
        let stats = json(&stdout(&stats));
        assert_eq!(stats["records"][0]["ending"], "cut", "{stats}");
        exits(0, &with(&what, &["--resume", "-q"]));
        assert!(
            unpacked(&record) == text(&whole),
            "{name}: it is another record"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_record_may_be_a_pipe() {
    let folder = folder();
    let what = [
        "play",
        "--backend",
        "engine",
        "--max-pieces",
        "50",
        "-q",
        "--record",
    ];
    let record = file(&folder, "games.jsonl");
    exits(0, &with(&what, &[&record]));
    let output = exits(0, &with(&what, &["/dev/stdout"]));
    assert!(stdout(&output) == text(&record), "{}", shown(&output));
    let resumed = run(&with(&what, &["/dev/stdout", "--resume"]), "");
    refused(&resumed, &["/dev/stdout", "no ordinary file"]);
}
