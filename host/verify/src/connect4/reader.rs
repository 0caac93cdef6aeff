//! `connect4_reader`: requests of every kind, also while one is served; streams with and without
//! room for parts, cancels and resets.

use std::collections::VecDeque;

use lockstep_games::connect4::Board;
use protocol::layout::connect4::{
    self as wire, BAD_BOARD, BAD_DEPTH, COLUMNS, Candidate, Found, GAME_OVER, Progress, Search,
    WEIGHTS_UNSET, Weights,
};
use protocol::layout::{ErrorCode, Message, PART, REPLY, link::ERROR};

use super::link::{Behaviour, Link, Reply};
use super::model;
use super::{CELLS, OWNERS, any_position, any_weights, played, search_of};
use crate::core::requests::Request;
use crate::{Failure, Random, Trial};

/// Most cycles between two parts of a search, a parameter of the module.
const INTERVAL: u64 = 300;
/// Cycles of sending a part without stalls.
const SENDING: u64 = 30;
/// Least clock cycles of a run.
const CYCLES: u64 = 80_000;

/// A request without its complete reply.
struct Pending {
    request: Request,
    expected: Expected,
    parts: Vec<Reply>,
    /// Whether it was cancelled.
    cancelled: bool,
    /// The link's behaviour, if it has not changed since the request.
    behaviour: Option<Behaviour>,
}

/// The expected reply.
enum Expected {
    Reply(Vec<u8>),
    Refusal(ErrorCode),
    Search(Vec<model::Progress>),
    Trace(Vec<model::Candidate>, model::Progress),
}

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let mut link = Link::new();
    let mut weights: Option<[u8; CELLS]> = None;
    let mut pending: VecDeque<Pending> = VecDeque::new();
    let mut silent = 0_u64;
    // First a search with many parts, undisturbed, with a link that takes everything.
    let mut first = VecDeque::from(long_search(&mut trial.random));
    let mut calm = first.len();
    while trial.cycles() < CYCLES || !pending.is_empty() {
        let more = trial.cycles() < CYCLES;
        let disturbs = more && calm == 0;
        if disturbs && trial.random.below(1_500) == 0 {
            let (ready, room) = trial.random.choice(&BEHAVIOURS);
            link.behaviour = Behaviour { ready, room };
            for entry in &mut pending {
                entry.behaviour = None;
            }
        }
        if more && pending.len() < 2 {
            let request = first.pop_front();
            let request = request.unwrap_or_else(|| any_request(&mut trial.random));
            let expected = expect(&request, &mut weights);
            link.ask(request.clone());
            pending.push_back(Pending {
                request,
                expected,
                parts: Vec::new(),
                cancelled: link.cancel,
                behaviour: Some(link.behaviour),
            });
        }
        if disturbs && trial.random.below(4_000) == 0 {
            link.reset(trial)?;
            (weights, silent) = (None, 0);
            pending.clear();
            continue;
        }
        // A cancel stays until all earlier requests are answered.
        if calm == 0 && !link.cancel && trial.random.below(1_500) == 0 {
            link.cancel = true;
            pending.iter_mut().for_each(|entry| entry.cancelled = true);
        }
        link.cancel &= pending.iter().any(|entry| entry.cancelled);

        let Some(reply) = link.cycle(trial, true)? else {
            silent += 1;
            let hangs = silent > 40_000;
            trial.same("it hangs", &hangs, &false)?;
            continue;
        };
        silent = 0;
        let Some(entry) = pending.front_mut() else {
            return trial.differs(format!("{reply:x?} to no request"));
        };
        if reply.part {
            entry.parts.push(reply);
        } else if let Some(entry) = pending.pop_front() {
            check(trial, &entry, &reply)?;
            calm = calm.saturating_sub(1);
        }
    }
    Ok(())
}

/// Behaviours of the link: whether it takes everything at once, and whether it has room for parts.
const BEHAVIOURS: [(bool, Option<bool>); 5] = [
    (true, Some(true)),
    (true, Some(true)),
    (true, Some(false)),
    (false, Some(false)),
    (false, None),
];

const KINDS: [Message; 7] = [
    wire::SET_WEIGHTS,
    wire::GET_WEIGHTS,
    wire::SEARCH,
    wire::SEARCH,
    wire::SEARCH,
    wire::TRACE,
    wire::TRACE,
];

fn any_request(random: &mut Random) -> Request {
    let kind = random.choice(&KINDS);
    let payload = match kind.id {
        id if id == wire::SET_WEIGHTS.id => any_weights(random).map(|w| w as u8).to_vec(),
        id if id == wire::SEARCH.id || id == wire::TRACE.id => {
            any_search(random).encode().as_ref().to_vec()
        }
        _ => Vec::new(),
    };
    Request::new(kind, payload)
}

/// A request that sets weights, and a search of many intervals.
fn long_search(random: &mut Random) -> [Request; 2] {
    let weights = any_weights(random).map(|w| w as u8);
    let search = search_of(&played(random, 8), 5);
    [
        (wire::SET_WEIGHTS, weights.to_vec()),
        (wire::SEARCH, search.encode().as_ref().to_vec()),
    ]
    .map(|(message, payload)| Request::new(message, payload))
}

