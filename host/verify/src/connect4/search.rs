//! `connect4_search`: searches and traces of random positions, with cancels and resets; the next
//! request offered while an answer waits; one search whose counts need more than 16 bits.

use std::collections::VecDeque;

use lockstep_games::connect4::Board;
use sim::Bits;

use super::model::{self, Candidate, Progress, empty_cells};
use super::{CELLS, OWNERS, any_position, any_weights, played};
use crate::random::Pace;
use crate::search::{End, any_end};
use crate::stream::Sink;
use crate::{Failure, Random, Trial};

/// Minimum number of clock cycles of a run.
const CYCLES: u64 = 120_000;
/// Minimum number of stones of the long search.
const LEAST_STONES: u64 = 1 << 16;

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let mut candidates = Sink::new("candidate_valid_o", "candidate_ready_i", &["candidate_o"]);
    while trial.cycles() < CYCLES {
        let board = any_position(&mut trial.random);
        let weights = any_weights(&mut trial.random);
        let ends = empty_cells(&board) < 9;
        let depth = any_depth(&mut trial.random, ends);
        let query = Query {
            board,
            weights,
            depth,
            traced: trial.random.chance(if ends { 60 } else { 30 }),
        };
        let end = any_end(&mut trial.random);
        let again = end == End::Completed && !query.traced;
        let cycles = search(trial, &mut candidates, &query, end, again)?;
        if again {
            // The same search, cancelled in its last cycle or next to it.
            let end = End::Cancelled(cycles - trial.random.choice(&[0, 1, 1, 2]));
            search(trial, &mut candidates, &query, end, false)?;
        }
    }
    long(trial)
}

/// A search of more than 65,535 stones; only its answer is compared.
fn long(trial: &mut Trial) -> Result<(), Failure> {
    let weights = any_weights(&mut trial.random);
    let counted = LEAST_STONES..4 * LEAST_STONES;
    let (board, expected) = loop {
        let board = played(&mut trial.random, 12);
        let mut depths = model::search(&board, &weights, 8).into_iter();
        if let Some(expected) = depths.find(|depth| counted.contains(&depth.nodes)) {
            break (board, expected);
        }
    };
    let query = Query {
        board,
        weights,
        depth: expected.depth,
        traced: false,
    };
    offer(trial, &query)?;
    let end = trial.cycles() + expected.cycles;
    while trial.cycles() < end && !trial.is("rsp_valid_o") {
        trial.clock()?;
    }
    trial.expect("rsp_valid_o", 1)?;
    trial.same("the answer", &progress(trial), &expected)
}

struct Query {
    board: Board,
    weights: [i8; CELLS],
    depth: u32,
    traced: bool,
}

/// A random depth: of any size if few cells are left, so that the game ends; otherwise small.
fn any_depth(random: &mut Random, ends: bool) -> u32 {
    let depth = match ends && random.chance(80) {
        true => random.between(1, 42),
        false => random.choice(&[1, 1, 2, 2, 2, 3, 3, 4, 4, 5]),
    };
    depth as u32
}

