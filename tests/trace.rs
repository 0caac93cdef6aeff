//! Traces: every candidate with its features and score, by the golden model and by the RTL.

use std::sync::Mutex;

use lockstep::backend::BackendErrorKind;
use lockstep::compare::{Difference, first_difference};
use lockstep::{BackendError, Session};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::{Candidate, Controller, Piece, Position, Score, Tetris};
use lockstep_games::{Golden as _, Trace, Unsupported};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::agreement::{any_controller, cases};
use crate::support::{any_position, block_on, controller, open, positions, session};

/// Both report the same candidates, and the traced decision is the answer.
fn same(
    session: &Mutex<Session<Tetris>>,
    controller: &Controller,
    positions: &[Position],
) -> Result<(), TestCaseError> {
    let mut session = session.lock().unwrap_or_else(|e| e.into_inner());
    let (rows, answers) = block_on(async {
        session.configure(controller).await?;
        let rows = session.trace(positions).await?;
        Ok::<_, lockstep::SessionError>((rows, session.ask(positions).await?))
    })
    .map_err(|e| TestCaseError::fail(e.to_string()))?;
    prop_assert_eq!(rows.len(), positions.len());
    for ((position, traces), answers) in positions.iter().zip(&rows).zip(answers) {
        let [golden, core] = &traces[..] else {
            return Err(TestCaseError::fail(format!("{} traces", traces.len())));
        };
        let differ = first_difference(golden, core);
        prop_assert!(differ.is_none(), "{:?}\n{:#?}", position, differ);
        prop_assert_eq!(golden, core);
        for (trace, answer) in traces.iter().zip(answers.answers) {
            prop_assert_eq!(&trace.decision, &answer.decision);
        }
        let best = best(golden);
        let chosen = golden.decision.map(|p| (p.rotation, p.column, p.score));
        prop_assert_eq!(best, chosen, "the first of the highest scores");
    }
    Ok(())
}

/// The first candidate with the highest score.
fn best(trace: &Trace<Tetris>) -> Option<(usize, usize, Score)> {
    let scored = |w: &Candidate| Some((w.rotation, w.column, w.evaluated?.score));
    let mut best = None;
    for (rotation, column, score) in trace.candidates.iter().filter_map(scored) {
        if best.is_none_or(|(_, _, highest)| score > highest) {
            best = Some((rotation, column, score));
        }
    }
    best
}

fn random_traces(backend: &str, count: u32) {
    let session = block_on(session(&["software", backend], &controller("probe")));
    let session = Mutex::new(session);
    let batches = prop::collection::vec(any_position(), 1..4);
    let result = TestRunner::new(cases(count))
        .run(&(any_controller(), batches), |(controller, positions)| {
            same(&session, &controller, &positions)
        });
    result.unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn random_traces_agree() {
    random_traces("sim", 25);
}

#[test]
fn random_traces_agree_at_the_pins() {
    random_traces("sim-uart:baud=12000000", 2);
}

/// Traces by the golden model.
fn golden(controller: &Controller, positions: &[Position]) -> Vec<Trace<Tetris>> {
    let trace = |position| Tetris::trace(controller, position).expect("it plays such a board");
    let traces: Option<Vec<_>> = positions.iter().map(trace).collect();
    traces.expect("it traces")
}

/// The first difference that a core with a fault makes at positions.
fn first_of(fault: &str, positions: &[Position]) -> Result<Option<Difference>, BackendError> {
    let probe = controller("probe");
    let traces = block_on(async {
        let mut core = open(&format!("sim:fault={fault}")).await;
        core.configure(&probe).await?;
        core.trace(positions).await
    })?;
    let mut pairs = positions.chunks(1).zip(&traces);
    Ok(pairs.find_map(|(position, core)| first_difference(&golden(&probe, position)[0], core)))
}

#[test]
fn first_difference_names_the_wrong_feature() {
    // Positions of a game, and one in which two cells clear each row.
    let mut positions = positions(12);
    let rows: Vec<u64> = [vec![0xff; 2], vec![0; 18]].concat();
    positions.push(Position {
        board: Board::from_rows(10, &rows).expect("ten columns"),
        piece: Piece::O,
        next: None,
    });
    for (fault, field) in [
        ("landing-height-off-by-one", "landing_height"),
        ("eroded-not-multiplied", "eroded_cells"),
        ("full-row-transitions", "row_transitions"),
        ("floor-empty", "column_transitions"),
        ("well-at-wall", "cumulative_wells"),
        ("stale-run", "hole_depth"),
        ("odd-holes-only", "rows_with_holes"),
        ("differences-of-three", "diversity"),
        ("weights-swapped", "score"),
        ("flat-bottom", "row"),
    ] {
        let first = first_of(fault, &positions).unwrap_or_else(|e| panic!("{fault}: {e}"));
        let first = first.unwrap_or_else(|| panic!("{fault}: nothing differs"));
        assert_eq!(first.field, field, "{fault}: {first:?}");
        assert!(first.candidate.is_some(), "{fault}: {first:?}");
    }
}

#[test]
fn first_difference_of_a_wrong_choice_is_the_decision() {
    let first = first_of("tie-order-reversed", &positions(40)).expect("traces");
    let first = first.expect("there are ties");
    assert_eq!(first.candidate, None, "{first:?}");
    assert!(["rotation", "column"].contains(&first.field), "{first:?}");
}

/// Retries end, since the numbers are always wrong.
#[test]
fn trace_wrong_part_numbers_are_an_error() {
    let error = first_of("parts-from-one", &positions(1)).expect_err("no part 0");
    assert!(
        matches!(error.kind, BackendErrorKind::Broken { .. }),
        "{error}"
    );
    assert!(
        error.to_string().contains("part 1 came instead of part 0"),
        "{error}"
    );
}

#[test]
fn trace_unsupported_says_so() {
    block_on(async {
        let positions = positions(1);
        let mut engine = open("engine").await;
        assert!(!engine.identity().capabilities.trace);
        let configured = engine.configure(&controller("probe")).await;
        configured.expect("linear");
        let error = engine.trace(&positions).await.expect_err("it does not");
        assert_eq!(
            error.to_string(),
            "backend engine: it reports no candidates with this controller; leave it out"
        );
        let mut software = open("software").await;
        assert!(software.identity().capabilities.trace);
        let deep = controller("probe").with_search(2, None).expect("a depth");
        software.configure(&deep).await.expect("it plays it");
        assert!(!software.identity().capabilities.trace, "not so deep");
        let error = software.trace(&positions).await.expect_err("it does not");
        assert!(matches!(
            error.kind,
            BackendErrorKind::Unable(Unsupported::Trace)
        ));
    });
}
