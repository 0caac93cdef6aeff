//! Cases on backends that stand in for simulated cores, each wrong in one way.

use std::fs;

use async_trait::async_trait;
use futures::future::{FutureExt as _, ready};
use lockstep::backend::open::{BackendFactory, Open, Target};
use lockstep::backend::software::golden;
use lockstep::backend::{BackendErrorKind, Kind, Observer};
use lockstep::link::LinkError;
use lockstep::{Answer, Backend, BackendError, BackendRegistry, Identity, Spec, Stop};
use lockstep_explain::{
    Case, CaseFile, CaseOutcome, CaseRunner, ExplainError, Explanation, Shrunk, Symptom, explain,
    shrink,
};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::{Candidate, Controller, Piece, Position, Tetris};
use lockstep_games::{Capabilities, Golden as _, Shrink as _, Trace};

use crate::block_on;
use crate::positions::{controller, positions};

/// A core that decides as the golden model does, except for the mistake that its name names.
struct Wrong {
    identity: Identity,
    controller: Option<Controller>,
    /// Positions since power-up.
    asked: usize,
    /// Maximum number of positions that came at once.
    most_at_once: usize,
    /// Whether a piece Z was requested.
    saw_z: bool,
}

impl Wrong {
    fn new(spec: &Spec) -> Self {
        let capabilities = Capabilities {
            trace: spec.target() != "untraced",
            ..Tetris::capabilities(None)
        };
        let identity = Identity {
            name: spec.to_string().into(),
            kind: match spec.target() {
                "line" => Kind::Link,
                _ => Kind::Simulated,
            },
            description: "wrong".into(),
            capabilities,
            core: None,
        };
        Self {
            identity,
            controller: None,
            asked: 0,
            most_at_once: 0,
            saw_z: false,
        }
    }

    /// The trace, wrong if this core is wrong about such a thing.
    fn traced(&self, position: &Position) -> Trace<Tetris> {
        let controller = self.controller.as_ref().expect("configured");
        let trace = Tetris::trace(controller, position).expect("it plays so");
        let mut trace = trace.expect("it traces");
        let candidates = &mut trace.candidates;
        let holes = |candidate: &mut Candidate| {
            candidate.evaluated.as_mut().expect("legal").features.holes += 1;
        };
        let row = |trace: &mut Trace<Tetris>| {
            trace.decision.as_mut().expect("legal").row += 1;
        };
        match self.identity.name.raw() {
            "wrong:holes" => candidates.iter_mut().skip(2).for_each(holes),
            "wrong:count" => candidates.truncate(5),
            "wrong:choice" => {
                let placement = trace.decision.as_mut().expect("legal");
                let Candidate {
                    rotation,
                    column,
                    evaluated,
                } = candidates[7];
                (placement.rotation, placement.column) = (rotation, column);
                placement.score = evaluated.expect("legal").score;
            }
            "wrong:tells" => row(&mut trace),
            _ => {}
        }
        trace
    }

    fn answer(&mut self, position: &Position) -> Result<Answer<Tetris>, LinkError> {
        self.asked += 1;
        let mut answer = Answer::<Tetris>::plain(self.traced(position).decision);
        let placement = answer.decision.as_mut();
        let is_wrong = match self.identity.name.raw() {
            "wrong:answer" | "wrong:untraced" => true,
            "wrong:second" => self.asked > 1,
            "wrong:after" => self.saw_z,
            "wrong:together" => self.most_at_once > 1 && position.piece != Piece::O,
            _ => false,
        };
        self.saw_z |= position.piece == Piece::Z;
        if let Some(placement) = placement.filter(|_| is_wrong) {
            placement.row += 1;
        }
        match self.identity.name.raw() {
            "wrong:takes" => (answer.cycles, answer.expected_cycles) = (Some(9), Some(10)),
            "wrong:stops" => {
                let why = "[12] Assertion failed in top.u_ai.Once_A: twice";
                return Err(LinkError::Closed(why.into()));
            }
            "wrong:silent" | "wrong:line" => {
                return Err(LinkError::Silent("no byte in 50 cycles".into()));
            }
            _ => {}
        }
        Ok(answer)
    }
}

