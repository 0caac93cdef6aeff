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
    use crate::Match as _;

    fn at(x: usize, y: usize) -> Decision {
        Decision::only(x, y)
    }

    /// Plays points from an empty board; returns the state and the last result.
    fn played(points: &[(usize, usize)]) -> (State, Result<bool, GomokuError>) {
        let mut state = State::at(Gomoku::empty(), 0);
        let mut goes_on = Ok(true);
        for &(x, y) in points {
            goes_on = state.apply(&at(x, y));
        }
        (state, goes_on)
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
        let column = |x| (0..5).map(move |y| (x, y));
        let (first, second): (Vec<_>, Vec<_>) = (column(0).collect(), column(14).collect());
        let pairs = |n: usize| {
            first
                .iter()
                .zip(&second)
                .take(n)
                .flat_map(|(f, s)| [*f, *s])
        };
        let black_wins: Vec<_> = pairs(4).chain([first[4]]).collect();
        let white_wins: Vec<_> = pairs(4).chain([(7, 7), second[4]]).collect();
        let draw = draw();
        for (points, outcome) in [
            (&black_wins[..8], None),
            (&black_wins, Some(Outcome::Won(0))),
            (&white_wins, Some(Outcome::Won(1))),
            (&draw[..224], None),
            (&draw, Some(Outcome::Draw)),
        ] {
            let (state, goes_on) = played(points);
            assert_eq!(goes_on.ok(), Some(outcome.is_none()), "{points:?}");
            assert_eq!(state.outcome(), outcome, "{points:?}");
            assert_eq!((state.moves(), state.score()), (points.len() as u64, None));
        }
    }

    #[test]
    fn match_illegal_move_errs_without_change() {
        let over = [
            (0, 0),
            (0, 1),
            (1, 0),
            (1, 1),
            (2, 0),
            (2, 1),
            (3, 0),
            (3, 1),
            (4, 0),
        ];
        let over = [&over[..], &[(7, 7)]].concat();
        for (points, why) in [
            (
                &[(15, 0)][..],
                "the point is x 15, y 0, expected 0 to 14 and 0 to 14",
            ),
            (
                &[(0, 15)],
                "the point is x 0, y 15, expected 0 to 14 and 0 to 14",
            ),
            (&[(3, 4), (3, 4)], "a stone lies on x 3, y 4"),
            (
                &over,
                "the game is over: a side has five in a row, or the board is full",
            ),
        ] {
            let (state, result) = played(points);
            assert_eq!(result.expect_err("illegal").to_string(), why);
            let (before, _) = played(&points[..points.len() - 1]);
            assert_eq!(state.position(), before.position());
            assert_eq!(state.outcome(), before.outcome());
        }
    }

    #[test]
    fn opening_by_seed_repeats_and_ends_no_game() {
        let setup = |opening| Setup::new(7, opening);
        let boards: Vec<Board> = (0..49)
            .map(|game| setup(3).opening::<Gomoku>(game).board)
            .collect();
        assert!(boards.iter().any(|board| *board != boards[0]));
        for game in 0..100 {
            for opening in [0, 1, 3, 30, 255] {
                let position = setup(opening).opening::<Gomoku>(game);
                assert_eq!(position, setup(opening).opening::<Gomoku>(game));
                assert!(!position.board.is_over());
                let stones = position.board.stones();
                assert!(stones == usize::from(opening) || opening == 255 && stones > 30);
                assert_eq!(position.to_move == Stone::White, stones % 2 == 1);
                let middle = |point: usize| {
                    (4..=10).contains(&(point % COLUMNS)) && (4..=10).contains(&(point / COLUMNS))
                };
                let mut outside = position.board.empty_points().filter(|p| !middle(*p));
                assert_eq!(outside.by_ref().count(), POINTS - 49);
            }
        }
    }

    #[test]
    fn deal_at_other_position_is_none() {
        let setup = |seed| Setup::new(seed, 3);
        let mut state = Gomoku::deal(&setup(1), 4);
        for moves in 0..6 {
            let position = state.position();
            let refused = |moves, position: &Position| {
                Gomoku::deal_at(&setup(1), 4, moves, position).is_none()
            };
            assert!(!refused(moves, &position));
            assert!(refused(moves + 1, &position) && refused(moves + 2, &position));
            assert!(refused(moves.wrapping_sub(1), &position));
            let to_move = position.to_move.other();
            assert!(refused(
                moves,
                &Position {
                    to_move,
                    ..position
                }
            ));
            let played = state.apply(&at(moves as usize, 0));
            assert!(played.expect("there is room"));
        }
        let games = (0..20).map(|game| setup(1).opening::<Gomoku>(game));
        let other = games.filter(|p| Gomoku::deal_at(&setup(2), 0, 0, p).is_none());
        assert!(other.count() > 10, "an opening of another game is refused");
    }
}
