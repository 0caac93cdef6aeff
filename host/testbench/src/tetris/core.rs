//! `tetris_ai`: decisions and their clock cycles, traces, and resets in both.

use lockstep_games::tetris::Position;
use lockstep_games::tetris::golden::best_now;
use lockstep_games::tetris::timing::serial_cycles;
use sim::{Bits, Input, Output};

use super::{
    any_position, any_weights, board_bits, every_placement, extremes, linear, weight_bits,
};
use crate::stream::Sink;
use crate::{Failure, Trial};

/// More cycles than any decision takes, however slowly its trace is taken.
const TIMEOUT: u64 = 50_000;
/// Cycles for which a line may hold up a trace: more than two bytes count.
const HELD_UP: u64 = 1 << 16;

/// Legal, rotation, column, row, rows cleared, score.
type Decision = [u64; 6];

struct Ports {
    multipliers: u8,
    reset: Input,
    weights: Input,
    req_valid: Input,
    req_ready: Output,
    board: Input,
    piece: Input,
    rsp_valid: Output,
    rsp_ready: Input,
    rsp: Output,
    trace: Input,
    traced: Sink,
}

/// With four multipliers, as it is.
///
/// # Errors
/// What differs first.
pub fn four(trial: &mut Trial) -> Result<(), Failure> {
    run(trial, 4)
}

/// With a single one.
///
/// # Errors
/// What differs first.
pub fn one(trial: &mut Trial) -> Result<(), Failure> {
    run(trial, 1)
}

/// With one for every feature.
///
/// # Errors
/// What differs first.
pub fn fourteen(trial: &mut Trial) -> Result<(), Failure> {
    run(trial, 14)
}

/// Decisions one after the other; then the same one, reset in each of its cycles.
fn run(trial: &mut Trial, multipliers: u8) -> Result<(), Failure> {
    let bench = &trial.bench;
    let mut ports = Ports {
        multipliers,
        reset: bench.input("rst_ni")?,
        weights: bench.input("weights_i")?,
        req_valid: bench.input("req_valid_i")?,
        req_ready: bench.output("req_ready_o")?,
        board: bench.input("req_board_i")?,
        piece: bench.input("req_piece_i")?,
        rsp_valid: bench.output("rsp_valid_o")?,
        rsp_ready: bench.input("rsp_ready_i")?,
        rsp: bench.output("rsp_o")?,
        trace: bench.input("trace_i")?,
        traced: Sink::new(bench, "trace_valid_o", "trace_ready_i", &["trace_o"])?,
    };
    for _ in 0..40 {
        let weights = any_weights(&mut trial.random);
        trial.bench.put(ports.weights, weight_bits(&weights));
        let position = any_position(&mut trial.random);
        decide(trial, &ports, &position, &weights)?;
        let position = any_position(&mut trial.random);
        traced(trial, &mut ports, &position, &weights, 0)?;
    }
    let weights = any_weights(&mut trial.random);
    trial.bench.put(ports.weights, weight_bits(&weights));
    let position = any_position(&mut trial.random);
    traced(trial, &mut ports, &position, &weights, HELD_UP)?;
    for (position, weights) in extremes(&mut trial.random) {
        trial.bench.put(ports.weights, weight_bits(&weights));
        decide(trial, &ports, &position, &weights)?;
        traced(trial, &mut ports, &position, &weights, 0)?;
    }
    let weights = any_weights(&mut trial.random);
    trial.bench.put(ports.weights, weight_bits(&weights));
    let dropped = any_position(&mut trial.random);
    let length = due(&dropped, multipliers);
    let first = trial.random.below(5);
    for cycles in (first..length + 2).step_by(5) {
        ask(trial, &ports, &dropped)?;
        for _ in 0..cycles {
            trial.bench.clock()?;
        }
        trial.bench.put(ports.reset, false);
        trial.bench.clock()?;
        trial.bench.put(ports.reset, true);
        let position = any_position(&mut trial.random);
        decide(trial, &ports, &position, &weights)?;
        reset_in_trace(trial, &mut ports, &dropped)?;
        let position = any_position(&mut trial.random);
        traced(trial, &mut ports, &position, &weights, 0)?;
    }
    Ok(())
}

/// A trace that is reset; another one follows at once.
fn reset_in_trace(
    trial: &mut Trial,
    ports: &mut Ports,
    position: &Position,
) -> Result<(), Failure> {
    trial.bench.put(ports.trace, true);
    ask(trial, ports, position)?;
    for _ in 0..trial.random.below(200) {
        ports.traced.drive(&mut trial.bench, &mut trial.random);
        trial.bench.clock()?;
    }
    ports.traced.refuse(&mut trial.bench);
    trial.bench.put(ports.reset, false);
    trial.bench.clock()?;
    trial.bench.put(ports.reset, true);
    Ok(())
}

fn due(position: &Position, multipliers: u8) -> u64 {
    serial_cycles(position, multipliers).map_or(0, u64::from)
}

