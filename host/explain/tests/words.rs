//! Every verdict as a sentence: who is wrong, in what, and which value is whose.

use lockstep::Answer;
use lockstep::backend::{Identity, Kind};
use lockstep_explain::{Explanation, Said, Sought, Told, Verdict};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::{Controller, Piece, Position, Tetris};
use lockstep_games::{Golden as _, Value};

/// An explanation with that verdict, of an O on an empty board.
fn explained(verdict: Verdict) -> Explanation<Tetris> {
    let controller = Controller::load("dt-20").expect("built in");
    let position = Position {
        board: Board::new(10, 20),
        piece: Piece::O,
        next: None,
    };
    let trace = Tetris::trace(&controller, &position).expect("it plays so");
    let decision = Tetris::decide(&controller, &position).expect("it plays so");
    let told = |name: &str| Told {
        backend: Identity {
            name: name.into(),
            kind: Kind::Simulated,
            description: "a stand-in".into(),
            capabilities: Tetris::capabilities(None),
            core: None,
        },
        said: Said::Answer(Answer::plain(decision)),
        trace: trace.clone(),
    };
    Explanation {
        position,
        expected: told("right"),
        got: told("wrong"),
        mismatches: Vec::new(),
        columns: Vec::new(),
        verdict,
    }
}

#[test]
fn each_verdict_says_who_is_wrong_and_whose_value_is_which() {
    let (expected, got) = (Value::Number(1), Value::Number(2));
    let cases = [
        (Verdict::Agrees, "they agree, here and now", None),
        (
            Verdict::Weighs {
                field: "holes",
                weighed: 3,
                expected: expected.clone(),
                got: got.clone(),
                places: 5,
                definition: None,
            },
            "wrong weighs holes otherwise, first at placement 3 (rotation 0, column 3): 2, not 1; at \
             5 of 9 placements",
            Some("holes"),
        ),
        (
            Verdict::Counts {
                expected: 9,
                got: 8,
                first: 7,
            },
            "wrong weighs 8 placements, not 9; they are the same up to placement 7 (rotation 0, \
             column 7)",
            None,
        ),
        (
            Verdict::Chooses {
                expected: Some(0),
                got: Some(8),
            },
            "all placements, features and scores agree; wrong chooses placement 8 (rotation 0, \
             column 8), and the first of the highest scores is at placement 0 (rotation 0, column 0)",
            None,
        ),
        (
            Verdict::Chooses {
                expected: Some(4),
                got: None,
            },
            "all placements, features and scores agree; wrong chooses none, and the first of the \
             highest scores is at placement 4 (rotation 0, column 4)",
            None,
        ),
        (
            Verdict::Tells {
                field: "row",
                expected: expected.clone(),
                got: got.clone(),
            },
            "all placements, features and scores agree, and so does the choice; what wrong tells of \
             it is wrong: row is 2, not 1",
            Some("row"),
        ),
        (
            Verdict::Answers {
                field: "row",
                expected: expected.clone(),
                got: got.clone(),
            },
            "wrong weighs and chooses the same when it tells what it weighs; only its answer is \
             another: row is 2, not 1",
            Some("row"),
        ),
        (
            Verdict::Takes {
                expected: expected.clone(),
                got: got.clone(),
            },
            "wrong decides the same, in 2 clock cycles, not 1",
            Some("cycles"),
        ),
        (
            Verdict::Untold {
                field: "score",
                expected,
                got,
            },
            "score is 2, not 1; wrong does not tell what it weighs",
            Some("score"),
        ),
        (
            Verdict::Stops {
                why: "cycle 7".into(),
            },
            "wrong ended: cycle 7",
            None,
        ),
    ];
    for (verdict, sentence, about) in cases {
        let words = explained(verdict).words();
        assert_eq!(words.sentence, sentence);
        let (field, definition) = words.definition.unzip();
        assert_eq!(field, about, "{sentence}");
        assert!(definition.is_none_or(|text| text.len() > 10), "{sentence}");
    }
}

/// In the waveform of who is wrong: what it weighs otherwise, or what it takes for the best.
#[test]
fn a_marker_is_put_at_what_the_wrong_one_does() {
    let chooses = |expected, got| Verdict::Chooses { expected, got }.sought();
    let score = |weighed| {
        Some(Sought {
            weighed,
            field: "score",
        })
    };
    assert_eq!(chooses(Some(0), Some(8)), score(8));
    assert_eq!(chooses(Some(4), None), score(4));
    assert_eq!(chooses(None, Some(5)), score(5));
    let weighs = Verdict::Weighs {
        field: "holes",
        weighed: 3,
        expected: Value::Number(1),
        got: Value::Number(2),
        places: 1,
        definition: None,
    };
    let sought = weighs.sought().expect("it can be seen");
    assert_eq!((sought.weighed, sought.field), (3, "holes"));
    assert_eq!(Verdict::Agrees.sought(), None);
}
