//! `connect4_reader`, as [`reader`](crate::search::reader) drives it.

use lockstep_games::connect4::{Board, Connect4};
use protocol::layout::ErrorCode;
use protocol::layout::connect4::{
    BAD_BOARD, BAD_DEPTH, COLUMNS, Candidate, Found, GAME_OVER, Progress, Search, WEIGHTS_UNSET,
    Weights,
};

use super::model;
use super::{CELLS, OWNERS, any_position, any_weights, played, search_of};
use crate::search::reader::{self, Reader, decoded};
use crate::{Failure, Random, Trial};

/// Cycles of sending a part without stalls.
const SENDING: u64 = 30;

/// The expected stream of a search or trace.
pub enum Stream {
    Search(Vec<model::Progress>),
    Trace(Vec<model::Candidate>, model::Progress),
}

type Pending = reader::Pending<Stream>;

impl Reader for Connect4 {
    type Stream = Stream;

    fn first(random: &mut Random) -> [Vec<u8>; 2] {
        let weights = Self::any_weights(random);
        let search = search_of(&played(random, 8), 5).encode();
        [weights, search.as_ref().to_vec()]
    }

    fn any_weights(random: &mut Random) -> Vec<u8> {
        any_weights(random).map(|w| w as u8).to_vec()
    }

    fn any_search(random: &mut Random, _: Option<&[u8]>) -> Vec<u8> {
        any_search(random).encode().as_ref().to_vec()
    }

    fn stream(search: &[u8], traced: bool, weights: Option<&[u8]>) -> Result<Stream, ErrorCode> {
        let search = Search::decode(search).ok();
        let (search, board) = search
            .and_then(|s| Some((s, board(&s)?)))
            .ok_or(BAD_BOARD)?;
        if board.is_over() {
            return Err(GAME_OVER);
        }
        if search.depth == 0 || usize::from(search.depth) > CELLS {
            return Err(BAD_DEPTH);
        }
        let weights = weights.and_then(|weights| Weights::decode(weights).ok());
        let weights = weights.ok_or(WEIGHTS_UNSET)?.weights.map(|w| w as i8);
        let depth = search.depth.into();
        if traced {
            let (candidates, result) = model::trace(&board, &weights, depth);
            return Ok(Stream::Trace(candidates, result));
        }
        Ok(Stream::Search(model::search(&board, &weights, depth)))
    }

    fn check(trial: &Trial, entry: &Pending, stream: &Stream, end: &[u8]) -> Result<(), Failure> {
        let found = decoded(trial, Found::decode(end))?;
        entry.ends(trial, found.parts, found.cancelled)?;
        match stream {
            Stream::Search(depths) => searched(trial, entry, depths, &found),
            Stream::Trace(candidates, result) => traced(trial, entry, candidates, result, &found),
        }
    }
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
        let column = random.index(COLUMNS);
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

fn searched(
    trial: &Trial,
    entry: &Pending,
    depths: &[model::Progress],
    found: &Found,
) -> Result<(), Failure> {
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
        trial.holds("nodes between depths", nodes)?;
        trial.holds("cycles between depths", cycles)?;
    }
    let complete = depths
        .last()
        .is_some_and(|d| d.depth == u32::from(found.depth));
    trial.same(
        "it is complete or cancelled",
        &complete,
        &(found.cancelled == 0),
    )?;
    let complete = |cycles| depths.iter().any(|depth| depth.cycles == cycles);
    let cycles: Vec<u64> = parts.iter().map(|part| part.cycles).collect();
    if !entry.paced(trial, &cycles, found.cycles, complete)? {
        return Ok(());
    }
    for depth in depths.iter().filter(|d| d.depth <= found.depth.into()) {
        let reported = parts.iter().any(|p| p.cycles == depth.cycles);
        let busy = |p: &Progress| depth.cycles > p.cycles && depth.cycles - p.cycles <= SENDING;
        let dropped = parts.iter().any(busy);
        trial.never("a depth without a part", !reported && !dropped)?;
    }
    Ok(())
}

fn traced(
    trial: &Trial,
    entry: &Pending,
    candidates: &[model::Candidate],
    result: &model::Progress,
    found: &Found,
) -> Result<(), Failure> {
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
    trial.same("the end", found, &expected)?;
    let cycles = found.cancelled == 1 || found.cycles >= 4 * found.nodes;
    trial.holds("the cycles of a trace", cycles)
}
