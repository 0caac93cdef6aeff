//! `lacaille`: Samuel Lacaille-Moisan's bot of a million pieces a second.
//!
//! Source: `geranim0/tetris_bot_v2` on GitHub (read for facts, nothing taken)
//! and its author's article (seed 004). Four features with weights from a
//! genetic algorithm, all counted with the piece in place and **before** full
//! rows are removed, so that a completed row still weighs in the heights. The
//! board is 10×16, pieces are uniform, any rotation and column is reached from
//! above, and the bot dies when nothing fits: the common rules on its board.
//! The article rounds the weights; here are its code's. They are added in its
//! order in double precision.

use super::packed::{Columns, below_top, height};
use super::{Policy, score};
use crate::tetris::board::Board;
use crate::tetris::piece::Piece;
use crate::tetris::placement::Placement;
use crate::tetris::size::Size;
use crate::tetris::source::PieceSource;

/// The profile.
#[derive(Debug, Clone, Copy)]
pub struct Lacaille;

/// The board of its program.
const BOARD: Size = Size::known(10, 16);

const AGGREGATE_HEIGHT: f64 = -7.412680247196155;
const FULL_ROWS: f64 = 9.55321583886473;
const HOLES: f64 = -9.366750591287099;
const BUMPINESS: f64 = -3.2854200045777064;

/// Rotations in the order in which it tries them.
fn rotation_order(piece: Piece) -> &'static [usize] {
    match piece {
        Piece::I => &[0, 1],
        Piece::O => &[0],
        Piece::S | Piece::Z => &[1, 0],
        Piece::T => &[0, 2, 1, 3],
        Piece::J => &[1, 2, 3, 0],
        Piece::L => &[1, 0, 3, 2],
    }
}

impl Policy for Lacaille {
    fn name(&self) -> &'static str {
        "lacaille"
    }

    fn summary(&self) -> &'static str {
        "Lacaille-Moisan's million-pieces-a-second bot: four features counted before full rows are removed"
    }

    fn source(&self) -> &'static str {
        "github.com/geranim0/tetris_bot_v2"
    }

    fn board(&self) -> Size {
        BOARD
    }

    fn plays_on(&self, size: Size) -> bool {
        Columns::hold(size)
    }

    fn piece_source(&self) -> PieceSource {
        PieceSource::Uniform
    }

    fn lookahead(&self) -> bool {
        false
    }

    fn decide(&self, board: &Board, piece: Piece, _: Option<Piece>) -> Option<Placement> {
        let candidates = Columns::of(board)?.candidates(piece, rotation_order(piece));
        let scored = candidates.map(|candidate| (value(&candidate.board), candidate));
        let (value, chosen) = scored.reduce(|best, c| if c.0 > best.0 { c } else { best })?;
        Some(Placement {
            rotation: chosen.rotation,
            column: chosen.column,
            row: chosen.row,
            rows_cleared: chosen.board.full_rows().count_ones() as usize,
            score: score(value),
        })
    }
}

/// Its value of a board with the piece in place, full rows still there.
fn value(board: &Columns) -> f64 {
    let columns = board.columns();
    let heights = || columns.iter().map(|&c| height(c));
    let aggregate_height: usize = heights().sum();
    let holes: u32 = columns
        .iter()
        .map(|&c| (below_top(c) & !c).count_ones())
        .sum();
    let bumpiness: usize = heights()
        .zip(heights().skip(1))
        .map(|(a, b)| a.abs_diff(b))
        .sum();
    AGGREGATE_HEIGHT * aggregate_height as f64
        + FULL_ROWS * f64::from(board.full_rows().count_ones())
        + HOLES * f64::from(holes)
        + BUMPINESS * bumpiness as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_by_hand() {
        // Heights 2 0 1 0 …, a hole at (0, 0).
        let mut rows = vec![0b100, 0b001];
        rows.resize(16, 0);
        let board = Columns::of(&Board::from_rows(10, &rows).unwrap()).unwrap();
        let expected = 3.0 * AGGREGATE_HEIGHT + HOLES + (2.0 + 1.0 + 1.0) * BUMPINESS;
        assert!((value(&board) - expected).abs() < 1e-9);
    }

    #[test]
    fn full_rows_still_weigh_in_the_heights() {
        let mut rows = vec![0b1_1111_1111; 4];
        rows.resize(16, 0);
        let board = Board::from_rows(10, &rows).unwrap();
        let placement = Lacaille.decide(&board, Piece::I, None).unwrap();
        assert_eq!((placement.column, placement.rows_cleared), (9, 4));
        let expected = 40.0 * AGGREGATE_HEIGHT + 4.0 * FULL_ROWS;
        assert_eq!(placement.score, score(expected));
    }

    /// On the empty board the flat I scores the same in every column; standing
    /// it scores less. The O comes to lie at the left.
    #[test]
    fn the_first_of_equals_wins_in_its_order() {
        let empty = Board::new(10, 16);
        let placed = |piece| {
            let p = Lacaille.decide(&empty, piece, None).unwrap();
            (p.rotation, p.column)
        };
        assert_eq!(placed(Piece::I), (1, 0));
        assert_eq!(placed(Piece::O), (0, 0));
        assert_eq!(placed(Piece::T), (0, 0));
    }

    #[test]
    fn it_dies_when_nothing_fits() {
        let board = Board::from_rows(10, &[0b11; 16]).unwrap();
        assert!(Lacaille.decide(&board, Piece::O, None).is_some());
        let board = Board::from_rows(10, &[0b1_1111_1110; 16]).unwrap();
        assert!(Lacaille.decide(&board, Piece::O, None).is_none());
    }
}
