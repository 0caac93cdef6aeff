//! Soaks of cores with seeded faults find the first wrong decision, and wrong sums without one.

use async_trait::async_trait;
use lockstep::backend::Observer;
use lockstep::compare::compare;
use lockstep::{Answer, Backend, BackendError, Identity, Stop};
use lockstep_backends::soak::{
    Finding, Recurrence, Soak, SoakEnd, SoakMode, SoakPlan, SoakState, Watch, WrongDecision,
};
use lockstep_games::tetris::playing::Player;
use lockstep_games::tetris::source::{PieceSource, Pieces, generator_after};
use lockstep_games::tetris::timing::Core;
use lockstep_games::tetris::{Placement, Position, Rule, SelfPlay, Sums, Tetris};
use lockstep_games::{BoxError, Golden as _};

use crate::support::{block_on, controller, open};

/// Ignores the progress.
struct Unwatched;

impl Watch for Unwatched {
    fn at(&mut self, _: &SoakState) {}

    fn keep(&mut self, _: &SoakState) -> Result<(), BoxError> {
        Ok(())
    }

    fn narrowing(&mut self, _: u64, _: u64) {}
}

fn plan(controller_name: &str, mode: SoakMode, decisions: u64) -> SoakPlan {
    SoakPlan {
        controller: controller(controller_name),
        seed: 3,
        decisions,
        mode,
        games: 1,
        scores: true,
        core: Some(Core::SERIAL),
    }
}

/// Runs a soak of a backend; returns its last state and its end.
async fn soaked(
    backend: &mut dyn Backend<Tetris>,
    plan: &SoakPlan,
    spacing: u32,
) -> (SoakState, SoakEnd) {
    backend
        .configure(&plan.controller)
        .await
        .expect("configured");
    let soak = Soak {
        plan,
        spacing: Some(spacing),
        stop: &Stop::never(),
    };
    let (place, end) = soak.run(backend, plan.begin(), &mut Unwatched).await;
    (place, end.unwrap_or_else(|why| panic!("{why}")))
}

/// The finding of a soak that diverges.
fn found(name: &str, plan: &SoakPlan, spacing: u32) -> Finding {
    let (_, end) = block_on(async {
        let mut core = open(name).await;
        soaked(&mut *core, plan, spacing).await
    });
    match end {
        SoakEnd::Diverged(finding) => *finding,
        end => panic!("{name} {:?}: {end:?}", plan.mode),
    }
}

fn isolated<'a>(finding: &'a Finding, what: &str) -> &'a WrongDecision {
    let isolated = finding.decision.as_deref();
    isolated.unwrap_or_else(|| panic!("{what}: {finding:?}"))
}

/// The number, from 1, and the position of the first wrong decision, each position requested alone.
fn first_by_single_decisions(name: &str, plan: &SoakPlan) -> (u64, Position) {
    let mut positions = Vec::new();
    let mut player = Player::new(plan.begin().board, 0);
    for piece in Pieces::from_seed(PieceSource::Uniform, plan.seed).take(250) {
        let decide = |position: &Position| {
            positions.push(position.clone());
            Tetris::decide(&plan.controller, position)
        };
        if player.step(piece, decide).expect("it plays").is_none() {
            player.restart();
        }
    }
    let answers = block_on(async {
        let mut core = open(name).await;
        core.configure(&plan.controller).await.expect("configured");
        core.decide(&positions).await.expect("answers")
    });
    let differs = |(position, answer): (&Position, &Answer<Tetris>)| {
        let right = Tetris::decide(&plan.controller, position).expect("it plays");
        !compare(&right, &[0], std::slice::from_ref(answer)).is_empty()
    };
    let first = positions.iter().zip(&answers).position(differs);
    let first = first.unwrap_or_else(|| panic!("{name} decides all of them right"));
    (first as u64 + 1, positions.swap_remove(first))
}

#[test]
fn soak_finds_the_first_wrong_decision() {
    let mut late = 0;
    for (fault, controller) in [("tie-order-reversed", "lowest"), ("top-row-lost", "lowest")] {
        let name = format!("sim:fault={fault}");
        let single = first_by_single_decisions(&name, &plan(controller, SoakMode::SelfPlay, 250));
        for mode in [SoakMode::SelfPlay, SoakMode::Batch] {
            let plan = plan(controller, mode, 250);
            let (number, position) = single.clone();
            let finding = found(&name, &plan, 50);
            let isolated = isolated(&finding, fault);
            assert_eq!(isolated.number, number, "{fault} {mode:?}: {finding:#?}");
            assert_eq!(isolated.position, position, "{fault}");
            assert!(finding.from < number && number <= finding.to, "{fault}");
            assert!(isolated.alone, "{fault}: it depends on no earlier move");
            assert!(!isolated.mismatches.is_empty(), "{fault}");
            // It answers the same for this position alone.
            let answered = isolated.asked_alone.map(|p| (p.rotation, p.column));
            let played = isolated.played.expect("the signature shows it");
            let played = played.map(|m| (m.rotation, m.column));
            assert_eq!(played, answered, "{fault} {mode:?}");
            assert!(isolated.candidate.is_some(), "{fault}");
            late += u64::from(number > 20);
        }
    }
    assert!(late > 0, "all faults show at once");
}

