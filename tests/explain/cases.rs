//! Cases as files; every file in `fixtures/cases` is a test.

use std::fs;

use lockstep_explain::{Case, CaseFile, Verdict};
use lockstep_games::Golden as _;
use lockstep_games::tetris::Tetris;

use super::{Pair, TRIES};
use crate::support::{controller, positions, root};

#[test]
fn case_file_round_trips() {
    let pair = Pair::faulty("best-kept");
    let case = pair.found(&controller("dt-20"), &positions(40));
    let shrunk = pair.shrink(&case, TRIES);
    let file = CaseFile::of(&shrunk.case, &shrunk.explanation).expect("something is wrong");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("case.json");
    fs::write(&path, file.text().expect("JSON")).expect("written");
    let read = CaseFile::<Tetris>::read(&path).expect("a case");
    assert_eq!(read.case.positions, shrunk.case.positions);
    assert_eq!(read.case.controller, shrunk.case.controller);
    let json = |file: &CaseFile<Tetris>| serde_json::to_value(file).expect("JSON");
    assert_eq!(json(&read), json(&file));
    let again = pair.explain(&read.case);
    assert_eq!(again.verdict.symptom(), Some(read.symptom));
}

#[test]
fn case_file_invalid_is_refused_with_the_reason() {
    let refused = |text: &str| CaseFile::<Tetris>::parse(text).expect_err(text);
    for (text, why) in [
        ("{}", "missing field `lockstep_case`"),
        ("[]", "expected a case"),
        (r#"{"lockstep_case":2,"game":"tetris"}"#, "reads version 1"),
        (
            r#"{"lockstep_case":1,"game":"gomoku"}"#,
            "expected \"tetris\"",
        ),
        (r#"{"lockstep_case":1,"game":"tetris"}"#, "missing field"),
    ] {
        assert!(refused(text).contains(why), "{text}: {}", refused(text));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let nowhere = folder.path().join("nowhere.json");
    let error = CaseFile::<Tetris>::read(&nowhere).expect_err("it is not there");
    assert!(error.to_string().contains("nowhere.json"), "{error}");
}

/// All backends agree on it, and its fault still shows.
#[test]
fn fixture_cases_agree_without_their_fault() {
    let folder = root().join("fixtures/cases");
    let mut count = 0;
    for entry in fs::read_dir(&folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.display();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let file = CaseFile::<Tetris>::read(&path).unwrap_or_else(|e| panic!("{e}"));
        let last = file.case.last().expect("a position");
        let expected = Tetris::decide(&file.case.controller, last).expect("it decides");
        assert_eq!(expected, file.expected, "{name}: the golden model");
        for backend in ["engine", "sim"] {
            let explanation = Pair::new(backend).explain(&file.case);
            assert_eq!(explanation.verdict, Verdict::Agrees, "{name}: {backend}");
        }
        if file.backend.raw().contains("fault=") {
            let explanation = Pair::new(file.backend.raw()).explain(&file.case);
            let symptom = explanation.verdict.symptom();
            assert_eq!(symptom.as_ref(), Some(&file.symptom), "{name}");
        }
        count += 1;
    }
    assert!(count >= 5, "{count}");
}

#[test]
fn case_without_together_requests_one_by_one() {
    let case = Case::<Tetris>::of(controller("dt-20"), positions(1).remove(0));
    let text = serde_json::to_string(&case).expect("JSON");
    let read: Case<Tetris> = serde_json::from_str(&text).expect("a case");
    assert!(!read.together);
    let apart = text.replace(",\"together\":false", "");
    assert_ne!(apart, text);
    let read: Case<Tetris> = serde_json::from_str(&apart).expect("a case");
    assert!(!read.together && read.positions == case.positions);
}
