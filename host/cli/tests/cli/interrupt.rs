//! Ctrl-C: status 130, and what was done stays.

use std::io::Write as _;

use super::running::Running;
use super::*;

#[test]
fn an_interrupted_session_leaves_a_record_that_can_be_replayed() {
    let folder = folder();
    let (summary, record) = (file(&folder, "summary.json"), file(&folder, "games.jsonl"));
    let what = ["play", "--games", "1000000", "--max-pieces", "20"];
    let to = ["--json", &summary, "--record", &record];
    let mut running = Running::start(&[&what[..], &to].concat());
    running.wait_for("game 2 of");
    running.interrupt();
    let (status, rest, error) = running.end();
    assert_eq!((status, error.as_str()), (Some(130), ""), "{rest}");
    assert!(rest.contains("interrupted"), "{rest}");
    let summary = json(&text(&summary));
    assert_eq!(summary["interrupted"], true, "{summary}");
    let decisions = summary["decisions"].as_u64().expect("a number");
    assert!(decisions >= 40, "two games were played: {summary}");
    let lines: Vec<String> = text(&record).lines().map(str::to_owned).collect();
    assert_eq!(lines.len() as u64, decisions + 2, "a header and an end");
    let end = &json(lines.last().expect("lines"))["end"];
    assert_eq!(
        (&end["decisions"], &end["complete"]),
        (&decisions.into(), &false.into())
    );
    let again = exits(
        0,
        &["replay", &record, "--backend", "software", "--json", "-"],
    );
    let again = json(&stdout(&again));
    assert_eq!(
        (&again["agreed"], &again["diverged"]),
        (&decisions.into(), &0.into())
    );
    assert_eq!(again["cut"], json("[]"), "{again}");
}

#[test]
fn an_interrupted_replay_is_no_agreement() {
    let folder = folder();
    let (summary, record) = (file(&folder, "summary.json"), file(&folder, "long.jsonl"));
    let what = ["play", "--backend", "software", "--max-pieces", "1"];
    exits(0, &[&what[..], &["--record", &record]].concat());
    let one = text(&record);
    let mut lines = one.lines();
    let (head, entry) = (
        lines.next().expect("a header"),
        lines.next().expect("an entry"),
    );
    let entries = format!("{entry}\n").repeat(50_000);
    write(&record, format!("{head}\n{entries}"));
    let arguments = ["replay", &record, "--backend", "software"];
    let mut running = Running::start(&[&arguments[..], &["--json", &summary]].concat());
    running.wait_for("5,000 of 50,000");
    running.interrupt();
    let (status, rest, _) = running.end();
    let summary = json(&text(&summary));
    assert!(summary["decisions"].as_u64() < Some(50_000), "it stopped");
    assert_eq!(status, Some(130), "{rest}");
    assert_eq!(summary["interrupted"], true, "{summary}");
    assert!(rest.contains("interrupted"), "{rest}");
}

/// It waits for a position when the user has had enough.
#[test]
fn decide_can_be_interrupted_while_it_waits() {
    let mut running = Running::start(&["decide"]);
    // Standard input stays open to the end.
    let mut input = running.input.take().expect("piped");
    writeln!(input, "{EMPTY}").expect("written");
    running.wait_for("\"column\"");
    running.interrupt();
    let (status, rest, _) = running.end();
    assert_eq!((status, rest.as_str()), (Some(130), ""));
    drop(input);
}