/// Every move is right. The finding names the decision after which the sums are wrong.
#[test]
fn soak_finds_wrong_sums() {
    let plan = plan("lowest", SoakMode::SelfPlay, 600);
    for (fault, field, lost) in [
        ("sign-shift-one-more", "signature", false),
        ("lost-signed-as-a-move", "signature", true),
        ("tally-of-scores-unsigned", "score", false),
        ("tally-without-lost", "pieces", true),
        ("board-kept-at-game-over", "board_crc", true),
        ("full-rows-kept", "board_crc", false),
    ] {
        let finding = found(&format!("sim:fault={fault}"), &plan, 50);
        let isolated = isolated(&finding, fault);
        let fields: Vec<_> = isolated
            .differs
            .iter()
            .map(|d| d.difference.field)
            .collect();
        assert!(fields.contains(&field), "{fault}: {isolated:#?}");
        assert_eq!(isolated.mismatches, [], "{fault}: it decides it right");
        assert_eq!(isolated.expected.is_none(), lost, "{fault}: {isolated:#?}");
        let own = isolated.expected.map(|p| (p.rotation, p.column));
        let played = isolated.played.map(|m| m.map(|m| (m.rotation, m.column)));
        match field {
            // Only the signature shows the moves.
            "signature" => assert_ne!(played, Some(own), "{fault}"),
            _ => assert_eq!(played, Some(own), "{fault}"),
        }
    }
}

#[test]
fn soak_finds_the_first_wrong_piece() {
    let plan = plan("lowest", SoakMode::SelfPlay, 600);
    for fault in ["generator-step", "draw-shift-one-less"] {
        let finding = found(&format!("sim:fault={fault}"), &plan, 50);
        let isolated = isolated(&finding, fault);
        assert!(isolated.number < 20, "{fault}: {isolated:#?}");
        assert_eq!(isolated.mismatches, [], "{fault}");
    }
}

#[test]
fn soak_finds_decision_that_fails_alone() {
    let plan = plan("lowest", SoakMode::SelfPlay, 600);
    let finding = found("sim:fault=illegal-may-win", &plan, 50);
    let isolated = isolated(&finding, "illegal-may-win");
    assert!(isolated.expected.is_none(), "{isolated:#?}");
    let why = isolated.asked_alone_error.as_ref().expect("no answer");
    assert!(why.contains("decision.legal"), "{why}");
    assert_eq!(finding.unfinished, None);
}

#[test]
fn soak_finds_missing_and_late_checkpoints() {
    let plan = plan("lowest", SoakMode::SelfPlay, 2_000);
    for (fault, spacing) in [
        ("checkpoint-missed-at-game-over", 1),
        ("checkpoints-one-more-apart", 10),
    ] {
        let finding = found(&format!("sim:fault={fault}"), &plan, spacing);
        let fields: Vec<_> = finding.differs.iter().map(|d| d.difference.field).collect();
        assert_ne!(fields, [""; 0], "{fault}: {finding:#?}");
    }
}

/// Plays right, but falsifies the signature of a self-play after some pieces; `spoils` chooses by
/// the number of the self-play and its generator.
struct Spoilt {
    backend: Box<dyn Backend<Tetris>>,
    requests: usize,
    spoils: fn(usize, &SelfPlay) -> Option<u64>,
}

#[async_trait]
impl Backend<Tetris> for Spoilt {
    fn identity(&self) -> &Identity {
        self.backend.identity()
    }

    async fn configure(
        &mut self,
        controller: &lockstep_games::tetris::Controller,
    ) -> Result<(), BackendError> {
        self.backend.configure(controller).await
    }

    async fn search(
        &mut self,
        positions: &[Position],
        observer: Observer<Tetris>,
    ) -> Result<Vec<Answer<Tetris>>, BackendError> {
        self.backend.search(positions, observer).await
    }

    async fn self_play(
        &mut self,
        runs: &[SelfPlay],
        tell: &mut (dyn FnMut(usize, Sums) + Send),
    ) -> Result<Vec<Sums>, BackendError> {
        let first = self.requests;
        self.requests += runs.len();
        let spoils = self.spoils;
        let spoil = move |run: usize, mut sums: Sums| {
            let after = spoils(first + run, &runs[run]);
            if after.is_some_and(|after| sums.pieces >= after) {
                sums.signature ^= 1 << 40;
            }
            sums
        };
        let mut report = |run, sums| tell(run, spoil(run, sums));
        let ends = self.backend.self_play(runs, &mut report).await?;
        let ends = ends.into_iter().enumerate();
        Ok(ends.map(|(run, sums)| spoil(run, sums)).collect())
    }
}

