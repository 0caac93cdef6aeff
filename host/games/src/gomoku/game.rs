//! The types and words of Gomoku, and its rules.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use protocol::layout::gomoku::{COLUMNS, ROWS};

use super::{Board, Candidate, Controller, Decision, Position, Profile, Setup, Stone};
use crate::picture::Colour;
use crate::stones::{self, Stones};
use crate::{BoardSize, Field, Game, GameError, NoBatches, Requirements, Words};

/// Gomoku.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gomoku;

/// The size of the board.
pub(super) const BOARD: BoardSize = BoardSize::new(COLUMNS, ROWS);

impl Game for Gomoku {
    const NAME: &'static str = "gomoku";
    const WORDS: Words = stones::WORDS;
    const SEATS: &'static [&'static str] = &["black", "white"];

    type Position = Position;
    type Decision = Decision;
    type Candidate = Candidate;
    type Batches = NoBatches;
    type Controller = Controller;
    type Setup = Setup;
    type Error = GameError;

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

    fn seat(position: &Position) -> usize {
        position.to_move.seat()
    }
}

/// First and last column and row of the stones of an opening.
const MIDDLE: RangeInclusive<usize> = 4..=10;

impl Stones for Gomoku {
    type Board = Board;

    const SIZE: BoardSize = BOARD;
    const BOTTOM_UP: bool = false;
    const LOOKS: [(char, Colour); 2] = [('B', Colour::Grey), ('W', Colour::White)];
    const RULES: [&'static str; 2] = [
        "freestyle",
        "a stone is put on any empty point; the side that has five or more in a row, a column or a \
         diagonal wins, and a full board is a draw (host/games/src/gomoku/README.md)",
    ];
    const OPENING: &'static str = "SplitMix64: opening n, from 1, is seeded with number n of the generator of the session's \
         seed; of the empty points with column and row 4 to 10, row by row, m are those on which its \
         next stone does not end the game, and it is put on the one with index ((x >> 32) * m) >> \
         32, from 0, where x is the opening's next number";
    const OVER: &'static str = "the game is over: a side has five in a row, or the board is full";

    fn stone(board: &Board, column: usize, row: usize) -> Option<Stone> {
        board.stone(row * COLUMNS + column)
    }

    fn put(board: &mut Board, column: usize, row: usize, stone: Stone) -> Option<usize> {
        board.put(row * COLUMNS + column, stone).then_some(row)
    }

    fn place(decision: &Decision) -> Result<[usize; 2], GameError> {
        let Decision { x, y, .. } = *decision;
        match decision.point() {
            Some(_) => Ok([x, y]),
            None => Err(GameError(format!(
                "the point is x {x}, y {y}, expected 0 to {} and 0 to {}",
                COLUMNS - 1,
                ROWS - 1
            ))),
        }
    }

    fn place_name(decision: &Decision) -> String {
        format!("x {}, y {}", decision.x, decision.y)
    }

    fn is_over(board: &Board) -> bool {
        board.is_over()
    }

    fn wins(board: &Board, column: usize, row: usize) -> bool {
        board.makes_five(row * COLUMNS + column)
    }

    fn opening_places() -> Vec<[usize; 2]> {
        MIDDLE.flat_map(|y| MIDDLE.map(move |x| [x, y])).collect()
    }

    fn weights(controller: &Controller) -> BTreeMap<String, i64> {
        let mut all = BTreeMap::from([("depth".to_owned(), controller.depth.into())]);
        let Profile::Lines(lines) = controller.profile else {
            all.insert("profile".into(), 0);
            return all;
        };
        all.insert("profile".into(), 1);
        all.insert("width".into(), lines.width.into());
        all.insert("extend".into(), lines.extend.into());
        let tables = [
            ("attack", lines.attack.map(i64::from)),
            ("defend", lines.defend.map(i64::from)),
            ("key", lines.key.map(i64::from)),
        ];
        for (name, table) in tables {
            let shapes = (1..).zip(table);
            all.extend(shapes.map(|(shape, weight)| (format!("{name}_{shape}"), weight)));
        }
        all
    }
}
