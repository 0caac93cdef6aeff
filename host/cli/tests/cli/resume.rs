//! `lockstep play --resume`: records that are continued.

use std::time::Instant;

use super::running::HANGS;
use super::*;

/// A plain and a compressed record.
const NAMES: [&str; 2] = ["games.jsonl", "games.jsonl.zst"];

/// The text of a record.
fn unpacked(place: &Place, name: &str) -> String {
    place.ok(&format!("record convert {{}}/{name} {{}}/plain --force -q"));
    place.text("plain")
}

/// A session that is killed repeatedly ends with record and summary of an uninterrupted one.
///
/// While it is killed, it has more games to play than any machine can.
#[test]
fn resume_after_kills_completes_record() {
    let place = Place::new();
    let play = "play --backend engine --backend engine:path=portable --max-pieces 400";
    for name in NAMES {
        let record = place.file(name);
        let what = format!("{play} --record {record} --resume");
        let size = || std::fs::metadata(&record).map_or(0, |about| about.len());
        // At once, in the midst of the first game, or later.
        for more in [0, 10_000, 40_000] {
            let enough = size() + more;
            let running = place.start(&format!("{what} --games 1000000"));
            let begun = Instant::now();
            while size() < enough {
                assert!(begun.elapsed() < HANGS, "{name}: it records nothing");
                std::thread::yield_now();
            }
            running.kill();
        }
        let stats = place.json(0, &format!("record stats {record}"));
        let games = stats["records"][0]["games"].as_u64().expect("a number") + 1;
        let mut rest = place.json(0, &format!("{what} --games {games}"));
        let whole = format!("{play} --record {{}}/whole --force --games {games}");
        let mut whole = place.json(0, &whole);
        let same = unpacked(&place, name) == place.text("whole");
        assert!(same, "{name}: it is another record");
        assert!(rest["resumed"]["decisions"].as_u64() > Some(0), "{rest}");
        for summary in [&mut rest, &mut whole] {
            let members = summary.as_object_mut().expect("a summary");
            members.retain(|name, _| name != "resumed" && name != "record");
        }
        assert_eq!(rest, whole, "the summary counts the whole session");
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
    let head = json(record.lines().next().expect("a header"));
    for (field, part) in [
        ("/lockstep_record", "4"),
        ("/seed", "1"),
        ("/integers/landing_height", "-500000"),
        ("/rules/about", "straight down"),
        ("/generator/about", "SplitMix64"),
        ("/backends/2/name", "sim"),
        ("/backends/2/clock_hz", "100000000"),
    ] {
        let found = head
            .pointer(field)
            .map(Value::to_string)
            .unwrap_or_default();
        assert!(found.contains(part), "{field}: {head}");
    }
    let sim = &head["backends"][2];
    for hash in ["build_id", "layout_hash"] {
        assert_eq!(sim[hash].as_str().map(str::len), Some(8), "{hash}: {sim}");
    }
    assert_eq!(record.matches(r#""cycles":{"sim":"#).count(), 60);
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
        --seed 2 => setup.seed is 1 in the record and 2 in this command
        --controller lowest => controller.name is "dt-20" in the record and "lowest" in this command; give
        --piece-source bag => setup.piece_source | bag
        --backend engine => backend.3 is not set in the record and "engine" in this command
        --force => --force
    "#,
    );
    let edited = before.replace("RTL build", "RTL built");
    write(
        &record,
        edited.replacen(r#""build_id":""#, r#""build_id":"f"#, 1),
    );
    place.refuses(&format!(r#"{again} => backend.2 is "sim, RTL build f"#));
    place.refuses("play --resume => --record");
    write(&record, &before);
    let report = place.ok(&again);
    has(&report, "is complete: 12 decisions of 2 games");
    assert_eq!(text(&record), before);
}

#[test]
fn record_may_be_a_pipe() {
    let place = Place::new();
    let play = "play --backend engine --max-pieces 50 -q --record";
    place.ok(&format!("{play} {{}}/games"));
    let piped = place.ok(&format!("{play} /dev/stdout"));
    assert!(piped == place.text("games"), "{piped}");
}
