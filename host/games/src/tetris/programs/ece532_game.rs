//! The game in which the ECE532 core plays: the rules of its MicroBlaze program.
//!
//! Source: `DerekPPeterson/ece532` on GitHub, the program of the design `tetris_test2` (no licence:
//! read for facts, nothing taken). Its peculiarities:
//! - The AI decides on the next piece as soon as the last one is locked, **before** full rows are
//!   removed, and on a board with an empty row 19.
//! - The decision is carried out at the top of the same board: the piece turns, moves left as far
//!   as it can, then right one column at a time. Each step is made only if the board allows it.
//! - Then full rows are removed and the piece falls. The removal of a row moves the rows up to 18
//!   down, leaves a copy of row 18, and empties row 19. A full row 19 is never removed.
//! - The game is over when a new piece overlaps the board; then rows are removed once more.
//! - Pieces are dealt from bags of seven; a game begins with the third piece drawn. The program
//!   continues its bags from game to game; here every game has its own.
//!
//! The program stores the board mirrored; here, as in [`super::ece532_v25`], column 0 is the AI's
//! left one.

use super::ece532::rotation_order;
use super::packed::Columns;
use super::{Locked, OwnGame, ece532_v25};
use crate::tetris::piece::width;
use crate::tetris::{Board, Cells, Piece, PieceSource, Pieces};

const COLUMNS: usize = 10;
const ROWS: usize = 20;

/// A running game.
#[derive(Debug, Clone)]
pub(super) struct Ece532Game {
    board: Columns,
    pieces: Pieces,
    moves: u64,
    lines: u64,
    over: bool,
}

impl Ece532Game {
    /// Game `game` of the session `seed`.
    pub(super) fn new(seed: u64, game: u64) -> Self {
        let mut new = Self {
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

    /// Removes full rows as the program does.
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
                // A full row 18 is replaced by itself; the program hangs here.
                row += 1;
            }
        }
    }

    /// The AI's decision: the number of turns and the column.
    fn decide(&self, piece: Piece) -> (usize, usize) {
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

    /// The piece after the steps of the decision.
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

/// A piece at the top of the board, before it falls.
#[derive(Debug, Clone, Copy)]
struct Falling {
    piece: Piece,
    /// Index in the order of its rotations.
    turn: usize,
    /// Leftmost column of its 4x4 frame, which may lie left of the board.
    frame: isize,
}

impl Falling {
    /// A new piece, with its frame in the middle of the top four rows.
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
        // The lower left corner of the cells in the frame.
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
        let piece = self.pieces.draw();
        let falling = Falling::new(piece);
        if !self.free(falling) {
            self.clear();
            self.over = true;
            return None;
        }
        let decision = self.decide(piece);
        let (cells, column, mut row) = self.steer(falling, decision).position();
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
    use super::*;

    const FULL: u64 = 0b11_1111_1111;

    fn game(rows: &[(usize, u64)]) -> Ece532Game {
        let mut numbers = [0; ROWS];
        for &(row, value) in rows {
            numbers[row] = value;
        }
        let board = Board::from_rows(COLUMNS, &numbers).unwrap();
        let mut game = Ece532Game::new(1, 0);
        game.board = Columns::of(&board).unwrap();
        game
    }

    fn rows(game: &Ece532Game) -> Vec<u64> {
        game.board().to_rows()
    }

    #[test]
    fn clear_copies_row_18_and_empties_row_19() {
        let mut game = game(&[(0, FULL), (1, 0b1), (17, 0b10), (18, 0b100), (19, 0b1000)]);
        game.clear();
        assert_eq!(game.lines, 1);
        let after = rows(&game);
        assert_eq!(after[0], 0b1);
        assert_eq!(after[16..], [0b10, 0b100, 0b100, 0]);
    }

    #[test]
    fn clear_full_row_18_counts_once_and_row_19_stays() {
        let mut game = game(&[(18, FULL), (19, FULL)]);
        game.clear();
        assert_eq!((game.lines, rows(&game)[18]), (1, FULL));
        let mut game = self::game(&[(19, FULL)]);
        game.clear();
        assert_eq!((game.lines, rows(&game)[19]), (0, FULL));
    }

    #[test]
    fn decide_ignores_row_19() {
        // A full row 19 blocks every column; below it a vertical I in column 9 fills four rows.
        let mut rows = [
            (0, FULL >> 1),
            (1, FULL >> 1),
            (2, FULL >> 1),
            (3, FULL >> 1),
            (19, 0),
        ];
        assert_eq!(game(&rows).decide(Piece::I), (1, 9));
        rows[4].1 = FULL;
        assert!(ece532_v25::decide(game(&rows).board, Piece::I).is_none());
        assert_eq!(game(&rows).decide(Piece::I), (1, 9));
        assert_eq!(game(&[(18, FULL)]).decide(Piece::O), (0, 0), "nothing fits");
    }

    #[test]
    fn steer_stops_at_filled_cells() {
        let place = |game: &Ece532Game, decision| {
            let (cells, column, row) = game.steer(Falling::new(Piece::O), decision).position();
            (column, row, width(cells))
        };
        // Without obstacles: to the left wall, then right.
        assert_eq!(place(&game(&[]), (0, 0)), (0, 18, 2));
        assert_eq!(place(&game(&[]), (0, 8)), (8, 18, 2));
        // A cell in row 18 of column 2 stops it at column 3.
        assert_eq!(place(&game(&[(18, 0b100)]), (0, 0)), (3, 18, 2));
        assert_eq!(place(&game(&[(18, 0b100)]), (0, 2)), (5, 18, 2));
    }

    #[test]
    fn step_overlapping_piece_ends_game_after_clearing() {
        let mut game = game(&[(0, FULL), (16, 0), (18, 0b11_1100_0000 >> 3)]);
        assert_eq!(game.step(), None);
        assert_eq!((game.moves(), game.lines()), (0, 1));
        assert_eq!(game.step(), None);
        assert_eq!(game.lines(), 1);
    }

    #[test]
    fn turn_moves_corner_within_frame() {
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
