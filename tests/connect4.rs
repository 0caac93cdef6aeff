//! Connect Four in software: golden model and engine against decisions of an independent program
//! and against each other, and searches that end early.

use lockstep_engine::connect4::FastConnect4;
use lockstep_games::connect4::board::ORDER;
use lockstep_games::connect4::{Board, Connect4, Controller, Decision, Position, Red, Yellow};
use lockstep_games::{
    Decider, Golden as _, Implementation as _, SearchControl, SearchResult, Unwatched, Value,
};
use proptest::prelude::*;
use serde::Deserialize;

use crate::agreement::check_cases;
use crate::support::{Ending, read};

pub fn preset(name: &str, depth: u64) -> Controller {
    let controller = Controller::load(name).unwrap_or_else(|e| panic!("{e}"));
    let deep = controller.with_depth(depth);
    deep.unwrap_or_else(|e| panic!("{e}"))
}

fn engine(controller: &Controller) -> Box<dyn Decider<Connect4>> {
    FastConnect4.decider(controller).expect("it plays any")
}

/// The answers of golden model and engine.
fn found(controller: &Controller, position: &Position) -> [SearchResult<Connect4>; 2] {
    let golden = Connect4::search(controller, position, &mut Unwatched).expect("it decides");
    let engine = engine(controller).search(position, &mut Unwatched);
    let engine = engine.expect("it decides");
    [golden, engine].map(|found| found.expect("it is waited for"))
}

fn note(found: &SearchResult<Connect4>, name: &str) -> Option<(u64, bool)> {
    let note = found.notes.iter().find(|note| note.name == name)?;
    match note.value {
        Value::Number(number) => Some((number, note.promised)),
        _ => None,
    }
}

/// A position from its rows, the top one first; empty rows at the top may be left out.
fn position(rows: &[&str], to_move: &str) -> Position {
    let empty = vec!["......."; 6 - rows.len()];
    let board = [&empty, rows].concat();
    let json = serde_json::json!({"board": board, "to_move": to_move});
    serde_json::from_value(json).unwrap_or_else(|e| panic!("{e}"))
}

#[derive(Deserialize)]
struct Vector {
    #[serde(flatten)]
    position: Position,
    depth: u64,
    #[serde(flatten)]
    decision: Decision,
    nodes: u64,
}

#[test]
fn golden_and_engine_reproduce_vectors() {
    let text = read("fixtures/connect4/vectors.jsonl");
    let mut lines = text.lines();
    let mut controller = preset("flat", 1);
    #[derive(Deserialize)]
    struct Head {
        weights: [[i8; 6]; 7],
    }
    let head = lines.next().expect("a first line");
    let Head { weights } = serde_json::from_str(head).expect("weights");
    controller.weights = weights;
    let mut compared = 0;
    for (line, text) in lines.enumerate() {
        let vector: Vector = serde_json::from_str(text).expect("a vector");
        let controller = controller.clone().with_depth(vector.depth);
        let controller = controller.expect("a depth");
        let [golden, engine] = found(&controller, &vector.position);
        assert_eq!(
            golden.decision, vector.decision,
            "golden model, vector {line}"
        );
        assert_eq!(engine.decision, vector.decision, "engine, vector {line}");
        let nodes = note(&engine, "nodes");
        assert_eq!(nodes, Some((vector.nodes, true)), "vector {line}");
        compared += 1;
    }
    assert_eq!(compared, 200);
}

/// Positions without a winner, with any number of stones of each side.
fn any_connect4_position() -> impl Strategy<Value = Position> {
    let side = || prop_oneof![Just(Yellow), Just(Red)];
    let stones = prop::collection::vec((0usize..7, side()), 0..=60);
    (stones, side()).prop_map(|(stones, to_move)| {
        let mut board = Board::default();
        for (column, stone) in stones {
            let mut after = board;
            if after.drop(column, stone).is_some() && !after.is_over() {
                board = after;
            }
        }
        Position { board, to_move }
    })
}

fn any_connect4_controller() -> impl Strategy<Value = Controller> {
    let any = prop::array::uniform7(prop::array::uniform6(any::<i8>()));
    let few = prop::array::uniform7(prop::array::uniform6(-1i8..=1));
    let weights = prop_oneof![any, few, Just([[i8::MIN; 6]; 7])];
    (weights, 1u64..=5).prop_map(|(weights, depth)| Controller {
        weights,
        ..preset("flat", depth)
    })
}

