//! `tetris_ai` and `tetris_lanes_ai`: decisions with their clock cycles, traces, and resets in both.

use std::collections::VecDeque;

use lockstep_games::tetris::timing::Core;
use lockstep_games::tetris::{Linear, Piece, Position, Search, lookahead};
use sim::Bits;

use super::{
    any_position, any_weights, board_bits, every_placement, extremes, from_rows, lane_extremes,
    linear, nearly_full, position, tying_weights, weight_bits,
};
use crate::stream::Sink;
use crate::{Failure, Trial};

/// Timeout of a decision in clock cycles, also if its trace is taken slowly.
const TIMEOUT: u64 = 50_000;
/// Cycles for which the trace is stalled: more than two bytes can count.
const HELD_UP: u64 = 1 << 16;

/// Number of boards that are offered side by side.
const BOARDS: usize = 40;

/// A decision: legal, rotation, column, row, rows cleared, score.
type Decision = [u64; 6];

struct Ai<'a> {
    trial: &'a mut Trial,
    core: Core,
    traced: Sink,
    weights: [i32; 14],
}

/// The lookahead of a decision.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ahead {
    Nothing,
    Next,
    All,
}

/// Decides and traces several positions; then resets a decision and a trace in many of their
/// cycles.
pub fn run(trial: &mut Trial, core: Core) -> Result<(), Failure> {
    let mut ai = Ai {
        trial,
        core,
        traced: Sink::new("trace_valid_o", "trace_ready_i", &["trace_o"]),
        weights: [0; 14],
    };
    for _ in 0..40 {
        ai.set_any_weights();
        let position = ai.any_position();
        ai.decide(&position, Ahead::Nothing)?;
        let position = ai.any_position();
        ai.trace(&position, 0)?;
        if core.lanes > 0 {
            for ahead in [Ahead::Next, Ahead::All] {
                let position = ai.any_position();
                ai.decide_ahead(position, ahead)?;
            }
        }
    }
    ai.set_any_weights();
    let position = ai.any_position();
    ai.trace(&position, HELD_UP)?;
    for (position, weights) in extremes(&mut ai.trial.random) {
        ai.set_weights(weights);
        ai.decide(&position, Ahead::Nothing)?;
        ai.trace(&position, 0)?;
    }
    ai.set_any_weights();
    let dropped = ai.any_position();
    ai.reset_in_many_cycles(&dropped, 5)?;
    if core.lanes == 0 {
        return Ok(());
    }
    // A board is between two stages of a lane for one cycle only.
    let removing = nearly_full(&mut ai.trial.random, 4);
    ai.reset_in_many_cycles(&removing, 1)?;
    for position in lane_extremes(&mut ai.trial.random) {
        ai.set_any_weights();
        ai.decide(&position, Ahead::Nothing)?;
        ai.trace(&position, 0)?;
    }
    for _ in 0..20 {
        let weights = tying_weights(&mut ai.trial.random);
        ai.set_weights(weights);
        let low = ai.low_position(3);
        ai.decide_ahead(low, Ahead::Next)?;
    }
    for _ in 0..12 {
        ai.set_any_weights();
        ai.decide_side_by_side()?;
        let position = ai.any_position();
        ai.decide_ahead(position, Ahead::Next)?;
    }
    Ok(())
}

