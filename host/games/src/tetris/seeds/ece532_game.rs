//! The game the ECE532 core was played by: its MicroBlaze program.
//!
//! Source: `DerekPPeterson/ece532` on GitHub, the program of the design
//! `tetris_test2` (no licence: read for facts, nothing taken). Its quirks:
//! - the AI is asked for the next piece as soon as the last one is locked,
//!   **before** full rows are removed, and is shown an empty row 19;
//! - the answer is carried out at the top of that same board: rotate, as far
//!   left as it goes, then one column right at a time, each step only if the
//!   board allows it;
//! - then full rows are removed and the piece falls. Removing a row moves down
//!   rows up to 18, leaves a copy of row 18 in place, empties row 19, and never
//!   looks whether row 19 is full;
//! - the game is over when a new piece overlaps the board; rows are removed
//!   once more before the lines are reported;
//! - pieces come in bags of seven; a game begins with the third piece drawn.
//!   The program goes on with one stream of bags from game to game, here every
//!   game has a stream of its own.
//!
//! Its column 0 is the board's right one in its memory and the AI's left one:
//! here, as in [`super::ece532_v25`], column 0 is the AI's.

use super::ece532::rotation_order;
use super::packed::Columns;
use super::{Locked, OwnGame, ece532_v25};
use crate::tetris::board::Board;
use crate::tetris::piece::{Cells, Piece, width};
use crate::tetris::source::{PieceSource, Pieces};

const COLUMNS: usize = 10;
const ROWS: usize = 20;

/// When the AI is asked for a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AsksWhen {
    /// On the board that still holds full rows: the program as published.
    BeforeClearing,
    /// After they are removed: that order repaired, nothing else.
    AfterClearing,
}

/// A game under way.
#[derive(Debug, Clone)]
pub struct Ece532Game {
    asks: AsksWhen,
    board: Columns,
    pieces: Pieces,
    moves: u64,
    lines: u64,
    over: bool,
}

impl Ece532Game {
    /// Game `game` of the session `seed`.
    pub fn new(asks: AsksWhen, seed: u64, game: u64) -> Self {
        let mut new = Self {
            asks,
            board: Columns::empty(COLUMNS, ROWS),
            pieces: Pieces::new(PieceSource::Bag, seed, game),
            moves: 0,
            lines: 0,
            over: false,
        };
        new.pieces.draw();
        new.pieces.draw();
        new
    }

    /// Removes full rows the way the program does.
    fn clear(&mut self) {
        let mut row = 0;
        while row < ROWS - 1 {
            if self.board.full_rows() >> row & 1 == 0 {
                row += 1;
                continue;
            }
            for to in row..ROWS - 2 {
                self.board.overwrite_row(to, Some(to + 1));
            }
            self.board.overwrite_row(ROWS - 1, None);
            self.lines += 1;
            if row == ROWS - 2 {
                // A full row 18 replaces itself: there the program hangs.
                row += 1;
            }
        }
    }

    /// The AI's answer: how many turns, and which column.
    fn ask(&self, piece: Piece) -> (usize, usize) {
        let mut shown = self.board;
        shown.overwrite_row(ROWS - 1, None);
        let order = rotation_order(piece);
        ece532_v25::decide(shown, piece).map_or((0, 0), |placement| {
            let turn = order.iter().position(|&r| r == placement.rotation);
            (turn.unwrap_or(0), placement.column)
        })
    }

    fn free(&self, falling: Falling) -> bool {
        let (cells, column, row) = falling.position();
        let Ok(column) = usize::try_from(column) else {
            return false;
        };
        column + width(cells) <= COLUMNS && self.board.free(cells, column, row)
    }

    /// The piece where the answer leads it.
    fn steer(&self, mut falling: Falling, (turns, column): (usize, usize)) -> Falling {
        let mut attempt = |step: fn(&mut Falling)| {
            let mut moved = falling;
            step(&mut moved);
            if self.free(moved) {
                falling = moved;
            }
        };
        (0..turns).for_each(|_| attempt(|f| f.turn += 1));
        (0..COLUMNS).for_each(|_| attempt(|f| f.frame -= 1));
        (0..column).for_each(|_| attempt(|f| f.frame += 1));
        falling
    }
}

/// A piece above the board, under control.
#[derive(Debug, Clone, Copy)]
struct Falling {
    piece: Piece,
    /// Index in the order of its rotations.
    turn: usize,
    /// Leftmost column of its 4×4 frame, left of the board at times.
    frame: isize,
}

impl Falling {
    /// A new piece: its frame in the middle of the top four rows.
    fn new(piece: Piece) -> Self {
        Self {
            piece,
            turn: 0,
            frame: 3,
        }
    }

    /// Its cells, and the column and row of their lower left corner.
    fn position(self) -> (&'static Cells, isize, usize) {
        let order = rotation_order(self.piece);
        let rotation = order[self.turn % order.len()];
        // Where the cells lie in the 4×4 frame.
        let (right, up) = match (self.piece, self.turn) {
            (Piece::I, 0) => (0, 2),
            (Piece::I, _) => (2, 0),
            (Piece::O, _) => (1, 2),
            (_, 0) => (1, 2),
            (_, 1) => (2, 1),
            _ => (1, 1),
        };
        let cells = &self.piece.rotations()[rotation];
        (cells, self.frame + right, ROWS - 4 + up)
    }
}

