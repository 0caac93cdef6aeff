//! The types and words of Connect Four.

use protocol::layout::connect4::{COLUMNS, ROWS};

use super::board::SEATS;
use super::{Candidate, Controller, Decision, Position, Setup};
use crate::{BoardSize, Field, Game, GameError, NoBatches, Noun, Requirements, Words};

/// Connect Four.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Connect4;

/// The size of the board.
pub(super) const BOARD: BoardSize = BoardSize::new(COLUMNS, ROWS);

impl Game for Connect4 {
    const NAME: &'static str = "connect4";
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
    const NOTES: &'static [&'static str] = &["depth", "nodes"];

    type Position = Position;
    type Decision = Decision;
    type Candidate = Candidate;
    type Batches = NoBatches;
    type Controller = Controller;
    type Setup = Setup;
    type Error = GameError;

    fn fields(decision: &Decision) -> Vec<Field> {
        vec![
            Field::new("column", decision.column),
            Field::new("value", decision.value),
        ]
    }

    fn candidate_fields(candidate: &Candidate) -> Vec<Field> {
        // The names of the wire's table.
        vec![
            Field::new("column", candidate.column),
            Field::new("legal", candidate.value.is_some()),
            Field::new("value", candidate.value),
        ]
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
