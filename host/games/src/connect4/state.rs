//! Running games, the parameters from which they are dealt, and the rules.

use std::collections::BTreeMap;

use protocol::layout::connect4::{COLUMNS, ROWS};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng as _;
use serde::{Deserialize, Serialize};

use super::board::{ORDER, over};
use super::game::BOARD;
use super::{Board, Connect4, Controller, Decision, Position, Stone};
use crate::random::{below, game_seed};
use crate::{BoardSize, GameError, Match, Named, Outcome, Rules, RulesDescription};

/// A running game.
#[derive(Debug, Clone)]
pub struct State {
    position: Position,
    moves: u64,
    outcome: Option<Outcome>,
}

impl Rules for Connect4 {
    type Match = State;

    fn board(_: &Setup) -> BoardSize {
        BOARD
    }

    fn deal(setup: &Setup, game: u64) -> State {
        State::at(setup.opening(game), 0)
    }

    /// Checks the number of moves of each side, and that the opening lies below them.
    ///
    /// Whether some order of moves leads to the position is not checked.
    fn deal_at(setup: &Setup, game: u64, moves: u64, position: &Position) -> Option<State> {
        let opening = setup.opening(game);
        let mut cells = (0..COLUMNS).flat_map(|c| (0..ROWS).map(move |r| (c, r)));
        let is_kept = cells.all(|(column, row)| match opening.board.stone(column, row) {
            None => true,
            stone => stone == position.board.stone(column, row),
        });
        let sides = [opening.to_move, opening.to_move.other()];
        let made = sides.map(|side| {
            let stones = position.board.stones_of(side);
            stones.checked_sub(opening.board.stones_of(side))
        });
        let follows = is_kept
            && made.map(|made| made.map(|made| made as u64))
                == [Some(moves.div_ceil(2)), Some(moves / 2)]
            && position.to_move == sides[(moves % 2) as usize]
            && !position.board.is_over();
        follows.then(|| State::at(*position, moves))
    }

    fn follows(
        before: &Position,
        decision: &Decision,
        after: &Position,
    ) -> Result<bool, GameError> {
        let mut state = State::at(*before, 0);
        Ok(state.apply(decision)? && state.position == *after)
    }

    fn describe(setup: &Setup) -> RulesDescription {
        RulesDescription {
            rules: Named::new("plain", RULES),
            seed: setup.seed,
            generator: Named::new("opening", GENERATOR),
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

/// The random draws of openings.
const GENERATOR: &str = "SplitMix64: game n, from 1, is seeded with number n of the generator of \
                         the session's seed; each stone of the opening falls into number ((x >> \
                         32) * m) >> 32, from 0, x the game's next number, of the m columns of \
                         3241506 where it does not end the game";

impl State {
    const fn at(position: Position, moves: u64) -> Self {
        Self {
            position,
            moves,
            outcome: None,
        }
    }
}

impl Match<Connect4> for State {
    fn position(&self) -> Position {
        self.position
    }

    fn apply(&mut self, decision: &Decision) -> Result<bool, GameError> {
        let Position { mut board, to_move } = self.position;
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
        self.position = Position {
            board,
            to_move: to_move.other(),
        };
        self.moves += 1;
        self.outcome = match board.makes_four(column, row) {
            true => Some(Outcome::Won(to_move.seat())),
            false => board.is_full().then_some(Outcome::Draw),
        };
        Ok(self.outcome.is_none())
    }

    fn moves(&self) -> u64 {
        self.moves
    }

    fn score(&self) -> Option<u64> {
        None
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
}

/// The parameters of a session's games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object that says how games are dealt")]
pub struct Setup {
    /// The seed of the session.
    pub seed: u64,
    /// Number of stones that are dropped at random before the first move, so that games differ.
    pub opening: u8,
}

impl Setup {
    /// The default setup: openings of two stones.
    pub const fn standard(seed: u64) -> Self {
        Self { seed, opening: 2 }
    }

    /// The position with which a game of a session begins.
    ///
    /// The opening has fewer stones if every further stone would end the game.
    pub fn opening(&self, game: u64) -> Position {
        let mut random = SplitMix64::seed_from_u64(game_seed(self.seed, game));
        let mut position = Position {
            board: Board::default(),
            to_move: Stone::Yellow,
        };
        for _ in 0..self.opening {
            let after = |column| {
                let mut board = position.board;
                board.drop(column, position.to_move)?;
                (!board.is_over()).then_some(board)
            };
            let boards: Vec<Board> = ORDER.into_iter().filter_map(after).collect();
            let Some(board) = boards.get(below(&mut random, boards.len())) else {
                break;
            };
            position = Position {
                board: *board,
                to_move: position.to_move.other(),
            };
        }
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect4::{Board, Stone};

    /// Plays columns from an empty board; returns the state and the last result.
    fn played(columns: &[usize]) -> (State, Result<bool, GameError>) {
        let mut state = State::at(
            Setup {
                seed: 0,
                opening: 0,
            }
            .opening(0),
            0,
        );
        let mut goes_on = Ok(true);
        for &column in columns {
            goes_on = state.apply(&Decision { column, value: 0 });
        }
        (state, goes_on)
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
            let (state, goes_on) = played(columns);
            assert_eq!(goes_on.ok(), Some(outcome.is_none()), "{columns:?}");
            assert_eq!(state.outcome(), outcome, "{columns:?}");
            assert_eq!((state.moves(), state.score()), (columns.len() as u64, None));
        }
    }

    #[test]
    fn match_illegal_move_errs_without_change() {
        for (columns, why) in [
            (&[7][..], "the column is 7, expected 0 to 6"),
            (&[2, 2, 2, 2, 2, 2, 2], "column 2 is full"),
            (
                &[0, 1, 0, 1, 0, 1, 0, 1],
                "the game is over: a side has four in a row, or the board is full",
            ),
        ] {
            let (state, result) = played(columns);
            assert_eq!(result.expect_err("illegal").to_string(), why);
            let (before, _) = played(&columns[..columns.len() - 1]);
            assert_eq!(state.position(), before.position());
            assert_eq!(state.outcome(), before.outcome());
        }
    }

    #[test]
    fn opening_by_seed_repeats_and_ends_no_game() {
        let setup = |opening| Setup { seed: 7, opening };
        let boards: Vec<Board> = (0..49).map(|game| setup(2).opening(game).board).collect();
        assert!(boards.iter().any(|board| *board != boards[0]));
        for game in 0..200 {
            for opening in [0, 1, 2, 9, 255] {
                let position = setup(opening).opening(game);
                assert_eq!(position, setup(opening).opening(game));
                assert!(!position.board.is_over());
                let stones = position.board.stones();
                assert!(stones == usize::from(opening) || opening == 255, "{stones}");
                let red = stones % 2 == 1;
                assert_eq!(position.to_move == Stone::Red, red);
            }
        }
    }

    #[test]
    fn deal_at_other_position_is_none() {
        let setup = |seed| Setup { seed, opening: 2 };
        let mut state = Connect4::deal(&setup(1), 4);
        for moves in 0..6 {
            let position = state.position();
            let refused = |moves, position: &Position| {
                Connect4::deal_at(&setup(1), 4, moves, position).is_none()
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
            let column = moves as usize;
            let played = state.apply(&Decision { column, value: 0 });
            assert!(played.expect("there is room"));
        }
        let games = (0..20).map(|game| setup(1).opening(game));
        let other = games.filter(|p| Connect4::deal_at(&setup(2), 0, 0, p).is_none());
        assert!(other.count() > 10, "an opening of another game is refused");
    }
}