#[async_trait]
impl Backend<Tetris> for Wrong {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    async fn configure(&mut self, controller: &Controller) -> Result<(), BackendError> {
        self.controller = Some(controller.clone());
        Ok(())
    }

    async fn search(
        &mut self,
        positions: &[Position],
        _: Observer<Tetris>,
    ) -> Result<Vec<Answer<Tetris>>, BackendError> {
        self.most_at_once = self.most_at_once.max(positions.len());
        let answers = positions.iter().map(|position| self.answer(position));
        let answers: Result<Vec<_>, _> = answers.collect();
        answers.map_err(|why| BackendErrorKind::from(why).of(&self.identity.name))
    }

    async fn trace(&mut self, positions: &[Position]) -> Result<Vec<Trace<Tetris>>, BackendError> {
        let traces = positions.iter().map(|position| self.traced(position));
        Ok(traces.collect())
    }
}

fn registry() -> BackendRegistry<Tetris> {
    let read = |spec: &Spec| {
        let wrong = Box::new(Wrong::new(spec)) as Box<dyn Backend<_>>;
        Ok(Box::new(|_| ready(Ok(wrong)).boxed()) as Open<_>)
    };
    BackendRegistry::new().with(golden()).with(BackendFactory {
        name: "wrong",
        kind: Kind::Simulated,
        about: "wrong in one way",
        target: Target::Word("WAY"),
        options: &[],
        absent: None,
        can_play: Box::new(|_, _| true),
        read: Box::new(read),
    })
}

fn try_explain(
    backend: &str,
    case: &Case<Tetris>,
    stop: &Stop,
) -> Result<Explanation<Tetris>, ExplainError> {
    let registry = registry();
    let [reference, backend] = ["software", backend].map(|n| registry.parse(n).expect("a name"));
    let mut runner = CaseRunner::new(&registry, stop);
    block_on(explain(&mut runner, &reference, &backend, case))
}

fn explained(backend: &str, case: &Case<Tetris>) -> Explanation<Tetris> {
    try_explain(backend, case, &Stop::never()).unwrap_or_else(|e| panic!("{backend}: {e}"))
}

fn shrunk(backend: &str, case: &Case<Tetris>, limit: u64) -> Shrunk<Tetris> {
    let (registry, stop) = (registry(), Stop::never());
    let specs = ["software", backend].map(|n| registry.parse(n).expect("a name"));
    let mut runner = CaseRunner::new(&registry, &stop);
    let (case, explanation) = (case.clone(), explained(backend, case));
    let shrunk = shrink(
        &mut runner,
        [&specs[0], &specs[1]],
        case,
        explanation,
        limit,
    );
    block_on(shrunk).unwrap_or_else(|e| panic!("{backend}: {e}"))
}

fn case(count: u64, together: bool) -> Case<Tetris> {
    Case {
        controller: controller("probe"),
        positions: positions(count),
        together,
    }
}

