//! Lookahead of depth 2 and 3: the engine agrees with the golden model, and this with examples
//! worked out by hand.

use lockstep_engine::tetris::{Engine, EngineGame};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::lookahead;
use lockstep_games::tetris::{
    Controller, Linear, Piece, Placement, Rule, Score, Search, Setup, Size, Tetris,
};
use lockstep_games::{Golden as _, Match as _, Rules as _};

use super::boards::{Random, board, controllers};
use super::{none, paths};
use crate::support::controller;

fn looking(linear: &Linear, depth: u8, beam: Option<u16>) -> Linear {
    Linear {
        search: Search::new(depth, beam).expect("a search"),
        ..linear.clone()
    }
}

fn golden(board: &Board, piece: Piece, next: Option<Piece>, linear: &Linear) -> Option<Placement> {
    let (candidate, score) = lookahead::best(board, piece, next, linear)?;
    Some(Placement::of(&candidate, score))
}

/// Some boards are full to the top, so that games end during the lookahead.
#[test]
fn engine_lookahead_agrees_on_random_boards() {
    let mut random = Random::new(17);
    let controllers = controllers(&mut random);
    let searches = [
        (2, None, true),
        (2, None, false),
        (2, Some(3), true),
        (3, Some(2), true),
        (3, None, true),
        (3, Some(1), false),
    ];
    let sizes = [(10, 20), (6, 8), (12, 32), (10, 10)];
    let sizes = sizes.map(|(c, r)| Size::new(c, r).expect("a size"));
    let mut mismatches = Vec::new();
    for (n, (name, linear)) in controllers.iter().enumerate().step_by(2) {
        let size = sizes[n / 2 % 4];
        let (depth, beam, known) = searches[n / 2 % 6];
        let linear = looking(linear, depth, beam);
        let board = board(&mut random, size, n / 2);
        let piece = Piece::ALL[random.below(7)];
        let next = known.then(|| Piece::ALL[random.below(7)]);
        let want = golden(&board, piece, next, &linear);
        for path in paths() {
            let engine = Engine::new(&linear, size, path).expect("available");
            let got = engine.decide(&board, piece, next);
            if got != want {
                let (search, rows) = (&linear.search, board.to_rows());
                let place = format!("{piece:?} {next:?} on {rows:?}");
                mismatches.push(format!("{path} {name} {search:?} {place}: {got:?}"));
            }
        }
    }
    none(&mismatches);
}

/// Two pieces O on four empty columns: side by side they clear two rows and leave nothing.
#[test]
fn lookahead_places_the_known_next_piece() {
    let narrow = Board::new(4, 6);
    let mut linear = controller("dt-20").linear().expect("linear").clone();
    linear.weights = [0; 14];
    linear.weights[2] = 1_000_000; // rows cleared
    linear.weights[11] = -10_000; // aggregate height
    let linear = looking(&linear, 2, None);
    let placed = golden(&narrow, Piece::O, Some(Piece::O), &linear).expect("a placement");
    // Column 0, so that the next one fits at column 2: two rows, height 0.
    assert_eq!((placed.column, placed.score), (0, Score(2_000_000)));
    // Next an S: on end beside the O it fills row 1 and leaves an O's foot, 2, and
    // cells up to rows 0 and 1: heights 1 1 2 1.
    let placed = golden(&narrow, Piece::O, Some(Piece::S), &linear).expect("a placement");
    assert_eq!(
        (placed.column, placed.score),
        (0, Score(1_000_000 - 5 * 10_000))
    );
}

/// Three rows that are full except for one column: an upright I in it leaves nothing, a lying
/// one fills the top row and leaves no room for most pieces.
#[test]
fn lookahead_prefers_survival_to_score() {
    // Four columns, four rows; column 3 empty, the others full.
    let board = Board::from_rows(4, &[0b0111, 0b0111, 0b0111, 0b0000]).expect("four columns");
    let mut linear = controller("dt-20").linear().expect("linear").clone();
    linear.weights = [0; 14];
    linear.weights[2] = -1_000_000; // a row cleared costs: the lying I clears but one
    let alone = golden(&board, Piece::I, None, &looking(&linear, 2, None)).expect("a placement");
    assert_eq!((alone.rotation, alone.column), (0, 3));
    let greedy = Linear {
        search: Search::ONE,
        ..linear
    };
    let greedy = golden(&board, Piece::I, None, &greedy).expect("a placement");
    assert_eq!(greedy.rotation, 1, "without lookahead it clears one row");
}

#[test]
fn engine_games_with_lookahead_agree() {
    let dt20 = controller("dt-20").linear().expect("linear").clone();
    for (depth, beam, next_known) in [(2, None, true), (2, Some(4), false), (3, Some(2), true)] {
        let linear = looking(&dt20, depth, beam);
        let setup = Setup {
            board: Size::new(6, 7).expect("a size"),
            next_known,
            ..Setup::standard(9)
        };
        let controller = Controller {
            name: "looking".into(),
            source: "test".into(),
            rule: Rule::Linear(linear.clone()),
        };
        for path in paths() {
            let engine = Engine::new(&linear, setup.board, path).expect("available");
            let mut game = EngineGame::deal(&setup, 0);
            let mut state = Tetris::deal(&setup, 0);
            for _ in 0..25 {
                let lost = engine.play(&mut game, 1);
                let goes_on = state
                    .apply(&Tetris::decide(&controller, &state.position()).expect("a decision"));
                assert_eq!(goes_on.ok(), Some(!lost), "{path} {:?}", linear.search);
                if lost {
                    break;
                }
                assert_eq!(game.board(), state.position().board, "{path}");
            }
        }
    }
}
