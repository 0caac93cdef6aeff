//! The rules, and how games are dealt.

use std::collections::BTreeMap;

use protocol::layout::connect4::{COLUMNS, ROWS};

use super::board::{ORDER, over};
use super::game::BOARD;
use super::{Board, Connect4, Controller, Decision, Position, Stone};
use crate::stones::{self, Setup, Stones};
use crate::{BoardSize, GameError, Named, Outcome, Rules, RulesDescription};

/// A running game.
pub type State = stones::State<Connect4>;

impl Stones for Connect4 {
    fn empty() -> Position {
        Position {
            board: Board::default(),
            to_move: Stone::Yellow,
        }
    }

    fn extend_opening(position: &Position) -> Vec<Position> {
        let Position { board, to_move } = *position;
        let after = |column| {
            let mut board = board;
            board.drop(column, to_move)?;
            let to_move = to_move.other();
            (!board.is_over()).then_some(Position { board, to_move })
        };
        ORDER.into_iter().filter_map(after).collect()
    }

    fn swap_sides(position: &Position) -> Position {
        let mut board = Board::default();
        for column in 0..COLUMNS {
            let stones = (0..ROWS).filter_map(|row| position.board.stone(column, row));
            for stone in stones {
                board.drop(column, stone.other());
            }
        }
        let to_move = position.to_move.other();
        Position { board, to_move }
    }

    fn cells(position: &Position) -> Vec<Option<usize>> {
        let cells = (0..COLUMNS).flat_map(|c| (0..ROWS).map(move |r| (c, r)));
        let stones = cells.map(|(column, row)| position.board.stone(column, row));
        stones.map(|stone| stone.map(Stone::seat)).collect()
    }

    fn is_over(position: &Position) -> bool {
        position.board.is_over()
    }

    fn play(
        position: &Position,
        decision: &Decision,
    ) -> Result<(Position, Option<Outcome>), GameError> {
        let Position { mut board, to_move } = *position;
        let column = decision.column;
        if column >= COLUMNS {
            let most = COLUMNS - 1;
            return Err(GameError(format!(
                "the column is {column}, expected 0 to {most}"
            )));
        }
        if board.is_over() {
            return Err(over());
        }
        let row = board.drop(column, to_move);
        let row = row.ok_or_else(|| GameError(format!("column {column} is full")))?;
        let outcome = match board.makes_four(column, row) {
            true => Some(Outcome::Won(to_move.seat())),
            false => board.is_full().then_some(Outcome::Draw),
        };
        let to_move = to_move.other();
        Ok((Position { board, to_move }, outcome))
    }
}

impl Rules for Connect4 {
    type Match = State;

    fn board(_: &Setup) -> BoardSize {
        BOARD
    }

    fn deal(setup: &Setup, game: u64) -> State {
        State::at(setup.opening::<Self>(game), 0)
    }

    fn deal_at(setup: &Setup, game: u64, moves: u64, position: &Position) -> Option<State> {
        State::deal_at(setup, game, moves, position)
    }

    fn follows(
        before: &Position,
        decision: &Decision,
        after: &Position,
    ) -> Result<bool, GameError> {
        State::follows(before, decision, after)
    }

    fn describe(setup: &Setup) -> RulesDescription {
        RulesDescription {
            rules: Named::new("plain", RULES),
            seed: setup.seed,
            generator: Named::new("opening", &setup.generator(GENERATOR)),
        }
    }

    fn integers(controller: &Controller) -> BTreeMap<String, i64> {
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

/// The rules in a sentence.
const RULES: &str = "a stone falls to the lowest empty cell of its column; the side that has four \
                     in a row, a column or a diagonal wins, and a full board is a draw \
                     (host/games/src/connect4/README.md)";

/// The random draws of an opening.
const GENERATOR: &str = "SplitMix64: opening n, from 1, is seeded with number n of the generator \
                         of the session's seed; each of its stones falls into number ((x >> 32) * \
                         m) >> 32, from 0, x the opening's next number, of the m columns of \
                         3241506 where it does not end the game";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stones::tests::{deals, ends, openings, refuses_last};

    fn at(column: usize) -> Decision {
        Decision { column, value: 0 }
    }

    fn all(columns: &[usize]) -> Vec<Decision> {
        columns.iter().copied().map(at).collect()
    }

    /// Moves that fill the board without four in a row.
    const DRAW: [usize; 42] = [
        0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 2, 3, 2, 3, 3, 2, 3, 2, 2, 3, 2, 3, 4, 5, 4, 5, 5, 4,
        5, 4, 4, 5, 4, 5, 6, 6, 6, 6, 6, 6,
    ];

    #[test]
    fn match_end_has_outcome() {
        for (columns, outcome) in [
            (&[3, 3, 3][..], None),
            (&[0, 1, 0, 1, 0, 1, 0], Some(Outcome::Won(0))),
            (&[0, 1, 0, 1, 0, 1, 2, 1], Some(Outcome::Won(1))),
            (&DRAW[..41], None),
            (&DRAW, Some(Outcome::Draw)),
        ] {
            ends::<Connect4>(&all(columns), outcome);
        }
    }

    #[test]
    fn match_illegal_move_errs_without_change() {
        let over = "the game is over: a side has four in a row, or the board is full";
        for (columns, why) in [
            (&[7][..], "the column is 7, expected 0 to 6"),
            (&[2, 2, 2, 2, 2, 2, 2], "column 2 is full"),
            (&[0, 1, 0, 1, 0, 1, 0, 1], over),
        ] {
            refuses_last::<Connect4>(&all(columns), why);
        }
    }

    #[test]
    fn opening_by_seed_repeats_and_ends_no_game() {
        openings::<Connect4>(200, [0, 1, 2, 9, 255], 0);
    }

    #[test]
    fn deal_at_other_position_is_none() {
        deals::<Connect4>(2, at, |position| Position {
            to_move: position.to_move.other(),
            ..position
        });
    }
}
