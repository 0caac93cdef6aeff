//! The part of the page that says why the first divergence happened.

use lockstep::Answer;
use lockstep::backend::{Identity, Kind};
use lockstep::compare::{columns, compare};
use lockstep::report::{Tally, Totals};
use lockstep_explain::{Explanation, Said, Told, Verdict};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::{Controller, Piece, Position, Tetris};
use lockstep_games::{Golden as _, Trace, Value};
use lockstep_report::{Explained, File, Report, html};

fn told(name: &str, trace: Trace<Tetris>) -> Told<Tetris> {
    let decision = trace.decision;
    Told {
        backend: Identity {
            name: name.into(),
            kind: Kind::Simulated,
            description: "a stand-in".into(),
            capabilities: Tetris::capabilities(None),
            core: None,
        },
        said: Said::Answer(Answer::plain(decision)),
        trace: Some(trace),
    }
}

/// What two say of an O on an empty board: at placement 4 the second one finds 77 holes, and
/// it chooses placement 5.
fn explanation() -> Explanation<Tetris> {
    let controller = Controller::load("dt-20").expect("built in");
    let position = Position {
        board: Board::new(10, 20),
        piece: Piece::O,
        next: None,
    };
    let trace = Tetris::trace(&controller, &position).expect("it plays so");
    let expected = trace.expect("the golden model tells it");
    let mut got = expected.clone();
    let weighed = got.candidates[4].evaluated.as_mut().expect("it is legal");
    weighed.features.holes = 77;
    got.decision = got.decision.map(|mut placement| {
        placement.column = 4;
        placement
    });
    let columns = columns(&expected, &got);
    let (expected, got) = (told("right", expected), told("wrong", got));
    let (Some(first), Some(second)) = (expected.said.answer(), got.said.answer()) else {
        panic!("both answered");
    };
    Explanation {
        mismatches: compare(&first.decision, &[0], std::slice::from_ref(second)),
        position,
        columns,
        verdict: Verdict::Weighs {
            field: "holes",
            weighed: 4,
            expected: Value::Number(0),
            got: Value::Number(77),
            places: 1,
            definition: None,
        },
        expected,
        got,
    }
}

#[test]
fn values_are_told_by_whose_they_are_and_files_with_what_opens_them() {
    let found = explanation();
    let files = [
        File {
            name: "why/case.json".into(),
            link: Some("why/case.json".into()),
        },
        File {
            name: "/elsewhere/<a>.fst".into(),
            link: None,
        },
    ];
    let open = ["gtkwave 'a b'".to_owned()];
    let (totals, tally) = (Totals::default(), Tally::default());
    let report = Report {
        command: "replay",
        call: "lockstep replay x",
        version: "lockstep 0",
        at: "2026-01-01 00:00 UTC",
        controllers: Vec::new(),
        totals: &totals,
        tally: &tally,
        records: &[],
        apart: None,
        explained: Some(Explained {
            found: &found,
            positions: 1,
            smaller: None,
            files: &files,
            open: &open,
        }),
    };
    let page = html::html(&report);
    for part in [
        "wrong weighs holes otherwise, first at placement 4",
        "<strong class=\"bad\">77</strong>, not 0</td>",
        "<td>column</td><td class=\"n\">0</td><td class=\"n\">4</td>",
        "placement 4 (rotation 0, column 4), <strong>chosen by wrong</strong>",
        "<a href=\"./why/case.json\"><code>why/case.json</code></a>",
        "<li><code>/elsewhere/&lt;a&gt;.fst</code></li>",
        "<pre><code>gtkwave 'a b'</code></pre>",
        "2026-01-01 00:00 UTC",
    ] {
        assert!(page.contains(part), "no {part:?} in\n{page}");
    }
    assert!(!page.contains("chosen by right"), "its row agrees\n{page}");
    // Both boards, side by side, in that order.
    let at = |part: &str| page.find(part).expect("it is there");
    assert!(at("<figcaption>right</figcaption>") < at("<figcaption>wrong</figcaption>"));
}