/// Hands a position over; the clock edge that takes it is the last one.
fn ask(trial: &mut Trial, ports: &Ports, position: &Position) -> Result<(), Failure> {
    trial.bench.put(ports.req_valid, true);
    trial.bench.put(ports.board, board_bits(&position.board));
    trial.bench.put(ports.piece, position.piece.number());
    trial.bench.put(ports.rsp_ready, false);
    trial.bench.settle()?;
    if trial.bench.get(ports.req_ready) == 0 {
        return trial.differs("it takes no position although it was given none".into());
    }
    trial.bench.clock()?;
    trial.bench.put(ports.req_valid, false);
    trial.bench.put(
        ports.board,
        board_bits(&any_position(&mut trial.random).board),
    );
    Ok(())
}

/// The decision that it should come to.
fn expected(position: &Position, weights: &[i32; 14]) -> Decision {
    let best = best_now(&position.board, position.piece, &linear(weights));
    best.map_or([0; 6], |(best, score)| {
        let cleared = best.features.rows_cleared as u64;
        let place = [best.rotation, best.column, best.row].map(|n| n as u64);
        [1, place[0], place[1], place[2], cleared, cut(score.0)]
    })
}

/// The decision that is offered, and its cycles.
fn answer(trial: &Trial, ports: &Ports) -> (Decision, u64) {
    let [legal, rotation, column, row, cleared, score, cycles] =
        trial.bench.bits(ports.rsp).members([1, 2, 4, 5, 5, 48, 32]);
    ([legal, rotation, column, row, cleared, score], cycles)
}

/// A score as wide as the core has it.
fn cut(score: i64) -> u64 {
    score as u64 & 0xffff_ffff_ffff
}

/// A decision whose placements are all reported and taken with stalls, the first one of that many
/// cycles.
fn traced(
    trial: &mut Trial,
    ports: &mut Ports,
    position: &Position,
    weights: &[i32; 14],
    held_up: u64,
) -> Result<(), Failure> {
    trial.bench.put(ports.trace, true);
    ask(trial, ports, position)?;
    let asked = trial.bench.cycles();
    let mut told = every_placement(position, weights).into_iter();
    let mut held = None;
    loop {
        ports.traced.drive(&mut trial.bench, &mut trial.random);
        if trial.bench.cycles() - asked < held_up {
            ports.traced.refuse(&mut trial.bench);
        }
        trial.bench.settle()?;
        if trial.bench.get(ports.rsp_valid) == 1 {
            break;
        }
        let offered = ports.traced.offered(&trial.bench);
        if held.is_some() {
            trial.same("what is told and not taken", &offered, &held)?;
        }
        held = offered;
        if let Some(item) = ports.traced.take(&trial.bench) {
            held = None;
            let expected = told
                .next()
                .map(|(place, features, score)| (place, features, cut(score)));
            trial.same("the placement told", &Some(fields(&item[0])), &expected)?;
        }
        if trial.bench.cycles() - asked > TIMEOUT + held_up {
            return trial.differs("a traced decision does not end".into());
        }
        trial.bench.clock()?;
    }
    trial.same("placements not told", &told.next(), &None)?;
    let (got, cycles) = answer(trial, ports);
    trial.same("the decision", &got, &expected(position, weights))?;
    trial.same("cycles", &cycles, &(trial.bench.cycles() - asked + 1))?;
    trial.bench.put(ports.rsp_ready, true);
    trial.bench.clock()?;
    trial.bench.put(ports.rsp_ready, false);
    trial.bench.put(ports.trace, false);
    Ok(())
}

/// Those of tetris_pkg's `traced_t`, the last member lowest.
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
    ask(trial, ports, position)?;
    let asked = trial.bench.cycles();
    let due = due(position, ports.multipliers);
    let expected = expected(position, weights);
    // The cycle that took it was the first one.
    while trial.bench.get(ports.rsp_valid) == 0 {
        let cycle = trial.bench.cycles() - asked + 1;
        if cycle > due {
            return trial.differs(format!("no answer in cycle {cycle}, expected in {due}"));
        }
        trial.bench.clock()?;
    }
    trial.same(
        "the answer's cycle",
        &(trial.bench.cycles() - asked + 1),
        &due,
    )?;
    let stalls = trial.random.below(4);
    for _ in 0..stalls {
        trial.bench.clock()?;
    }
    trial.same("rsp_valid_o", &trial.bench.get(ports.rsp_valid), &1)?;
    let (got, cycles) = answer(trial, ports);
    trial.same("the decision", &got, &expected)?;
    trial.same("cycles", &cycles, &due)?;
    trial.bench.put(ports.rsp_ready, true);
    trial.bench.clock()?;
    trial.bench.put(ports.rsp_ready, false);
    trial.same(
        "rsp_valid_o once taken",
        &trial.bench.get(ports.rsp_valid),
        &0,
    )
}
