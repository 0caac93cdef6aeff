//! Traces: every candidate with its features and score, by the golden model and by the RTL.

use std::sync::Mutex;
use std::time::Duration;

use lockstep::backend::BackendErrorKind;
use lockstep::backend::wire::{LinkConfig, RecoveryPolicy, Wire};
use lockstep::compare::first_difference;
use lockstep::{Backend, Session};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::{Candidate, Controller, Piece, Position, Score, Tetris};
use lockstep_games::{Golden as _, Trace};
use proptest::prelude::*;

use crate::agreement::{any_controller, check_cases};
use crate::link::faulty_link::{Faults, Faulty};
use crate::link::{config, core, positions};
use crate::support::{any_position, block_on, controller, open, session};

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
    check_cases(
        count,
        &(any_controller(), batches),
        |(controller, positions)| same(&session, &controller, &positions),
    );
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

/// Retries end, since the numbers are always wrong.
#[test]
fn trace_wrong_part_numbers_are_an_error() {
    let error = block_on(async {
        let mut core = open("sim:fault=parts-from-one").await;
        core.configure(&controller("probe"))
            .await
            .expect("configured");
        core.trace(&positions(1)).await.expect_err("no part 0")
    });
    assert!(
        matches!(error.kind, BackendErrorKind::Broken { .. }),
        "{error}"
    );
    assert!(
        error.to_string().contains("part 1 came instead of part 0"),
        "{error}"
    );
}

/// A core behind a link with faults.
pub async fn traced_over(
    faults: Faults,
    seed: u64,
    recovery: Option<RecoveryPolicy>,
) -> Wire<Tetris> {
    let link = Faulty::new(core().await, faults, seed);
    let config = LinkConfig {
        recovery,
        ..config("faulty", 4_000, 3)
    };
    let wire = Wire::open(config, Box::new(link)).await;
    wire.expect("a core")
}

/// Lost parts are requested again, and none is reported twice.
#[test]
fn trace_noisy_link_is_complete() {
    let probe = controller("probe");
    let positions = positions(20);
    for seed in 0..3 {
        let (traces, counts) = block_on(async {
            let mut wire = traced_over(Faults::noise(0.00005), seed, None).await;
            wire.configure(&probe).await.expect("configured");
            let traces = wire.trace(&positions).await.expect("traces");
            (traces, wire.link().expect("it has one").counts)
        });
        assert_eq!(traces, golden(&probe, &positions));
        assert!(counts.lost > 0, "{counts:?}");
    }
}

/// After a hang-up a simulated core has lost its weights and its streams.
#[test]
fn traces_over_a_line_that_recovers_are_complete() {
    let probe = controller("probe");
    let positions = positions(20);
    let faults = Faults {
        hang_up: 0.0001,
        ..Faults::default()
    };
    let recovery = RecoveryPolicy {
        base: 115_200,
        top: 115_200,
        reopening: Duration::from_secs(20),
    };
    let (traces, counts) = block_on(async {
        let mut wire = traced_over(faults, 1, Some(recovery)).await;
        wire.configure(&probe).await.expect("configured");
        let traces = wire.trace(&positions).await.expect("traces");
        (traces, wire.link().expect("it has one").counts)
    });
    assert_eq!(traces, golden(&probe, &positions));
    assert!(counts.recovered > 0, "{counts:?}");
}

/// A field of a placement, the number of placements, or the decision.
#[test]
fn first_difference_has_both_values() {
    let position = Position {
        board: Board::new(10, 20),
        piece: Piece::T,
        next: None,
    };
    let right = golden(&controller("probe"), &[position]).remove(0);
    assert_eq!(first_difference(&right, &right), None);
    type Change = fn(&mut Trace<Tetris>);
    let holes: Change = |t| {
        let evaluated = t.candidates[3].evaluated.as_mut().expect("legal");
        evaluated.features.landing_height_doubled += 2;
        evaluated.features.holes += 5;
    };
    for (change, candidate, field, values) in [
        (holes, Some(3), "landing_height", ["0.5", "1.5"]),
        (
            |t| t.candidates[0].evaluated = None,
            Some(0),
            "legal",
            ["yes", "no"],
        ),
        (|t| t.candidates.truncate(33), None, "parts", ["34", "33"]),
        (|t| t.decision = None, None, "legal", ["yes", "no"]),
    ] {
        let mut other = right.clone();
        change(&mut other);
        let first = first_difference(&right, &other).expect("it was changed");
        assert_eq!(
            (first.candidate, first.difference.field),
            (candidate, field)
        );
        let both = [first.difference.expected, first.difference.got];
        assert_eq!(both.map(|v| v.to_string()), values);
    }
}
