//! The fast engine agrees with the golden model, on every instruction set of this machine.

mod boards;
mod lookahead;

use lockstep_engine::tetris::{Engine, EngineGame, Path, Positions};
use lockstep_games::tetris::golden::{self, Landing};
use lockstep_games::tetris::source::{PieceSource, Pieces};
use lockstep_games::tetris::{Linear, Piece, Placement, Size};

use lockstep_lab::signature::Player;

use self::boards::{Random, board, controllers, sizes};
use crate::support::controller;

pub fn paths() -> Vec<Path> {
    Path::ALL.into_iter().filter(|p| p.available()).collect()
}

/// Fails if there are mismatches, and shows some of them.
fn none(mismatches: &[String]) {
    let shown = mismatches[..mismatches.len().min(5)].join("\n");
    let count = mismatches.len();
    assert!(count == 0, "{count} mismatches, such as\n{shown}");
}

/// The golden model's choice among evaluated placements.
fn best(candidates: &[Landing], linear: &Linear) -> Option<Placement> {
    let mut best: Option<Placement> = None;
    for candidate in candidates {
        let score = linear.score(&candidate.features);
        if best.is_none_or(|b| score > b.score) {
            best = Some(Placement::of(candidate, score));
        }
    }
    best
}

fn decisions_agree(size: Size, count: usize, seed: u64) {
    let mut random = Random::new(seed);
    let controllers = controllers(&mut random);
    let mut engines = Vec::new();
    for path in paths() {
        for (name, linear) in &controllers {
            let engine = Engine::new(linear, size, path).expect("available");
            engines.push((path, name, linear, engine));
        }
    }
    let mut mismatches = Vec::new();
    for kind in 0..count {
        let board = board(&mut random, size, kind);
        for piece in Piece::ALL {
            let candidates: Vec<_> = golden::placements(&board, piece).collect();
            for (path, name, linear, engine) in &engines {
                let (got, want) = (
                    engine.decide(&board, piece, None),
                    best(&candidates, linear),
                );
                if got != want {
                    let place = format!("{piece:?} on {size} {:?}", board.to_rows());
                    mismatches.push(format!("{path} {name} {place}: {got:?}, not {want:?}"));
                }
            }
        }
    }
    none(&mismatches);
}

#[test]
fn engine_decisions_agree_on_the_standard_board() {
    decisions_agree(Size::STANDARD, 80, 1);
}

#[test]
fn engine_decisions_agree_on_other_boards() {
    for (n, size) in sizes().into_iter().enumerate() {
        decisions_agree(size, 8, 100 + n as u64);
    }
}

/// Plays `pieces` pieces, game after game.
fn play(engine: &Engine, game: &mut EngineGame, pieces: u64) {
    let end = game.totals().pieces + pieces;
    while game.totals().pieces < end {
        engine.play(game, end - game.totals().pieces);
    }
}

#[test]
fn engine_games_agree_move_for_move() {
    let controllers = controllers(&mut Random::new(3));
    let mut mismatches = Vec::new();
    for (s, size) in sizes().into_iter().enumerate() {
        for (n, (name, linear)) in controllers.iter().enumerate().skip(s).step_by(8) {
            let source = [PieceSource::Uniform, PieceSource::Bag][n / 8 % 2];
            let pieces = Pieces::from_seed(source, n as u64);
            let golden = Player::Golden {
                linear: linear.clone(),
                size,
            };
            let want = golden
                .tally(pieces.clone(), 50, &|_| true)
                .expect("not stopped");
            for path in paths() {
                let engine = Engine::new(linear, size, path).expect("available");
                let mut game = EngineGame::new(size, pieces.clone());
                // In two parts: a game continues in the next call.
                play(&engine, &mut game, 30);
                play(&engine, &mut game, 20);
                if game.totals() != want {
                    mismatches.push(format!("{path} {name} on {size}: {:?}", game.totals()));
                }
            }
        }
    }
    none(&mismatches);
}

#[test]
fn engine_batches_equal_single_decisions() {
    let mut random = Random::new(5);
    let controllers = controllers(&mut random);
    let mut mismatches = Vec::new();
    for size in sizes() {
        let boards: Vec<_> = (0..40).map(|kind| board(&mut random, size, kind)).collect();
        let pieces: Vec<u8> = boards.iter().map(|_| random.below(7) as u8).collect();
        let rows: Vec<u16> = boards
            .iter()
            .flat_map(|b| b.to_rows())
            .map(|row| row as u16)
            .collect();
        let positions = Positions {
            rows: &rows,
            pieces: &pieces,
            next: &[],
        };
        for ((name, linear), path) in controllers
            .iter()
            .flat_map(|c| paths().into_iter().map(move |p| (c, p)))
        {
            let engine = Engine::new(linear, size, path).expect("available");
            let (mut placed, mut scores) = (vec![[0; 4]; 40], vec![0; 40]);
            engine
                .decide_all(&positions, &mut placed, &mut scores)
                .expect("valid");
            let mut unscored = placed.clone();
            engine
                .decide_all(&positions, &mut unscored, &mut [])
                .expect("valid");
            for (at, board) in boards.iter().enumerate() {
                let piece = Piece::from_number(pieces[at]).expect("a piece");
                let want = engine.decide(board, piece, None);
                let score = want.map_or(0, |want| want.score.0);
                let want = want.map_or([-1; 4], |w| {
                    [w.rotation, w.column, w.row, w.rows_cleared].map(|n| n as i8)
                });
                if (placed[at], unscored[at], scores[at]) != (want, want, score) {
                    mismatches.push(format!(
                        "{path} {name} {piece:?} on {size} {:?}: {:?}, {:?}, not {want:?}",
                        board.to_rows(),
                        placed[at],
                        unscored[at]
                    ));
                }
            }
        }
    }
    none(&mismatches);
}

#[test]
fn engine_batch_of_invalid_position_errs() {
    let linear = controller("dt-20").linear().expect("linear").clone();
    let engine = Engine::new(&linear, Size::STANDARD, Path::best()).expect("available");
    let error = |rows: &[u16], pieces: &[u8]| {
        let positions = Positions {
            rows,
            pieces,
            next: &[],
        };
        engine
            .decide_all(&positions, &mut [[0; 4]; 2], &mut [])
            .expect_err("invalid")
            .to_string()
    };
    let mut rows = [0; 40];
    assert_eq!(
        error(&rows, &[0, 7]),
        "position 1: the piece is 7, expected 0 to 6 (IOTSZJL)"
    );
    assert!(error(&rows, &[0]).contains("different lengths"));
    rows[25] = 1 << 10;
    assert_eq!(
        error(&rows, &[0, 0]),
        "position 1: a row has a cell right of the board; a row is at most 1023"
    );
}

/// The signature of 100,000 moves, printed by a C++ program that evaluates every board in full and
/// shares nothing with this project.
#[test]
fn engine_has_the_signature_of_another_program() {
    let linear = controller("dellacherie").linear().expect("linear").clone();
    for path in paths() {
        let engine = Engine::new(&linear, Size::STANDARD, path).expect("available");
        let pieces = Pieces::from_seed(PieceSource::Uniform, 42);
        let mut game = EngineGame::new(Size::STANDARD, pieces);
        play(&engine, &mut game, 100_000);
        assert_eq!(game.totals().signature, 0x58cc_e25b_ae5f_f8e1, "{path}");
    }
}