/// Runs a search and compares it until its end; returns its cycles. With `again`, the same request
/// is offered while the answer waits, and is still offered on return.
fn search(
    trial: &mut Trial,
    sink: &mut Sink,
    query: &Query,
    end: End,
    again: bool,
) -> Result<u64, Failure> {
    let Query {
        board,
        weights,
        depth,
        traced,
    } = query;
    let (mut depths, mut candidates) = (VecDeque::new(), VecDeque::new());
    if *traced {
        let (columns, result) = model::trace(board, weights, *depth);
        candidates.extend(columns);
        depths.push_back(result);
    } else {
        depths.extend(model::search(board, weights, *depth));
    }
    let last = depths.back().copied().unwrap_or_default();
    offer(trial, query)?;
    let mut reached = Progress::default();
    let mut cancelled = false;
    let mut waited = Pace::default();
    let began = trial.cycles();
    loop {
        let cycle = trial.cycles() - began;
        if end == End::Reset(cycle) {
            reset(trial)?;
            return Ok(cycle);
        }
        let cancels = end == End::Cancelled(cycle);
        trial.put("cancel_i", cancels);
        sink.drive(trial);
        trial.settle()?;
        trial.expect("req_ready_o", 0)?;
        if trial.is("depth_done_o") {
            let expected = depths.pop_front().unwrap_or_default();
            reached = progress(trial);
            trial.same("cycles", &reached.cycles, &cycle)?;
            // A trace has reported all columns by then.
            let compared = if *traced {
                without_cycles(reached)
            } else {
                reached
            };
            trial.same("the depth completed", &compared, &expected)?;
            trial.same("candidates left", &candidates.len(), &0)?;
        }
        if trial.is("rsp_valid_o") {
            break;
        }
        trial.never("the search continues after a cancel", cancelled)?;
        if let Some(offered) = sink.offered_bits(trial) {
            let offered = candidate(&offered);
            trial.same("the candidate", &Some(&offered), &candidates.front())?;
            if sink.takes(trial) {
                candidates.pop_front();
            }
        }
        trial.never("the search takes too long", !traced && cycle > last.cycles)?;
        trial.clock()?;
        cancelled = cancels;
    }
    // It was complete in the cycle of a cancel, or is cut.
    let cycle = trial.cycles() - began;
    let is_cancelled = trial.is("cancelled_o");
    trial.never("cancelled_o without a cancel", is_cancelled && !cancelled)?;
    if is_cancelled {
        let got = progress(trial);
        let cut = Progress {
            nodes: got.nodes,
            cycles: cycle,
            ..reached
        };
        trial.same("the answer that was cut", &got, &cut)?;
        let right = got.depth < last.depth && got.nodes <= last.nodes;
        trial.holds("cancelled before it was complete", right)?;
    } else {
        let got = progress(trial);
        let compared = if *traced { without_cycles(got) } else { got };
        trial.same("the answer", &compared, &last)?;
        trial.same("cycles", &got.cycles, &cycle)?;
    }
    // The answer stays until it is taken, whatever is cancelled or offered meanwhile.
    if again {
        trial.put("req_i", request(query));
        trial.put("req_valid_i", true);
    }
    while !waited.go(&mut trial.random) {
        let cancels = trial.random.chance(50);
        trial.put("cancel_i", cancels);
        trial.clock()?;
        trial.expect("rsp_valid_o", 1)?;
        trial.expect("cancelled_o", is_cancelled)?;
        trial.same("cycles", &progress(trial).cycles, &cycle)?;
    }
    trial.put("rsp_ready_i", true);
    trial.settle()?;
    let ready = trial.get("req_ready_o");
    trial.same("req_ready_o with the answer", &ready, &0)?;
    trial.clock()?;
    trial.put("rsp_ready_i", false);
    trial.expect("req_ready_o", 1)?;
    if again {
        trial.put("cancel_i", false);
        return Ok(cycle);
    }
    // A cancel without a search has no effect.
    let cancels = trial.random.bits() & 1;
    trial.put("cancel_i", cancels);
    trial.clock()?;
    trial.put("cancel_i", false);
    Ok(cycle)
}

/// Sends a request.
fn offer(trial: &mut Trial, query: &Query) -> Result<(), Failure> {
    let mut weights = Bits::default();
    for weight in query.weights {
        weights.push(weight as u64, 8);
    }
    trial.put("weights_i", weights);
    trial.put("req_i", request(query));
    trial.put("req_valid_i", true);
    trial.settle()?;
    trial.expect("req_ready_o", 1)?;
    trial.clock()?;
    trial.put("req_valid_i", false);
    trial.garbage("req_i");
    Ok(())
}

fn reset(trial: &mut Trial) -> Result<(), Failure> {
    trial.put("cancel_i", false);
    trial.reset()?;
    trial.settle()?;
    trial.expect("req_ready_o", 1)?;
    trial.expect("rsp_valid_o", 0)?;
    trial.expect("depth_done_o", 0)
}

/// The `request_t` of connect4_pkg, whose columns have an empty row on top.
fn request(query: &Query) -> Bits {
    let mut bits = Bits::default();
    bits.push(query.traced.into(), 1);
    bits.push(query.depth.into(), 6);
    for owner in OWNERS.into_iter().rev() {
        for column in query.board.bytes(owner) {
            bits.push(column.into(), 7);
        }
    }
    bits
}

/// The result without cycles, which depend on the stalls of a trace.
fn without_cycles(progress: Progress) -> Progress {
    Progress {
        cycles: 0,
        ..progress
    }
}

/// The output as `progress_t` of connect4_pkg.
fn progress(trial: &Trial) -> Progress {
    let bits = trial.bits("progress_o");
    let [depth, column, value, nodes, cycles] = bits.members([6, 3, 16, 64, 64]);
    Progress {
        depth: depth as u32,
        column: column as usize,
        value: (value as i16).into(),
        nodes,
        cycles,
    }
}

/// A candidate from `candidate_t` of connect4_pkg.
fn candidate(bits: &Bits) -> Candidate {
    let [column, legal, value, nodes] = bits.members([3, 1, 16, 64]);
    Candidate {
        column: column as usize,
        legal: legal == 1,
        value: (value as i16).into(),
        nodes,
    }
}