/// How a core is wrong; kind and field of its symptom, and a part of the verdict in JSON.
const WAYS: &str = r#"
    nowhere  |         |                    | {"kind":"agrees"}
    holes | weighs | holes | "expected":0,"got":1,"weighed":2,"places":32,"definition":
    count    | counts  |                    | {"kind":"counts","expected":34,"got":5,"first":5}
    choice   | chooses |                    | {"kind":"chooses","expected":
    tells    | tells   | row                | {"kind":"tells","field":"row","expected":0,"got":1}
    answer   | answers | row                | {"kind":"answers","field":"row","expected":0,"got":1}
    untraced | untold  | row                | {"kind":"untold","field":"row","expected":0,"got":1}
    takes    | takes   |                    | {"kind":"takes","expected":10,"got":9}
    stops    | stops   | top.u_ai.Once_A    | Assertion failed
    silent   | stops   | no byte in  cycles | no byte in 50 cycles
"#;

#[test]
fn explain_names_kind_and_field_of_the_first_difference() {
    let position = Position {
        board: Board::new(10, 20),
        piece: Piece::T,
        next: None,
    };
    let case = Case::of(controller("probe"), position);
    for row in WAYS.trim().lines() {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let [way, kind, what, json] = cells[..] else {
            panic!("{row}");
        };
        let backend = &format!("wrong:{way}");
        let explanation = explained(backend, &case);
        let verdict = &explanation.verdict;
        let symptom = verdict.symptom().unwrap_or_else(|| symptom("", ""));
        assert_eq!(symptom, self::symptom(kind, what), "{backend}");
        let text = serde_json::to_string(verdict).expect("JSON");
        assert!(text.contains(json), "{text}");
        let differing = if kind == "weighs" { 2..34 } else { 0..0 };
        assert_eq!(
            explanation.differing(),
            differing.collect::<Vec<_>>(),
            "{backend}"
        );
        let wrong = ["tells", "answers", "untold", "takes", "chooses"].contains(&kind);
        assert_eq!(explanation.mismatches.is_empty(), !wrong, "{backend}");
        let stopped = matches!(explanation.got.outcome, CaseOutcome::Stopped(_));
        assert_eq!(stopped, kind == "stops");
        assert_eq!(
            explanation.got.trace.is_some(),
            !["stops", "untold"].contains(&kind)
        );
    }
}

fn symptom(kind: &str, what: &str) -> Symptom {
    Symptom {
        kind: kind.into(),
        what: what.into(),
    }
}

/// Nothing simpler shows the same: fewer cells, a simpler piece, fewer weights.
#[test]
fn shrink_result_is_minimal() {
    for (backend, together, left) in [
        ("wrong:answer", false, 1),
        ("wrong:second", true, 2),
        ("wrong:together", true, 2),
        // Of the last four positions the first and the last.
        ("wrong:after", false, 2),
        ("wrong:holes", true, 1),
        ("wrong:stops", false, 1),
    ] {
        let first = case(9, together);
        let found = shrunk(backend, &first, 5_000);
        let small = &found.case;
        assert!(
            found.smallest && found.extent() == "no smaller case shows it",
            "{backend}"
        );
        assert_eq!(
            (small.positions.len(), small.together),
            (left, backend == "wrong:together")
        );
        let symptom = explained(backend, &first).verdict.symptom();
        let shows = |case: &Case<Tetris>| {
            let other = explained(backend, case);
            let is_wrong = |e: &Explanation<_>| !e.mismatches.is_empty();
            other.verdict.symptom() == symptom && is_wrong(&other) == is_wrong(&found.explanation)
        };
        assert!(shows(small), "{backend}");
        for (at, position) in small.positions.iter().enumerate() {
            let mut without = small.clone();
            without.positions.remove(at);
            assert!(
                without.positions.is_empty() || !shows(&without),
                "{backend}"
            );
            for simpler in Tetris::simpler(position) {
                let mut other = small.clone();
                other.positions[at] = simpler;
                assert!(!shows(&other), "{backend}: {other:?}");
            }
        }
        for controller in Tetris::simpler_controllers(&small.controller) {
            let other = Case {
                controller,
                ..small.clone()
            };
            assert!(!shows(&other), "{backend}: {other:?}");
        }
    }
}

#[test]
fn shrink_ends_at_its_limit_or_without_a_difference() {
    let last = shrunk("wrong:answer", &case(9, false), 1).case.positions;
    assert_eq!(last, positions(9)[8..], "the last position is tried first");
    let all = shrunk("wrong:second", &case(9, false), 5_000).tried;
    let some = shrunk("wrong:second", &case(9, false), all / 2);
    assert_eq!((some.tried, some.smallest), (all / 2, false));
    assert_eq!(
        some.extent(),
        "the search ended early, a smaller case may exist"
    );
    assert_eq!(
        some.explanation.verdict.symptom(),
        Some(symptom("answers", "row"))
    );
    let none = shrunk("wrong:nowhere", &case(9, false), 5_000);
    assert_eq!((none.tried, none.case.positions.len()), (0, 9));
    assert_eq!(shrunk("wrong:second", &case(9, false), all).tried, all);
}

#[test]
fn explain_ends_when_stopped_or_without_a_position() {
    let (stopper, stop) = Stop::new();
    let empty = try_explain("wrong:answer", &case(0, false), &stop);
    assert!(matches!(empty, Err(ExplainError::Empty)), "{empty:?}");
    // A line may always be cut: that is no verdict.
    let cut = try_explain("wrong:line", &case(1, false), &stop);
    assert!(matches!(cut, Err(ExplainError::Backend(_))), "{cut:?}");
    stopper.stop();
    // What is ready at once is not interrupted, a thread's answer is.
    let stopped = try_explain("wrong:answer", &case(1, false), &stop);
    assert!(
        matches!(stopped, Err(ExplainError::Interrupted)),
        "{stopped:?}"
    );
}

#[test]
fn case_file_round_trips() {
    let found = shrunk("wrong:second", &case(9, true), 5_000);
    let file = CaseFile::of(&found.case, &found.explanation).expect("something is wrong");
    assert_eq!(file.symptom, symptom("answers", "row"));
    assert_eq!(
        (file.reference.raw(), file.backend.raw()),
        ("software", "wrong:second")
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("case.json");
    let text = file.text().expect("JSON");
    fs::write(&path, &text).expect("written");
    let read = CaseFile::<Tetris>::read(&path).expect("a case");
    let json = |file: &CaseFile<Tetris>| serde_json::to_value(file).expect("JSON");
    assert_eq!(json(&read), json(&file));
    assert_eq!(text.lines().count(), 12 + found.case.positions.len());
    let built = CaseFile {
        build_id: Some("00c0ffee".into()),
        ..file
    };
    let text = built.text().expect("JSON");
    assert_eq!(json(&CaseFile::parse(&text).expect("a case")), json(&built));
    let agrees = explained("wrong:nowhere", &found.case);
    assert!(CaseFile::of(&found.case, &agrees).is_none());
    fs::write(&path, " ".repeat((1 << 26) + 1)).expect("written");
    let error = CaseFile::<Tetris>::read(&path)
        .expect_err("too long")
        .to_string();
    assert!(
        error.ends_with("not a case: longer than 67108864 bytes"),
        "{error}"
    );
}

#[test]
fn case_file_invalid_is_refused_with_the_reason() {
    let file = CaseFile::of(&case(1, true), &explained("wrong:answer", &case(1, true)));
    let mut file = file.expect("it is wrong");
    file.case.positions.clear();
    let empty = &file.text().expect("JSON");
    let refused = |text: &str| CaseFile::<Tetris>::parse(text).expect_err(text);
    for (text, why) in [
        ("{}", "missing field `lockstep_case`"),
        ("[]", "expected a case"),
        (r#"{"lockstep_case":2,"game":"tetris"}"#, "reads version 1"),
        (
            r#"{"lockstep_case":1,"game":"gomoku"}"#,
            "expected \"tetris\"",
        ),
        (r#"{"lockstep_case":1,"game":"tetris"}"#, "missing field"),
        (empty, "it has no position"),
    ] {
        assert!(refused(text).contains(why), "{text}: {}", refused(text));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let nowhere = folder.path().join("nowhere.json");
    let error = CaseFile::<Tetris>::read(&nowhere).expect_err("it is not there");
    assert!(error.to_string().contains("nowhere.json"), "{error}");
}

#[test]
fn case_without_together_requests_one_by_one() {
    let case = Case::<Tetris>::of(controller("dt-20"), positions(1).remove(0));
    let text = serde_json::to_string(&case).expect("JSON");
    let read: Case<Tetris> = serde_json::from_str(&text).expect("a case");
    assert!(!read.together);
    let apart = text.replace(",\"together\":false", "");
    assert_ne!(apart, text);
    let read: Case<Tetris> = serde_json::from_str(&apart).expect("a case");
    assert!(!read.together && read.positions == case.positions);
}
