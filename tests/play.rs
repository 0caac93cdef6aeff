//! Batches and self-play: the RTL, the engine and the golden model agree.

use std::sync::Mutex;

use futures::FutureExt as _;
use lockstep::compare::deviations;
use lockstep::link::faults::Faults;
use lockstep::{Backend, BackendError};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::playing::Player;
use lockstep_games::tetris::source::{PieceSource, Pieces, generator_after};
use lockstep_games::tetris::{Controller, Piece, Position, Run, SelfPlay, Sums, Tetris};
use lockstep_games::{Golden as _, RunResult};
use proptest::prelude::*;

use crate::agreement::{any_controller, check_cases};
use crate::support::{any_board, any_piece, block_on, controller, open};
use crate::trace::traced_over;

/// The expected result of a run, with the clock cycles of a core with so many multipliers.
pub fn golden_run(controller: &Controller, run: &Run, multipliers: u8) -> RunResult<Tetris> {
    let played = Tetris::play(controller, run).expect("a board it plays");
    let mut played = played.expect("it plays runs");
    let mut player = Player::new(run.board.clone(), 0).counting_cycles(multipliers);
    let decide = |position: &Position| Tetris::decide(controller, position);
    for &piece in &run.pieces[..played.sums.pieces as usize] {
        player.step(piece, decide).expect("it decides");
    }
    assert_eq!(player.board().to_rows().len(), 20);
    played.sums.cycles = player.sums().cycles;
    assert_eq!(played.sums, player.end());
    played
}

/// The expected checkpoints and end of a self-play.
fn golden_self_play(controller: &Controller, run: &SelfPlay, multipliers: u8) -> (Vec<Sums>, Sums) {
    let mut player = Player::new(run.board.clone(), run.signature).counting_cycles(multipliers);
    let mut checkpoints = Vec::new();
    let pieces = Pieces::from_seed(PieceSource::Uniform, run.generator);
    for (piece, number) in pieces.zip(1..=run.pieces) {
        let decide = |position: &Position| Tetris::decide(controller, position);
        if player.step(piece, decide).expect("it decides").is_none() {
            player.restart();
        }
        if number % run.spacing == 0 {
            checkpoints.push(player.sums());
        }
    }
    (checkpoints, player.end())
}

async fn self_played(
    backend: &mut dyn Backend<Tetris>,
    runs: &[SelfPlay],
) -> Result<(Vec<Vec<Sums>>, Vec<Sums>), BackendError> {
    let mut checkpoints = vec![Vec::new(); runs.len()];
    let ends = backend
        .self_play(runs, &mut |run, sums| checkpoints[run].push(sums))
        .await?;
    Ok((checkpoints, ends))
}

/// Opens a backend and sets its controller.
async fn configured(name: &str, controller: &Controller) -> Box<dyn Backend<Tetris>> {
    let mut backend = open(name).await;
    backend.configure(controller).await.expect("configured");
    backend
}

fn multipliers(backend: &dyn Backend<Tetris>) -> u8 {
    backend.identity().core.expect("a core").multipliers
}

fn any_run() -> impl Strategy<Value = Run> {
    let pieces = prop::collection::vec(any_piece(), 1..=160);
    (any_board(), pieces).prop_map(|(board, pieces)| Run { board, pieces })
}

fn any_self_play(most: u32) -> impl Strategy<Value = SelfPlay> {
    let numbers = (any::<u64>(), any::<u64>());
    (any_board(), 1..=most, 1u32..40, numbers).prop_map(|(board, pieces, spacing, numbers)| {
        SelfPlay {
            board,
            pieces,
            spacing,
            generator: numbers.0,
            signature: numbers.1,
        }
    })
}

