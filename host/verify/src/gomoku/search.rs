//! `gomoku_search`: searches and traces of aimed and random positions of both profiles, with
//! cancels and resets; one search whose counts need more than 12 bits.

use std::collections::VecDeque;

use lockstep_games::gomoku::{Board, Candidate};
use protocol::layout::gomoku::{MAX_DEPTH, Weights};
use sim::Bits;

use super::model::{Model, Progress};
use super::{
    POINTS, SHAPES, SIDES, alone, any_board, any_depth, any_weights, blocked, cluttered, dead,
    force, over, put, put_shape, shaped, sparse, star,
};
use crate::random::Pace;
use crate::search::{End, any_end};
use crate::stream::Sink;
use crate::{Failure, Random, Trial};

/// Minimum number of clock cycles of the random searches.
const CYCLES: u64 = 90_000;
/// Clock cycles in which the core empties its board.
const CLEAR: u64 = 64;
/// Maximum number of clock cycles of the long search until it has more than 4,095 nodes.
const LONG: u64 = 60_000;

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let mut nodes = Sink::new("node_valid_o", "node_ready_i", &["node_o"]);
    let query = deepest(&mut trial.random);
    let model = Model::of(&query.weights, &query.board, query.depth);
    search(trial, &mut nodes, &query, &model, End::Completed)?;
    shapes(trial, &mut nodes)?;
    cancels(trial, &mut nodes)?;
    deep(trial, &mut nodes)?;
    let enough = trial.cycles() + CYCLES;
    for number in 0.. {
        if trial.cycles() >= enough {
            break;
        }
        let mut query = any_query(&mut trial.random, number);
        while number % 8 == 1 && !extends(&query) {
            query = any_query(&mut trial.random, number);
        }
        let model = Model::of(&query.weights, &query.board, query.depth);
        // Those that aim at something are completed.
        let end = match number % 8 {
            0..3 | 5 | 6 => End::Completed,
            7 if query.held.is_some() => End::Completed,
            7 => End::Cancelled(trial.random.between(1, 2 * model.answer().cycles)),
            _ => any_end(&mut trial.random),
        };
        let cycles = search(trial, &mut nodes, &query, &model, end)?;
        if end == End::Completed && !query.traced {
            // The same search, cancelled in its last cycle or next to it.
            let before = trial.random.choice(&[0, 1, 1, 2, 3]);
            let end = End::Cancelled(cycles - before);
            search(trial, &mut nodes, &query, &model, end)?;
        }
    }
    long(trial)
}

struct Query {
    weights: Weights,
    board: Board,
    depth: u8,
    traced: bool,
    /// Number of the traced node that the bench does not take; it cancels the search instead.
    held: Option<usize>,
}

/// Each shape alone, in both directions of a line: a trace of all its points.
fn shapes(trial: &mut Trial, sink: &mut Sink) -> Result<(), Failure> {
    for (shape, is_reversed) in SHAPES
        .iter()
        .flat_map(|shape| [(shape, false), (shape, true)])
    {
        let random = &mut trial.random;
        let weights = any_weights(random, true);
        let mut board = Board::default();
        put_shape(random, &mut board, shape, 0, is_reversed);
        let query = Query {
            weights: Weights {
                width: 0,
                ..weights
            },
            board,
            depth: 1,
            traced: true,
            held: None,
        };
        let model = Model::of(&query.weights, &query.board, query.depth);
        search(trial, sink, &query, &model, End::Completed)?;
    }
    Ok(())
}

/// Searches in which the best value of the root ends nodes two plies below a child.
fn deep(trial: &mut Trial, sink: &mut Sink) -> Result<(), Failure> {
    for _ in 0..12 {
        let width = |random: &mut Random| random.choice(&[2, 3]);
        let (query, model) = sparse_query(&mut trial.random, width, 4, |model| {
            model.answer().nodes > 20
        });
        search(trial, sink, &query, &model, End::Completed)?;
    }
    Ok(())
}

