//! The falling piece of [`super::hidamari_field`].

use crate::tetris::piece::{Cells, Piece};

/// The falling piece: its frame's upper left corner, walls included.
#[derive(Debug, Clone, Copy)]
pub(super) struct Falling {
    pub piece: Piece,
    pub turn: usize,
    pub x: isize,
    pub y: isize,
}

impl Falling {
    /// A new piece: its frame's top in the top row.
    pub(super) fn new(piece: Piece, top: usize) -> Self {
        Self {
            piece,
            turn: 0,
            x: 4,
            y: top as isize,
        }
    }

    /// Rotation, and the frame column and row of the cells' lower left corner,
    /// the latter counted down from the frame's top.
    fn frame(self) -> (usize, isize, isize) {
        match (self.piece, self.turn) {
            (Piece::O, _) => (0, 1, 2),
            (Piece::I, 0) => (1, 0, 1),
            (Piece::I, 1) => (0, 2, 3),
            (Piece::I, _) => (1, 0, 2),
            (_, 0) => (0, 0, 1),
            (Piece::S | Piece::Z, 1) => (1, 1, 2),
            (Piece::L, 1) => (1, 1, 2),
            (_, 1) => (3, 1, 2),
            (Piece::S | Piece::Z, _) => (0, 0, 2),
            (_, _) => (2, 0, 2),
        }
    }

    /// The cells, their rotation, and the column (wall included) and row of
    /// their lower left corner.
    pub(super) fn position(self) -> (&'static Cells, usize, isize, isize) {
        let (rotation, right, down) = self.frame();
        let cells = &self.piece.rotations()[rotation];
        (cells, rotation, self.x + right, self.y - down)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tetris::piece::{height, width};

    #[test]
    fn every_turn_keeps_its_shape_in_a_frame_of_three_or_four() {
        for piece in Piece::ALL {
            for turn in 0..3 {
                let falling = Falling {
                    turn,
                    ..Falling::new(piece, 22)
                };
                let (cells, _, column, row) = falling.position();
                let size = if matches!(piece, Piece::I | Piece::O) {
                    4
                } else {
                    3
                };
                assert!(column >= 4 && column as usize + width(cells) <= 4 + size);
                assert!(row as usize + height(cells) <= 23);
                assert!(row as usize > 22 - size, "{piece:?} {turn}");
            }
        }
    }
}