impl Ai<'_> {
    fn any_position(&mut self) -> Position {
        any_position(&mut self.trial.random)
    }

    /// A position with at most `height` rows, none of them full.
    fn low_position(&mut self, height: u64) -> Position {
        let random = &mut self.trial.random;
        let height = random.below(height + 1);
        let rows: Vec<_> = (0..height).map(|_| random.below(0x3ff)).collect();
        position(from_rows(&rows), random.choice(&Piece::ALL))
    }

    /// Resets decisions and traces, a decision in every `step`-th of its cycles.
    fn reset_in_many_cycles(&mut self, dropped: &Position, step: usize) -> Result<(), Failure> {
        let length = u64::from(self.core.cycles(dropped));
        let first = self.trial.random.below(step as u64);
        for cycles in (first..length + 2).step_by(step) {
            self.ask(dropped)?;
            self.trial.clocks(cycles)?;
            self.trial.reset()?;
            let position = self.any_position();
            self.decide(&position, Ahead::Nothing)?;
            self.reset_in_trace(dropped)?;
            let position = self.any_position();
            self.trace(&position, 0)?;
        }
        Ok(())
    }

    /// Offers boards side by side, with pauses or without, and checks the decisions in order.
    fn decide_side_by_side(&mut self) -> Result<(), Failure> {
        self.trial.put("side_by_side_i", true);
        self.trial.clocks(2)?;
        let pace = self.trial.random.choice(&[10, 100, 100]);
        let alternate = self.trial.random.chance(50);
        let (mut given, mut offered) = (0, None);
        let mut expected = VecDeque::new();
        let mut last = self.trial.cycles();
        while given < BOARDS || !expected.is_empty() {
            if offered.is_none() && given < BOARDS && self.trial.random.chance(pace) {
                // An O is in the lanes for so few cycles that the next board's scan overlaps.
                let position = match (alternate, given % 2) {
                    (true, 0) => Position {
                        piece: Piece::O,
                        ..nearly_full(&mut self.trial.random, 4)
                    },
                    (true, _) => self.low_position(8),
                    (false, _) => self.any_position(),
                };
                let trial = &mut *self.trial;
                trial.put("boards_i", board_bits(&position.board));
                trial.put("boards_piece_i", position.piece.number());
                offered = Some(position);
            }
            let trial = &mut *self.trial;
            trial.put("boards_valid_i", offered.is_some());
            // Without a request they have no effect.
            trial.garbage("ahead_i");
            trial.garbage("all_i");
            trial.settle()?;
            if trial.is("best_valid_o") {
                let (got, _) = answer(trial, "best_o");
                trial.same("the decision", &Some(got), &expected.pop_front())?;
                last = trial.cycles();
            }
            if trial.is("boards_ready_o")
                && let Some(position) = offered.take()
            {
                expected.push_back(self::expected(&position, &self.weights, Ahead::Nothing));
                given += 1;
            }
            let wrong = trial.cycles() - last > TIMEOUT;
            trial.never("boards side by side are not decided", wrong)?;
            trial.clock()?;
        }
        for port in ["boards_valid_i", "side_by_side_i", "ahead_i", "all_i"] {
            self.trial.put(port, false);
        }
        self.trial.clocks(2)
    }

    fn set_weights(&mut self, weights: [i32; 14]) {
        self.weights = weights;
        self.trial.put("weights_i", weight_bits(&weights));
    }

    fn set_any_weights(&mut self) {
        let weights = any_weights(&mut self.trial.random);
        self.set_weights(weights);
    }

    /// Sends a position; its last clock cycle is the one in which it is accepted.
    fn ask(&mut self, position: &Position) -> Result<(), Failure> {
        let trial = &mut *self.trial;
        trial.put("req_valid_i", true);
        trial.put("req_board_i", board_bits(&position.board));
        trial.put("req_piece_i", position.piece.number());
        trial.put("rsp_ready_i", false);
        trial.settle()?;
        trial.expect("req_ready_o", true)?;
        trial.clock()?;
        trial.put("req_valid_i", false);
        let other = any_position(&mut trial.random).board;
        trial.put("req_board_i", board_bits(&other));
        Ok(())
    }

    /// Begins a trace and resets it.
    fn reset_in_trace(&mut self, position: &Position) -> Result<(), Failure> {
        self.trial.put("trace_i", true);
        self.ask(position)?;
        for _ in 0..self.trial.random.below(200) {
            self.traced.drive(self.trial);
            self.trial.clock()?;
        }
        self.traced.refuse(self.trial);
        self.trial.reset()
    }

    fn decide_ahead(&mut self, position: Position, ahead: Ahead) -> Result<(), Failure> {
        let next = self.trial.random.choice(&Piece::ALL);
        let position = Position {
            next: (ahead == Ahead::Next).then_some(next),
            ..position
        };
        self.trial.put("ahead_i", true);
        self.trial.put("all_i", ahead == Ahead::All);
        self.trial.put("next_i", next.number());
        self.decide(&position, ahead)?;
        self.trial.put("ahead_i", false);
        Ok(())
    }

    fn decide(&mut self, position: &Position, ahead: Ahead) -> Result<(), Failure> {
        self.ask(position)?;
        let trial = &mut *self.trial;
        let start = trial.cycles();
        let expected_cycles = u64::from(match ahead {
            Ahead::Nothing => self.core.cycles(position),
            _ => self.core.cycles_ahead(position).unwrap_or(0),
        });
        let expected = expected(position, &self.weights, ahead);
        // The cycle that accepted it was the first one.
        while !trial.is("rsp_valid_o") && trial.cycles() - start < expected_cycles {
            trial.clock()?;
        }
        trial.expect("rsp_valid_o", true)?;
        let cycle = trial.cycles() - start + 1;
        trial.same("the answer's cycle", &cycle, &expected_cycles)?;
        let stalls = trial.random.below(4);
        trial.clocks(stalls)?;
        trial.expect("rsp_valid_o", true)?;
        let (got, cycles) = answer(trial, "rsp_o");
        trial.same("the decision", &got, &expected)?;
        trial.same("cycles", &cycles, &expected_cycles)?;
        trial.pulse("rsp_ready_i")?;
        trial.expect("rsp_valid_o", false)
    }

    /// Traces a position and takes its placements with stalls; the first stall is `held_up` cycles.
    fn trace(&mut self, position: &Position, held_up: u64) -> Result<(), Failure> {
        self.trial.put("trace_i", true);
        self.ask(position)?;
        let trial = &mut *self.trial;
        let start = trial.cycles();
        let mut placements = every_placement(position, &self.weights).into_iter();
        let mut held = None;
        loop {
            self.traced.drive(trial);
            if trial.cycles() - start < held_up {
                self.traced.refuse(trial);
            }
            trial.settle()?;
            if trial.is("rsp_valid_o") {
                break;
            }
            let offered = self.traced.offered_bits(trial);
            if held.is_some() {
                trial.same("the placement not taken", &offered, &held)?;
            }
            held = offered;
            if self.traced.takes(trial) {
                let item = held.take().unwrap_or_default();
                let expected = placements.next();
                let expected = expected.map(|(place, features, s)| (place, features, cut(s)));
                trial.same("the placement", &Some(fields(&item)), &expected)?;
            }
            let wrong = trial.cycles() - start > TIMEOUT + held_up;
            trial.never("a traced decision does not end", wrong)?;
            trial.clock()?;
        }
        trial.same("missing placements", &placements.next(), &None)?;
        let (got, cycles) = answer(trial, "rsp_o");
        let expected = expected(position, &self.weights, Ahead::Nothing);
        trial.same("the decision", &got, &expected)?;
        trial.same("cycles", &cycles, &(trial.cycles() - start + 1))?;
        trial.pulse("rsp_ready_i")?;
        trial.put("trace_i", false);
        Ok(())
    }
}

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

/// The decision at an output, and its cycles.
fn answer(trial: &Trial, output: &str) -> (Decision, u64) {
    let [legal, rotation, column, row, cleared, score, cycles] =
        trial.bits(output).members([1, 2, 4, 5, 5, 48, 32]);
    ([legal, rotation, column, row, cleared, score], cycles)
}

fn cut(score: i64) -> u64 {
    score as u64 & 0xffff_ffff_ffff
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
