//! Cases as files; every file in `fixtures/cases` is a test.

use std::fs;

use lockstep_explain::{Case, CaseFile, Verdict};
use lockstep_games::Golden as _;
use lockstep_games::tetris::Tetris;

use super::Pair;
use crate::link::positions;
use crate::support::{controller, root};

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
