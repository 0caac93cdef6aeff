//! Running games, the parameters from which they are dealt, and the rules.

use std::collections::BTreeMap;

use protocol::layout::tetris::WEIGHT_FIELDS;
use serde::{Deserialize, Serialize};

use super::{Board, Controller, Piece, PieceSource, Pieces, Placement, Position, Size, Tetris};
use crate::{BoardSize, GameError, Match, Named, Rules, RulesDescription};

/// A running game.
#[derive(Debug, Clone)]
pub struct State {
    board: Board,
    piece: Piece,
    next: Piece,
    next_known: bool,
    pieces: Pieces,
    moves: u64,
    lines: u64,
}

impl State {
    /// A game on `board` after `moves` moves; the lines before are not counted.
    fn at(setup: &Setup, board: Board, mut pieces: Pieces, moves: u64) -> Self {
        Self {
            board,
            piece: pieces.draw(),
            next: pieces.draw(),
            next_known: setup.next_known,
            pieces,
            moves,
            lines: 0,
        }
    }

    /// Number of rows removed so far.
    pub fn lines(&self) -> u64 {
        self.lines
    }
}

impl Rules for Tetris {
    type Match = State;

    fn board(setup: &Setup) -> BoardSize {
        BoardSize::new(setup.board.columns(), setup.board.rows())
    }

    fn deal(setup: &Setup, game: u64) -> State {
        let pieces = Pieces::new(setup.piece_source, setup.seed, game);
        State::at(setup, Board::of_size(setup.board), pieces, 0)
    }

    fn deal_at(setup: &Setup, game: u64, moves: u64, position: &Position) -> Option<State> {
        if !position.board.is_of(setup.board) {
            return None;
        }
        let pieces = Pieces::after(setup.piece_source, setup.seed, game, moves);
        let state = State::at(setup, position.board.clone(), pieces, moves);
        (state.position() == *position).then_some(state)
    }

    fn follows(
        before: &Position,
        decision: &Option<Placement>,
        after: &Position,
    ) -> Result<bool, GameError> {
        let Some(placement) = decision else {
            return Ok(false);
        };
        let mut board = before.board.clone();
        put(&mut board, before.piece, placement)?;
        let dealt = before.next.is_none_or(|next| next == after.piece);
        Ok(dealt && board == after.board && before.next.is_some() == after.next.is_some())
    }

    fn describe(setup: &Setup) -> RulesDescription {
        let source = setup.piece_source;
        RulesDescription {
            rules: Named::new("common", RULES),
            seed: setup.seed,
            generator: Named::new(&source.to_string(), source.about()),
        }
    }

    fn integers(controller: &Controller) -> BTreeMap<String, i64> {
        let Some(linear) = controller.linear() else {
            return BTreeMap::new();
        };
        let names = WEIGHT_FIELDS.iter().map(|field| field.name.to_owned());
        let weights = linear.weights.iter().map(|&weight| i64::from(weight));
        let (depth, beam) = (linear.search.depth() as i64, linear.search.width());
        let beam = beam.map(|beam| ("beam".to_owned(), i64::from(beam)));
        let search = [("depth".to_owned(), depth)].into_iter().chain(beam);
        names.zip(weights).chain(search).collect()
    }
}

/// The rules in a sentence.
const RULES: &str = "each piece comes straight down from above the board in one of its rotations, \
                     full rows are removed, and the game is over when no placement is legal \
                     (host/games/src/tetris/README.md)";

/// Carries out a placement and returns the number of rows removed.
///
/// # Errors
/// When the piece does not come to rest there, or clears another number of rows.
pub fn put(board: &mut Board, piece: Piece, placement: &Placement) -> Result<u64, GameError> {
    let rotation = placement.rotation;
    let cells = piece.rotations().get(rotation);
    let cells = cells.ok_or_else(|| GameError(format!("{piece:?} has no rotation {rotation}")))?;
    let (column, row) = (placement.column, placement.row);
    let wrong = |field: &str, got: usize, expected: &str| {
        GameError(format!(
            "{piece:?} in rotation {rotation} at column {column}: {field} is {got}, expected {expected}"
        ))
    };
    let legal = column < board.columns();
    match legal.then(|| board.landing_row(cells, column)).flatten() {
        Some(landing) if landing == row => {}
        Some(landing) => return Err(wrong("the row", row, &landing.to_string())),
        None => {
            return Err(GameError(format!(
                "{piece:?} in rotation {rotation} cannot be placed at column {column}"
            )));
        }
    }
    board.place(cells, column, row);
    let expected = board.clear_full_rows().len();
    if expected != placement.rows_cleared {
        let got = placement.rows_cleared;
        return Err(wrong("rows_cleared", got, &expected.to_string()));
    }
    Ok(expected as u64)
}

