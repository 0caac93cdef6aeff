//! The seven pieces and their rotations.

use serde::{Deserialize, Serialize};

/// A piece; the numbers are as on the wire (`protocol::layout::tetris::PIECES`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Piece {
    I = 0,
    O = 1,
    T = 2,
    S = 3,
    Z = 4,
    J = 5,
    L = 6,
}

/// The cells of a piece in one rotation, as (column, row) in its bounding box from the lower left.
pub type Cells = [(usize, usize); 4];

impl Piece {
    /// All pieces in the order of their numbers.
    pub const ALL: [Piece; 7] = [
        Piece::I,
        Piece::O,
        Piece::T,
        Piece::S,
        Piece::Z,
        Piece::J,
        Piece::L,
    ];

    /// The piece with that number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// The number on the wire.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        protocol::layout::tetris::PIECES[self as usize]
    }

    /// The letter.
    pub fn letter(self) -> char {
        char::from(self.name().as_bytes()[0])
    }

    /// The distinct rotations, in order.
    pub fn rotations(self) -> &'static [Cells] {
        match self {
            Piece::I => &[
                [(0, 0), (0, 1), (0, 2), (0, 3)],
                [(0, 0), (1, 0), (2, 0), (3, 0)],
            ],
            Piece::O => &[[(0, 0), (1, 0), (0, 1), (1, 1)]],
            Piece::T => &[
                [(0, 0), (1, 0), (2, 0), (1, 1)],
                [(1, 0), (0, 1), (1, 1), (1, 2)],
                [(1, 0), (0, 1), (1, 1), (2, 1)],
                [(0, 0), (0, 1), (1, 1), (0, 2)],
            ],
            Piece::S => &[
                [(0, 0), (1, 0), (1, 1), (2, 1)],
                [(1, 0), (0, 1), (1, 1), (0, 2)],
            ],
            Piece::Z => &[
                [(1, 0), (2, 0), (0, 1), (1, 1)],
                [(0, 0), (0, 1), (1, 1), (1, 2)],
            ],
            Piece::J => &[
                [(0, 0), (1, 0), (2, 0), (0, 1)],
                [(0, 0), (1, 0), (1, 1), (1, 2)],
                [(2, 0), (0, 1), (1, 1), (2, 1)],
                [(0, 0), (0, 1), (0, 2), (1, 2)],
            ],
            Piece::L => &[
                [(0, 0), (1, 0), (2, 0), (2, 1)],
                [(0, 0), (1, 0), (0, 1), (0, 2)],
                [(0, 0), (0, 1), (1, 1), (2, 1)],
                [(1, 0), (1, 1), (0, 2), (1, 2)],
            ],
        }
    }
}

/// Width of the bounding box in cells.
pub fn width(cells: &Cells) -> usize {
    cells
        .iter()
        .map(|(column, _)| column + 1)
        .max()
        .unwrap_or(0)
}

/// Height of the bounding box in cells.
pub fn height(cells: &Cells) -> usize {
    cells.iter().map(|(_, row)| row + 1).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The cells after a quarter turn, with the lower left corner at the origin.
    fn turned(cells: &Cells) -> BTreeSet<(usize, usize)> {
        let h = height(cells);
        cells.iter().map(|&(c, r)| (h - 1 - r, c)).collect()
    }

    #[test]
    fn rotations_are_distinct_quarter_turns() {
        for piece in Piece::ALL {
            let rotations: Vec<BTreeSet<_>> = piece
                .rotations()
                .iter()
                .map(|cells| cells.iter().copied().collect())
                .collect();
            let distinct: BTreeSet<_> = rotations.iter().collect();
            assert_eq!(distinct.len(), rotations.len(), "{piece:?} repeats one");
            for cells in piece.rotations() {
                assert!(rotations.contains(&turned(cells)), "{piece:?} lacks one");
            }
        }
    }

    #[test]
    fn piece_names_and_numbers_match_wire() {
        for (number, name) in protocol::layout::tetris::PIECES.iter().enumerate() {
            let piece = Piece::from_number(number as u8).unwrap();
            assert_eq!(format!("{piece:?}"), *name);
            assert_eq!(usize::from(piece.number()), number);
            let constant = format!("piece_{}", name.to_lowercase());
            let mut constants = protocol::layout::tetris::GAME.constants.iter();
            let value = constants.find(|c| c.name == constant).map(|c| c.value);
            assert_eq!(value, Some(number as u32));
        }
        assert_eq!(Piece::from_number(7), None);
    }
}
