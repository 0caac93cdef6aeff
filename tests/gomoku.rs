//! Gomoku: engine and core against answers of other programs, the engine against the golden model,
//! searches on several threads, and searches that end early.

use std::time::Duration;

use lockstep_engine::gomoku::FastGomoku;
use lockstep_engine::tetris::Path;
use lockstep_games::gomoku::{Black, Board, Controller, Gomoku, Lines, Position, Profile, White};
use lockstep_games::{
    Decider as _, Golden as _, Implementation as _, Match as _, Rules as _, SearchControl, Trace,
};
use proptest::prelude::*;

use crate::agreement::check_cases;
use crate::limit;
use crate::support::{Ending, block_on};
use vectors::cases;

#[path = "../host/games/src/gomoku/golden/vectors.rs"]
mod vectors;

pub fn preset(name: &str, depth: u64) -> Controller {
    let controller = Controller::load(name).unwrap_or_else(|e| panic!("{e}"));
    let deep = controller.with_depth(depth);
    deep.unwrap_or_else(|e| panic!("{e}"))
}

/// The engine on each path that this machine can run.
fn engines() -> impl Iterator<Item = FastGomoku> {
    let paths = Path::ALL.into_iter().filter(|path| path.available());
    paths.map(|path| FastGomoku::default().with_path(path))
}