/// A property over random boards and controllers: a core plays as the golden model does.
pub fn random_games_agree(backend: &str, count: u32) {
    let core = Mutex::new(block_on(open(backend)));
    let runs = prop::collection::vec(any_run(), 1..4);
    let self_plays = prop::collection::vec(any_self_play(120), 1..4);
    let all = (any_controller(), runs, self_plays);
    check_cases(count, &all, |(controller, runs, self_plays)| {
        let mut core = core.lock().unwrap_or_else(|e| e.into_inner());
        let multipliers = multipliers(&**core);
        let (played, (checkpoints, ends)) = block_on(async {
            core.configure(&controller).await?;
            let played = core.play(&runs).await?;
            Ok::<_, BackendError>((played, self_played(&mut **core, &self_plays).await?))
        })
        .map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(played.len(), runs.len());
        for (run, got) in runs.iter().zip(&played) {
            let expected = golden_run(&controller, run, multipliers);
            let differ = deviations(&expected, got);
            prop_assert!(differ.is_empty(), "{:?}\n{:#?}", run, differ);
            prop_assert_eq!(got.sums, expected.sums);
        }
        prop_assert_eq!(checkpoints.len(), self_plays.len());
        for ((run, checkpoints), end) in self_plays.iter().zip(checkpoints).zip(ends) {
            let expected = golden_self_play(&controller, run, multipliers);
            prop_assert_eq!((checkpoints, end), expected, "{:?}", run);
        }
        Ok(())
    });
}

#[test]
fn random_games_agree_behind_the_uart() {
    random_games_agree("sim", 12);
}

#[test]
fn random_games_agree_at_the_pins() {
    random_games_agree("sim-uart:baud=12000000", 1);
}

/// A run and a self-play in which games are lost.
fn games() -> (Run, SelfPlay) {
    let pieces = Pieces::from_seed(PieceSource::Uniform, 7).take(160);
    let run = Run {
        board: Board::new(10, 20),
        pieces: pieces.collect(),
    };
    let self_play = SelfPlay {
        board: Board::new(10, 20),
        pieces: 600,
        spacing: 30,
        generator: 7,
        signature: 1,
    };
    (run, self_play)
}

#[test]
fn self_play_late_checkpoints_are_no_timeout() {
    block_on(async {
        let mut core = configured("sim", &controller("lowest")).await;
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
        let multipliers = multipliers(&wire);
        let played = wire.play(&runs).await.expect("played");
        let expected = golden_run(&lowest, &runs[0], multipliers);
        for got in &played {
            assert_eq!(deviations(&expected, got), []);
        }
        let (checkpoints, ends) = self_played(&mut wire, &self_plays).await.expect("played");
        for ((run, checkpoints), end) in self_plays.iter().zip(checkpoints).zip(ends) {
            assert_eq!(
                (checkpoints, end),
                golden_self_play(&lowest, run, multipliers)
            );
        }
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
        let expected = golden_run(&lowest, &run, multipliers(&wire));
        for polls in (0..60).step_by(6) {
            {
                let mut drop = |_, _| {};
                let endless = [SelfPlay {
                    pieces: u32::MAX,
                    ..self_play.clone()
                }];
                let mut future = wire.self_play(&endless, &mut drop);
                for _ in 0..polls {
                    assert!(future.as_mut().now_or_never().is_none());
                    tokio::task::yield_now().await;
                }
            }
            let played = wire.play(std::slice::from_ref(&run)).await.expect("played");
            assert_eq!(deviations(&expected, &played[0]), [], "after {polls} polls");
        }
        assert_eq!(wire.link().expect("it has one").counts.lost, 0);
    });
}

#[test]
fn play_of_a_run_that_the_wire_cannot_carry_is_refused() {
    block_on(async {
        let mut core = configured("sim", &controller("lowest")).await;
        for (pieces, rows, why) in [
            (0, 20, "the batch has 0 pieces, expected 1 to 160"),
            (161, 20, "the batch has 161 pieces, expected 1 to 160"),
            (
                1,
                16,
                "the board is 10x16, but the wire carries boards of 10x20",
            ),
        ] {
            let run = Run {
                board: Board::new(10, rows),
                pieces: vec![Piece::T; pieces],
            };
            let error = core.play(&[run]).await.expect_err("no such run");
            assert!(error.to_string().contains(why), "{error}");
        }
    });
}
