//! The bins of decisions of Tetris.

use std::fmt;

use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::golden::all_placements;
use lockstep_games::tetris::piece::width;
use lockstep_games::tetris::{Linear, Piece, Position, golden};

use crate::coverage::bins::Bins;

/// The placements of a position that a bin counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Set {
    /// All placements.
    All,
    /// The chosen placement.
    Chosen,
}

/// Whether a piece touches the wall beside column 0, and that beside the last column.
pub type Walls = [bool; 2];

/// A bin of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bin {
    /// A placement on a board without full rows, with the rows that it clears if it is legal.
    Placement(Set, Piece, u8, Option<u8>),
    /// No placement of the piece is legal.
    Lost(Piece),
    /// A placement that clears this number of rows, some of them full before.
    FullBefore(u8),
    /// A legal placement at a wall.
    Walls(Set, Piece, u8, Walls),
    /// A board whose deepest well has this depth.
    Well(u8),
}

/// Its name in reports.
impl fmt::Display for Bin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Placement(_, piece, rotation, None) => {
                write!(f, "{}{rotation} not legal", piece.letter())
            }
            Self::Placement(_, piece, rotation, Some(rows)) => {
                write!(f, "{}{rotation} clears {rows}", piece.letter())
            }
            Self::Lost(piece) => write!(f, "{} has no place", piece.letter()),
            Self::FullBefore(rows) => write!(f, "{rows} rows"),
            Self::Walls(_, piece, rotation, walls) => {
                let walls = match walls {
                    [false, false] => "no wall",
                    [true, false] => "left wall",
                    [false, true] => "right wall",
                    [true, true] => "both walls",
                };
                write!(f, "{}{rotation} {walls}", piece.letter())
            }
            Self::Well(depth) => write!(f, "depth {depth}"),
        }
    }
}

/// Hits the bins of a decision.
pub fn count(bins: &mut Bins<Bin>, position: &Position, controller: &Linear) {
    let Position { board, piece, .. } = position;
    bins.hit(Bin::Well(deepest_well(board)));
    let full = (0..board.rows()).any(|row| board.is_full(row));
    let mut placed = |of, rotation: usize, column: usize, rows: Option<i64>| {
        let turned = rotation as u8;
        match rows {
            Some(rows) if full => bins.hit(Bin::FullBefore(rows as u8)),
            _ => bins.hit(Bin::Placement(of, *piece, turned, rows.map(|n| n as u8))),
        }
        if rows.is_some()
            && let Some(cells) = piece.rotations().get(rotation)
        {
            let walls = [column == 0, column + width(cells) == board.columns()];
            bins.hit(Bin::Walls(of, *piece, turned, walls));
        }
    };
    for ([rotation, column], candidate) in all_placements(board, *piece) {
        let rows = candidate.map(|candidate| candidate.features.rows_cleared);
        placed(Set::All, rotation, column, rows);
    }
    match golden::best_now(board, *piece, controller) {
        None => bins.hit(Bin::Lost(*piece)),
        Some((best, _)) => {
            let rows = Some(best.features.rows_cleared);
            placed(Set::Chosen, best.rotation, best.column, rows);
        }
    }
}

/// Depth of the deepest well: the most that one cell adds to the feature `cumulative_wells`.
fn deepest_well(board: &Board) -> u8 {
    let filled = |column: usize, row| column >= board.columns() || board.filled(column, row);
    let mut deepest = 0;
    for column in 0..board.columns() {
        // Empty cells above the last filled one, or above the floor.
        let mut depth = 0;
        for row in 0..board.rows() {
            depth = match board.filled(column, row) {
                true => 0,
                false => depth + 1,
            };
            // A wall is beside column 0.
            let left = column == 0 || filled(column - 1, row);
            if depth > deepest && left && filled(column + 1, row) {
                deepest = depth;
            }
        }
    }
    deepest
}