impl Match<Tetris> for State {
    fn position(&self) -> Position {
        Position {
            board: self.board.clone(),
            piece: self.piece,
            next: self.next_known.then_some(self.next),
        }
    }

    fn apply(&mut self, decision: &Option<Placement>) -> Result<bool, GameError> {
        let Some(placement) = decision else {
            return Ok(false);
        };
        self.lines += put(&mut self.board, self.piece, placement)?;
        self.moves += 1;
        self.piece = std::mem::replace(&mut self.next, self.pieces.draw());
        Ok(true)
    }

    fn moves(&self) -> u64 {
        self.moves
    }

    fn score(&self) -> Option<u64> {
        Some(self.lines)
    }

    fn next_note(&self) -> Option<String> {
        (!self.next_known).then(|| format!("next {:?}", self.next))
    }
}

/// The parameters of a session's games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object that says how games are dealt")]
pub struct Setup {
    /// The source of pieces.
    pub piece_source: PieceSource,
    /// The seed of the session.
    pub seed: u64,
    /// The size of the board.
    #[serde(default)]
    pub board: Size,
    /// Whether positions name the next piece.
    #[serde(default)]
    pub next_known: bool,
}

impl Setup {
    /// The default setup: uniform pieces on the standard board, the next one unknown.
    pub fn standard(seed: u64) -> Self {
        Self {
            piece_source: PieceSource::Uniform,
            seed,
            board: Size::STANDARD,
            next_known: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Golden as _;

    fn setup(next_known: bool) -> Setup {
        Setup {
            next_known,
            piece_source: crate::tetris::PieceSource::Bag,
            ..Setup::standard(7)
        }
    }

    /// The positions and decisions of a game of 40 moves.
    fn game(setup: &Setup) -> Vec<(Position, Option<Placement>)> {
        let controller = Controller::load("dt-20").unwrap();
        let mut state = Tetris::deal(setup, 2);
        let mut moves = Vec::new();
        for _ in 0..40 {
            let position = state.position();
            let alone = Position {
                next: None,
                ..position.clone()
            };
            let decision = Tetris::decide(&controller, &alone).unwrap();
            assert!(state.apply(&decision).unwrap());
            moves.push((position, decision));
        }
        moves
    }

    #[test]
    fn deal_at_other_piece_is_none() {
        for setup in [setup(false), setup(true)] {
            for (at, (position, _)) in game(&setup).iter().enumerate() {
                let mut other = position.clone();
                other.piece = Piece::ALL[(usize::from(position.piece.number()) + 1) % 7];
                assert!(Tetris::deal_at(&setup, 2, at as u64, &other).is_none());
            }
        }
    }

    #[test]
    fn follows_accepts_any_draw_but_no_other_change() {
        for known in [false, true] {
            let game = game(&setup(known));
            for pair in game.windows(2) {
                let ((before, decision), (after, _)) = (&pair[0], &pair[1]);
                let follows = |after: &Position| Tetris::follows(before, decision, after);
                assert!(follows(after).unwrap());
                let mut other = after.clone();
                other.piece = Piece::ALL[(usize::from(after.piece.number()) + 1) % 7];
                assert_eq!(follows(&other).unwrap(), !known, "any piece may be drawn");
                let mut other = after.clone();
                other.board.set(3, 19, true);
                assert!(!follows(&other).unwrap());
                let mut high = decision.expect("there is room");
                high.row += 1;
                assert!(Tetris::follows(before, &Some(high), after).is_err());
                high.column = usize::MAX;
                assert!(Tetris::follows(before, &Some(high), after).is_err());
                assert!(!Tetris::follows(before, &None, after).unwrap());
            }
        }
    }
}