/// A random search; sometimes the position is invalid or the game over, or the depth invalid.
fn any_search(random: &mut Random) -> Search {
    let board = any_position(random);
    let mut search = search_of(&board, random.between(1, 4) as u8);
    if random.chance(10) {
        search.depth = random.choice(&[0, 42, 43, 64, 128, 255]);
        if search.depth == 42 {
            // As deep as the board allows.
            search.own = [21, 42, 21, 21, 42, 21, 0];
            search.opponent = [42, 21, 42, 42, 21, 42, 0];
        }
    }
    if random.chance(10) {
        // A line of four on an empty board, or a full board.
        (search.own, search.opponent) = ([0; COLUMNS], [0; COLUMNS]);
        let column = random.below(4) as usize;
        match random.below(3) {
            0 => search.own[column..column + 4].fill(1),
            1 => search.opponent[column] = 15,
            _ => {
                search.own = [21, 42, 21, 21, 42, 21, 21];
                search.opponent = search.own.map(|column| 63 - column);
            }
        }
    }
    if random.chance(10) {
        let column = random.below(COLUMNS as u64) as usize;
        let byte = 1 << random.below(8);
        match random.below(3) {
            0 => search.own[column] ^= byte,
            1 => search.opponent[column] ^= byte,
            // Stones up to above the top row.
            _ => (search.own[column], search.opponent[column]) = (0x55, 0x2a),
        }
    }
    search
}

/// The expected reply by `docs/wire.md`, with the weights that earlier requests have set.
fn expect(request: &Request, weights: &mut Option<[u8; CELLS]>) -> Expected {
    let kind = |message: Message| request.kind == message.id;
    if kind(wire::SET_WEIGHTS) {
        *weights = Weights::decode(&request.payload).ok().map(|w| w.weights);
        return Expected::Reply(Vec::new());
    }
    if kind(wire::GET_WEIGHTS) {
        return match weights {
            Some(weights) => Expected::Reply(weights.to_vec()),
            None => Expected::Refusal(WEIGHTS_UNSET),
        };
    }
    let search = Search::decode(&request.payload).ok();
    let Some((search, board)) = search.and_then(|s| Some((s, board(&s)?))) else {
        return Expected::Refusal(BAD_BOARD);
    };
    if board.is_over() {
        return Expected::Refusal(GAME_OVER);
    }
    if search.depth == 0 || usize::from(search.depth) > CELLS {
        return Expected::Refusal(BAD_DEPTH);
    }
    let Some(weights) = weights else {
        return Expected::Refusal(WEIGHTS_UNSET);
    };
    let weights = weights.map(|w| w as i8);
    if kind(wire::TRACE) {
        let (candidates, result) = model::trace(&board, &weights, search.depth.into());
        return Expected::Trace(candidates, result);
    }
    Expected::Search(model::search(&board, &weights, search.depth.into()))
}

/// The board of a request, if it is valid.
fn board(search: &Search) -> Option<Board> {
    let mut board = Board::default();
    for column in 0..COLUMNS {
        let sides = [search.own[column], search.opponent[column]];
        for row in 0..8 {
            let owner = match sides.map(|bits| bits >> row & 1) {
                [0, 0] => continue,
                [1, 0] => OWNERS[0],
                [0, 1] => OWNERS[1],
                _ => return None,
            };
            // No empty cell is below, and no stone above the top row.
            if board.drop(column, owner) != Some(row) {
                return None;
            }
        }
    }
    Some(board)
}

/// Checks the reply and the parts of a request.
fn check(trial: &Trial, entry: &Pending, reply: &Reply) -> Result<(), Failure> {
    let message = entry.request.kind;
    let numbers = entry.parts.iter().map(|part| part.message);
    let wrong = numbers.clone().find(|id| *id != message | REPLY | PART);
    trial.same("a part's number", &wrong, &None)?;
    let refused = |code: u8| vec![code, message];
    let (kind, payload) = match &entry.expected {
        Expected::Reply(payload) => (message | REPLY, payload.clone()),
        Expected::Refusal(code) => (ERROR.id, refused(code.number)),
        Expected::Search(_) | Expected::Trace(..) => (message | REPLY, reply.payload.clone()),
    };
    let got = (reply.message, &reply.payload);
    trial.same("the reply", &got, &(kind, &payload))?;
    match &entry.expected {
        Expected::Search(depths) => searched(trial, entry, depths, reply),
        Expected::Trace(candidates, result) => traced(trial, entry, candidates, result, reply),
        _ => trial.same("parts of no stream", &numbers.count(), &0),
    }
}

fn decoded<T, E: std::fmt::Debug>(trial: &Trial, read: Result<T, E>) -> Result<T, Failure> {
    read.map_err(|e| Failure::Differs {
        cycle: trial.cycles(),
        what: format!("{e:?}"),
    })
}

