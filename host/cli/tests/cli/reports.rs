//! Reports of a session for others than who called, and what GitHub Actions is told.

use std::process::Command;

use super::*;

/// The fault changes a choice in the first games there are.
const FAULTY: &str = "sim:fault=well-at-wall";
const ACTION: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../.github/actions/replay/replay.sh"
);
const RECORD: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../fixtures/records/dt-20.jsonl"
);

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn a_page_and_test_results_are_written_of_a_play() {
    let folder = folder();
    let (page, results) = (file(&folder, "a.html"), file(&folder, "a.xml"));
    let play = [
        "play",
        "--backend",
        "software",
        "--html",
        &page,
        "--junit",
        &results,
    ];
    exits(1, &[&play[..], &["--backend", FAULTY]].concat());
    let text = read(&page);
    for part in [
        "1 of 1 decisions differ",
        "cumulative_wells",
        "The smallest case",
        "Controller: ",
        FAULTY,
    ] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    assert!(read(&results).contains("failures=\"1\""));
    // What was there is overwritten, as with --json.
    exits(
        0,
        &[&play[..], &["--backend", "engine", "--max-pieces", "20"]].concat(),
    );
    assert!(read(&page).contains("All 20 decisions agree"));
    assert!(read(&results).contains("failures=\"0\""));
}

#[test]
fn reports_have_files_of_their_own() {
    let folder = folder();
    let name = file(&folder, "same");
    for pair in [
        ["--html", "--junit"],
        ["--html", "--json"],
        ["--junit", "--record"],
    ] {
        let words = ["play", "--max-pieces", "1", pair[0], &name, pair[1], &name];
        let told = stderr(&exits(2, &words));
        assert!(
            told.contains("name the same file; give each its own"),
            "{told}"
        );
        assert!(!Path::new(&name).exists());
    }
    let told = stderr(&exits(2, &["play", "--html", &file(&folder, "no/a.html")]));
    assert!(
        told.contains("--html") && told.contains("there is no folder"),
        "{told}"
    );
    // What is read stays.
    let told = stderr(&exits(2, &["replay", RECORD, "--junit", RECORD]));
    assert!(told.contains("which is read"), "{told}");
}

/// The action's script, as GitHub runs it.
fn action(folder: &TempDir, backends: &str) -> Output {
    let mut command = Command::new("bash");
    command
        .arg(ACTION)
        .env("LOCKSTEP", PROGRAM)
        .env("RECORDS", RECORD)
        .env("BACKENDS", backends)
        .env("FOLDER", folder.path().join("out"))
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_OUTPUT", folder.path().join("output"))
        .env("GITHUB_STEP_SUMMARY", folder.path().join("summary.md"));
    command.output().expect("bash")
}

#[test]
fn the_action_annotates_what_differs_and_keeps_what_there_is_to_see() {
    let folder = folder();
    let ended = action(&folder, &format!("software {FAULTY}"));
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    let told = stdout(&ended);
    let errors: Vec<_> = told.lines().filter(|l| l.starts_with("::error ")).collect();
    assert!(errors.len() > 1, "{told}");
    assert!(errors[0].contains("dt-20.jsonl,line="), "{}", errors[0]);
    assert!(errors.last().is_some_and(|l| l.contains("Why: ")), "{told}");
    for name in [
        "index.html",
        "junit.xml",
        "summary.json",
        "why/case.json",
        "why/waves.fst",
    ] {
        let file = folder.path().join("out").join(name);
        assert!(
            file.metadata().is_ok_and(|about| about.len() > 300),
            "{name}"
        );
    }
    let output = read(&file(&folder, "output"));
    assert!(
        output.starts_with("folder=") && output.ends_with("/out\n"),
        "{output}"
    );
    // Again, on what is right: nothing is left of the divergence, and the summary goes on.
    let ended = action(&folder, "software engine");
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    assert!(stdout(&ended).contains("::notice title=lockstep replay::All 60 decisions agree"));
    assert!(!folder.path().join("out/why/case.json").exists());
    let summary = read(&file(&folder, "summary.md"));
    assert_eq!(
        summary.matches("### lockstep replay").count(),
        2,
        "{summary}"
    );
}

/// A disk that is full.
#[test]
fn one_report_that_cannot_be_written_keeps_none_of_the_others_back() {
    let folder = folder();
    let (page, results) = ("/dev/full", file(&folder, "a.xml"));
    let ended = lockstep()
        .args(["replay", RECORD, "--backend", "software"])
        .args(["--html", page, "--junit", &results])
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_STEP_SUMMARY", file(&folder, "summary.md"))
        .output()
        .expect("it runs");
    assert_eq!(ended.status.code(), Some(2), "{ended:?}");
    let told = stderr(&ended);
    assert!(told.contains("--html /dev/full: "), "{told}");
    assert!(read(&results).contains("<testsuite "));
    assert!(stdout(&ended).contains("::notice "));
}

/// Nobody asked for it.
#[test]
fn what_a_session_found_does_not_hang_on_the_summary_of_a_step() {
    let folder = folder();
    let ended = lockstep()
        .args(["replay", RECORD, "--backend", "software"])
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_STEP_SUMMARY", file(&folder, "no/summary.md"))
        .output()
        .expect("it runs");
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    let told = stderr(&ended);
    assert!(told.contains("GITHUB_STEP_SUMMARY "), "{told}");
}

/// A step that fails without a comparison says why where the others say theirs.
#[test]
fn what_keeps_a_step_from_its_end_is_annotated() {
    let ended = lockstep()
        .args(["replay", "nowhere.jsonl"])
        .env("GITHUB_ACTIONS", "true")
        .output()
        .expect("it runs");
    let told = stderr(&ended);
    let annotated = "::error title=lockstep::record nowhere.jsonl: there is no such file";
    assert_eq!(ended.status.code(), Some(2), "{told}");

    assert!(
        told.lines().any(|line| line.starts_with(annotated)),
        "{told}"
    );
}

/// Elsewhere nobody reads such lines.
#[test]
fn nothing_is_annotated_outside_of_actions() {
    let told = stdout(&exits(0, &["replay", RECORD, "--backend", "software"]));
    assert!(!told.contains("::"), "{told}");
}
