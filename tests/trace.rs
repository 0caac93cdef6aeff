//! Traces: every candidate with its features and score, by the golden model and by the RTL.

use std::sync::Mutex;

use lockstep::Session;
use lockstep::compare::first_difference;
use lockstep_games::Trace;
use lockstep_games::tetris::{Candidate, Controller, Position, Score, Tetris};
use proptest::prelude::*;

use crate::agreement::{any_controller, check_cases};
use crate::support::{any_position, block_on, controller, session};

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
    random_traces("sim:core=lanes", 25);
}

#[test]
fn random_traces_agree_at_the_pins() {
    random_traces("sim-uart:baud=12000000", 2);
}
