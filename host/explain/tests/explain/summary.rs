//! Every verdict as a sentence, and the target of its waveform.

use lockstep::Answer;
use lockstep::backend::{Identity, Kind};
use lockstep::compare::FieldDifference;
use lockstep_explain::{CaseOutcome, CaseResult, Explanation, Verdict, WaveTarget};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::{Controller, Piece, Position, Tetris};
use lockstep_games::{Golden as _, Value};

/// An explanation with this verdict, of an O on an empty board.
fn explained(verdict: Verdict) -> Explanation<Tetris> {
    let controller = Controller::load("dt-20").expect("built in");
    let position = Position {
        board: Board::new(10, 20),
        piece: Piece::O,
        next: None,
    };
    let trace = Tetris::trace(&controller, &position).expect("it plays so");
    let decision = Tetris::decide(&controller, &position).expect("it plays so");
    let side = |name: &str| CaseResult {
        backend: Identity {
            name: name.into(),
            kind: Kind::Simulated,
            description: "a stand-in".into(),
            capabilities: Tetris::capabilities(None),
            core: None,
        },
        outcome: CaseOutcome::Answer(Answer::plain(decision)),
        trace: trace.clone(),
    };
    Explanation {
        position,
        expected: side("right"),
        got: side("wrong"),
        mismatches: Vec::new(),
        columns: Vec::new(),
        verdict,
    }
}

/// A field with the value 2 instead of the expected 1.
fn difference(field: &'static str) -> FieldDifference {
    FieldDifference {
        field,
        expected: Value::Number(1),
        got: Value::Number(2),
    }
}

fn candidate() -> Verdict {
    Verdict::Candidate {
        difference: difference("holes"),
        candidate: 3,
        count: 5,
        definition: None,
    }
}

fn choice(expected: Option<usize>, got: Option<usize>) -> Verdict {
    Verdict::Choice { expected, got }
}

#[test]
fn summary_names_wrong_backend_and_both_values() {
    let FieldDifference { expected, got, .. } = difference("cycles");
    let count = Verdict::CandidateCount {
        expected: 9,
        got: 8,
        first: 7,
    };
    let why = "cycle 7".into();
    for (verdict, sentence) in [
        (Verdict::Agrees, "they agree on this case"),
        (
            candidate(),
            "wrong evaluates holes differently, first at placement 3 (rotation 0, column 3): \
             expected 1, got 2; 5 of 9 placements differ",
        ),
        (
            count,
            "wrong reports another number of placements: expected 9, got 8; they are equal before \
             placement 7 (rotation 0, column 7)",
        ),
        (
            choice(Some(0), Some(8)),
            "wrong evaluates all placements alike, and chooses another one: expected placement 0 \
             (rotation 0, column 0), the first with the highest score, got placement 8 (rotation \
             0, column 8)",
        ),
        (
            choice(Some(4), None),
            "wrong evaluates all placements alike, and chooses another one: expected placement 4 \
             (rotation 0, column 4), the first with the highest score, got none",
        ),
        (
            Verdict::TracedDecision(difference("row")),
            "wrong evaluates all placements alike and chooses the same one, but reports a wrong \
             row: expected 1, got 2",
        ),
        (
            Verdict::Answer(difference("row")),
            "wrong traces the same decision, but its answer has a wrong row: expected 1, got 2",
        ),
        (
            Verdict::Cycles { expected, got },
            "wrong decides the same in another number of clock cycles: expected 1, got 2",
        ),
        (
            Verdict::Untraced(difference("score")),
            "wrong answers with a wrong score: expected 1, got 2; it reports no placements to \
             compare",
        ),
        (Verdict::Stopped { why }, "wrong stopped: cycle 7"),
    ] {
        let field = verdict.field();
        let summary = explained(verdict).summary();
        assert_eq!(summary.sentence, sentence);
        let (defined, definition) = summary.definition.unzip();
        assert_eq!(defined, field, "{sentence}");
        assert!(definition.is_none_or(|text| text.len() > 10), "{sentence}");
    }
}

/// The waveform is the wrong core's: its evaluation, or the candidate that it preferred.
#[test]
fn wave_target_is_the_wrong_candidate() {
    let target = |candidate, field| Some(WaveTarget { candidate, field });
    for (verdict, expected) in [
        (choice(Some(0), Some(8)), target(8, "score")),
        (choice(Some(4), None), target(4, "score")),
        (choice(None, Some(5)), target(5, "score")),
        (candidate(), target(3, "holes")),
        (Verdict::Agrees, None),
    ] {
        assert_eq!(verdict.wave_target(), expected, "{verdict:?}");
    }
}
