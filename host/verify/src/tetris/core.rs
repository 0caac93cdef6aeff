//! `tetris_ai` and `tetris_lanes_ai`: decisions with their clock cycles, traces, and resets in both.

use lockstep_games::tetris::timing::Core;
use lockstep_games::tetris::{Linear, Piece, Position, Search, lookahead};
use sim::Bits;

use super::{
    any_position, any_weights, board_bits, every_placement, extremes, linear, weight_bits,
};
use crate::stream::Sink;
use crate::{Failure, Trial};

/// Timeout of a decision in clock cycles, also if its trace is taken slowly.
const TIMEOUT: u64 = 50_000;
/// Cycles for which the trace is stalled: more than two bytes can count.
const HELD_UP: u64 = 1 << 16;

/// A decision: legal, rotation, column, row, rows cleared, score.
type Decision = [u64; 6];

struct Ports {
    core: Core,
    traced: Sink,
}

/// What a decision looks ahead to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ahead {
    Nothing,
    Next,
    All,
}

/// Decides and traces several positions; then resets a decision and a trace in many of their
/// cycles.
pub fn run(trial: &mut Trial, core: Core) -> Result<(), Failure> {
    let mut ports = Ports {
        core,
        traced: Sink::new("trace_valid_o", "trace_ready_i", &["trace_o"]),
    };
    for _ in 0..40 {
        let weights = set_weights(trial);
        let position = any_position(&mut trial.random);
        decide(trial, &ports, &position, &weights)?;
        let position = any_position(&mut trial.random);
        traced(trial, &mut ports, &position, &weights, 0)?;
        if core.lanes > 0 {
            for ahead in [Ahead::Next, Ahead::All] {
                let position = any_position(&mut trial.random);
                decide_ahead(trial, &ports, &position, &weights, ahead)?;
            }
        }
    }
    let weights = set_weights(trial);
    let position = any_position(&mut trial.random);
    traced(trial, &mut ports, &position, &weights, HELD_UP)?;
    for (position, weights) in extremes(&mut trial.random) {
        trial.put("weights_i", weight_bits(&weights));
        decide(trial, &ports, &position, &weights)?;
        traced(trial, &mut ports, &position, &weights, 0)?;
    }
    let weights = set_weights(trial);
    let dropped = any_position(&mut trial.random);
    let length = u64::from(core.cycles(&dropped));
    let first = trial.random.below(5);
    for cycles in (first..length + 2).step_by(5) {
        ask(trial, &dropped)?;
        for _ in 0..cycles {
            trial.clock()?;
        }
        trial.reset()?;
        let position = any_position(&mut trial.random);
        decide(trial, &ports, &position, &weights)?;
        reset_in_trace(trial, &mut ports, &dropped)?;
        let position = any_position(&mut trial.random);
        traced(trial, &mut ports, &position, &weights, 0)?;
    }
    Ok(())
}

/// Sets random weights.
fn set_weights(trial: &mut Trial) -> [i32; 14] {
    let weights = any_weights(&mut trial.random);
    trial.put("weights_i", weight_bits(&weights));
    weights
}

/// Begins a trace and resets it.
fn reset_in_trace(
    trial: &mut Trial,
    ports: &mut Ports,
    position: &Position,
) -> Result<(), Failure> {
    trial.put("trace_i", true);
    ask(trial, position)?;
    for _ in 0..trial.random.below(200) {
        ports.traced.drive(trial);
        trial.clock()?;
    }
    ports.traced.refuse(trial);
    trial.reset()
}

/// Decides a position with lookahead.
fn decide_ahead(
    trial: &mut Trial,
    ports: &Ports,
    position: &Position,
    weights: &[i32; 14],
    ahead: Ahead,
) -> Result<(), Failure> {
    let next = Piece::ALL[trial.random.below(7) as usize];
    let position = Position {
        next: (ahead == Ahead::Next).then_some(next),
        ..position.clone()
    };
    trial.put("ahead_i", true);
    trial.put("all_i", ahead == Ahead::All);
    trial.put("next_i", next.number());
    decide_as(trial, ports, &position, weights, ahead)?;
    trial.put("ahead_i", false);
    Ok(())
}

/// Sends a position; its last clock cycle is the one in which it is accepted.
fn ask(trial: &mut Trial, position: &Position) -> Result<(), Failure> {
    trial.put("req_valid_i", true);
    trial.put("req_board_i", board_bits(&position.board));
    trial.put("req_piece_i", position.piece.number());
    trial.put("rsp_ready_i", false);
    trial.settle()?;
    if !trial.is("req_ready_o") {
        return trial.differs("req_ready_o is low while idle".into());
    }
    trial.clock()?;
    trial.put("req_valid_i", false);
    let other = any_position(&mut trial.random).board;
    trial.put("req_board_i", board_bits(&other));
    Ok(())
}

