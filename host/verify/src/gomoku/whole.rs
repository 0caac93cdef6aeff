//! The searches for the bench of the whole Gomoku core.

use lockstep_games::gomoku::{Board, Gomoku};
use protocol::layout::gomoku::{Found, MAX_DEPTH, NO_POINT, Progress};

use super::model::Model;
use super::{any_board, any_weights, dead, over, search_of, valid};
use crate::core::talk::Talk;
use crate::search::whole::Whole;
use crate::{Failure, Random};

impl Whole for Gomoku {
    /// A random width that is not small: with a small one, even a deep search would be short.
    fn any_weights(random: &mut Random) -> Vec<u8> {
        let is_lines = random.chance(70);
        let mut weights = any_weights(random, is_lines);
        weights.width = random.choice(&[0, 16, 225]);
        weights.encode().as_ref().to_vec()
    }

    fn short(random: &mut Random, weights: &[u8]) -> (Vec<u8>, impl Fn(u16) -> Vec<u8>) {
        let board = match random.below(3) {
            0 => over(random),
            1 => dead(random),
            _ => any_board(random),
        };
        let answer = valid(weights).map(|weights| Model::of(&weights, &board, 1).answer());
        let answer = answer.unwrap_or_default();
        let end = move |parts| {
            let found = Found {
                parts,
                cancelled: 0,
                point: answer.point,
                value: answer.value,
                nodes: answer.nodes,
                cycles: answer.cycles,
            };
            found.encode().as_ref().to_vec()
        };
        (search_of(&board, 1).encode().as_ref().to_vec(), end)
    }

    fn long() -> (Vec<u8>, Vec<u8>) {
        let mut board = Board::default();
        board.put(112, super::SIDES[1]);
        let depth = MAX_DEPTH;
        let first = Progress {
            depth,
            point: NO_POINT,
            ..Progress::default()
        };
        let search = search_of(&board, depth).encode();
        (search.as_ref().to_vec(), first.encode().as_ref().to_vec())
    }

    /// The cancel comes before any point of the root has been searched.
    fn check_cut(talk: &Talk, _: &[u8], end: &[u8]) -> Result<(), Failure> {
        let got = Found::decode(end).map(|found| (found.cancelled, found.point, found.value));
        talk.same("the result", &got, &Ok((1, NO_POINT, 0)))
    }
}