impl OwnGame for Ece532Game {
    fn step(&mut self) -> Option<Locked> {
        if self.over {
            return None;
        }
        if self.asks == AsksWhen::AfterClearing {
            self.clear();
        }
        let piece = self.pieces.draw();
        let falling = Falling::new(piece);
        if !self.free(falling) {
            self.clear();
            self.over = true;
            return None;
        }
        let answer = self.ask(piece);
        let (cells, column, mut row) = self.steer(falling, answer).position();
        self.clear();
        let column = usize::try_from(column).unwrap_or(0);
        while row > 0 && self.board.free(cells, column, row - 1) {
            row -= 1;
        }
        self.board.place(cells, column, row);
        self.moves += 1;
        Some(Locked::at(piece, cells, column, row))
    }

    fn moves(&self) -> u64 {
        self.moves
    }

    fn lines(&self) -> u64 {
        self.lines
    }

    fn board(&self) -> Board {
        self.board.to_board()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::signature;
    use super::*;

    const FULL: u64 = 0b11_1111_1111;

    fn game(rows: &[(usize, u64)]) -> Ece532Game {
        let mut numbers = [0; ROWS];
        for &(row, value) in rows {
            numbers[row] = value;
        }
        let board = Board::from_rows(COLUMNS, &numbers).unwrap();
        let mut game = Ece532Game::new(AsksWhen::BeforeClearing, 1, 0);
        game.board = Columns::of(&board).unwrap();
        game
    }

    fn rows(game: &Ece532Game) -> Vec<u64> {
        game.board().to_rows()
    }

    #[test]
    fn removing_a_row_keeps_a_copy_of_row_18_and_empties_row_19() {
        let mut game = game(&[(0, FULL), (1, 0b1), (17, 0b10), (18, 0b100), (19, 0b1000)]);
        game.clear();
        assert_eq!(game.lines, 1);
        let after = rows(&game);
        assert_eq!(after[0], 0b1);
        assert_eq!(after[16..], [0b10, 0b100, 0b100, 0]);
    }

    #[test]
    fn row_19_is_never_removed_and_a_full_row_18_counts_once() {
        let mut game = game(&[(18, FULL), (19, FULL)]);
        game.clear();
        assert_eq!((game.lines, rows(&game)[18]), (1, FULL));
        let mut game = self::game(&[(19, FULL)]);
        game.clear();
        assert_eq!((game.lines, rows(&game)[19]), (0, FULL));
    }

    #[test]
    fn the_ai_does_not_see_row_19() {
        // Row 19 alone closes every column; below it a standing I in column 9
        // fills four rows.
        let mut rows = [
            (0, FULL >> 1),
            (1, FULL >> 1),
            (2, FULL >> 1),
            (3, FULL >> 1),
            (19, 0),
        ];
        assert_eq!(game(&rows).ask(Piece::I), (1, 9));
        rows[4].1 = FULL;
        assert!(ece532_v25::decide(game(&rows).board, Piece::I).is_none());
        assert_eq!(game(&rows).ask(Piece::I), (1, 9));
        assert_eq!(game(&[(18, FULL)]).ask(Piece::O), (0, 0), "nothing fits");
    }

    #[test]
    fn a_piece_is_stopped_by_the_board_on_its_way() {
        let place = |game: &Ece532Game, answer| {
            let (cells, column, row) = game.steer(Falling::new(Piece::O), answer).position();
            (column, row, width(cells))
        };
        // Free: to the left wall, then right.
        assert_eq!(place(&game(&[]), (0, 0)), (0, 18, 2));
        assert_eq!(place(&game(&[]), (0, 8)), (8, 18, 2));
        // A cell in row 18 of column 2 stops it at column 3.
        assert_eq!(place(&game(&[(18, 0b100)]), (0, 0)), (3, 18, 2));
        assert_eq!(place(&game(&[(18, 0b100)]), (0, 2)), (5, 18, 2));
    }

    #[test]
    fn it_asks_before_full_rows_are_removed() {
        // On the board with the full row the stack is one higher; a piece that
        // falls after it is removed lands one row lower than it was shown.
        let mut game = game(&[(0, FULL)]);
        let locked = game.step().unwrap();
        assert_eq!(game.lines(), 1);
        assert_eq!(locked.cells.iter().map(|cell| cell[1]).min(), Some(0));
    }

    #[test]
    fn it_is_over_when_a_new_piece_overlaps_and_rows_are_removed_once_more() {
        let mut game = game(&[(0, FULL), (16, 0), (18, 0b11_1100_0000 >> 3)]);
        assert_eq!(game.step(), None);
        assert_eq!((game.moves(), game.lines()), (0, 1));
        assert_eq!(game.step(), None);
        assert_eq!(game.lines(), 1);
    }

    /// As published it is in `super::super::tests`.
    #[test]
    fn with_the_order_repaired_a_short_game_has_its_signature() {
        let mut game = Ece532Game::new(AsksWhen::AfterClearing, 1, 0);
        let expected = (6_433_916_382_226_134_303, 500, 198);
        assert_eq!(signature(&mut game, 500), expected);
    }

    #[test]
    fn turning_moves_the_corner_as_in_the_programs_frames() {
        let corners = |piece| {
            let turns = 0..rotation_order(piece).len();
            let corner = |turn| {
                let (_, column, row) = Falling {
                    turn,
                    ..Falling::new(piece)
                }
                .position();
                (column, row)
            };
            turns.map(corner).collect::<Vec<_>>()
        };
        assert_eq!(corners(Piece::I), [(3, 18), (5, 16)]);
        assert_eq!(corners(Piece::O), [(4, 18)]);
        assert_eq!(corners(Piece::S), [(4, 18), (5, 17)]);
        assert_eq!(corners(Piece::L), [(4, 18), (5, 17), (4, 17), (4, 17)]);
    }
}
