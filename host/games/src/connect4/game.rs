//! The types and words of Connect Four, and its rules.

use std::collections::BTreeMap;

use protocol::layout::connect4::{COLUMNS, ROWS};

use super::board::ORDER;
use super::{Board, Candidate, Controller, Decision, Position, Setup, Stone};
use crate::picture::Colour;
use crate::stones::{self, Stones};
use crate::{BoardSize, Field, Game, GameError, NoBatches, Requirements, Words};

/// Connect Four.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Connect4;

/// The size of the board.
pub(super) const BOARD: BoardSize = BoardSize::new(COLUMNS, ROWS);

impl Game for Connect4 {
    const NAME: &'static str = "connect4";
    const WORDS: Words = stones::WORDS;
    const SEATS: &'static [&'static str] = &["yellow", "red"];
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

    fn seat(position: &Position) -> usize {
        position.to_move.seat()
    }
}

impl Stones for Connect4 {
    type Board = Board;

    const SIZE: BoardSize = BOARD;
    const BOTTOM_UP: bool = true;
    const LOOKS: [(char, Colour); 2] = [('Y', Colour::Yellow), ('R', Colour::Red)];
    const RULES: [&'static str; 2] = [
        "plain",
        "a stone falls to the lowest empty cell of its column; the side that has four in a row, a \
         column or a diagonal wins, and a full board is a draw \
         (host/games/src/connect4/README.md)",
    ];
    const OPENING: &'static str = "SplitMix64: opening n, from 1, is seeded with number n of the generator of the session's \
         seed; of the columns 3, 2, 4, 1, 5, 0, 6, in this order, m are those in which its next \
         stone does not end the game, and it falls into the one with index ((x >> 32) * m) >> 32, \
         from 0, where x is the opening's next number";
    const OVER: &'static str = "the game is over: a side has four in a row, or the board is full";

    fn stone(board: &Board, column: usize, row: usize) -> Option<Stone> {
        board.stone(column, row)
    }

    fn put(board: &mut Board, column: usize, _: usize, stone: Stone) -> Option<usize> {
        board.drop(column, stone)
    }

    fn place(decision: &Decision) -> Result<[usize; 2], GameError> {
        let (column, most) = (decision.column, COLUMNS - 1);
        match column <= most {
            true => Ok([column, ROWS - 1]),
            false => Err(GameError(format!(
                "the column is {column}, expected 0 to {most}"
            ))),
        }
    }

    fn place_name(decision: &Decision) -> String {
        format!("column {}", decision.column)
    }

    fn is_over(board: &Board) -> bool {
        board.is_over()
    }

    fn wins(board: &Board, column: usize, row: usize) -> bool {
        board.makes_four(column, row)
    }

    fn opening_places() -> Vec<[usize; 2]> {
        ORDER.map(|column| [column, ROWS - 1]).to_vec()
    }

    fn weights(controller: &Controller) -> BTreeMap<String, i64> {
        let depth = ("depth".to_owned(), i64::from(controller.depth));
        let cells = controller.weights.iter().enumerate();
        let weights = cells.flat_map(|(column, weights)| {
            let name = move |row| format!("column_{column}_row_{row}");
            let rows = weights.iter().enumerate();
            rows.map(move |(row, &weight)| (name(row), i64::from(weight)))
        });
        weights.chain([depth]).collect()
    }
}
