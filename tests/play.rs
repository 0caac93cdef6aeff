//! Batches and self-play: the RTL, the engine and the golden model agree.

use std::sync::Mutex;

use lockstep::compare::deviations;
use lockstep::{Backend, BackendError};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::playing::Player;
use lockstep_games::tetris::source::{PieceSource, Pieces};
use lockstep_games::tetris::timing::Core;
use lockstep_games::tetris::{Controller, Piece, Position, Run, SelfPlay, Sums, Tetris};
use lockstep_games::{Golden as _, RunResult};
use proptest::prelude::*;
use protocol::layout::tetris::SELF_PLAY_GAMES;

use crate::agreement::{any_controller, check_cases};
use crate::support::{any_board, any_piece, block_on, controller, open};

/// The expected result of a run, with the clock cycles of a core.
pub fn golden_run(controller: &Controller, run: &Run, core: Core) -> RunResult<Tetris> {
    let played = Tetris::play(controller, run).expect("a board it plays");
    let mut played = played.expect("it plays runs");
    let mut player = Player::new(run.board.clone(), 0).counting_cycles(core);
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
fn golden_self_play(controller: &Controller, run: &SelfPlay, core: Core) -> (Vec<Sums>, Sums) {
    let player = Player::with_games(run.games, run.board.clone(), run.signature);
    let mut player = player.counting_cycles(core);
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

/// What the clock cycles of a backend's core depend on.
pub fn timing(backend: &dyn Backend<Tetris>) -> Core {
    Core::of(&backend.identity().core.expect("a core")).expect("a known core")
}

fn any_run() -> impl Strategy<Value = Run> {
    let pieces = prop::collection::vec(any_piece(), 1..=160);
    (any_board(), pieces).prop_map(|(board, pieces)| Run { board, pieces })
}

fn any_self_play(most: u32) -> impl Strategy<Value = SelfPlay> {
    let counts = (1..=SELF_PLAY_GAMES, 1..=most, 1u32..40);
    let numbers = (any::<u64>(), any::<u64>());
    (any_board(), counts, numbers).prop_map(|(board, (games, pieces, spacing), numbers)| SelfPlay {
        board,
        games,
        pieces,
        spacing,
        generator: numbers.0,
        signature: numbers.1,
    })
}

/// A property over random boards and controllers: a core plays as the golden model does.
pub fn random_games_agree(backend: &str, count: u32) {
    let core = Mutex::new(block_on(open(backend)));
    let runs = prop::collection::vec(any_run(), 1..4);
    let self_plays = prop::collection::vec(any_self_play(120), 1..4);
    let all = (any_controller(), runs, self_plays);
    check_cases(count, &all, |(controller, runs, mut self_plays)| {
        let mut core = core.lock().unwrap_or_else(|e| e.into_inner());
        let timing = timing(&**core);
        for run in &mut self_plays {
            run.games = run.games.min(match timing.lanes {
                0 => 1,
                _ => SELF_PLAY_GAMES,
            });
        }
        let (played, (checkpoints, ends)) = block_on(async {
            core.configure(&controller).await?;
            let played = core.play(&runs).await?;
            Ok::<_, BackendError>((played, self_played(&mut **core, &self_plays).await?))
        })
        .map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(played.len(), runs.len());
        for (run, got) in runs.iter().zip(&played) {
            let expected = golden_run(&controller, run, timing);
            let differ = deviations(&expected, got);
            prop_assert!(differ.is_empty(), "{:?}\n{:#?}", run, differ);
            prop_assert_eq!(got.sums, expected.sums);
        }
        prop_assert_eq!(checkpoints.len(), self_plays.len());
        for ((run, checkpoints), end) in self_plays.iter().zip(checkpoints).zip(ends) {
            let expected = golden_self_play(&controller, run, timing);
            prop_assert_eq!((checkpoints, end), expected, "{:?}", run);
        }
        Ok(())
    });
}

#[test]
fn random_games_agree_behind_the_uart() {
    random_games_agree("sim", 12);
    random_games_agree("sim:core=lanes", 12);
}

#[test]
fn random_games_agree_at_the_pins() {
    random_games_agree("sim-uart:baud=12000000", 1);
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

#[test]
fn self_play_of_games_that_a_core_cannot_play_is_refused() {
    block_on(async {
        for (name, games, why) in [
            (
                "sim",
                2,
                "2 games side by side, but this core plays one game at a time; leave",
            ),
            ("sim", 0, "0 games side by side, expected 1 to 16"),
            (
                "sim:core=lanes",
                17,
                "17 games side by side, expected 1 to 16",
            ),
            ("software", 17, "17 games side by side, expected 1 to 16"),
            ("engine", 0, "0 games side by side, expected 1 to 16"),
        ] {
            let mut backend = configured(name, &controller("lowest")).await;
            let sent = |backend: &dyn Backend<Tetris>| backend.link().map(|link| link.link.sent);
            let before = sent(&*backend);
            let run = SelfPlay {
                board: Board::new(10, 20),
                games,
                pieces: 5,
                spacing: 5,
                generator: 1,
                signature: 1,
            };
            let error = backend.self_play(&[run], &mut |_, _| {}).await;
            let error = error.expect_err("no such number").to_string();
            assert!(
                error.starts_with(&format!("backend {name}: {why}")),
                "{error}"
            );
            assert_eq!(sent(&*backend), before, "{name}: nothing is sent");
        }
    });
}
