//! The LED wall's game: six games of 16 columns on one board, in their time.
//!
//! Source: `Meebuhs/led-tetris` on GitHub (read for facts, nothing taken). Its
//! quirks:
//! - every game deals a bag of seven of its own; pieces appear one after
//!   another, a sixth of the wall's height apart, and each game has one falling;
//! - a piece's place is decided when it appears, on a board of all places
//!   decided so far, landed or not; the columns tried reach one column into the
//!   neighbours on either side, and the piece itself further;
//! - it then moves a column and turns at a time, as the landed pieces allow,
//!   and falls a row every 150 ms; a piece that was stopped lands elsewhere,
//!   while the other board keeps the place decided;
//! - a row needs all 96 columns. The highest occupied row, which bounds what
//!   the heuristic looks at, is moved *up* by one with each removed row, not
//!   down: after some 50 rows the heuristic sees the bottom of the wall above
//!   its top and loses the game. Much later still its thread would die on a row
//!   number out of range; pieces would then fall where they appear;
//! - the game is over when a piece appears on a landed one.
//!
//! The program runs in real time on two threads. Here a decision and a pass of
//! its loop over the falling pieces take no time: the loop passes over them, a
//! step each, until none has moved; only then the clock goes on. Within a pass
//! the piece after one that lands is left out, since the program removes from
//! the list it runs through.

use std::cmp::Ordering;

use super::led::Question;
use super::led_wall::{Place, Wall, home, rotation_order};
use super::random::Random;
use super::{Locked, OwnGame};
use crate::tetris::board::Board;
use crate::tetris::piece::{Piece, height};

const COLUMNS: usize = 96;
const ROWS: usize = 64;
const GAMES: usize = 6;
/// Columns of a game.
const SPAN: usize = COLUMNS / GAMES;

/// Time is counted in 50 ms: a row falls every 150 ms, and the first pieces
/// appear 64 / 6 rows apart.
const FALL: u64 = 3;
const APART: u64 = FALL * ROWS as u64 / GAMES as u64;

/// The wall and its six games.
#[derive(Debug, Clone)]
pub(super) struct LedGame {
    /// Landed pieces.
    landed: Wall,
    /// Landed pieces and the places decided for falling ones.
    decided: Wall,
    highest_row: isize,
    /// Whether the heuristic's thread still lives.
    deciding: bool,
    bags: [Vec<Piece>; GAMES],
    random: Random,
    falling: Vec<Falling>,
    /// First pieces that have appeared.
    begun: usize,
    now: u64,
    /// The pass under way: the next piece's index, and whether any has moved.
    pass: (usize, bool),
    moves: u64,
    lines: u64,
    over: bool,
}

impl LedGame {
    /// Game `game` of the session `seed`.
    pub(super) fn new(seed: u64, game: u64) -> Self {
        let wall = Wall {
            columns: COLUMNS,
            rows: vec![0; ROWS],
        };
        Self {
            landed: wall.clone(),
            decided: wall,
            highest_row: ROWS as isize,
            deciding: true,
            bags: Default::default(),
            random: Random::new(seed, game),
            falling: Vec::new(),
            begun: 0,
            now: 0,
            pass: (0, false),
            moves: 0,
            lines: 0,
            over: false,
        }
    }

    /// Lets a piece appear; `false` when it lies on a landed one.
    fn appear(&mut self, game: usize) -> bool {
        if self.bags[game].is_empty() {
            self.bags[game] = self.random.bag();
        }
        let piece = self.bags[game].pop().unwrap_or(Piece::I);
        let x = home(piece, SPAN * game + SPAN / 2);
        let rotation = rotation_order(piece)[0];
        let place = Place { rotation, x, y: 0 };
        let goal = self.decide(game, piece, x);
        self.falling.push(Falling {
            game,
            piece,
            turn: 0,
            place,
            goal,
            falls_at: self.now + FALL,
        });
        self.landed.free(piece, place)
    }

    fn decide(&mut self, game: usize, piece: Piece, home: usize) -> Option<Place> {
        if !self.deciding {
            return None;
        }
        let question = Question {
            wall: &self.decided,
            piece,
            window: (SPAN * game).saturating_sub(1)..(SPAN * (game + 1) + 1).min(COLUMNS),
            home,
            highest_row: self.highest_row,
        };
        let Some((place, _)) = question.answer() else {
            self.deciding = false;
            return None;
        };
        self.highest_row = self.highest_row.min(place.y as isize);
        self.decided.place(piece, place);
        Some(place)
    }

    /// Removes full rows among those of a piece that has landed.
    fn clear(&mut self, piece: Piece, place: Place) {
        for row in place.y..place.y + height(place.cells(piece)) {
            if self.landed.is_full(row) {
                self.landed.remove(row);
                self.decided.remove(row);
                self.lines += 1;
                self.highest_row -= 1;
            }
        }
    }

    /// A step of the loop: the next piece of a pass, or what comes between two
    /// passes. The piece when it has landed.
    fn advance(&mut self) -> Option<Falling> {
        let (index, moved) = self.pass;
        let Some(falling) = self.falling.get_mut(index) else {
            self.pass = (0, false);
            self.now += u64::from(!moved);
            if self.begun < GAMES && self.now >= APART * (self.begun as u64 + 1) {
                // Whether a first piece fits is not looked at.
                self.appear(self.begun);
                self.begun += 1;
            }
            return None;
        };
        let steered = falling.steer(&self.landed);
        let falls = falling.falls_at <= self.now;
        self.pass = (index + 1, moved || steered || falls);
        if !falls {
            return None;
        }
        let lower = Place {
            y: falling.place.y + 1,
            ..falling.place
        };
        if !self.landed.free(falling.piece, lower) {
            return Some(self.falling.remove(index));
        }
        falling.place = lower;
        falling.falls_at = self.now + FALL;
        None
    }
}