/// The expected decision.
fn expected(position: &Position, weights: &[i32; 14], ahead: Ahead) -> Decision {
    let depth = if ahead == Ahead::Nothing { 1 } else { 2 };
    let linear = Linear {
        search: Search::new(depth, None).unwrap_or(Search::ONE),
        ..linear(weights)
    };
    let best = lookahead::best(&position.board, position.piece, position.next, &linear);
    best.map_or([0; 6], |(best, score)| {
        let cleared = best.features.rows_cleared as u64;
        let place = [best.rotation, best.column, best.row].map(|n| n as u64);
        [1, place[0], place[1], place[2], cleared, cut(score.0)]
    })
}

/// The offered decision, and its cycles.
fn answer(trial: &Trial) -> (Decision, u64) {
    let [legal, rotation, column, row, cleared, score, cycles] =
        trial.bits("rsp_o").members([1, 2, 4, 5, 5, 48, 32]);
    ([legal, rotation, column, row, cleared, score], cycles)
}

/// A score in the core's width of 48 bits.
fn cut(score: i64) -> u64 {
    score as u64 & 0xffff_ffff_ffff
}

/// Traces a position and takes its placements with stalls; the first stall is `held_up` cycles.
fn traced(
    trial: &mut Trial,
    ports: &mut Ports,
    position: &Position,
    weights: &[i32; 14],
    held_up: u64,
) -> Result<(), Failure> {
    trial.put("trace_i", true);
    ask(trial, position)?;
    let start = trial.cycles();
    let mut expected_placements = every_placement(position, weights).into_iter();
    let mut held = None;
    loop {
        ports.traced.drive(trial);
        if trial.cycles() - start < held_up {
            ports.traced.refuse(trial);
        }
        trial.settle()?;
        if trial.is("rsp_valid_o") {
            break;
        }
        let offered = ports.traced.offered_bits(trial);
        if held.is_some() {
            trial.same("the placement not taken", &offered, &held)?;
        }
        held = offered;
        if ports.traced.takes(trial) {
            let item = held.take().unwrap_or_default();
            let expected = expected_placements
                .next()
                .map(|(place, features, score)| (place, features, cut(score)));
            trial.same("the placement", &Some(fields(&item)), &expected)?;
        }
        if trial.cycles() - start > TIMEOUT + held_up {
            return trial.differs("a traced decision does not end".into());
        }
        trial.clock()?;
    }
    trial.same("missing placements", &expected_placements.next(), &None)?;
    let (got, cycles) = answer(trial);
    trial.same(
        "the decision",
        &got,
        &expected(position, weights, Ahead::Nothing),
    )?;
    trial.same("cycles", &cycles, &(trial.cycles() - start + 1))?;
    trial.put("rsp_ready_i", true);
    trial.clock()?;
    trial.put("rsp_ready_i", false);
    trial.put("trace_i", false);
    Ok(())
}

/// The members of tetris_pkg's `traced_t`, the last one in the lowest bits.
fn fields(traced: &Bits) -> ([u64; 4], Vec<u64>, u64) {
    let members: [u64; 20] = traced.members([
        6, 2, 4, 1, 5, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 48,
    ]);
    let [_, rotation, column, legal, row, rest @ ..] = members;
    let features = rest[..14].iter().rev().copied().collect();
    ([rotation, column, legal, row], features, rest[14])
}

fn decide(
    trial: &mut Trial,
    ports: &Ports,
    position: &Position,
    weights: &[i32; 14],
) -> Result<(), Failure> {
    decide_as(trial, ports, position, weights, Ahead::Nothing)
}

fn decide_as(
    trial: &mut Trial,
    ports: &Ports,
    position: &Position,
    weights: &[i32; 14],
    ahead: Ahead,
) -> Result<(), Failure> {
    ask(trial, position)?;
    let start = trial.cycles();
    let core = ports.core;
    let expected_cycles = match ahead {
        Ahead::Nothing => core.cycles(position),
        _ => core.cycles_ahead(position).unwrap_or(0),
    };
    let expected_cycles = u64::from(expected_cycles);
    let expected = expected(position, weights, ahead);
    // The cycle that accepted it was the first one.
    while !trial.is("rsp_valid_o") {
        let cycle = trial.cycles() - start + 1;
        if cycle > expected_cycles {
            return trial.differs(format!(
                "no answer in cycle {cycle}, expected in {expected_cycles}"
            ));
        }
        trial.clock()?;
    }
    trial.same(
        "the answer's cycle",
        &(trial.cycles() - start + 1),
        &expected_cycles,
    )?;
    let stalls = trial.random.below(4);
    for _ in 0..stalls {
        trial.clock()?;
    }
    trial.expect("rsp_valid_o", 1)?;
    let (got, cycles) = answer(trial);
    trial.same("the decision", &got, &expected)?;
    trial.same("cycles", &cycles, &expected_cycles)?;
    trial.put("rsp_ready_i", true);
    trial.clock()?;
    trial.put("rsp_ready_i", false);
    trial.same("rsp_valid_o once taken", &trial.get("rsp_valid_o"), &0)
}