/// A short search, cancelled in each of its cycles.
fn cancels(trial: &mut Trial, sink: &mut Sink) -> Result<(), Failure> {
    let (query, model) = sparse_query(
        &mut trial.random,
        |_| 1,
        2,
        |model| model.nodes.iter().any(|node| node.ply == 2),
    );
    for cycle in 1..=model.answer().cycles {
        search(trial, sink, &query, &model, End::Cancelled(cycle))?;
    }
    Ok(())
}

/// A search of a sparse board whose model is as wanted.
fn sparse_query(
    random: &mut Random,
    width: impl Fn(&mut Random) -> u8,
    depth: u8,
    is_wanted: impl Fn(&Model) -> bool,
) -> (Query, Model) {
    loop {
        let query = Query {
            weights: Weights {
                width: width(random),
                extend: 0,
                ..any_weights(random, true)
            },
            board: sparse(random),
            depth,
            traced: false,
            held: None,
        };
        let model = Model::of(&query.weights, &query.board, query.depth);
        if is_wanted(&model) {
            return (query, model);
        }
    }
}

/// A random search; its number determines the kind.
fn any_query(random: &mut Random, number: u64) -> Query {
    let (round, kind) = (number / 8, number % 8);
    let is_lines = kind < 4 || kind > 4 && random.chance(if kind == 5 { 50 } else { 80 });
    let mut weights = any_weights(random, is_lines);
    let board = match kind {
        0 => alone(random, round),
        1 => blocked(random),
        2 => cluttered(random),
        4 if round.is_multiple_of(2) => alone(random, 1),
        3 | 4 => shaped(random),
        5 => dead(random),
        6 if round.is_multiple_of(2) => over(random),
        6 => star(random),
        _ => any_board(random),
    };
    match kind {
        1 => {
            weights.width = 5;
            weights.extend = (!round.is_multiple_of(3)).into();
            weights.defend[6] = -1;
        }
        2 => {
            weights.width = random.between(3, 5) as u8;
            if round.is_multiple_of(2) {
                weights.key = [31; 7];
            }
        }
        3 => force(&mut weights),
        6 => weights.width = 0,
        _ => {}
    }
    let traced = random.chance([30, 60, 30, 50, 50, 30, 80, 80][kind as usize]);
    Query {
        depth: any_depth(random, &weights, &board),
        weights,
        board,
        traced,
        held: (kind == 7 && traced && random.chance(50)).then(|| random.index(8)),
    }
}

/// Whether a search has other nodes when leaves are extended.
fn extends(query: &Query) -> bool {
    let nodes = |extend: u8| {
        let mut weights = query.weights;
        weights.extend = extend;
        Model::of(&weights, &query.board, query.depth).nodes
    };
    nodes(1) != nodes(0)
}

/// A search whose last ply, the deepest that there is, leaves a five to block.
fn deepest(random: &mut Random) -> Query {
    loop {
        let mut weights = any_weights(random, true);
        force(&mut weights);
        // Fours, but not first: otherwise few searches get that deep.
        weights.key = [10, 5, 20, 1, 31, 1, 1];
        let query = Query {
            weights,
            board: sparse(random),
            depth: MAX_DEPTH,
            traced: false,
            held: None,
        };
        let mut board = query.board;
        let nodes = Model::of(&weights, &board, query.depth).nodes;
        if nodes.first().is_none_or(|node| node.ply < MAX_DEPTH) {
            continue;
        }
        // Each node has one child.
        for node in &nodes {
            let point = usize::from(15 * node.y + node.x);
            board.put(point, SIDES[usize::from(node.ply + 1) % 2]);
        }
        let side = SIDES[usize::from(MAX_DEPTH + 1) % 2];
        let wins = |point| {
            let mut board = board;
            board.put(point, side) && board.makes_five(point)
        };
        if board.empty_points().any(wins) {
            return query;
        }
    }
}

