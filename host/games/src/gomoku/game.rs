//! The types and words of Gomoku.

use protocol::layout::gomoku::{COLUMNS, ROWS};

use super::board::SEATS;
use super::controller::Controller;
use super::decision::{Candidate, Decision};
use super::error::GomokuError;
use super::position::Position;
use crate::stones::Setup;
use crate::{BoardSize, Field, Game, NoBatches, Noun, Requirements, Words};

/// Gomoku.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gomoku;

/// The size of the board.
pub(super) const BOARD: BoardSize = BoardSize::new(COLUMNS, ROWS);

impl Game for Gomoku {
    const NAME: &'static str = "gomoku";
    const WORDS: Words = Words {
        step: Noun {
            one: "move",
            many: "moves",
        },
        score: Noun {
            one: "point",
            many: "points",
        },
    };
    const SEATS: &'static [&'static str] = &SEATS;

    type Position = Position;
    type Decision = Decision;
    type Candidate = Candidate;
    type Batches = NoBatches;
    type Controller = Controller;
    type Setup = Setup;
    type Error = GomokuError;

    fn fields(decision: &Decision) -> Vec<Field> {
        decision.fields()
    }

    fn candidate_fields(candidate: &Candidate) -> Vec<Field> {
        candidate.fields()
    }

    fn requirements(_: &Position) -> Requirements {
        Requirements {
            board: BOARD,
            known_next: false,
        }
    }

    fn class(position: &Position) -> &'static str {
        SEATS[position.to_move.seat()]
    }

    fn seat(position: &Position) -> usize {
        position.to_move.seat()
    }
}