/// All answers, on all paths; those of wujian, which has one path, once.
#[test]
fn engine_reproduces_vectors() {
    let mut compared = 0;
    for (profile, paths) in [("lines", usize::MAX), ("wujian", 1)] {
        for case in cases(profile) {
            for engine in engines().take(paths) {
                let mut searcher = engine.searcher(&case.controller);
                let found = searcher.answer(&case.board, White);
                assert_eq!(
                    (found.point, found.value, found.nodes),
                    (case.point, case.value, case.nodes),
                    "{profile}, {}, {}",
                    case.name,
                    engine.description()
                );
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 1_595 + 1_252);
}

/// Checks the answers with few nodes, in positions that a session can have. `LOCKSTEP_CASES` takes
/// all answers; the cycles of the longest are not predicted.
#[test]
fn core_reproduces_vectors() {
    const FEW: u64 = 200;
    let is_soak = std::env::var_os("LOCKSTEP_CASES").is_some();
    // All of them take a quarter of an hour.
    let (most, limit) = if is_soak {
        (u64::MAX, 7200)
    } else {
        (FEW, 600)
    };
    let registry = lockstep_backends::table::gomoku();
    let spec = registry.parse("sim").expect("a backend");
    let mut compared = 0;
    limit::block_on(Duration::from_secs(limit), async {
        let mut core = registry.open(&spec, 1).await.expect("a core");
        let cases = cases("lines").chain(cases("wujian"));
        for case in cases.filter(|case| case.nodes <= most && !case.board.is_over()) {
            let (board, to_move) = (case.board, White);
            let position = Position { board, to_move };
            core.configure(&case.controller).await.expect("configured");
            let answers = core.decide(std::slice::from_ref(&position)).await;
            let answer = answers.expect("an answer").remove(0);
            let found = answer.decision;
            let cycles = answer.cycles.expect("a core reports them");
            let name = format!("{}, {}", case.controller.name, case.name);
            assert_eq!(
                (found.point(), found.value, found.nodes),
                (case.point, Some(case.value), Some(case.nodes)),
                "{name}"
            );
            if case.nodes <= FEW || answer.expected_cycles.is_some() {
                assert_eq!(answer.expected_cycles, Some(cycles), "{name}");
            }
            compared += 1;
        }
    });
    assert!(compared > if is_soak { 2_000 } else { 1_000 }, "{compared}");
}

/// Stones in pairs along each line, except on the given points, so that no other point is alive.
pub fn dead_board(empty: &[usize]) -> Board {
    let mut rows = [[0u16; 15]; 2];
    for point in (0..225).filter(|point| !empty.contains(point)) {
        let (x, y) = (point % 15, point / 15);
        rows[(x + 2 * y) / 2 % 2][y] |= 1 << x;
    }
    let [own, opponent] = rows;
    Board::from_rows(White, own, opponent).expect("a board")
}

/// No vector has an empty centre where no point is alive.
#[test]
fn core_answers_with_centre_or_lowest_point_where_none_is_alive() {
    let registry = lockstep_backends::table::gomoku();
    let spec = registry.parse("sim").expect("a backend");
    block_on(async {
        let mut core = registry.open(&spec, 1).await.expect("a core");
        let controller = preset("lines", 2);
        core.configure(&controller).await.expect("configured");
        for (empty, expected) in [([3, 112], 112), ([3, 40], 3)] {
            let board = dead_board(&empty);
            let to_move = White;
            let position = Position { board, to_move };
            let answers = core.decide(std::slice::from_ref(&position)).await;
            let answer = answers.expect("an answer").remove(0);
            let golden = Gomoku::decide(&controller, &position).expect("a decision");
            assert_eq!(golden.point(), Some(expected));
            assert_eq!(answer.decision, golden);
            assert_eq!(answer.expected_cycles, answer.cycles);
        }
    });
}

/// Boards without five in a row, with any number of stones of each side, often close together.
fn any_gomoku_board(most: usize) -> impl Strategy<Value = Board> {
    let side = prop_oneof![Just(Black), Just(White)];
    let stones = prop::collection::vec((any::<u16>(), side), 0..=most);
    (0usize..15, 0usize..15, 3usize..=15, stones).prop_map(|(left, top, size, stones)| {
        let mut board = Board::default();
        for (place, stone) in stones {
            let (right, down) = (usize::from(place) % size, usize::from(place) / size % size);
            let point = (top + down) % 15 * 15 + (left + right) % 15;
            if board.put(point, stone) && board.makes_five(point) {
                board.take(point);
            }
        }
        board
    })
}

fn any_lines() -> impl Strategy<Value = (Profile, u64)> {
    let wide = (any::<[i16; 7]>(), any::<[i16; 7]>(), any::<[u8; 7]>());
    let wide = wide.prop_map(|(attack, defend, key)| (attack, defend, key.map(|key| key % 32)));
    // Ties are common.
    let few = prop::array::uniform7(-3i16..=3);
    let few = (few.clone(), few, prop::array::uniform7(0u8..=2));
    let Profile::Lines(lines) = preset("lines", 1).profile else {
        panic!("it is of the profile lines");
    };
    let plain = Just((lines.attack, lines.defend, lines.key));
    // The golden model takes long for wide and deep searches.
    let sizes = prop_oneof![
        (1u64..=2, prop_oneof![Just(0u8), 1u8..=225]),
        (3u64..=4, 1u8..=6),
        (20u64..=24, 1u8..=1),
    ];
    (prop_oneof![wide, few, plain], any::<bool>(), sizes).prop_map(
        |((attack, defend, key), extend, (depth, width))| {
            let lines = Lines {
                width,
                extend,
                attack,
                defend,
                key,
            };
            (Profile::Lines(lines), depth)
        },
    )
}

/// Cases for the golden model; in the profile wujian those of depth 3 have few stones.
fn any_case() -> impl Strategy<Value = (Controller, Position)> {
    let lines = (any_lines(), any_gomoku_board(90));
    let wujian = |depth, most| (Just((Profile::Wujian, depth)), any_gomoku_board(most));
    let case = prop_oneof![
        4 => lines,
        2 => wujian(1, 200),
        1 => wujian(2, 60),
        1 => wujian(3, 4),
    ];
    let side = prop_oneof![Just(Black), Just(White)];
    (case, side).prop_map(|(((profile, depth), board), to_move)| {
        let controller = Controller {
            profile,
            ..preset("lines", depth)
        };
        (controller, Position { board, to_move })
    })
}

/// Decision and trace, each node in its order.
#[test]
fn engine_random_positions_agree_with_golden() {
    check_cases(300, &any_case(), |(controller, position)| {
        if position.board.is_full() {
            return;
        }
        let golden = Gomoku::trace(&controller, &position).expect("it decides");
        let golden = golden.expect("it traces");
        for engine in engines() {
            let mut engine = engine.searcher(&controller);
            let decision = engine.decide(&position).expect("it decides");
            assert_eq!(golden.decision, decision);
            let traced = engine.trace(&position).expect("it decides");
            assert_eq!(Some(&golden), traced.as_ref());
        }
    });
}

/// Positions of a game between controllers of depth 2.
fn game(number: u64) -> Vec<Position> {
    let setup = lockstep_games::gomoku::Setup::new(5, 3);
    let mut engine = FastGomoku::default().searcher(&preset("lines", 2));
    let mut state = Gomoku::deal(&setup, number);
    let mut positions = Vec::new();
    loop {
        positions.push(state.position());
        let decision = engine.decide(&state.position()).expect("it decides");
        if !state.apply(&decision).expect("it is allowed") {
            return positions;
        }
    }
}

/// A trace is searched on one thread.
#[test]
fn engine_threads_search_nodes_of_one() {
    for (name, depth, games) in [("lines", 6, 3), ("lines", 7, 1), ("wujian", 4, 1)] {
        let controller = preset(name, depth);
        let mut alone = FastGomoku::default().with_threads(1).searcher(&controller);
        let mut team = FastGomoku::default().with_threads(4).searcher(&controller);
        for position in (0..games).flat_map(game).step_by(3) {
            let expected = alone.decide(&position).expect("it decides");
            let traced: Trace<Gomoku> = alone.trace(&position).expect("ok").expect("it traces");
            assert_eq!(traced.decision, expected);
            for _ in 0..3 {
                let found = team.decide(&position).expect("it decides");
                assert_eq!(found, expected, "{name}, depth {depth}: {position:?}");
            }
        }
    }
}

#[test]
fn golden_and_engine_refuse_position_that_is_over() {
    let mut board = Board::default();
    for point in 30..35 {
        board.put(point, White);
    }
    let to_move = Black;
    let over = Position { board, to_move };
    let controller = preset("lines", 2);
    let golden = Gomoku::decide(&controller, &over).expect_err("over");
    let engine = FastGomoku::default().searcher(&controller).decide(&over);
    assert_eq!(golden.to_string(), engine.expect_err("over").to_string());
    assert!(
        golden.to_string().starts_with("the game is over"),
        "{golden}"
    );
}

/// A position whose search at a great depth does not end.
fn middle() -> Position {
    game(0)[6]
}

#[test]
fn engine_finish_answers_with_best_so_far() {
    for (name, depth, threads) in [("lines", 24, 1), ("lines", 24, 3), ("wujian", 12, 2)] {
        let engine = FastGomoku::default().with_threads(threads);
        let mut engine = engine.searcher(&preset(name, depth));
        for after in [0, 1, 200] {
            let mut watch = Ending::new(after, SearchControl::Finish);
            let found = engine.search(&middle(), &mut watch).expect("it decides");
            let found = found.expect("a decision").decision;
            match watch.best.last() {
                Some(last) => {
                    let last = last.expect("a best decision");
                    assert_eq!(
                        (found.x, found.y, found.value),
                        (last.x, last.y, last.value)
                    );
                    assert!(found.nodes >= last.nodes);
                }
                None => {
                    let shallow = Gomoku::decide(&preset(name, 1), &middle());
                    assert_eq!(found, shallow.expect("it decides"));
                }
            }
        }
    }
}

#[test]
fn golden_finish_answers_with_best_so_far() {
    let mut watch = Ending::new(0, SearchControl::Finish);
    let found = Gomoku::search(&preset("lines", 24), &middle(), &mut watch);
    let found = found.expect("it decides").expect("an answer").decision;
    let shallow = Gomoku::decide(&preset("lines", 1), &middle());
    assert_eq!((found, watch.best.len()), (shallow.expect("it decides"), 0));
    // At depth 2 the first point of the root is complete by then, and the last one is not.
    let mut watch = Ending::new(2, SearchControl::Finish);
    let found = Gomoku::search(&preset("wujian", 2), &middle(), &mut watch);
    let found = found.expect("it decides").expect("an answer").decision;
    let last = watch
        .best
        .last()
        .copied()
        .flatten()
        .expect("a best decision");
    assert_eq!(
        (found.x, found.y, found.value),
        (last.x, last.y, last.value)
    );
    assert_eq!(found.nodes, Some(48), "it ends at the third check");
}

#[test]
fn abandon_ends_both_without_an_answer() {
    for after in [0, 5] {
        let deep = preset("lines", 24);
        let mut watch = Ending::new(after, SearchControl::Abandon);
        let golden = Gomoku::search(&deep, &middle(), &mut watch).expect("it ends");
        assert!(golden.is_none());
        for threads in [1, 3] {
            let engine = FastGomoku::default().with_threads(threads);
            let mut watch = Ending::new(after, SearchControl::Abandon);
            let found = engine.searcher(&deep).search(&middle(), &mut watch);
            assert!(found.expect("it ends").is_none());
        }
    }
}