/// Decision, depth and trace.
#[test]
fn engine_random_positions_agree_with_golden() {
    let all = (any_connect4_controller(), any_connect4_position());
    check_cases(600, &all, |(controller, position)| {
        let [golden, fast] = found(&controller, &position);
        assert_eq!(golden.decision, fast.decision);
        assert_eq!(note(&golden, "depth"), note(&fast, "depth"));
        let traced = Connect4::trace(&controller, &position).expect("it decides");
        let engine = engine(&controller).trace(&position);
        assert_eq!(traced, engine.expect("it decides"));
        let traced = traced.expect("it traces");
        assert_eq!(traced.decision, golden.decision);
        let columns = traced.candidates.iter().map(|candidate| candidate.column);
        assert!(columns.eq(ORDER));
    });
}

#[test]
fn golden_and_engine_refuse_position_that_is_over() {
    let mut over = position(&["R......", "RR.....", "YYY.R.."], "red");
    over.board.drop(3, Yellow);
    let controller = preset("flat", 2);
    let golden = Connect4::decide(&controller, &over)
        .expect_err("over")
        .to_string();
    let engine = engine(&controller)
        .decide(&over)
        .expect_err("over")
        .to_string();
    assert_eq!(golden, engine);
    assert!(golden.starts_with("the game is over"), "{golden}");
}

/// Ends a search after `after` checks, and takes no more.
fn ending(after: u64, wish: SearchControl) -> Ending<Connect4> {
    let mut ending = Ending::new(after, wish);
    ending.is_last = true;
    ending
}

/// Maximum number of nodes between two checks.
const CHECK_EVERY: u64 = 10_000;

#[test]
fn engine_finish_answers_with_the_last_depth() {
    let empty = position(&[], "yellow");
    for after in [0, 1, 30] {
        let mut watch = ending(after, SearchControl::Finish);
        let found = engine(&preset("windows", 20)).search(&empty, &mut watch);
        let found = found.expect("it decides").expect("a best decision");
        let (depth, depth_promised) = note(&found, "depth").expect("a depth");
        let (nodes, nodes_promised) = note(&found, "nodes").expect("nodes");
        assert!((1..20).contains(&depth), "{depth}");
        assert!(nodes <= (after + 1) * CHECK_EVERY, "{nodes}");
        assert!(
            !depth_promised && !nodes_promised,
            "the definitions do not fix them"
        );
        if depth <= 5 {
            let same = Connect4::decide(&preset("windows", depth), &empty);
            assert_eq!(found.decision, same.expect("it decides"));
        }
        assert_eq!(watch.best.len() as u64, depth, "a report a depth");
        assert_eq!(watch.best.pop(), Some(Some(found.decision)));
    }
}

#[test]
fn golden_finish_answers_with_the_best_so_far() {
    let empty = position(&[], "yellow");
    // It has no result by then, and depth 20 never ends.
    let mut watch = ending(0, SearchControl::Finish);
    let found = Connect4::search(&preset("windows", 20), &empty, &mut watch);
    let found = found.expect("it decides").expect("an answer");
    assert_eq!(note(&found, "depth"), Some((1, false)));
    let flat = Connect4::decide(&preset("windows", 1), &empty);
    assert_eq!(found.decision, flat.expect("it decides"));
    // At depth 5 a column has some 2,800 nodes.
    let mut watch = ending(1, SearchControl::Finish);
    let found = Connect4::search(&preset("windows", 5), &empty, &mut watch);
    let found = found.expect("it decides").expect("an answer");
    assert_eq!(note(&found, "depth"), Some((5, false)));
    assert_eq!(watch.best.len(), 2);
    assert_eq!(watch.best[1], Some(found.decision));
}

#[test]
fn abandon_ends_both_without_an_answer() {
    let (deep, empty) = (preset("windows", 20), position(&[], "yellow"));
    for after in [0, 5] {
        let mut watch = ending(after, SearchControl::Abandon);
        let golden = Connect4::search(&deep, &empty, &mut watch).expect("it ends");
        assert!(golden.is_none());
        let mut watch = ending(after, SearchControl::Abandon);
        let engine = engine(&deep).search(&empty, &mut watch).expect("it ends");
        assert!(engine.is_none());
    }
}