/// A falling piece.
#[derive(Debug, Clone)]
struct Falling {
    game: usize,
    piece: Piece,
    /// Index in the order of its rotations.
    turn: usize,
    place: Place,
    /// Where it is steered; `None` when nothing was decided.
    goal: Option<Place>,
    falls_at: u64,
}

impl Falling {
    /// Moves a column and turns once towards the goal, as far as landed pieces
    /// allow; whether it did either.
    fn steer(&mut self, landed: &Wall) -> bool {
        let Some(goal) = self.goal else { return false };
        let before = self.place;
        let mut aside = self.place;
        match goal.x.cmp(&aside.x) {
            Ordering::Less => aside.x -= 1,
            Ordering::Equal => {}
            Ordering::Greater => aside.x += 1,
        }
        if landed.free(self.piece, aside) {
            self.place = aside;
        }
        let order = rotation_order(self.piece);
        let turn = (self.turn + 1) % order.len();
        let turned = Place {
            rotation: order[turn],
            ..self.place
        };
        if goal.rotation != self.place.rotation && landed.free(self.piece, turned) {
            self.turn = turn;
            self.place = turned;
        }
        self.place != before
    }
}

impl OwnGame for LedGame {
    fn step(&mut self) -> Option<Locked> {
        while !self.over {
            let Some(landed) = self.advance() else {
                continue;
            };
            let (piece, place) = (landed.piece, landed.place);
            let cells = place.cells(piece);
            let row = ROWS - place.y - height(cells);
            self.landed.place(piece, place);
            self.clear(piece, place);
            self.moves += 1;
            self.over = !self.appear(landed.game);
            return Some(Locked::at(piece, cells, place.x, row));
        }
        None
    }

    fn moves(&self) -> u64 {
        self.moves
    }

    fn lines(&self) -> u64 {
        self.lines
    }

    fn board(&self) -> Board {
        self.landed.to_board()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_piece_after_one_that_lands_is_left_out_of_the_pass() {
        let mut game = LedGame::new(1, 0);
        (0..3).for_each(|_| assert!(game.appear(0)));
        game.now = FALL;
        for falling in &mut game.falling {
            falling.goal = None;
            falling.place.y = ROWS - height(falling.place.cells(falling.piece));
        }
        let second = game.falling[1].piece;
        assert!(game.advance().is_some(), "the first lands");
        assert!(game.advance().is_some(), "then the third");
        assert_eq!(game.falling[0].piece, second);
    }

    #[test]
    fn windows_overlap_by_a_column_on_either_side() {
        // Only one column of the wall is deep enough for the standing I.
        let all = (1u128 << COLUMNS) - 1;
        let reached = |game, deep: usize| {
            let mut wall = LedGame::new(1, 0);
            wall.decided.rows[ROWS - 4..].fill(all & !(1 << deep));
            wall.highest_row = ROWS as isize - 4;
            wall.decide(game, Piece::I, 22).unwrap().x == deep
        };
        assert!(reached(1, 15) && !reached(1, 14));
        assert!(reached(1, 32) && !reached(1, 33));
        assert!(reached(0, 0) && reached(5, 95));
    }

    #[test]
    fn a_row_needs_96_columns_and_moves_the_highest_row_up() {
        let mut game = LedGame::new(1, 0);
        let all = (1u128 << COLUMNS) - 1;
        game.landed.rows[ROWS - 1] = all >> 1;
        game.landed.rows[ROWS - 2] = 1;
        game.decided = game.landed.clone();
        game.highest_row = ROWS as isize - 2;
        let (rotation, x, y) = (1, 92, ROWS - 1);
        let place = Place { rotation, x, y };
        game.clear(Piece::I, place);
        assert_eq!(game.lines, 0);
        game.landed.rows[ROWS - 1] = all;
        game.clear(Piece::I, place);
        assert_eq!((game.lines, game.highest_row), (1, ROWS as isize - 3));
        let bottom = [&game.landed, &game.decided].map(|wall| wall.rows[ROWS - 1]);
        assert_eq!(bottom, [1, 1]);
    }

    #[test]
    fn without_the_heuristic_pieces_fall_where_they_appear() {
        let mut game = LedGame::new(1, 0);
        game.highest_row = -(ROWS as isize);
        while game.step().is_some() {}
        assert!(!game.deciding);
        assert_eq!(game.lines(), 0);
        assert!(game.moves() < 200, "{}", game.moves());
        assert_eq!(game.step(), None);
    }

    #[test]
    fn first_pieces_appear_a_sixth_of_the_wall_apart_and_fall() {
        let mut game = LedGame::new(1, 0);
        let mut times = Vec::new();
        while game.begun < GAMES {
            game.advance();
            times.resize(game.begun, game.now);
        }
        assert_eq!(times, [32, 64, 96, 128, 160, 192]);
        // The first one fell a row every 150 ms since.
        assert_eq!(game.falling[0].place.y, 53);
        game.step();
        let games: Vec<usize> = game.falling.iter().map(|f| f.game).collect();
        assert_eq!(games, [1, 2, 3, 4, 5, 0]);
    }
}
