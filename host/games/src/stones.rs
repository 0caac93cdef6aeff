//! Games of two players who place stones on a board alternately: positions, openings, rules, pictures.

use std::collections::BTreeMap;
use std::fmt::Debug;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng as _;
use serde::{Deserialize, Serialize};

use crate::picture::{Cell, Colour};
use crate::random::{below, game_seed};
use crate::{
    BoardSize, Draw, Game, GameError, Match, Named, Noun, Outcome, Picture, Rules,
    RulesDescription, Words,
};

/// A stone, or the side to which it belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stone {
    /// The side that moves first.
    First,
    /// The side that moves second.
    Second,
}

impl Stone {
    /// The other side.
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// Index of the side in [`Game::SEATS`].
    pub const fn seat(self) -> usize {
        self as usize
    }
}

/// The words of these games for a move and a point.
pub const WORDS: Words = Words {
    step: Noun {
        one: "move",
        many: "moves",
    },
    score: Noun {
        one: "point",
        many: "points",
    },
};

/// A game of two players who place stones on a board alternately; it has [`Rules`] and pictures.
pub trait Stones:
    Game<Position = Position<Self>, Setup = Setup, Error = GameError, Decision: Copy>
{
    /// The stones on the board; by default there are none.
    type Board: Copy + Debug + Default + PartialEq + Send + Sync;

    /// The size of the board.
    const SIZE: BoardSize;
    /// Whether row 0 is the bottom row.
    const BOTTOM_UP: bool;
    /// The character and the colour of the stones of each side.
    const LOOKS: [(char, Colour); 2];
    /// The name of the rules, and the rules in a sentence.
    const RULES: [&'static str; 2];
    /// The random draws of an opening.
    const OPENING: &'static str;
    /// Why nothing can be played on a board on which the game is over.
    const OVER: &'static str;

    /// The stone at a column and a row of the board.
    fn stone(board: &Self::Board, column: usize, row: usize) -> Option<Stone>;

    /// Places a stone at a column and a row, or lets it fall from there; returns the row where it
    /// lies, if there is room.
    fn put(board: &mut Self::Board, column: usize, row: usize, stone: Stone) -> Option<usize>;

    /// The column and row of a decision, for [`Self::put`].
    ///
    /// # Errors
    /// When the board has no such place.
    fn place(decision: &Self::Decision) -> Result<[usize; 2], GameError>;

    /// The place of a decision as text.
    fn place_name(decision: &Self::Decision) -> String;

    /// Whether nothing can be played: a side has won, or the board is full.
    fn is_over(board: &Self::Board) -> bool;

    /// Whether the stone at a column and a row is in a line that wins.
    fn wins(board: &Self::Board, column: usize, row: usize) -> bool;

    /// Columns and rows from which the stones of an opening are placed, in the order of the README.
    fn opening_places() -> Vec<[usize; 2]>;

    /// As [`Rules::integers`].
    fn weights(controller: &Self::Controller) -> BTreeMap<String, i64>;
}

/// The columns and rows of a board, row by row from row 0 on.
fn places<G: Stones>() -> impl Iterator<Item = [usize; 2]> {
    let BoardSize { columns, rows } = G::SIZE;
    (0..rows).flat_map(move |row| (0..columns).map(move |column| [column, row]))
}

/// The error of a position in which the game is over.
pub fn over<G: Stones>() -> GameError {
    GameError(G::OVER.into())
}

/// Checks the depth of a search, 1 to `most` stones.
pub(crate) fn check_depth(depth: u64, most: u8) -> Result<u8, GameError> {
    let valid = u8::try_from(depth).ok();
    let valid = valid.filter(|depth| (1..=most).contains(depth));
    valid.ok_or_else(|| GameError(format!("the depth is {depth}, expected 1 to {most}")))
}

/// A board and the side to move.
///
/// In JSON the board is a list of rows as in a picture, the topmost first, with `.` for an empty
/// cell: `{"board":[".......",".......",".......",".......","...R...","..YY..."],"to_move":"red"}`.
/// Other members are ignored.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(bound = "", try_from = "Json", into = "Json")]
pub struct Position<G: Stones> {
    /// The stones.
    pub board: G::Board,
    /// The side to move.
    pub to_move: Stone,
}

impl<G: Stones> Position<G> {
    /// The empty board.
    pub fn empty() -> Self {
        Self {
            board: G::Board::default(),
            to_move: Stone::First,
        }
    }

    /// The stone in each cell, row by row from row 0 on.
    pub fn cells(&self) -> impl Iterator<Item = Option<Stone>> {
        places::<G>().map(|[column, row]| G::stone(&self.board, column, row))
    }

    /// The stones again with each replaced by `stone` of its column, row and side, from row 0 up.
    fn rebuilt(&self, stone: impl Fn(usize, usize, Stone) -> Option<Stone>) -> G::Board {
        let mut board = G::Board::default();
        for [column, row] in places::<G>() {
            let old = G::stone(&self.board, column, row);
            if let Some(new) = old.and_then(|old| stone(column, row, old)) {
                G::put(&mut board, column, row, new);
            }
        }
        board
    }

    /// The position in which each side has the other one's stones, and the other side is to move.
    fn with_sides_swapped(&self) -> Self {
        Self {
            board: self.rebuilt(|_, _, stone| Some(stone.other())),
            to_move: self.to_move.other(),
        }
    }

    /// The position after a stone at a place, and the outcome if it ends the game; `None` if there
    /// is no room.
    fn after(&self, [column, row]: [usize; 2]) -> Option<(Self, Option<Outcome>)> {
        let Self { mut board, to_move } = *self;
        let row = G::put(&mut board, column, row, to_move)?;
        let after = Self {
            board,
            to_move: to_move.other(),
        };
        let outcome = match G::wins(&board, column, row) {
            true => Some(Outcome::Won(to_move.seat())),
            false => {
                let is_full = after.cells().all(|cell| cell.is_some());
                is_full.then_some(Outcome::Draw)
            }
        };
        Some((after, outcome))
    }

    /// Plays a decision; also returns the outcome if it ends the game.
    ///
    /// # Errors
    /// When the rules forbid it.
    pub fn play(&self, decision: &G::Decision) -> Result<(Self, Option<Outcome>), GameError> {
        let place = G::place(decision)?;
        if G::is_over(&self.board) {
            return Err(over::<G>());
        }
        self.after(place).ok_or_else(|| {
            let place = G::place_name(decision);
            GameError(format!("there is no room at {place}"))
        })
    }

    /// Simpler positions: fewer stones, or as many stones and the first side to move.
    pub(crate) fn simpler(&self) -> Vec<Self> {
        let BoardSize { columns, rows } = G::SIZE;
        let keep = |kept: &dyn Fn(usize, usize) -> bool| Self {
            board: self.rebuilt(|column, row, stone| kept(column, row).then_some(stone)),
            ..*self
        };
        let mut fewer = vec![keep(&|_, _| false)];
        for first in [true, false] {
            fewer.push(keep(&|column, _| (column < columns / 2) == first));
            fewer.push(keep(&|_, row| (row < rows / 2) == first));
        }
        fewer.extend((0..columns).map(|gone| keep(&|column, _| column != gone)));
        fewer.extend((0..rows).map(|gone| keep(&|_, row| row != gone)));
        fewer.extend(places::<G>().map(|gone| keep(&|column, row| [column, row] != gone)));
        let stones = |position: &Self| position.cells().flatten().count();
        // Stones that fall may make a line.
        fewer.retain(|left| stones(left) < stones(self) && !G::is_over(&left.board));
        if self.to_move == Stone::Second {
            fewer.push(self.with_sides_swapped());
        }
        fewer
    }
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(expecting = "an object with a board and to_move")]
struct Json {
    board: Vec<String>,
    to_move: String,
}

/// The numbers of the rows, from the bottom up.
fn rows_from_bottom<G: Stones>() -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator {
    let rows = G::SIZE.rows;
    (0..rows).map(move |row| if G::BOTTOM_UP { row } else { rows - 1 - row })
}

impl<G: Stones> TryFrom<Json> for Position<G> {
    type Error = String;

    fn try_from(json: Json) -> Result<Self, String> {
        let rows = G::SIZE.rows;
        if json.board.len() != rows {
            let got = json.board.len();
            return Err(format!("expected {rows} rows of the board, got {got}"));
        }
        let mut position = Self::empty();
        for (row, line) in rows_from_bottom::<G>().zip(json.board.iter().rev()) {
            put_row::<G>(&mut position.board, row, line)
                .map_err(|why| format!("row {row}, {line:?}: {why}"))?;
        }
        if G::is_over(&position.board) {
            return Err(G::OVER.into());
        }
        let side = |side: &Stone| G::SEATS[side.seat()] == json.to_move;
        let to_move = [Stone::First, Stone::Second].into_iter().find(side);
        position.to_move = to_move.ok_or_else(|| {
            let expected = G::SEATS.join(" or ");
            format!("to_move is {:?}, expected {expected}", json.to_move)
        })?;
        Ok(position)
    }
}

/// Places the stones of a row.
fn put_row<G: Stones>(board: &mut G::Board, row: usize, line: &str) -> Result<(), String> {
    let (length, columns) = (line.chars().count(), G::SIZE.columns);
    if length != columns {
        return Err(format!("{length} cells, expected {columns}"));
    }
    let [first, second] = G::LOOKS.map(|(sign, _)| sign);
    for (column, sign) in line.chars().enumerate() {
        let stone = match sign {
            '.' => continue,
            sign if sign == first => Stone::First,
            sign if sign == second => Stone::Second,
            other => {
                return Err(format!(
                    "the cell is {other:?}, expected {first}, {second} or ."
                ));
            }
        };
        if G::put(board, column, row, stone) != Some(row) {
            return Err(format!(
                "the stone in column {column} has an empty cell below it"
            ));
        }
    }
    Ok(())
}

impl<G: Stones> From<Position<G>> for Json {
    fn from(Position { board, to_move }: Position<G>) -> Self {
        let sign = |stone: Option<Stone>| stone.map_or('.', |stone| G::LOOKS[stone.seat()].0);
        let line = |row| {
            let cells = (0..G::SIZE.columns).map(|column| G::stone(&board, column, row));
            cells.map(sign).collect()
        };
        Self {
            board: rows_from_bottom::<G>().rev().map(line).collect(),
            to_move: G::SEATS[to_move.seat()].into(),
        }
    }
}

impl<G: Stones> Draw for G {
    /// The stone of the decision is marked; without a decision, the stones of a line that wins.
    fn picture(position: &Position<G>, decision: Option<&G::Decision>) -> Picture {
        let mut board = position.board;
        // A record may contain any decision.
        let chosen = decision.map(|decision| {
            let [column, row] = G::place(decision).ok()?;
            Some([column, G::put(&mut board, column, row, position.to_move)?])
        });
        let mut picture = Picture::empty(G::SIZE.columns, G::SIZE.rows);
        picture.bottom_up = G::BOTTOM_UP;
        for place @ [column, row] in places::<G>() {
            if let Some(stone) = G::stone(&board, column, row)
                && let Some(cell) = picture.cell(column, row)
            {
                let (sign, colour) = G::LOOKS[stone.seat()];
                *cell = Cell::new(sign, colour);
                cell.marked = match chosen {
                    Some(chosen) => chosen == Some(place),
                    None => G::wins(&board, column, row),
                };
            }
        }
        let seat = G::SEATS[position.to_move.seat()];
        picture.notes.extend(match decision {
            Some(decision) => Some(format!("{seat} plays {}", G::place_name(decision))),
            None if G::is_over(&board) => None,
            None => Some(format!("{seat} to move")),
        });
        picture
    }
}

/// The parameters of a session's games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object that says how games are dealt")]
pub struct Setup {
    /// The seed of the session.
    pub seed: u64,
    /// Number of stones that are placed at random before the first move, so that games differ.
    pub opening: u8,
    /// Whether each opening is played twice in succession, the second time with colours swapped.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub swap: bool,
}

impl Setup {
    /// Games with openings of this number of stones, each played once.
    pub const fn new(seed: u64, opening: u8) -> Self {
        Self {
            seed,
            opening,
            swap: false,
        }
    }

    /// The position with which a game of a session begins.
    ///
    /// The opening has fewer stones if no further stone can be put.
    pub fn opening<G: Stones>(&self, game: u64) -> Position<G> {
        let (opening, is_swapped) = match self.swap {
            true => (game / 2, game % 2 == 1),
            false => (game, false),
        };
        let mut random = SplitMix64::seed_from_u64(game_seed(self.seed, opening));
        let mut position = Position::empty();
        for _ in 0..self.opening {
            let after = |place| position.after(place);
            let next = G::opening_places().into_iter().filter_map(after);
            let next = next.filter(|(_, outcome)| outcome.is_none());
            let next: Vec<_> = next.map(|(position, _)| position).collect();
            let Some(next) = next.get(below(&mut random, next.len())) else {
                break;
            };
            position = *next;
        }
        match is_swapped {
            true => position.with_sides_swapped(),
            false => position,
        }
    }
}

/// A running game.
#[derive(Debug, Clone)]
pub struct State<G: Stones> {
    position: Position<G>,
    moves: u64,
    outcome: Option<Outcome>,
}

impl<G: Stones> State<G> {
    /// A game in progress after `moves` moves.
    const fn at(position: Position<G>, moves: u64) -> Self {
        Self {
            position,
            moves,
            outcome: None,
        }
    }
}

impl<G: Stones> Rules for G {
    type Match = State<G>;

    fn board(_: &Setup) -> BoardSize {
        G::SIZE
    }

    fn deal(setup: &Setup, game: u64) -> State<G> {
        State::at(setup.opening(game), 0)
    }

    /// Checks the number of moves of each side, and that the opening is on the board. Whether some
    /// order of moves leads to the position is not checked.
    fn deal_at(setup: &Setup, game: u64, moves: u64, position: &Position<G>) -> Option<State<G>> {
        let opening = setup.opening::<G>(game);
        let mut cells = opening.cells().zip(position.cells());
        let is_kept = cells.all(|(before, now)| before.is_none() || before == now);
        let first = opening.to_move;
        let made = [first, first.other()].map(|side| {
            let stones = |position: &Position<G>| {
                position.cells().filter(|cell| *cell == Some(side)).count() as u64
            };
            stones(position).checked_sub(stones(&opening))
        });
        let to_move = match moves.is_multiple_of(2) {
            true => first,
            false => first.other(),
        };
        let follows = is_kept
            && made == [Some(moves.div_ceil(2)), Some(moves / 2)]
            && position.to_move == to_move
            && !G::is_over(&position.board);
        follows.then(|| State::at(*position, moves))
    }

    fn follows(
        before: &Position<G>,
        decision: &G::Decision,
        after: &Position<G>,
    ) -> Result<bool, GameError> {
        let (position, outcome) = before.play(decision)?;
        Ok(outcome.is_none() && position == *after)
    }

    fn describe(setup: &Setup) -> RulesDescription {
        let games = match setup.swap {
            true => "games 2n - 1 and 2n have opening n, the second one with colours swapped",
            false => "game n has opening n",
        };
        let [name, about] = G::RULES;
        RulesDescription {
            rules: Named::new(name, about),
            seed: setup.seed,
            generator: Named::new("opening", &format!("{}; {games}", G::OPENING)),
        }
    }

    fn integers(controller: &G::Controller) -> BTreeMap<String, i64> {
        G::weights(controller)
    }
}

impl<G: Stones> Match<G> for State<G> {
    fn position(&self) -> Position<G> {
        self.position
    }

    fn apply(&mut self, decision: &G::Decision) -> Result<bool, GameError> {
        (self.position, self.outcome) = self.position.play(decision)?;
        self.moves += 1;
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

#[cfg(test)]
mod tests;
