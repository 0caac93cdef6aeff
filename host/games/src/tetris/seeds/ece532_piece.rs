//! A piece of [`super::ece532_game`] while it is steered above the board.

use super::ece532::rotation_order;
use crate::tetris::piece::{Cells, Piece};

/// Rows of the board.
const ROWS: usize = 20;

/// A piece above the board, under control.
#[derive(Debug, Clone, Copy)]
pub(super) struct Falling {
    pub piece: Piece,
    /// Index in the order of its rotations.
    pub turn: usize,
    /// Leftmost column of its 4×4 frame, left of the board at times.
    pub frame: isize,
}

impl Falling {
    /// A new piece: its frame in the middle of the top four rows.
    pub(super) fn new(piece: Piece) -> Self {
        Self {
            piece,
            turn: 0,
            frame: 3,
        }
    }

    /// Its cells, and the column and row of their lower left corner.
    pub(super) fn position(self) -> (&'static Cells, isize, usize) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tetris::piece::{height, width};

    #[test]
    fn every_turn_of_a_new_piece_lies_in_the_top_four_rows() {
        for piece in Piece::ALL {
            for turn in 0..rotation_order(piece).len() {
                let falling = Falling {
                    turn,
                    ..Falling::new(piece)
                };
                let (cells, column, row) = falling.position();
                assert!((3..=6).contains(&column), "{piece:?} {turn}");
                assert!(column as usize + width(cells) <= 7, "{piece:?} {turn}");
                let top = row + height(cells);
                assert!((ROWS - 1..=ROWS).contains(&top), "{piece:?} {turn}");
            }
        }
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
