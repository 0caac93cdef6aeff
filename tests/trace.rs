//! Traces: every candidate with its features and score, by the golden model and by the RTL.

use std::cell::RefCell;

use lockstep::compare::first_difference;
use proptest::prelude::*;

use crate::agreement::{any_controller, check_cases};
use crate::support::{any_position, block_on, controller, session};

/// Both report the same candidates, and the traced decision is the answer.
fn random_traces_agree(backend: &str, count: u32) {
    let session = block_on(session(&["software", backend], &controller("probe")));
    let session = RefCell::new(session);
    let all = (
        any_controller(),
        prop::collection::vec(any_position(), 1..4),
    );
    check_cases(count, &all, |(controller, positions)| {
        let mut session = session.borrow_mut();
        let (rows, answers) = block_on(async {
            session.configure(&controller).await.expect("configured");
            let rows = session.trace(&positions).await.expect("traces");
            (rows, session.ask(&positions).await.expect("answers"))
        });
        assert_eq!(rows.len(), positions.len());
        for ((position, traces), answers) in positions.iter().zip(&rows).zip(answers) {
            let differ = first_difference(&traces[0], &traces[1]);
            assert!(differ.is_none(), "{position:?}\n{differ:#?}");
            assert_eq!(traces[0], traces[1]);
            for (trace, answer) in traces.iter().zip(answers.answers) {
                assert_eq!(trace.decision, answer.decision);
            }
        }
    });
}

#[test]
fn random_traces_agree_behind_the_uart() {
    random_traces_agree("sim", 25);
    random_traces_agree("sim:core=lanes", 25);
}

#[test]
fn random_traces_agree_at_the_pins() {
    random_traces_agree("sim-uart:baud=12000000", 2);
}
