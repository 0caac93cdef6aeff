//! `gomoku_reader`, as [`reader`](crate::search::reader) drives it.

use lockstep_games::gomoku::{Board, Gomoku};
use protocol::layout::ErrorCode;
use protocol::layout::gomoku::{
    BAD_BOARD, BAD_DEPTH, BAD_WEIGHTS, Found, MAX_DEPTH, Node, Progress, Search, WEIGHTS_UNSET,
};

use super::model::{self, Model};
use super::{SIDES, any_board, any_depth, over, search_of, sparse, valid};
use crate::search::reader::{self, Reader, decoded};
use crate::{Failure, Random, Trial};

/// A search or trace, and the model of its stream.
pub struct Stream {
    depth: u8,
    traced: bool,
    model: Model,
}

type Pending = reader::Pending<Stream>;

impl Reader for Gomoku {
    type Stream = Stream;

    /// Weights whose width limits nothing.
    fn first(random: &mut Random) -> [Vec<u8>; 2] {
        let mut weights = super::any_weights(random, true);
        weights.width = random.between(129, 131) as u8;
        let mut board = Board::default();
        board.put(112, SIDES[1]);
        let search = search_of(&board, 2).encode();
        [weights.encode().as_ref().to_vec(), search.as_ref().to_vec()]
    }

    fn any_weights(random: &mut Random) -> Vec<u8> {
        any_weights(random)
    }

    fn any_search(random: &mut Random, weights: Option<&[u8]>) -> Vec<u8> {
        any_search(random, weights).encode().as_ref().to_vec()
    }

    fn refuses(weights: &[u8]) -> Option<ErrorCode> {
        valid(weights).is_none().then_some(BAD_WEIGHTS)
    }

    fn stream(search: &[u8], traced: bool, weights: Option<&[u8]>) -> Result<Stream, ErrorCode> {
        let search = Search::decode(search).unwrap_or_default();
        let board = Board::from_rows(SIDES[0], search.own, search.opponent).ok_or(BAD_BOARD)?;
        if !(1..=MAX_DEPTH).contains(&search.depth) {
            return Err(BAD_DEPTH);
        }
        let weights = weights.and_then(valid).ok_or(WEIGHTS_UNSET)?;
        Ok(Stream {
            depth: search.depth,
            traced,
            model: Model::of(&weights, &board, search.depth),
        })
    }

    fn check(trial: &Trial, entry: &Pending, stream: &Stream, end: &[u8]) -> Result<(), Failure> {
        let found = decoded(trial, Found::decode(end))?;
        entry.ends(trial, found.parts, found.cancelled)?;
        match stream.traced {
            true => traced(trial, entry, &stream.model, &found),
            false => searched(trial, entry, stream, &found),
        }
    }
}

/// Random weights; sometimes a value is out of range.
fn any_weights(random: &mut Random) -> Vec<u8> {
    let is_lines = random.chance(60);
    let mut weights = super::any_weights(random, is_lines);
    if random.chance(40) {
        weights.width = random.between(128, 225) as u8;
    }
    let mut weights = weights.encode().as_ref().to_vec();
    if random.chance(20) {
        let key = weights.len() - 1 - random.index(7);
        let (at, value) = random.choice(&[
            (0, 2),
            (0, 0xff),
            (1, 226),
            (1, 255),
            (2, 2),
            (key, 32),
            (key, 64),
            (key, 128),
        ]);
        weights[at] = value;
    }
    weights
}

/// A random search, which is short with those weights; sometimes position or depth are invalid.
fn any_search(random: &mut Random, weights: Option<&[u8]>) -> Search {
    let board = match random.below(10) {
        0 => over(random),
        1..4 => sparse(random),
        _ => any_board(random),
    };
    let weights = weights.and_then(valid);
    let depth = weights.map_or(1, |weights| any_depth(random, &weights, &board));
    let mut search = search_of(&board, depth);
    if random.chance(10) {
        search.depth = random.choice(&[0, MAX_DEPTH + 1, 32, 128, 255]);
    }
    if random.chance(15) {
        let row = random.index(search.own.len());
        match random.below(3) {
            0 => search.own[row] |= 1 << 15,
            1 => search.opponent[row] |= 1 << 15,
            _ => {
                search.own[row] |= 1 << 7;
                search.opponent[row] |= 1 << 7;
            }
        }
    }
    search
}

fn searched(trial: &Trial, entry: &Pending, stream: &Stream, found: &Found) -> Result<(), Failure> {
    let Stream { depth, model, .. } = stream;
    let mut parts = Vec::new();
    for (part, number) in entry.parts.iter().zip(0..) {
        let part = decoded(trial, Progress::decode(&part.payload))?;
        trial.same(
            "a part's number and depth",
            &(part.part, part.depth),
            &(number, *depth),
        )?;
        parts.push(model::Progress {
            point: part.point,
            value: part.value,
            nodes: part.nodes,
            cycles: part.cycles,
        });
    }
    trial.same(
        "the first part",
        &parts.first(),
        &Some(&model::Progress::NONE),
    )?;
    let last = model::Progress {
        point: found.point,
        value: found.value,
        nodes: found.nodes,
        cycles: found.cycles,
    };
    let mut before = model::Progress::NONE;
    let mut results = model.results.iter();
    let mut result = results.next();
    for part in parts.iter().chain([&last]) {
        while result.is_some_and(|result| !result.is_result(part)) {
            result = results.next();
        }
        trial.holds("a result of the search", result.is_some())?;
        let more = before.nodes <= part.nodes && before.cycles <= part.cycles;
        trial.holds("more nodes and cycles than before", more)?;
        before = *part;
    }
    let answer = model.answer();
    if found.cancelled == 0 {
        trial.same("the answer", &last, &answer)?;
    }
    let too_many = last.nodes > answer.nodes || last.cycles > answer.cycles;
    trial.never("more nodes or cycles than it has", too_many)?;
    let cycles: Vec<u64> = parts.iter().map(|part| part.cycles).collect();
    entry.paced(trial, &cycles, last.cycles, |_| false)?;
    Ok(())
}

fn traced(trial: &Trial, entry: &Pending, model: &Model, found: &Found) -> Result<(), Failure> {
    for ((part, node), number) in entry.parts.iter().zip(&model.nodes).zip(0..) {
        let part = decoded(trial, Node::decode(&part.payload))?;
        let expected = Node {
            part: number,
            ply: node.ply,
            point: 15 * node.y + node.x,
            value: node.value,
        };
        trial.same("the node", &part, &expected)?;
    }
    let answer = model.answer();
    let cut = Found {
        parts: found.parts,
        cancelled: 1,
        ..Found::default()
    };
    let whole = Found {
        parts: model.nodes.len() as u16,
        cancelled: 0,
        point: answer.point,
        value: answer.value,
        nodes: answer.nodes,
        cycles: found.cycles,
    };
    let expected = if found.cancelled == 1 { cut } else { whole };
    trial.same("the end", found, &expected)?;
    let wrong = found.cancelled == 0 && found.cycles < answer.cycles;
    trial.never("faster than without a trace", wrong)
}
