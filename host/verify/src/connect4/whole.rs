//! The searches for the bench of the whole Connect Four core.

use lockstep_games::connect4::{Board, Connect4};
use protocol::layout::connect4::{Found, Progress, Weights};

use super::{CELLS, any_position, any_weights, model, search_of};
use crate::core::talk::Talk;
use crate::search::whole::Whole;
use crate::{Failure, Random};

/// Clock cycles of the longest search that is completed.
const LONGEST: u64 = 200_000;

impl Whole for Connect4 {
    fn any_weights(random: &mut Random) -> Vec<u8> {
        any_weights(random).map(|w| w as u8).to_vec()
    }

    /// More depths than the initial credit.
    fn short(random: &mut Random, weights: &[u8]) -> (Vec<u8>, impl Fn(u16) -> Vec<u8>) {
        let weights = signed(weights);
        let (board, depths) = loop {
            let board = any_position(random);
            if !(10..=12).contains(&model::empty_cells(&board)) {
                continue;
            }
            let depths = model::search(&board, &weights, 42);
            if depths.last().is_some_and(|d| d.cycles < LONGEST) {
                break (board, depths);
            }
        };
        let last = depths.last().copied().unwrap_or_default();
        let end = move |parts| {
            let found = Found {
                parts,
                cancelled: 0,
                column: last.column as u8,
                value: last.value as i16,
                depth: last.depth as u8,
                nodes: last.nodes,
                cycles: last.cycles,
            };
            found.encode().as_ref().to_vec()
        };
        (search_of(&board, 42).encode().as_ref().to_vec(), end)
    }

    fn long() -> (Vec<u8>, Vec<u8>) {
        let search = search_of(&Board::default(), 42).encode();
        let first = Progress {
            column: 0xff,
            ..Progress::default()
        };
        (search.as_ref().to_vec(), first.encode().as_ref().to_vec())
    }

    fn check_cut(talk: &Talk, weights: &[u8], end: &[u8]) -> Result<(), Failure> {
        let end = Found::decode(end);
        let depth = end.as_ref().map_or(0, |found| found.depth);
        let depths = model::search(&Board::default(), &signed(weights), depth.into());
        let result = depths.last();
        let result = result.map_or((0xff, 0), |d| (d.column as u8, d.value as i16));
        let got = end.map(|found| (found.cancelled, (found.column, found.value)));
        talk.same("the result", &got, &Ok((1, result)))
    }
}

fn signed(weights: &[u8]) -> [i8; CELLS] {
    let read = Weights::decode(weights).map(|w| w.weights);
    read.unwrap_or([0; CELLS]).map(|w| w as i8)
}