/// Checks the number of parts in the end of a stream, and whether it may be cancelled.
fn end(trial: &Trial, entry: &Pending, reply: &Reply) -> Result<Found, Failure> {
    let found = decoded(trial, Found::decode(&reply.payload))?;
    trial.same("parts", &found.parts.into(), &entry.parts.len())?;
    let allowed = found.cancelled == 0 || (found.cancelled == 1 && entry.cancelled);
    trial.same("cancelled without a cancel", &allowed, &true)?;
    Ok(found)
}

fn searched(
    trial: &Trial,
    entry: &Pending,
    depths: &[model::Progress],
    reply: &Reply,
) -> Result<(), Failure> {
    let found = end(trial, entry, reply)?;
    let none = model::Progress::default();
    // The result after a depth.
    let known = |depth: u8| match depth {
        0 => Some((&none, 0xff)),
        _ => depths
            .get(usize::from(depth) - 1)
            .map(|d| (d, d.column as u8)),
    };
    let mut parts = Vec::new();
    for (part, number) in entry.parts.iter().zip(0..) {
        let part = decoded(trial, Progress::decode(&part.payload))?;
        trial.same("a part's number", &part.part, &number)?;
        parts.push(part);
    }
    let first = Progress {
        column: 0xff,
        ..Progress::default()
    };
    trial.same("the first part", &parts.first(), &Some(&first))?;
    let last = Progress {
        part: found.parts,
        depth: found.depth,
        column: found.column,
        value: found.value,
        nodes: found.nodes,
        cycles: found.cycles,
    };
    for part in parts.iter().chain([&last]) {
        let Some((depth, column)) = known(part.depth) else {
            return trial.differs(format!("{part:?} is of no depth"));
        };
        let result = (part.column, i32::from(part.value));
        trial.same("column and value", &result, &(column, depth.value))?;
        // Until the next depth is complete.
        let next = depths.get(usize::from(part.depth)).unwrap_or(depth);
        let nodes = depth.nodes <= part.nodes && part.nodes <= next.nodes;
        let cycles = depth.cycles <= part.cycles && part.cycles <= next.cycles;
        trial.same("nodes between depths", &nodes, &true)?;
        trial.same("cycles between depths", &cycles, &true)?;
    }
    let complete = depths
        .last()
        .is_some_and(|d| d.depth == u32::from(found.depth));
    trial.same(
        "it is complete or cancelled",
        &complete,
        &(found.cancelled == 0),
    )?;
    let complete = |p: &Progress| depths.iter().any(|d| d.cycles == p.cycles);
    for (part, next) in parts.iter().zip(parts.iter().skip(1)) {
        let close = next.cycles - part.cycles < INTERVAL && !complete(next);
        trial.same("parts close together", &close, &false)?;
    }
    let Some(behaviour) = entry.behaviour else {
        return Ok(());
    };
    if behaviour.room == Some(false) {
        return trial.same("parts without room", &parts.len(), &1);
    }
    if !behaviour.ready || behaviour.room.is_none() {
        return Ok(());
    }
    let ends = parts.iter().skip(1).chain([&last]);
    for (part, next) in parts.iter().zip(ends) {
        let apart = next.cycles - part.cycles > INTERVAL;
        trial.same("parts far apart", &apart, &false)?;
    }
    for depth in depths.iter().filter(|d| d.depth <= found.depth.into()) {
        let reported = parts.iter().any(|p| p.cycles == depth.cycles);
        let busy = |p: &Progress| depth.cycles > p.cycles && depth.cycles - p.cycles <= SENDING;
        let dropped = parts.iter().any(busy);
        trial.same("a depth without a part", &(reported || dropped), &true)?;
    }
    Ok(())
}

fn traced(
    trial: &Trial,
    entry: &Pending,
    candidates: &[model::Candidate],
    result: &model::Progress,
    reply: &Reply,
) -> Result<(), Failure> {
    let found = end(trial, entry, reply)?;
    for ((part, candidate), number) in entry.parts.iter().zip(candidates).zip(0..) {
        let part = decoded(trial, Candidate::decode(&part.payload))?;
        let expected = Candidate {
            part: number,
            column: candidate.column as u8,
            legal: candidate.legal.into(),
            value: candidate.value as i16,
            nodes: candidate.nodes,
        };
        trial.same("the candidate", &part, &expected)?;
    }
    let cut = Found {
        parts: found.parts,
        cancelled: 1,
        ..Found::default()
    };
    let whole = Found {
        parts: COLUMNS as u16,
        cancelled: 0,
        column: result.column as u8,
        value: result.value as i16,
        depth: result.depth as u8,
        nodes: result.nodes,
        cycles: found.cycles,
    };
    let expected = if found.cancelled == 1 { cut } else { whole };
    trial.same("the end", &found, &expected)?;
    let cycles = found.cancelled == 1 || found.cycles >= 4 * found.nodes;
    trial.same("the cycles of a trace", &cycles, &true)
}