/// A search of more than 4,095 nodes, of which the counts are compared.
fn long(trial: &mut Trial) -> Result<(), Failure> {
    let mut board = Board::default();
    for _ in 0..20 {
        put(&mut board, trial.random.index(POINTS), SIDES[1]);
    }
    let query = Query {
        weights: any_weights(&mut trial.random, false),
        board,
        depth: 4,
        traced: false,
        held: None,
    };
    begin(trial, &query)?;
    let mut last = Progress::NONE;
    for cycle in 0..LONG {
        trial.expect("rsp_valid_o", 0)?;
        last = counted(trial, &last, cycle)?;
        if last.nodes > 4_095 && cycle > 4_095 {
            return Ok(());
        }
        trial.clock()?;
    }
    trial.differs(format!("{} nodes after {LONG} cycles", last.nodes))
}

/// The progress, after a check: cycles as expected, and at most one node more than before.
fn counted(trial: &Trial, before: &Progress, cycles: u64) -> Result<Progress, Failure> {
    let now = progress(trial);
    trial.same("cycles", &now.cycles, &cycles)?;
    let one_more = now.nodes == before.nodes || now.nodes == before.nodes + 1;
    trial.holds("the nodes are those before or one more", one_more)?;
    Ok(now)
}

/// Runs a search and compares it until its answer is taken; returns its cycles.
fn search(
    trial: &mut Trial,
    sink: &mut Sink,
    query: &Query,
    model: &Model,
    mut end: End,
) -> Result<u64, Failure> {
    let answer = model.answer();
    let mut nodes: VecDeque<&Candidate> = match query.traced {
        true => model.nodes.iter().collect(),
        false => VecDeque::new(),
    };
    let (mut now, mut reached, mut waited) = (Progress::NONE, 0, 0);
    begin(trial, query)?;
    let began = trial.cycles();
    let cycles = loop {
        let cycle = trial.cycles() - began;
        if end == End::Reset(cycle) {
            trial.put("cancel_i", false);
            trial.reset()?;
            return Ok(cycle);
        }
        trial.put("cancel_i", end == End::Cancelled(cycle));
        sink.drive(trial);
        let is_held = query.held == Some(model.nodes.len() - nodes.len());
        if is_held {
            sink.refuse(trial);
        }
        trial.settle()?;
        trial.expect("req_ready_o", 0)?;
        now = counted(trial, &now, cycle)?;
        // The results come in their order.
        if !model.results[reached].is_result(&now) {
            reached += 1;
            let of = |result: &Progress| (result.point, result.value);
            let next = model.results.get(reached).map(of);
            trial.same("the next result", &Some(of(&now)), &next)?;
        }
        if trial.is("rsp_valid_o") {
            break cycle;
        }
        if let Some(offered) = sink.offered_bits(trial) {
            let offered = node(&offered);
            trial.same("the node", &Some(&offered), &nodes.front().copied())?;
            waited += 1;
            if is_held && end == End::Completed {
                end = End::Cancelled(cycle + 1);
            }
            if sink.takes(trial) {
                nodes.pop_front();
            }
        }
        // Each leaf of a trace takes 13 cycles instead of 2 at least.
        let most = if query.traced {
            8 * answer.cycles
        } else {
            answer.cycles
        };
        trial.never("the search takes too long", cycle - waited > most)?;
        let wrong = matches!(end, End::Cancelled(at) if cycle > at + 1);
        trial.never("the search continues after a cancel", wrong)?;
        trial.clock()?;
    };
    let is_cancelled = trial.is("cancelled_o");
    if query.traced {
        let may = end == End::Cancelled(cycles.wrapping_sub(2));
        trial.holds("cancelled two cycles ago", may || !is_cancelled)?;
    } else {
        // It was complete in the cycle of a cancel, or is cut.
        let cut = matches!(end, End::Cancelled(at) if at + 2 <= answer.cycles);
        trial.same("cancelled_o", &is_cancelled, &cut)?;
    }
    if is_cancelled {
        trial.never("more nodes than it has", now.nodes > answer.nodes)?;
    } else {
        trial.same("nodes left", &nodes.len(), &0)?;
        let expected = match query.traced {
            true => Progress { cycles, ..answer },
            false => answer,
        };
        trial.same("the answer", &now, &expected)?;
        trial.never("faster than without a trace", cycles < answer.cycles)?;
    }
    // The answer stays until it is taken, whatever is cancelled meanwhile.
    let mut waits = Pace::default();
    while !waits.go(&mut trial.random) {
        let cancels = trial.random.chance(50);
        trial.put("cancel_i", cancels);
        trial.clock()?;
        trial.expect("rsp_valid_o", 1)?;
        trial.expect("cancelled_o", is_cancelled)?;
        trial.same("the answer", &progress(trial), &now)?;
    }
    trial.put("rsp_ready_i", true);
    trial.clock()?;
    trial.put("rsp_ready_i", false);
    trial.garbage("weights_i");
    Ok(cycles)
}

