//! Batches and self-play: the RTL, the engine and the golden model agree.

use std::cell::RefCell;

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
use crate::support::{any_board, any_piece, block_on, cells, controller, open};

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
    let core = RefCell::new(block_on(open(backend)));
    let runs = prop::collection::vec(any_run(), 1..4);
    let self_plays = prop::collection::vec(any_self_play(120), 1..4);
    let all = (any_controller(), runs, self_plays);
    check_cases(count, &all, |(controller, runs, mut self_plays)| {
        let mut core = core.borrow_mut();
        let timing = Core::of(&core.identity().core.expect("a core")).expect("a known core");
        if timing.lanes == 0 {
            self_plays.iter_mut().for_each(|run| run.games = 1);
        }
        let (played, (checkpoints, ends)) = block_on(async {
            core.configure(&controller).await.expect("configured");
            let played = core.play(&runs).await.expect("played");
            (
                played,
                self_played(&mut **core, &self_plays).await.expect("played"),
            )
        });
        assert_eq!(played.len(), runs.len());
        for (run, got) in runs.iter().zip(&played) {
            let expected = golden_run(&controller, run, timing);
            let differ = deviations(&expected, got);
            assert!(differ.is_empty(), "{run:?}\n{differ:#?}");
            assert_eq!(got.sums, expected.sums);
        }
        assert_eq!(checkpoints.len(), self_plays.len());
        for ((run, checkpoints), end) in self_plays.iter().zip(checkpoints).zip(ends) {
            let expected = golden_self_play(&controller, run, timing);
            assert_eq!((checkpoints, end), expected, "{run:?}");
        }
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

/// A backend, the pieces and rows of a batch or the games of a self-play, and the error.
const REFUSED: &str = "
    sim            |   0 | 20 | the batch has 0 pieces, expected 1 to 160
    sim            | 161 | 20 | the batch has 161 pieces, expected 1 to 160
    sim            |   1 | 16 | the board is 10x16, but the wire carries boards of 10x20
    sim            | games |  2 | 2 games side by side, but this core plays one game at a time; leave
    sim            | games |  0 | 0 games side by side, expected 1 to 16
    sim:core=lanes | games | 17 | 17 games side by side, expected 1 to 16
    software       | games | 17 | 17 games side by side, expected 1 to 16
    engine         | games |  0 | 0 games side by side, expected 1 to 16
";

#[test]
fn play_that_a_backend_cannot_play_is_refused() {
    for row in REFUSED.trim().lines() {
        let [name, pieces, number, why] = cells(row);
        let number: usize = number.parse().expect("a number");
        block_on(async {
            let mut backend = open(name).await;
            let configured = backend.configure(&controller("lowest")).await;
            configured.expect("configured");
            let sent = |backend: &dyn Backend<Tetris>| backend.link().map(|link| link.link.sent);
            let before = sent(&*backend);
            let error = if pieces == "games" {
                let run = SelfPlay {
                    board: Board::new(10, 20),
                    games: number as u8,
                    pieces: 5,
                    spacing: 5,
                    generator: 1,
                    signature: 1,
                };
                backend.self_play(&[run], &mut |_, _| {}).await.err()
            } else {
                let board = Board::new(10, number);
                let pieces = vec![Piece::T; pieces.parse().expect("a number")];
                backend.play(&[Run { board, pieces }]).await.err()
            };
            let error = error.expect(why).to_string();
            let expected = format!("backend {name}: {why}");
            assert!(error.starts_with(&expected), "{error}");
            assert_eq!(sent(&*backend), before, "{name}: nothing is sent");
        });
    }
}
