//! Reports of a session, and the output for GitHub Actions.

use std::process::{Command, Output};

use super::*;

const RECORD: &str = "fixtures/records/dt-20.jsonl";

#[test]
fn page_and_test_results_are_written() {
    let place = Place::new();
    let play = "play --backend software --html {}/a.html --junit {}/a.xml --backend";
    place.exits(1, &format!("{play} {WRONG_CHOICE}"));
    has(
        &place.text("a.html"),
        "1 of 1 decisions differ | cumulative_wells | The smallest case | Controller: ",
    );
    has(&place.text("a.html"), WRONG_CHOICE);
    has(&place.text("a.xml"), "failures=\"1\"");
    // What was there is overwritten, as with --json.
    place.ok(&format!("{play} engine --max-pieces 20"));
    has(&place.text("a.html"), "All 20 decisions agree");
    has(&place.text("a.xml"), "failures=\"0\"");
}

/// Runs the script of the action as GitHub does.
fn action(place: &Place, backends: &str) -> Output {
    let mut command = Command::new("bash");
    command
        .arg(root().join(".github/actions/replay/replay.sh"))
        .env("LOCKSTEP", PROGRAM)
        .env("RECORDS", root().join(RECORD))
        .env("BACKENDS", backends)
        .env("FOLDER", place.file("out"))
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_OUTPUT", place.file("output"))
        .env("GITHUB_STEP_SUMMARY", place.file("summary.md"));
    command.output().expect("bash")
}

#[test]
fn action_annotates_divergences_and_keeps_reports() {
    let place = Place::new();
    let output = action(&place, &format!("software {WRONG_CHOICE}"));
    ended(1, &output);
    let report = stdout(&output);
    let errors: Vec<_> = report
        .lines()
        .filter(|l| l.starts_with("::error "))
        .collect();
    assert!(errors.len() > 1, "{report}");
    has(errors[0], "dt-20.jsonl,line=");
    has(errors[errors.len() - 1], "Why: ");
    for name in [
        "index.html",
        "junit.xml",
        "summary.json",
        "why/case.json",
        "why/waves.fst",
    ] {
        let about = std::fs::metadata(place.file(&format!("out/{name}")));
        assert!(about.is_ok_and(|about| about.len() > 300), "{name}");
    }
    let output = place.text("output");
    assert!(
        output.starts_with("folder=") && output.ends_with("/out\n"),
        "{output}"
    );
    // Again, on what is right: nothing is left of the divergence, and the summary goes on.
    let output = action(&place, "software engine");
    ended(0, &output);
    has(
        &stdout(&output),
        "::notice title=lockstep replay::All 60 decisions agree",
    );
    assert!(!std::fs::exists(place.file("out/why/case.json")).expect("a folder"));
    let titles = place
        .text("summary.md")
        .matches("### lockstep replay")
        .count();
    assert_eq!(titles, 2);
}

/// Each failure is annotated once, even if a report mentions an unfinished session; a report that
/// cannot be written does not prevent the others.
#[test]
fn failure_is_annotated_once() {
    let place = Place::new();
    let short = text(RECORD).lines().take(5).collect::<Vec<_>>().join("\n") + "\n{}\n";
    place.put("broken.jsonl", short);
    place.put("games.jsonl", text(RECORD));
    let table = "
        2 replay nowhere.jsonl => ::error title=lockstep::record nowhere.jsonl: there is no such
        2 replay {}/broken.jsonl --backend software => line 6
        2 play --max-pieces 3 --backend 'exec:sh -c true' => the program
        2 replay {}/games.jsonl --backend software --html /dev/full --junit {}/a.xml => --html /dev/full:
        0 replay {}/games.jsonl --backend software => ::notice title=lockstep replay::All 60";
    for (row, parts) in rows(table) {
        let (status, line) = row.split_once(' ').expect("a status");
        let status = status.parse().expect("a number");
        let mut program = place.command(line);
        program.env("GITHUB_ACTIONS", "true");
        program.env("GITHUB_STEP_SUMMARY", place.file("summary.md"));
        let output = program.output().expect("it runs");
        ended(status, &output);
        let all = stdout(&output) + &stderr(&output);
        let errors: Vec<_> = all.lines().filter(|l| l.starts_with("::error ")).collect();
        let expected = usize::from(status != 0);
        assert_eq!(errors.len(), expected, "{line}: {}", shown(&output));
        has(&all, parts[0]);
    }
    has(&place.text("a.xml"), "<testsuite ");
    // Elsewhere nothing is annotated; a summary that cannot be written changes no result.
    let output = place.run("replay {}/games.jsonl --backend software");
    assert!(!stdout(&output).contains("::"), "{}", shown(&output));
    let mut program = place.command("replay {}/games.jsonl --backend software");
    program.env("GITHUB_ACTIONS", "true");
    let output = program
        .env("GITHUB_STEP_SUMMARY", place.file("no/summary.md"))
        .output();
    let output = output.expect("it runs");
    ended(0, &output);
    has(&stderr(&output), "GITHUB_STEP_SUMMARY ");
}
