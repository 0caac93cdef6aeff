//! Explanations of seeded faults: verdicts, small cases, waveforms.

mod cases;
mod waveforms;

use lockstep::{BackendRegistry, Spec, Stop};
use lockstep_explain::{
    Case, CaseOutcome, CaseRunner, Explanation, Shrunk, Symptom, Verdict, explain, shrink,
};
use lockstep_games::Golden as _;
use lockstep_games::tetris::{Controller, Position, Tetris};

use crate::support::{block_on, controller, positions};

/// More than any of these cases needs.
const TRIES: u64 = 5_000;

/// Golden model and a core with a fault.
struct Pair {
    openers: BackendRegistry<Tetris>,
    specs: [Spec; 2],
    stop: Stop,
}

impl Pair {
    fn new(backend: &str) -> Self {
        let openers = lockstep_backends::table::tetris();
        let spec = |name: &str| openers.parse(name).expect("a backend's name");
        let specs = [spec("software"), spec(backend)];
        Self {
            openers,
            specs,
            stop: Stop::never(),
        }
    }

    fn faulty(fault: &str) -> Self {
        Self::new(&format!("sim:fault={fault}"))
    }

    fn explain(&self, case: &Case<Tetris>) -> Explanation<Tetris> {
        let [reference, backend] = &self.specs;
        let mut runner = CaseRunner::new(&self.openers, &self.stop);
        let explained = block_on(explain(&mut runner, reference, backend, case));
        explained.unwrap_or_else(|e| panic!("{backend}: {e}"))
    }

    fn shrink(&self, case: &Case<Tetris>) -> Shrunk<Tetris> {
        let [reference, backend] = &self.specs;
        let explanation = self.explain(case);
        let mut runner = CaseRunner::new(&self.openers, &self.stop);
        let (specs, case) = ([reference, backend], case.clone());
        let shrunk = shrink(&mut runner, specs, case, explanation, TRIES);
        block_on(shrunk).unwrap_or_else(|e| panic!("{backend}: {e}"))
    }

    /// The positions of a game up to the first divergence.
    fn found(&self, controller: &Controller, positions: &[Position]) -> Case<Tetris> {
        for last in 0..positions.len() {
            let case = Case {
                controller: controller.clone(),
                positions: positions[..=last].to_vec(),
                together: false,
            };
            let explanation = self.explain(&case);
            let stops = matches!(explanation.verdict, Verdict::Stopped { .. });
            if stops || !explanation.mismatches.is_empty() {
                return case;
            }
        }
        panic!("{}: nothing differs", self.specs[1]);
    }
}

fn symptom(kind: &str, what: &str) -> Option<Symptom> {
    Some(Symptom {
        kind: kind.into(),
        what: what.into(),
    })
}

#[test]
fn explain_seeded_fault_names_first_difference() {
    let probe = controller("probe");
    let positions = positions(40);
    for (fault, kind, what) in [
        ("landing-height-off-by-one", "weighs", "landing_height"),
        ("well-at-wall", "weighs", "cumulative_wells"),
        ("flat-bottom", "weighs", "row"),
        ("weights-swapped", "weighs", "score"),
        ("last-column-skipped", "counts", ""),
        ("tie-order-reversed", "chooses", ""),
        ("cycles-one-too-few", "takes", ""),
        ("score-without-sign", "tells", "score"),
    ] {
        let pair = Pair::faulty(fault);
        let explanation = pair.explain(&pair.found(&probe, &positions));
        let verdict = &explanation.verdict;
        assert_eq!(
            verdict.symptom(),
            symptom(kind, what),
            "{fault}: {verdict:?}"
        );
    }
}

#[test]
fn explain_cores_without_a_fault_agree() {
    let probe = controller("probe");
    let positions = positions(5);
    for backend in ["sim", "sim-uart:baud=12000000", "engine"] {
        let pair = Pair::new(backend);
        for together in [false, true] {
            let case = Case {
                controller: probe.clone(),
                positions: positions.clone(),
                together,
            };
            let explanation = pair.explain(&case);
            assert_eq!(explanation.verdict, Verdict::Agrees, "{backend}");
        }
    }
}

#[test]
fn explain_failed_assertion_is_a_verdict() {
    let pair = Pair::faulty("count-one-too-few");
    let case = pair.found(&controller("dt-20"), &positions(3));
    let shrunk = pair.shrink(&case);
    let CaseOutcome::Stopped(why) = &shrunk.explanation.got.outcome else {
        panic!("{:?}", shrunk.explanation.got.outcome);
    };
    assert!(why.contains("NoneTooMany_A"), "{why}");
    let symptom = shrunk.explanation.verdict.symptom().expect("one");
    assert_eq!(symptom.kind, "stops");
    assert!(symptom.what.ends_with("NoneTooMany_A"), "{symptom:?}");
    assert_eq!(cells(&shrunk.case), [0]);
}

/// Filled cells of each position.
fn cells(case: &Case<Tetris>) -> Vec<u32> {
    let cells = |position: &Position| {
        position
            .board
            .to_rows()
            .iter()
            .map(|r| r.count_ones())
            .sum()
    };
    case.positions.iter().map(cells).collect()
}

/// The wrong answer depends on the request before it.
#[test]
fn shrink_keeps_both_requests_that_a_fault_needs() {
    let pair = Pair::faulty("best-kept");
    let case = pair.found(&controller("dt-20"), &positions(40));
    let shrunk = pair.shrink(&case);
    assert!(shrunk.smallest);
    assert_eq!(
        shrunk.case.positions.len(),
        2,
        "{:?}",
        shrunk.case.positions
    );
    for position in &shrunk.case.positions {
        let alone = Case::of(shrunk.case.controller.clone(), position.clone());
        assert_eq!(pair.explain(&alone).verdict, Verdict::Agrees);
    }
    let expected = Tetris::decide(&shrunk.case.controller, &shrunk.case.positions[1]);
    let answer = shrunk.explanation.got.outcome.answer().expect("an answer");
    assert_ne!(Some(&answer.decision), expected.ok().as_ref());
}
