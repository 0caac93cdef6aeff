//! `lockstep play --resume`: records that are continued.

use std::process::Stdio;

use super::*;

/// A plain and a compressed record.
const NAMES: [&str; 2] = ["games.jsonl", "games.jsonl.zst"];

/// The text of a record.
fn unpacked(place: &Place, name: &str) -> String {
    place.ok(&format!("record convert {{}}/{name} {{}}/plain --force -q"));
    place.text("plain")
}

/// Pseudo-random numbers, the same in each run.
fn numbers(mut state: u64) -> impl Iterator<Item = u64> {
    std::iter::repeat_with(move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    })
}

/// Bytes that a resumed session must keep: all whole lines, or all frames before the last.
fn whole(bytes: &[u8]) -> usize {
    const FRAME: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
    let frame = bytes.windows(4).rposition(|four| four == FRAME);
    let line = || bytes.iter().rposition(|byte| *byte == b'\n');
    frame.unwrap_or_else(|| line().map_or(0, |at| at + 1))
}

/// A session that is killed repeatedly ends with the record of an uninterrupted one.
///
/// While it is killed, it has more games to play than any machine can.
#[test]
fn resume_after_kills_completes_record() {
    const KILLS: usize = 5;
    let place = Place::new();
    let play = "play --backend engine --max-pieces 400";
    for (seed, name) in NAMES.into_iter().enumerate() {
        let record = place.file(name);
        let what = format!("{play} --record {record} --resume");
        let size = || std::fs::metadata(&record).map_or(0, |about| about.len());
        for more in numbers(seed as u64).take(KILLS) {
            let before = std::fs::read(&record).unwrap_or_default();
            let enough = before.len() as u64 + more % 40_000;
            let mut child = place.command(&format!("{what} --games 1000000"));
            let child = child.stdout(Stdio::null()).stderr(Stdio::piped());
            let mut child = child.spawn().expect("lockstep runs");
            // At once, in the midst of the first game, or later.
            while size() < enough {
                if child.try_wait().expect("a child").is_some() {
                    let ended = child.wait_with_output().expect("it ended");
                    panic!("{name}: {}", shown(&ended));
                }
                std::thread::yield_now();
            }
            child.kill().expect("killed");
            child.wait().expect("it ends");
            // A kill cuts the last line or frame, and no more.
            let kept = &before[..whole(&before)];
            let after = std::fs::read(&record).unwrap_or_default();
            let size = after.len();
            assert!(
                after.starts_with(kept),
                "{name}: {size} bytes, of {}",
                kept.len()
            );
        }
        let stats = place.json(0, &format!("record stats {record}"));
        let begun = stats["records"][0]["games"].as_u64().expect("a number");
        place.ok(&format!("{what} --games {}", begun + 1));
        place.ok(&format!(
            "{play} --record {{}}/whole --force -q --games {}",
            begun + 1
        ));
        let whole = place.text("whole");
        assert!(
            unpacked(&place, name) == whole,
            "{name}: it is another record"
        );
    }
}

#[test]
fn resume_after_interrupt_sums_all_up() {
    let place = Place::new();
    let play = "play --backend software --backend engine --games 15 --max-pieces 40";
    let mut all = place.json(0, &format!("{play} --record {{}}/whole"));
    all["record"] = Value::Null;
    for name in NAMES {
        let play = format!("{play} --record {{}}/{name}");
        let mut running = place.start(&format!("{play} --json {{}}/first"));
        running.wait_for("game 2 of");
        running.interrupt();
        let (status, ..) = running.end();
        let first = json(&place.text("first"));
        let decisions = first["decisions"].as_u64().expect("a number");
        assert!(decisions >= 80, "two games were played");
        assert!(status == Some(130) || decisions == 600, "{status:?}");
        let report = place.ok(&format!("{play} --resume --json {{}}/rest"));
        let resumed = format!("{decisions} decisions of");
        assert!(report.contains(&resumed) || decisions >= 600, "{report}");
        let same = unpacked(&place, name) == place.text("whole");
        assert!(same, "{name}: it is another record");
        let mut rest = json(&place.text("rest"));
        assert_eq!(rest["resumed"]["decisions"], decisions);
        rest.as_object_mut().expect("a summary").remove("resumed");
        rest["record"] = Value::Null;
        assert_eq!(rest, all, "the summary is that of the whole session");
    }
}

