//! Tic-tac-toe: a second game, as small as a game can be.

use std::collections::BTreeMap;

use lockstep_games::{
    BoardSize, Boards, Capabilities, Field, Game, Golden, Match, Named, NoBatches, Noun, Outcome,
    Requirements, Rules, RulesDescription, Trace, Value, Words,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TicTacToe;

/// Nine cells, row by row; `.` is free. X begins, so the stones show whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    pub cells: [char; 9],
}

/// Takes the first free cell in its order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Controller {
    pub order: Vec<usize>,
}

/// The cell of a decision that does not report it.
pub const UNREPORTED: usize = usize::MAX;

/// How many games begin with a stone of X, in the cell of the game's number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    pub openings: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum ToyError {
    #[error("cell {0} is taken")]
    Taken(usize),
    #[error("there is no cell {0}")]
    NoCell(usize),
    #[error("the order names no free cell")]
    NoOrder,
}

impl Game for TicTacToe {
    const NAME: &'static str = "tic-tac-toe";
    const WORDS: Words = Words {
        step: Noun {
            one: "stone",
            many: "stones",
        },
        score: Noun {
            one: "row",
            many: "rows",
        },
    };
    const SEATS: &'static [&'static str] = &["X", "O"];
    const NOTES: &'static [&'static str] = &["nodes"];

    type Position = Position;
    /// `None`: the board is full.
    type Decision = Option<usize>;
    /// A free cell.
    type Candidate = usize;
    type Batches = NoBatches;
    type Controller = Controller;
    type Setup = Setup;
    type Error = ToyError;

    fn fields(decision: &Option<usize>) -> Vec<Field> {
        let cell = match *decision {
            None => Value::Nothing,
            Some(UNREPORTED) => Value::Unknown,
            Some(cell) => Value::Number(cell as u64),
        };
        vec![Field::new("cell", cell)]
    }

    fn candidate_fields(cell: &usize) -> Vec<Field> {
        vec![Field::new("cell", Value::Number(*cell as u64))]
    }

    fn requirements(_: &Position) -> Requirements {
        Requirements {
            board: BoardSize::new(3, 3),
            known_next: false,
        }
    }

    /// Whose stone it is.
    fn class(position: &Position) -> &'static str {
        match position.turn() {
            'X' => "X",
            _ => "O",
        }
    }

    fn seat(position: &Position) -> usize {
        usize::from(position.turn() == 'O')
    }
}

impl Position {
    pub const EMPTY: Self = Self { cells: ['.'; 9] };

    pub fn free(&self) -> Vec<usize> {
        (0..9).filter(|&cell| self.cells[cell] == '.').collect()
    }

    fn turn(&self) -> char {
        let stones = |who| self.cells.iter().filter(|c| **c == who).count();
        if stones('X') > stones('O') { 'O' } else { 'X' }
    }

    /// Rows, columns and diagonals of three.
    fn rows(&self) -> u64 {
        const ROWS: [[usize; 3]; 8] = [
            [0, 1, 2],
            [3, 4, 5],
            [6, 7, 8],
            [0, 3, 6],
            [1, 4, 7],
            [2, 5, 8],
            [0, 4, 8],
            [2, 4, 6],
        ];
        let whole = |row: &&[usize; 3]| {
            let [a, b, c] = row.map(|cell| self.cells[cell]);
            a != '.' && a == b && b == c
        };
        ROWS.iter().filter(whole).count() as u64
    }
}

pub struct State {
    position: Position,
    moves: u64,
}

impl Rules for TicTacToe {
    type Match = State;

    fn board(_: &Setup) -> BoardSize {
        BoardSize::new(3, 3)
    }

    fn deal(setup: &Setup, game: u64) -> State {
        let mut position = Position::EMPTY;
        if game < setup.openings {
            position.cells[(game % 9) as usize] = 'X';
        }
        State { position, moves: 0 }
    }

    fn deal_at(setup: &Setup, game: u64, moves: u64, position: &Position) -> Option<State> {
        let opening = Self::deal(setup, game).position.cells;
        let position = *position;
        let mut cells = opening.iter().zip(&position.cells);
        let is_kept = cells.all(|(dealt, cell)| *dealt == '.' || dealt == cell);
        is_kept.then_some(State { position, moves })
    }

    fn follows(
        before: &Position,
        decision: &Option<usize>,
        after: &Position,
    ) -> Result<bool, ToyError> {
        let mut state = State {
            position: *before,
            moves: 0,
        };
        Ok(state.apply(decision)? && state.position == *after)
    }

    fn describe(setup: &Setup) -> RulesDescription {
        RulesDescription {
            rules: Named::new("plain", "three in a row end the game"),
            seed: setup.openings,
            generator: Named::new(
                "none",
                "the first stone of a game is in the cell of its number",
            ),
        }
    }

    fn integers(controller: &Controller) -> BTreeMap<String, i64> {
        let cells = controller.order.iter().enumerate();
        let named = cells.map(|(at, &cell)| (format!("cell_{at}"), cell as i64));
        named.collect()
    }
}

impl Match<TicTacToe> for State {
    fn position(&self) -> Position {
        self.position
    }

    fn apply(&mut self, decision: &Option<usize>) -> Result<bool, ToyError> {
        let Some(cell) = *decision else {
            return Ok(false);
        };
        match self.position.cells.get(cell) {
            None => return Err(ToyError::NoCell(cell)),
            Some('.') => {}
            Some(_) => return Err(ToyError::Taken(cell)),
        }
        self.position.cells[cell] = self.position.turn();
        self.moves += 1;
        Ok(self.position.rows() == 0)
    }

    fn moves(&self) -> u64 {
        self.moves
    }

    fn score(&self) -> Option<u64> {
        Some(self.position.rows())
    }

    fn outcome(&self) -> Option<Outcome> {
        let (won, full) = (self.position.rows() > 0, self.position.free().is_empty());
        // It is the loser's turn.
        let winner = 1 - TicTacToe::seat(&self.position);
        won.then_some(Outcome::Won(winner))
            .or(full.then_some(Outcome::Draw))
    }
}

impl Golden for TicTacToe {
    fn capabilities(_: Option<&Controller>) -> Capabilities {
        Capabilities {
            trace: true,
            ..Capabilities::plain(Boards::Only(BoardSize::new(3, 3)))
        }
    }

    fn decide(controller: &Controller, position: &Position) -> Result<Option<usize>, ToyError> {
        if !position.cells.contains(&'.') {
            return Ok(None);
        }
        let free = |cell: &&usize| position.cells.get(**cell) == Some(&'.');
        let first = controller.order.iter().find(free);
        first.copied().map(Some).ok_or(ToyError::NoOrder)
    }

    fn trace(
        controller: &Controller,
        position: &Position,
    ) -> Result<Option<Trace<Self>>, ToyError> {
        Ok(Some(Trace {
            candidates: position.free(),
            decision: Self::decide(controller, position)?,
        }))
    }
}
