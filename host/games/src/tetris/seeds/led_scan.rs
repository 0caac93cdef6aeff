//! What the heuristic of [`super::led`] sees of the wall: heights, and empty
//! cells under a piece.

use std::ops::Range;

use super::led_wall::Wall;

/// Which rows are looked at, from the bottom up, and where the piece lies.
pub(super) struct Scan {
    pub bottom: isize,
    pub top: isize,
    /// The piece's rows and the one under them, from the top.
    pub rows: Range<usize>,
    pub columns: Range<usize>,
}

/// What a scan sees.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// Runs of empty cells that end below a filled cell in the rows given.
    pub created: u32,
    /// Empty cells below a filled one.
    pub nearby: u32,
    /// Of every column of the wall.
    pub heights: Vec<isize>,
}

impl Scan {
    /// `None` when a row lies more than the wall's height above its top.
    pub(super) fn look(&self, wall: &Wall) -> Option<Seen> {
        if self.top < -(wall.rows.len() as isize) {
            return None;
        }
        let mut seen = Seen {
            created: 0,
            nearby: 0,
            heights: Vec::with_capacity(wall.columns),
        };
        for column in 0..wall.columns {
            let (mut empties, mut height) = (0, 0);
            for row in (self.top..=self.bottom).rev() {
                // Rows above the top are those of the bottom again.
                let cells = wall.rows[row.rem_euclid(self.bottom + 1) as usize];
                if cells >> column & 1 == 0 {
                    empties += 1;
                    continue;
                }
                height = self.bottom + 1 - row;
                if empties != 0 && self.columns.contains(&column) {
                    seen.nearby += empties;
                    let of_piece = usize::try_from(row).is_ok_and(|r| self.rows.contains(&r));
                    seen.created += u32::from(of_piece);
                }
                empties = 0;
            }
            seen.heights.push(height);
        }
        Some(seen)
    }
}

#[cfg(test)]
mod tests {
    use super::super::led_wall::tests::wall;
    use super::*;

    /// Column 1 from the bottom: empty, filled, empty, empty, filled.
    #[test]
    fn created_empties_are_runs_and_nearby_ones_cells() {
        let wall = wall(&[0, 0b10, 0, 0, 0b10]);
        let look = |rows, columns| {
            let (bottom, top) = (7, 3);
            Scan {
                bottom,
                top,
                rows,
                columns,
            }
            .look(&wall)
            .unwrap()
        };
        // The piece in the row of the upper cell, row 3 from the top: one run.
        let seen = look(3..5, 1..2);
        assert_eq!((seen.created, seen.nearby), (1, 3));
        // Both filled cells among its rows: two runs.
        let seen = look(3..7, 0..2);
        assert_eq!((seen.created, seen.nearby), (2, 3));
        // In another column nothing is seen, heights are.
        let seen = look(3..7, 2..4);
        assert_eq!((seen.created, seen.nearby), (0, 0));
        assert_eq!(seen.heights, [0, 5, 0, 0, 0, 0]);
    }

    #[test]
    fn rows_above_the_top_are_the_bottom_ones_again() {
        let wall = wall(&[0b1, 0b10]);
        let look = |top| {
            Scan {
                bottom: 7,
                top,
                rows: 0..1,
                columns: 0..2,
            }
            .look(&wall)
        };
        assert_eq!(look(0).unwrap().heights[..2], [1, 2]);
        // Row −1 is the bottom row: one above the eight.
        let seen = look(-1).unwrap();
        assert_eq!(seen.heights[..2], [9, 2]);
        // Column 0: seven empties up to there; column 1: the one at its bottom.
        assert_eq!((seen.nearby, seen.created), (7 + 1, 0));
        assert!(look(-8).is_some());
        assert!(look(-9).is_none());
    }
}
