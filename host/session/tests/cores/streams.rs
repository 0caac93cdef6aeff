//! Requests of a simulated core over lines with faults, and dropped ones.

use std::time::Duration;

use futures::FutureExt as _;
use lockstep::backend::wire::{LinkConfig, RecoveryPolicy, Wire};
use lockstep::{Backend, BackendError};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::source::{PieceSource, Pieces};
use lockstep_games::tetris::{Run, SelfPlay, Sums, Tetris};

use crate::block_on;
use crate::links::faulty_link::{Faults, Faulty};
use crate::links::{config, core};
use crate::positions::{controller, positions};
use crate::simulated::{open, serves_every_request};

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
async fn over(faults: Faults, seed: u64, recovery: Option<RecoveryPolicy>) -> Wire<Tetris> {
    let link = Faulty::new(core().await, faults, seed);
    let config = LinkConfig {
        recovery,
        ..config("faulty", 4_000, 3)
    };
    let mut wire = Wire::open(config, Box::new(link)).await.expect("a core");
    let configured = wire.configure(&controller("lowest")).await;
    configured.expect("configured");
    wire
}

/// Lost parts are requested again, and none is reported twice: bytes are damaged or held back, or
/// the line hangs up, after which a simulated core has lost its weights and its streams.
#[test]
fn requests_over_a_faulty_line_are_served_right() {
    let (noise, quiet) = (Faults::noise(0.00005), Faults::default());
    let (stall, hang_up) = (0.00005, 0.00005);
    let recovery = RecoveryPolicy {
        base: 115_200,
        top: 115_200,
        reopening: Duration::from_secs(20),
    };
    for (faults, seed, recovery) in [
        (noise, 0, None),
        (noise, 1, None),
        (Faults { stall, ..quiet }, 2, None),
        (Faults { hang_up, ..quiet }, 1, Some(recovery)),
    ] {
        let counts = block_on(async {
            let mut wire = over(faults, seed, recovery).await;
            serves_every_request(&mut wire, 20).await;
            wire.link().expect("it has one").counts
        });
        let met = if recovery.is_some() {
            counts.recovered
        } else {
            counts.lost
        };
        assert!(met > 0, "{faults:?}: {counts:?}");
    }
}

/// Polls a future that often, or to its end, and drops it.
async fn drop_after<T>(mut future: impl Future<Output = T> + Unpin, polls: u32) {
    for _ in 0..polls {
        if (&mut future).now_or_never().is_some() {
            return;
        }
        tokio::task::yield_now().await;
    }
}

/// No reply to a dropped request is taken for the next one's, and no byte is lost.
#[test]
fn dropped_requests_leave_next_answers_right() {
    let positions = positions(9);
    let (abandoned, next) = positions.split_at(6);
    let endless = [SelfPlay {
        pieces: u32::MAX,
        ..games().1
    }];
    block_on(async {
        let mut software = open::<Tetris>("software", "lowest").await;
        let right = software.trace(next).await.expect("traces");
        let mut wire = over(Faults::default(), 1, None).await;
        for polls in 0..60 {
            match polls % 3 {
                0 => drop_after(wire.decide(abandoned), polls).await,
                1 => drop_after(wire.trace(abandoned), polls).await,
                _ => drop_after(wire.self_play(&endless, &mut |_, _| {}), polls).await,
            }
            let answers = wire.decide(next).await.expect("answers");
            let decisions = answers.into_iter().map(|answer| answer.decision);
            assert!(
                decisions.eq(right.iter().map(|t| t.decision)),
                "after {polls} polls"
            );
            assert_eq!(wire.trace(next).await.expect("traces"), right);
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
