//! The section of the page that explains the first divergence.

use lockstep::compare::{FieldDifference, columns};
use lockstep_explain::{CaseOutcome, CaseResult, Explained, Explanation, Verdict};
use lockstep_games::{Trace, Value};

use super::*;

fn side(name: &str, trace: Trace<Tetris>) -> CaseResult<Tetris> {
    let decision = trace.decision;
    CaseResult {
        backend: identity(name, Kind::Simulated),
        outcome: CaseOutcome::Answer(Answer::plain(decision)),
        trace: Some(trace),
    }
}

/// Two backends on an O and an empty board: the second one finds 77 holes at placement 4 and
/// chooses it.
fn explanation() -> Explanation<Tetris> {
    let controller = Controller::load("dt-20").expect("built in");
    let position = Position {
        board: Board::new(10, 20),
        piece: Piece::O,
        next: None,
    };
    let trace = Tetris::trace(&controller, &position).expect("it plays so");
    let expected = trace.expect("it is traced");
    let mut got = expected.clone();
    let candidate = got.candidates[4].evaluated.as_mut().expect("it is legal");
    candidate.features.holes = 77;
    got.decision = got.decision.map(|mut placement| {
        placement.column = 4;
        placement
    });
    let columns = columns(&expected, &got);
    let (expected, got) = (side("right", expected), side("wrong", got));
    let (Some(first), Some(second)) = (expected.outcome.answer(), got.outcome.answer()) else {
        panic!("both answered");
    };
    Explanation {
        mismatches: compare(&first.decision, &[0], std::slice::from_ref(second)),
        position,
        columns,
        verdict: Verdict::Candidate {
            difference: FieldDifference {
                field: "holes",
                expected: Value::Number(0),
                got: Value::Number(77),
            },
            candidate: 4,
            count: 1,
            definition: None,
        },
        expected,
        got,
    }
}

#[test]
fn page_explains_divergence_and_links_files() {
    let (totals, tally) = (Totals::default(), Tally::default());
    let report = SessionReport {
        explained: Some(Explained {
            found: explanation(),
            positions: 1,
            smaller: None,
            files: vec!["out/why #1/case.json".into(), "/elsewhere/<a> b.fst".into()],
            open: vec!["gtkwave 'a b'".into()],
        }),
        ..report(&totals, &tally)
    };
    let page = html_of(&report);
    for part in [
        "wrong evaluates holes differently, first at placement 4",
        "<td>0 → <strong class=\"bad\">77</strong></td>",
        "<td>column</td><td class=\"n\">0</td><td class=\"n\">4</td>",
        "placement 4 (rotation 0, column 4), <strong>chosen by wrong</strong>",
        "<a href=\"./why%20%231/case.json\"><code>out/why #1/case.json</code></a>",
        "<a href=\"file:///elsewhere/%3Ca%3E%20b.fst\"><code>/elsewhere/&lt;a&gt; b.fst</code></a>",
        "<pre><code>gtkwave 'a b'</code></pre>",
        "2026-01-01 00:00 UTC",
    ] {
        assert!(page.contains(part), "no {part:?} in\n{page}");
    }
    assert!(!page.contains("chosen by right"), "its row agrees\n{page}");
    // The reference's board is first.
    let at = |part: &str| page.find(part).expect("it is there");
    assert!(
        at("<strong>A</strong> <span>right</span>") < at("<strong>B</strong> <span>wrong</span>")
    );
}
