//! The rules, and how games are dealt.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use protocol::layout::gomoku::COLUMNS;

use super::board::{Board, POINTS, Stone};
use super::controller::{Controller, Profile};
use super::decision::Decision;
use super::error::GomokuError;
use super::game::{BOARD, Gomoku};
use super::position::Position;
use crate::stones::{self, Setup, Stones};
use crate::{BoardSize, Named, Outcome, Rules, RulesDescription};

/// A running game.
pub type State = stones::State<Gomoku>;

/// First and last column and row of the stones of an opening.
const MIDDLE: RangeInclusive<usize> = 4..=10;

impl Stones for Gomoku {
    fn empty() -> Position {
        Position {
            board: Board::default(),
            to_move: Stone::Black,
        }
    }

    fn extend_opening(position: &Position) -> Vec<Position> {
        let Position { board, to_move } = *position;
        let after = |point| {
            let mut board = board;
            let goes_on = board.put(point, to_move) && !board.makes_five(point);
            let to_move = to_move.other();
            goes_on.then_some(Position { board, to_move })
        };
        let points = MIDDLE.flat_map(|y| MIDDLE.map(move |x| y * COLUMNS + x));
        points.filter_map(after).collect()
    }

    fn swap_sides(position: &Position) -> Position {
        let mut board = Board::default();
        for point in 0..POINTS {
            if let Some(stone) = position.board.stone(point) {
                board.put(point, stone.other());
            }
        }
        let to_move = position.to_move.other();
        Position { board, to_move }
    }

    fn cells(position: &Position) -> Vec<Option<usize>> {
        let stones = (0..POINTS).map(|point| position.board.stone(point));
        stones.map(|stone| stone.map(Stone::seat)).collect()
    }

    fn is_over(position: &Position) -> bool {
        position.board.is_over()
    }

    fn play(
        position: &Position,
        decision: &Decision,
    ) -> Result<(Position, Option<Outcome>), GomokuError> {
        let Position { mut board, to_move } = *position;
        let Decision { x, y, .. } = *decision;
        let point = decision.point().ok_or(GomokuError::NoPoint { x, y })?;
        if board.is_over() {
            return Err(GomokuError::Over);
        }
        if !board.put(point, to_move) {
            return Err(GomokuError::Taken { x, y });
        }
        let outcome = match board.makes_five(point) {
            true => Some(Outcome::Won(to_move.seat())),
            false => board.is_full().then_some(Outcome::Draw),
        };
        let to_move = to_move.other();
        Ok((Position { board, to_move }, outcome))
    }
}

impl Rules for Gomoku {
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
    ) -> Result<bool, GomokuError> {
        State::follows(before, decision, after)
    }

    fn describe(setup: &Setup) -> RulesDescription {
        RulesDescription {
            rules: Named::new("freestyle", RULES),
            seed: setup.seed,
            generator: Named::new("opening", &setup.generator(GENERATOR)),
        }
    }

    fn integers(controller: &Controller) -> BTreeMap<String, i64> {
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

/// The rules in a sentence.
const RULES: &str = "a stone is put on any empty point; the side that has five or more in a row, a \
                     column or a diagonal wins, and a full board is a draw \
                     (host/games/src/gomoku/README.md)";

/// The random draws of an opening.
const GENERATOR: &str = "SplitMix64: opening n, from 1, is seeded with number n of the generator \
                         of the session's seed; each of its stones is put on number ((x >> 32) * \
                         m) >> 32, from 0, x the opening's next number, of the m empty points with \
                         column and row 4 to 10, row by row, where it does not end the game";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stones::tests::{deals, ends, openings, refuses_last};

    fn all(points: &[(usize, usize)]) -> Vec<Decision> {
        points.iter().map(|&(x, y)| Decision::only(x, y)).collect()
    }

    /// Moves that fill the board without five in a row: no four stones of a colour are adjacent.
    fn draw() -> Vec<(usize, usize)> {
        let colour = |point: &usize| (point % COLUMNS + 2 * (point / COLUMNS)) % 4 < 2;
        let (black, white): (Vec<_>, Vec<_>) = (0..POINTS).partition(colour);
        assert_eq!((black.len(), white.len()), (113, 112));
        let place = |point: usize| (point % COLUMNS, point / COLUMNS);
        let pairs = black.iter().zip(&white).flat_map(|(b, w)| [*b, *w]);
        pairs.chain([black[112]]).map(place).collect()
    }

    #[test]
    fn match_end_has_outcome() {
        let pairs = || (0..4).flat_map(|y| [(0, y), (14, y)]);
        let black_wins: Vec<_> = pairs().chain([(0, 4)]).collect();
        let white_wins: Vec<_> = pairs().chain([(7, 7), (14, 4)]).collect();
        let draw = draw();
        for (points, outcome) in [
            (&black_wins[..8], None),
            (&black_wins, Some(Outcome::Won(0))),
            (&white_wins, Some(Outcome::Won(1))),
            (&draw[..224], None),
            (&draw, Some(Outcome::Draw)),
        ] {
            ends::<Gomoku>(&all(points), outcome);
        }
    }

    #[test]
    fn match_illegal_move_errs_without_change() {
        let row = (0..5).flat_map(|x| [(x, 0), (x, 1)]);
        let over: Vec<_> = row.take(9).chain([(7, 7)]).collect();
        let is_over = "the game is over: a side has five in a row, or the board is full";
        for (points, at, why) in [
            (&[(15, 0)][..], "the point is x 15, y 0", NO_POINT),
            (&[(0, 15)], "the point is x 0, y 15", NO_POINT),
            (&[(3, 4), (3, 4)], "a stone lies on x 3, y 4", ""),
            (&over, is_over, ""),
        ] {
            refuses_last::<Gomoku>(&all(points), &format!("{at}{why}"));
        }
    }

    const NO_POINT: &str = ", expected 0 to 14 and 0 to 14";

    #[test]
    fn opening_by_seed_repeats_and_ends_no_game() {
        openings::<Gomoku>(100, [0, 1, 3, 30, 255], 31);
        for game in 0..100 {
            let position = Setup::new(7, 255).opening::<Gomoku>(game);
            let middle =
                |point| MIDDLE.contains(&(point % COLUMNS)) && MIDDLE.contains(&(point / COLUMNS));
            let outside = position.board.empty_points().filter(|p| !middle(*p));
            assert_eq!(outside.count(), POINTS - 49);
        }
    }

    #[test]
    fn deal_at_other_position_is_none() {
        let column = |x| Decision::only(x, 0);
        deals::<Gomoku>(3, column, |position| Position {
            to_move: position.to_move.other(),
            ..position
        });
    }
}