fn found_in(games: u8, spoils: fn(usize, &SelfPlay) -> Option<u64>) -> Finding {
    let mut plan = plan("lowest", SoakMode::SelfPlay, 3_000);
    (plan.games, plan.core) = (games, None);
    let (place, end) = block_on(async {
        let mut spoilt = Spoilt {
            backend: open("engine").await,
            requests: 0,
            spoils,
        };
        soaked(&mut spoilt, &plan, 20).await
    });
    match end {
        SoakEnd::Diverged(finding) => {
            assert_eq!(place.sums.pieces, finding.from, "the last good checkpoint");
            *finding
        }
        end => panic!("{end:?}"),
    }
}

#[test]
fn soak_reports_difference_that_never_recurs() {
    // Only the fourth request is wrong.
    let finding = found_in(1, |number, _| (number == 3).then_some(50));
    assert_eq!((finding.from, finding.to), (520, 540));
    assert_eq!(finding.shown, Recurrence::Never);
    assert_eq!(finding.tried[..2], [520, 480], "{finding:?}");
    assert_eq!(finding.tried.last(), Some(&0));
    // From elsewhere three games could not be played again.
    let finding = found_in(3, |number, _| (number == 3).then_some(50));
    assert_eq!((finding.from, finding.to), (520, 540));
    assert_eq!(
        (finding.shown, &finding.tried[..]),
        (Recurrence::Never, &[480][..])
    );
}

#[test]
fn soak_finds_difference_that_depends_on_earlier_moves() {
    for games in [1, 3] {
        // It shows 73 pieces after the 160th.
        let finding = found_in(games, |_, run| {
            let start = generator_after(3, 160);
            (run.generator == start).then_some(73)
        });
        assert_eq!((finding.from, finding.to), (220, 240));
        let isolated = isolated(&finding, "spoilt");
        assert_eq!((finding.tried[0], isolated.number), (160, 233));
        assert!(!isolated.alone);
        assert_eq!(isolated.played, None, "no move has such a signature");
        assert_eq!(isolated.mismatches, []);
        if games == 3 {
            // Game 0 of the request has every third of these pieces.
            let plan = plan("lowest", SoakMode::SelfPlay, 3_000);
            let mut player = Player::new(plan.begin().board, 0);
            let mut pieces = Pieces::from_seed(PieceSource::Uniform, plan.seed);
            for piece in pieces.by_ref().skip(160).take(72).step_by(3) {
                let decide = |position: &Position| Tetris::decide(&plan.controller, position);
                if player.step(piece, decide).expect("it plays").is_none() {
                    player.restart();
                }
            }
            assert_eq!(&isolated.position.board, player.board());
            assert_eq!(isolated.position.piece, pieces.draw());
        }
    }
}

/// A backend that plays by another controller than the plan's.
#[test]
fn soak_of_several_games_finds_the_wrong_move() {
    let mut plan = plan("dt-20", SoakMode::SelfPlay, 3_000);
    (plan.games, plan.core, plan.scores) = (4, None, false);
    // The same except for the cells in rows that a piece clears: at first no piece clears any.
    let mut other = plan.controller.clone();
    if let Rule::Linear(linear) = &mut other.rule {
        linear.weights[1] *= -1;
    }
    let end = block_on(async {
        let mut engine = open("engine").await;
        engine.configure(&other).await.expect("configured");
        let soak = Soak {
            plan: &plan,
            spacing: Some(20),
            stop: &Stop::never(),
        };
        let (_, end) = soak.run(&mut *engine, plan.begin(), &mut Unwatched).await;
        end.unwrap_or_else(|why| panic!("{why}"))
    });
    let SoakEnd::Diverged(finding) = end else {
        panic!("{end:?}")
    };
    let isolated = isolated(&finding, "other weights");
    let number = isolated.number;
    assert!(finding.from < number && number <= finding.to, "{finding:?}");
    let place = |placement: Option<Placement>| placement.map(|p| (p.rotation, p.column));
    let [right, wrong] = [&plan.controller, &other]
        .map(|controller| place(Tetris::decide(controller, &isolated.position).expect("it plays")));
    assert_ne!(right, wrong);
    let played = isolated.played.expect("the signature shows it");
    assert_eq!(played.map(|m| (m.rotation, m.column)), wrong);
    assert_eq!(place(isolated.asked_alone), wrong);
    assert!(isolated.alone, "it recurs on that board alone");
    assert!(!isolated.mismatches.is_empty());
}

/// Several games agree, with scores or, from the engine, without.
#[test]
fn soak_of_several_games_agrees() {
    for (name, games) in [
        ("software", 16),
        ("software", 3),
        ("engine", 16),
        ("engine", 3),
    ] {
        let mut plan = plan("lowest", SoakMode::SelfPlay, 1_000);
        (plan.games, plan.core, plan.scores) = (games, None, name == "software");
        let (place, end) = block_on(async {
            let mut backend = open(name).await;
            soaked(&mut *backend, &plan, 11).await
        });
        assert!(matches!(end, SoakEnd::Agreed), "{name} {games}: {end:?}");
        assert_eq!(place.sums.pieces, 1_000);
    }
}