/// Also with the simulated RTL, whose clock cycles are recorded.
#[test]
fn same_session_writes_same_bytes() {
    let place = Place::new();
    for name in ["a", "b", "c.zst"] {
        let play = "play --controller lowest --max-pieces 60 -q";
        place.ok(&format!("{play} --record {{}}/{name}"));
    }
    let record = place.text("a");
    assert!(record == place.text("b"), "two runs, two records");
    assert!(
        record == unpacked(&place, "c.zst"),
        "compressed it is another"
    );
    let mut lines = record.lines();
    let head = json(lines.next().expect("a header"));
    for (field, value) in [
        ("/lockstep_record", 4),
        ("/seed", 1),
        ("/integers/landing_height", -500_000),
        ("/backends/2/clock_hz", 100_000_000),
    ] {
        assert_eq!(head.pointer(field), Some(&value.into()), "{field}: {head}");
    }
    for (field, part) in [
        ("/rules/about", "straight down"),
        ("/generator/about", "SplitMix64"),
        ("/tools/lockstep", env!("CARGO_PKG_VERSION")),
        ("/tools/rustc", "1."),
        ("/backends/2/name", "sim"),
    ] {
        let found = head.pointer(field).and_then(Value::as_str);
        assert!(
            found.is_some_and(|text| text.contains(part)),
            "{field}: {head}"
        );
    }
    let sim = &head["backends"][2];
    for hash in ["build_id", "layout_hash"] {
        assert_eq!(sim[hash].as_str().map(str::len), Some(8), "{hash}: {sim}");
    }
    assert!(
        lines
            .take(60)
            .all(|line| line.contains(r#""cycles":{"sim":"#))
    );
}

#[test]
fn resume_of_other_session_is_refused_by_field() {
    let place = Place::new();
    let record = place.file("games");
    let play = "play --backend software --backend sim --record {}/games";
    place.ok(&format!("{play} --games 2 --max-pieces 6 -q"));
    let before = text(&record);
    let resume = format!("{play} --resume");
    let again = format!("{resume} --games 2 --max-pieces 6");
    place.refuses_after(
        &resume,
        r#"
        --seed 2 => setup.seed is 1 there and 2 here
        --controller lowest => controller.name is "dt-20" there | more
        --piece-source bag => setup.piece_source | bag
        --backend engine => backend.3 is not set there and "engine" here
        --games 1 => line 8 | expected at most 1
        --max-pieces 5 --games 2 => line 7 | expected at most 5
        --max-pieces 9 --games 2 => line 8 | game 1 was stopped before
        --force => --force
    "#,
    );
    let edited = before.replace("RTL build", "RTL built");
    write(
        &record,
        edited.replacen(r#""build_id":""#, r#""build_id":"f"#, 1),
    );
    place.refuses(&format!(r#"{again} => backend.2 is "sim, RTL build f"#));
    write(
        &record,
        before.replacen(r#""piece":"#, r#""next":"I","piece":"#, 1),
    );
    place.refuses(&format!(
        "
        {again} => line 2
        play --resume => --record
    "
    ));
    write(&record, &before);
    let report = place.ok(&again);
    has(&report, "is complete: 12 decisions of 2 games");
    assert_eq!(text(&record), before);
    // More of the same continues it.
    let report = place.ok(&format!("{resume} --games 3 --max-pieces 6"));
    has(&report, "after 12 decisions of 2 games");
    assert!(text(&record).contains(r#"{"decisions":18,"games":3,"complete":true}"#));
}

/// After a full disk, the decisions in the record are kept, and the session is continued.
#[cfg(target_os = "linux")]
#[test]
fn resume_after_full_disk_completes_record() {
    let place = Place::new();
    let many = "play --backend engine --games 8 --max-pieces 400";
    place.ok(&format!("{many} --record {{}}/whole -q"));
    for name in NAMES {
        let what = format!("{many} --record {{}}/{name}");
        let limited = place.limited(16, &what);
        refused(&limited, &["record", name, "File too large"]);
        let stats = place.json(0, &format!("record stats {{}}/{name}"));
        assert_eq!(stats["records"][0]["ending"], "cut", "{stats}");
        place.ok(&format!("{what} --resume -q"));
        let same = unpacked(&place, name) == place.text("whole");
        assert!(same, "{name}: it is another record");
    }
}

#[cfg(unix)]
#[test]
fn record_may_be_a_pipe() {
    let place = Place::new();
    let play = "play --backend engine --max-pieces 50 -q --record";
    place.ok(&format!("{play} {{}}/games"));
    let piped = place.ok(&format!("{play} /dev/stdout"));
    assert!(piped == place.text("games"), "{piped}");
    let resumed = format!("{play} /dev/stdout --resume");
    place.refuses(&format!("{resumed} => /dev/stdout | no ordinary file"));
}
