//! Explanations of seeded faults: every file in `fixtures/cases` is a test. Waveforms of cases.

mod waveforms;
mod waves;

use std::fs;

use lockstep::{BackendRegistry, Spec, Stop};
use lockstep_explain::{Case, CaseFile, CaseRunner, Explanation, Verdict, explain};
use lockstep_games::Golden as _;
use lockstep_games::tetris::Tetris;

use crate::support::{block_on, root};

/// Golden model and another backend.
struct Pair {
    registry: BackendRegistry<Tetris>,
    specs: [Spec; 2],
    stop: Stop,
}

impl Pair {
    fn new(backend: &str) -> Self {
        let registry = lockstep_backends::table::tetris();
        let spec = |name: &str| registry.parse(name).expect("a backend's name");
        let specs = [spec("software"), spec(backend)];
        Self {
            registry,
            specs,
            stop: Stop::never(),
        }
    }

    fn explain(&self, case: &Case<Tetris>) -> Explanation<Tetris> {
        let [reference, backend] = &self.specs;
        let mut runner = CaseRunner::new(&self.registry, &self.stop);
        let explained = block_on(explain(&mut runner, reference, backend, case));
        explained.unwrap_or_else(|e| panic!("{backend}: {e}"))
    }
}

/// The smallest case of a fault, with the fault's backend and its symptom.
fn fixture(fault: &str) -> CaseFile<Tetris> {
    let path = root().join(format!("fixtures/cases/{fault}.json"));
    CaseFile::<Tetris>::read(&path).unwrap_or_else(|e| panic!("{e}"))
}

/// All backends agree on it, one position after the other and at once, and its fault still shows.
#[test]
fn fixture_cases_agree_without_their_fault() {
    let mut kinds = Vec::new();
    for entry in fs::read_dir(root().join("fixtures/cases")).expect("a folder") {
        let name = entry.expect("an entry").file_name();
        let Some(name) = name.to_str().and_then(|name| name.strip_suffix(".json")) else {
            continue;
        };
        let file = fixture(name);
        let last = file.case.last().expect("a position");
        let expected = Tetris::decide(&file.case.controller, last).expect("it decides");
        assert_eq!(expected, file.expected, "{name}: the golden model");
        for backend in ["engine", "sim", "sim-uart:baud=12000000"] {
            let pair = Pair::new(backend);
            for together in [false, true] {
                let case = Case {
                    together,
                    ..file.case.clone()
                };
                assert_eq!(
                    pair.explain(&case).verdict,
                    Verdict::Agrees,
                    "{name}: {backend}"
                );
            }
        }
        let explanation = Pair::new(file.backend.raw()).explain(&file.case);
        let symptom = explanation.verdict.symptom();
        assert_eq!(symptom.as_ref(), Some(&file.symptom), "{name}");
        kinds.push(file.symptom.kind);
    }
    kinds.sort();
    kinds.dedup();
    assert_eq!(
        kinds,
        ["chooses", "counts", "stops", "takes", "tells", "weighs"]
    );
}
