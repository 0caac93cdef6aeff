//! Streams of a simulated core: traces, runs and self-play over lines with faults, and dropped ones.

use std::time::Duration;

use futures::FutureExt as _;
use lockstep::backend::wire::{LinkConfig, RecoveryPolicy, Wire};
use lockstep::compare::deviations;
use lockstep::{Backend, BackendError};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::source::{PieceSource, Pieces, generator_after};
use lockstep_games::tetris::{Controller, Position, Run, SelfPlay, Sums, Tetris};
use lockstep_games::{Golden as _, Trace};

use crate::block_on;
use crate::links::faulty_link::{Faults, Faulty};
use crate::links::{config, core};
use crate::positions::{controller, positions};
use crate::simulated::open;

/// Traces by the golden model.
fn golden(controller: &Controller, positions: &[Position]) -> Vec<Trace<Tetris>> {
    let trace = |position| Tetris::trace(controller, position).expect("it plays such a board");
    let traces: Option<Vec<_>> = positions.iter().map(trace).collect();
    traces.expect("it traces")
}

/// A run and a self-play in which games are lost.
pub fn games() -> (Run, SelfPlay) {
    let pieces = Pieces::from_seed(PieceSource::Uniform, 7).take(160);
    let run = Run {
        board: Board::new(10, 20),
        pieces: pieces.collect(),
    };
    let self_play = SelfPlay {
        board: Board::new(10, 20),
        games: 1,
        pieces: 600,
        spacing: 30,
        generator: 7,
        signature: 1,
    };
    (run, self_play)
}

/// Plays by itself; returns the checkpoints of each self-play, and its totals.
pub async fn self_played(
    backend: &mut dyn Backend<Tetris>,
    runs: &[SelfPlay],
) -> Result<(Vec<Vec<Sums>>, Vec<Sums>), BackendError> {
    let mut checkpoints = vec![Vec::new(); runs.len()];
    let mut take = |run: usize, sums| checkpoints[run].push(sums);
    let ends = backend.self_play(runs, &mut take).await?;
    Ok((checkpoints, ends))
}

/// A core behind a link with faults.
async fn traced_over(faults: Faults, seed: u64, recovery: Option<RecoveryPolicy>) -> Wire<Tetris> {
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

/// Polls a future that often, and drops it before its end.
async fn drop_after<T>(mut future: impl Future<Output = T> + Unpin, polls: u32) {
    for _ in 0..polls {
        assert!((&mut future).now_or_never().is_none());
        tokio::task::yield_now().await;
    }
}

#[test]
fn trace_dropped_leaves_next_answers_right() {
    let probe = controller("probe");
    let positions = positions(6);
    let (abandoned, next) = positions.split_at(3);
    let traces = golden(&probe, next);
    block_on(async {
        let mut wire = traced_over(Faults::default(), 1, None).await;
        wire.configure(&probe).await.expect("configured");
        for polls in (0..60).step_by(4) {
            drop_after(wire.trace(abandoned), polls).await;
            let answers = wire.decide(next).await.expect("answers");
            let decisions: Vec<_> = answers.into_iter().map(|a| a.decision).collect();
            let right: Vec<_> = traces.iter().map(|t| t.decision).collect();
            assert_eq!(decisions, right, "after {polls} polls");
            assert_eq!(wire.trace(next).await.expect("traces"), traces);
        }
        assert_eq!(wire.link().expect("it has one").counts.lost, 0);
    });
}

#[test]
fn self_play_late_checkpoints_are_no_timeout() {
    block_on(async {
        let mut core = open::<Tetris>("sim", "lowest").await;
        let run = SelfPlay {
            pieces: 1_500,
            spacing: 1_500,
            ..games().1
        };
        let (checkpoints, ends) = self_played(&mut *core, &[run]).await.expect("played");
        let cycles = checkpoints[0][0].cycles.expect("it counts them");
        assert!(cycles > 300_000, "{cycles}: too few to tell");
        assert_eq!(ends[0].pieces, 1_500);
        let counts = core.link().expect("it has one").counts;
        assert_eq!((counts.lost, counts.stale), (0, 0));
    });
}

/// Every checkpoint is reported once.
#[test]
fn play_over_a_noisy_link_is_complete() {
    let lowest = controller("lowest");
    let (run, self_play) = games();
    let runs = vec![run; 3];
    let self_plays: Vec<_> = (0..3)
        .map(|n| SelfPlay {
            pieces: 60,
            spacing: 7,
            generator: generator_after(7, n),
            ..self_play.clone()
        })
        .collect();
    block_on(async {
        let mut wire = traced_over(Faults::noise(0.0006), 0, None).await;
        wire.configure(&lowest).await.expect("configured");
        let mut quiet = open::<Tetris>("sim", "lowest").await;
        let played = wire.play(&runs).await.expect("played");
        let expected = quiet.play(&runs).await.expect("played");
        for (expected, got) in expected.iter().zip(&played) {
            assert_eq!(deviations(expected, got), []);
        }
        let noisy = self_played(&mut wire, &self_plays).await.expect("played");
        let quiet = self_played(&mut *quiet, &self_plays).await.expect("played");
        assert_eq!(noisy, quiet);
        let lost = wire.link().expect("it has one").counts.lost;
        assert!(lost > 0, "nothing was lost");
    });
}

#[test]
fn self_play_dropped_leaves_next_answers_right() {
    let lowest = controller("lowest");
    let (run, self_play) = games();
    block_on(async {
        let mut wire = traced_over(Faults::default(), 1, None).await;
        wire.configure(&lowest).await.expect("configured");
        let expected = Tetris::play(&lowest, &run).expect("a run").expect("runs");
        for polls in (0..60).step_by(6) {
            let endless = [SelfPlay {
                pieces: u32::MAX,
                ..self_play.clone()
            }];
            drop_after(wire.self_play(&endless, &mut |_, _| {}), polls).await;
            let played = wire.play(std::slice::from_ref(&run)).await.expect("played");
            assert_eq!(deviations(&expected, &played[0]), [], "after {polls} polls");
        }
        assert_eq!(wire.link().expect("it has one").counts.lost, 0);
    });
}