/// Offers a request after a reset or an answer, at once or when the core is ready, until it is
/// taken.
fn begin(trial: &mut Trial, query: &Query) -> Result<(), Failure> {
    let early = trial.random.chance(50);
    for cycle in 0.. {
        let is_ready = trial.is("req_ready_o");
        if early || is_ready {
            trial.put("weights_i", weight_bits(&query.weights));
            trial.put("req_i", request(query));
            trial.put("req_valid_i", true);
        }
        // A cancel before a search has no effect.
        let cancels = !is_ready && trial.random.chance(10);
        trial.put("cancel_i", cancels);
        trial.expect("rsp_valid_o", 0)?;
        trial.clock()?;
        if is_ready {
            // After a reset it may take one cycle more.
            let cleared = cycle == CLEAR || cycle == CLEAR + 1;
            trial.holds("it is ready when its board is empty", cleared)?;
            break;
        }
        trial.never("it empties its board for too long", cycle > CLEAR)?;
    }
    trial.put("req_valid_i", false);
    trial.garbage("req_i");
    Ok(())
}

/// The `weights_t` of gomoku_pkg; only `lines` reads the fields above the profile.
fn weight_bits(weights: &Weights) -> Bits {
    let mut bits = Bits::default();
    bits.push(weights.profile.into(), 1);
    bits.push(weights.width.into(), 8);
    bits.push(weights.extend.into(), 1);
    for weight in weights.attack.into_iter().chain(weights.defend) {
        bits.push(weight as u64, 16);
    }
    for key in weights.key {
        bits.push(key.into(), 5);
    }
    bits
}

/// The `request_t` of gomoku_pkg.
fn request(query: &Query) -> Bits {
    let mut bits = Bits::default();
    bits.push(query.traced.into(), 1);
    bits.push(query.depth.into(), 5);
    for side in SIDES.into_iter().rev() {
        for row in query.board.rows(side) {
            bits.push(row.into(), 15);
        }
    }
    bits
}

/// The output as `progress_t` of gomoku_pkg.
fn progress(trial: &Trial) -> Progress {
    let bits = trial.bits("progress_o");
    let [point, value, nodes, cycles] = bits.members([8, 28, 64, 64]);
    Progress {
        point: point as u8,
        value: signed(value),
        nodes,
        cycles,
    }
}

/// A node from `node_t` of gomoku_pkg.
fn node(bits: &Bits) -> Candidate {
    let [ply, point, value] = bits.members([5, 8, 28]);
    Candidate::new(ply as u8, point as u8, signed(value))
}

/// A `value_t` of gomoku_pkg.
const fn signed(value: u64) -> i32 {
    (value as i32) << 4 >> 4
}
