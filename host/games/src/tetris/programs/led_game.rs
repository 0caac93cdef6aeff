//! The LED wall's own game: six games of 16 columns on one board.
//!
//! Source: `Meebuhs/led-tetris` on GitHub (read for facts, nothing taken). Its peculiarities:
//! - Each game deals from its own bags of seven and has one falling piece. The first pieces appear
//!   one after the other, a sixth of the wall's height apart.
//! - The place of a piece is decided when it appears, on a board with all places decided so far,
//!   landed or not. The columns tried extend one column into the neighbouring games, and the piece
//!   may extend further.
//! - Then the piece moves one column and turns once at a time, if the landed pieces allow it, and
//!   falls a row every 150 ms. A piece that is stopped lands elsewhere, but the other board keeps
//!   the place that was decided.
//! - A full row has 96 columns. With each removed row, the program moves the highest occupied row,
//!   which limits the scan of the heuristic, *up* instead of down. After about 50 rows the
//!   heuristic takes the bottom of the wall for rows above its top, and loses the game. Much later
//!   its thread would end with a row number out of range; then pieces fall where they appear.
//! - The game is over when a piece appears on a landed one.
//!
//! The program runs in real time on two threads. Here decisions and passes of its loop take no
//! time. A pass moves each falling piece by a step; the clock advances when no piece has moved. A
//! pass skips the piece after one that lands, because the program removes that one from the list
//! over which it iterates.

use std::cmp::Ordering;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng as _;

use super::led::{Metrics, Place, Query, Wall, home, rotation_order};
use super::{Locked, OwnGame};
use crate::random::{game_seed, shuffle};
use crate::tetris::piece::height;
use crate::tetris::{Board, Piece};

const COLUMNS: usize = 96;
const ROWS: usize = 64;
const GAMES: usize = 6;
/// Number of columns of a game.
const SPAN: usize = COLUMNS / GAMES;

/// The time in which a piece falls a row, in units of 50 ms.
const FALL: u64 = 3;
/// The time between the first pieces: a sixth of the wall's height.
const APART: u64 = FALL * ROWS as u64 / GAMES as u64;

/// A running game: the wall and its six games.
#[derive(Debug, Clone)]
pub(super) struct LedGame {
    /// The landed pieces.
    landed: Wall,
    /// The landed pieces, and the places decided for falling ones.
    decided: Wall,
    highest_row: isize,
    /// Whether the heuristic's thread still runs.
    deciding: bool,
    bags: [Vec<Piece>; GAMES],
    random: SplitMix64,
    falling: Vec<Falling>,
    /// Number of first pieces that have appeared.
    begun: usize,
    now: u64,
    /// The current pass: the index of the next piece, and whether a piece has moved.
    pass: (usize, bool),
    moves: u64,
    lines: u64,
    /// The metrics of the last landed piece's place, if one was decided.
    metrics: Option<Metrics>,
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
            random: SplitMix64::seed_from_u64(game_seed(seed, game)),
            falling: Vec::new(),
            begun: 0,
            now: 0,
            pass: (0, false),
            moves: 0,
            lines: 0,
            metrics: None,
            over: false,
        }
    }

    /// Adds a piece to a game; `false` if it overlaps a landed one.
    fn appear(&mut self, game: usize) -> bool {
        if self.bags[game].is_empty() {
            self.bags[game] = Piece::ALL.to_vec();
            shuffle(&mut self.random, &mut self.bags[game]);
        }
        let piece = self.bags[game].pop().unwrap_or(Piece::I);
        let x = home(piece, SPAN * game + SPAN / 2);
        let rotation = rotation_order(piece)[0];
        let place = Place { rotation, x, y: 0 };
        let decided = self.decide(game, piece, x);
        self.falling.push(Falling {
            game,
            piece,
            turn: 0,
            place,
            goal: decided.map(|(place, _)| place),
            metrics: decided.map(|(_, metrics)| metrics),
            falls_at: self.now + FALL,
        });
        self.landed.free(piece, place)
    }

    fn decide(&mut self, game: usize, piece: Piece, home: usize) -> Option<(Place, Metrics)> {
        if !self.deciding {
            return None;
        }
        let query = Query {
            wall: &self.decided,
            piece,
            window: (SPAN * game).saturating_sub(1)..(SPAN * (game + 1) + 1).min(COLUMNS),
            home,
            highest_row: self.highest_row,
        };
        let Some((place, metrics)) = query.best() else {
            self.deciding = false;
            return None;
        };
        self.highest_row = self.highest_row.min(place.y as isize);
        self.decided.place(piece, place);
        Some((place, metrics))
    }

    /// Removes full rows among the rows of a landed piece.
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

    /// A step of the loop: moves the next piece of a pass, or begins the next pass.
    ///
    /// Returns a piece that has landed.
    fn advance(&mut self) -> Option<Falling> {
        let (index, moved) = self.pass;
        let Some(falling) = self.falling.get_mut(index) else {
            self.pass = (0, false);
            self.now += u64::from(!moved);
            if self.begun < GAMES && self.now >= APART * (self.begun as u64 + 1) {
                // The program does not check whether a first piece fits.
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
    /// The place decided, if any.
    goal: Option<Place>,
    metrics: Option<Metrics>,
    falls_at: u64,
}

impl Falling {
    /// Moves one column and turns once towards the goal, if landed pieces allow it.
    ///
    /// Returns whether the piece moved or turned.
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
            self.metrics = landed.metrics;
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

    fn notes(&self) -> Vec<String> {
        self.metrics.map_or(Vec::new(), Metrics::notes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advance_skips_piece_after_landed_one() {
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
    fn clear_full_row_moves_highest_row_up() {
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
    fn step_without_heuristic_drops_pieces_where_they_appear() {
        let mut game = LedGame::new(1, 0);
        game.highest_row = -(ROWS as isize);
        while game.step().is_some() {}
        assert!(!game.deciding);
        assert_eq!(game.lines(), 0);
        assert!(game.moves() < 200, "{}", game.moves());
        assert_eq!(game.step(), None);
    }
}
