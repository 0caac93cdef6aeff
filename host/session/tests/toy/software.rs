//! Software as a backend: on a thread of its own, whose futures may be dropped.

use std::sync::{Arc, Condvar, Mutex};

use futures::FutureExt as _;
use lockstep::Backend as _;
use lockstep::backend::software::Software;
use lockstep::backend::{BackendErrorKind, Kind};
use lockstep_games::{BoxError, Capabilities, Decider, Golden as _, GoldenModel, Implementation};

use crate::game::{Controller, Position, TicTacToe};
use crate::support::{block_on, in_order};

/// Answers with the number of its decision, waits while it is held, and has lookahead once it has a
/// controller.
#[derive(Clone, Default)]
struct Gate(Arc<(Mutex<(bool, u64)>, Condvar)>);

impl Gate {
    fn hold(&self, held: bool) {
        let (state, changed) = &*self.0;
        state.lock().expect("not poisoned").0 = held;
        changed.notify_all();
    }

    fn pass(&self) -> u64 {
        let (state, changed) = &*self.0;
        let held = state.lock().expect("not poisoned");
        let mut state = changed.wait_while(held, |s| s.0).expect("not poisoned");
        state.1 += 1;
        state.1
    }
}

impl Implementation<TicTacToe> for Gate {
    fn description(&self) -> String {
        "counts".into()
    }

    fn capabilities(&self, controller: Option<&Controller>) -> Capabilities {
        Capabilities {
            known_next: controller.is_some(),
            ..TicTacToe::capabilities(controller)
        }
    }

    fn decider(&self, _: &Controller) -> Result<Box<dyn Decider<TicTacToe>>, BoxError> {
        Ok(Box::new(self.clone()))
    }
}

impl Decider<TicTacToe> for Gate {
    fn decide(&mut self, _: &Position) -> Result<Option<usize>, BoxError> {
        Ok(Some(self.pass() as usize))
    }
}

/// The decider finishes its position, skips the rest of the request, and answers the next one.
#[test]
fn software_dropped_request_is_skipped() {
    let gate = Gate::default();
    gate.hold(true);
    block_on(async {
        let mut software =
            Software::new("gate", Kind::Golden, Box::new(gate.clone())).expect("a thread");
        software.configure(&in_order()).await.expect("configured");
        for _ in 0..3 {
            let asked = [Position::EMPTY; 5];
            assert!(software.decide(&asked).now_or_never().is_none());
        }
        gate.hold(false);
        let answers = software
            .decide(&[Position::EMPTY; 2])
            .await
            .expect("answers");
        let numbers: Vec<_> = answers.iter().map(|a| a.decision).collect();
        let first = numbers[0].expect("a number");
        assert_eq!(numbers[1], Some(first + 1));
        assert!(first <= 4, "dropped positions were decided: {first}");
    });
}

#[test]
fn software_capabilities_follow_the_controller() {
    let mut software =
        Software::new("gate", Kind::Engine, Box::new(Gate::default())).expect("a thread");
    assert!(!software.identity().capabilities.known_next);
    block_on(software.configure(&in_order())).expect("configured");
    assert!(software.identity().capabilities.known_next);
}

#[test]
fn software_without_a_decision_is_an_error() {
    let none = Controller { order: Vec::new() };
    block_on(async {
        let model = Box::new(GoldenModel::default());
        let software = Software::<TicTacToe>::new("software", Kind::Golden, model);
        let mut software = software.expect("a thread");
        let early = software.decide(&[Position::EMPTY]).await;
        let kind = early.expect_err("no controller").kind;
        assert!(matches!(kind, BackendErrorKind::NotConfigured), "{kind:?}");
        software.configure(&none).await.expect("configured");
        let error = software.decide(&[Position::EMPTY]).await;
        let error = error.expect_err("no order").to_string();
        assert_eq!(error, "backend software: the order names no free cell");
    });
}
