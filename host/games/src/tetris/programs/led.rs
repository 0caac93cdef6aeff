//! `led-tetris`: the heuristic of a 96x64 LED wall that plays Tetris by itself.
//!
//! Source: `Meebuhs/led-tetris` on GitHub (read for facts, nothing taken) and its author's article.
//! The score of a placement is the sum of six metrics, with the piece in place and the rows that it
//! fills removed:
//!
//! | metric | factor | count |
//! |---|---|---|
//! | lines | 50 | full rows among the piece's rows |
//! | created empties | −3 | runs of empty cells (not cells) in the piece's columns that end below a filled cell in the piece's rows or the row under them |
//! | nearby empties | −1 | empty cells below a filled one in the piece's columns |
//! | average height | −5 | mean height of all columns |
//! | variation | −0.6 | differences of adjacent heights; the last column is adjacent to the first |
//! | distance | 0.01 | columns between the piece and the column where it appeared, only if at most 1 |
//!
//! Columns are tried from the left, and all rotations in each column; the first placement with the
//! highest score wins. The program scans rows only up to the piece's height above the highest row
//! that it knows. A row number below 0 is, as in Python, a row from the bottom of the wall, which
//! then counts as a row above the top; a number beyond the wall ends the thread. `led_game` has the
//! six games of the wall and their shared rows; there the highest row becomes wrong with every
//! line.
//!
//! [`Policy::decide`](Policy) is the same program with one game on the whole board.

use std::ops::Range;

use super::led_game::LedGame;
use super::{Policy, placed, score};
use crate::tetris::piece::{height, width};
use crate::tetris::{Board, Cells, Piece, PieceSource, Placement, Size};

/// The metrics and their factors, in the order of [`Metrics`].
const FACTORS: [(&str, f64); 6] = [
    ("lines", 50.0),
    ("created empties", -3.0),
    ("nearby empties", -1.0),
    ("average height", -5.0),
    ("variation", -0.6),
    ("distance", 0.01),
];

/// The six metrics of a placement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Metrics([f64; 6]);

impl Metrics {
    fn score(self) -> f64 {
        let terms = self.0.iter().zip(FACTORS);
        terms.map(|(metric, (_, factor))| metric * factor).sum()
    }

    /// Each metric with its factor, and the score.
    pub(super) fn notes(self) -> Vec<String> {
        let two_digits = |value: f64| (value * 100.0).round() / 100.0;
        let terms = self.0.iter().zip(FACTORS);
        terms
            .map(|(&metric, (name, factor))| format!("{name} {} × {factor}", two_digits(metric)))
            .chain([format!("score {}", two_digits(self.score()))])
            .collect()
    }
}

/// The input of the heuristic.
pub(super) struct Query<'a> {
    pub wall: &'a Wall,
    pub piece: Piece,
    /// The columns to try; a piece may extend beyond the last.
    pub window: Range<usize>,
    /// The column where the piece appeared.
    pub home: usize,
    /// The highest occupied row according to the program, counted from the top.
    pub highest_row: isize,
}

impl Query<'_> {
    /// The best placement and its metrics; `None` if the program's thread ends.
    pub(super) fn best(&self) -> Option<(Place, Metrics)> {
        let mut best: Option<(Place, Metrics)> = None;
        for x in self.window.clone() {
            for &rotation in rotation_order(self.piece) {
                let place = Place { rotation, x, y: 0 };
                let cells = place.cells(self.piece);
                if x + width(cells) > self.wall.columns || height(cells) > self.wall.rows.len() {
                    continue;
                }
                let place = self.wall.drop(self.piece, place);
                let metrics = self.metrics(place)?;
                if best.is_none_or(|(_, highest)| metrics.score() > highest.score()) {
                    best = Some((place, metrics));
                }
            }
        }
        best
    }

    fn metrics(&self, place: Place) -> Option<Metrics> {
        let mut wall = self.wall.clone();
        wall.place(self.piece, place);
        let cells = place.cells(self.piece);
        let mut lines = 0;
        for row in place.y..place.y + height(cells) {
            if wall.is_full(row) {
                lines += 1;
                wall.remove(row);
            }
        }
        let scan = Scan {
            bottom: wall.rows.len() as isize - 1,
            top: self.highest_row - height(cells) as isize,
            rows: place.y..place.y + height(cells) + 1,
            columns: place.x..place.x + width(cells),
        };
        let seen = scan.look(&wall)?;
        let average = seen.heights.iter().sum::<isize>() as f64 / wall.columns as f64;
        let next = seen.heights.iter().cycle().skip(1);
        let variation: usize = seen
            .heights
            .iter()
            .zip(next)
            .map(|(a, b)| a.abs_diff(*b))
            .sum();
        let distance = place.x.abs_diff(self.home);
        Some(Metrics([
            f64::from(lines),
            f64::from(seen.created),
            f64::from(seen.nearby),
            average,
            variation as f64,
            if distance <= 1 { distance as f64 } else { 0.0 },
        ]))
    }
}

/// The rows to scan, from the bottom up, and the place of the piece.
struct Scan {
    bottom: isize,
    top: isize,
    /// The rows of the piece and the row under them, counted from the top.
    rows: Range<usize>,
    columns: Range<usize>,
}

/// The result of a scan.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    /// Number of runs of empty cells that end below a filled cell in the piece's rows.
    created: u32,
    /// Number of empty cells below a filled one.
    nearby: u32,
    /// The heights of all columns of the wall.
    heights: Vec<isize>,
}

impl Scan {
    /// Scans the wall; `None` if a row is more than the wall's height above its top.
    fn look(&self, wall: &Wall) -> Option<Seen> {
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
                // Rows above the top are rows from the bottom again.
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

/// The program.
pub(super) const POLICY: Policy = Policy {
    name: "led-tetris",
    summary: "the LED wall that plays itself: six metrics, six games side by side on one 96×64 board",
    source: "github.com/Meebuhs/led-tetris",
    board: Size::known(96, 64),
    piece_source: PieceSource::Bag,
    lookahead: false,
    plays_on: |size| size.columns() <= Size::MAX,
    decide,
    own_game: Some(|seed, game| Box::new(LedGame::new(seed, game))),
    prefers_own_game: true,
};

/// Decides on boards of at most 128 columns.
///
/// `None` also if the chosen placement overlaps the stack, which the program does not check.
fn decide(board: &Board, piece: Piece, _: Option<Piece>) -> Option<Placement> {
    let wall = Wall::of(board)?;
    let empty_rows = wall.rows.iter().take_while(|&&row| row == 0).count();
    let query = Query {
        wall: &wall,
        piece,
        window: 0..wall.columns,
        home: home(piece, wall.columns / 2),
        highest_row: empty_rows as isize,
    };
    let (place, metrics) = query.best()?;
    placed(
        board,
        piece,
        [place.rotation, place.x],
        score(metrics.score()),
    )
}

/// The rotations in the order in which the program tries them and turns pieces.
pub(super) fn rotation_order(piece: Piece) -> &'static [usize] {
    match piece {
        Piece::I => &[1, 0],
        Piece::O => &[0],
        Piece::S | Piece::Z => &[0, 1],
        Piece::T | Piece::J => &[0, 1, 2, 3],
        Piece::L => &[0, 3, 2, 1],
    }
}

/// The column where a piece appears in a game with the middle column `middle`.
pub(super) fn home(piece: Piece, middle: usize) -> usize {
    match piece {
        Piece::I => middle.saturating_sub(2),
        Piece::O => middle,
        _ => middle.saturating_sub(1),
    }
}

/// The wall: rows from the top; bit c is column c.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wall {
    pub columns: usize,
    pub rows: Vec<u128>,
}

/// The place of a piece: rotation, leftmost column and topmost row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub rotation: usize,
    pub x: usize,
    pub y: usize,
}

impl Place {
    pub(super) fn cells(self, piece: Piece) -> &'static Cells {
        &piece.rotations()[self.rotation]
    }
}

impl Wall {
    /// The wall of a board; `None` if it has more than 128 columns.
    pub(super) fn of(board: &Board) -> Option<Self> {
        let (columns, height) = (board.columns(), board.rows());
        let cells = |row| (0..columns).map(move |c| u128::from(board.filled(c, row)) << c);
        (columns <= 128).then(|| Self {
            columns,
            rows: (0..height).rev().map(|row| cells(row).sum()).collect(),
        })
    }

    pub(super) fn to_board(&self) -> Board {
        let rows = self.rows.len();
        Board::from_cells(self.columns, rows, |column, row| {
            self.rows[rows - 1 - row] >> column & 1 == 1
        })
    }

    /// The cells of a piece: row from the top, and bit of the column.
    fn bits(piece: Piece, place: Place) -> impl Iterator<Item = (usize, u128)> {
        let cells = place.cells(piece);
        let bottom = place.y + height(cells) - 1;
        cells
            .iter()
            .map(move |(c, r)| (bottom - r, 1 << (place.x + c)))
    }

    /// Whether a piece lies inside the wall and overlaps no filled cell.
    pub(super) fn free(&self, piece: Piece, place: Place) -> bool {
        let cells = place.cells(piece);
        place.x + width(cells) <= self.columns
            && place.y + height(cells) <= self.rows.len()
            && Self::bits(piece, place).all(|(row, bit)| self.rows[row] & bit == 0)
    }

    pub(super) fn place(&mut self, piece: Piece, place: Place) {
        for (row, bit) in Self::bits(piece, place) {
            self.rows[row] |= bit;
        }
    }

    pub(super) fn is_full(&self, row: usize) -> bool {
        self.rows[row].count_ones() as usize == self.columns
    }

    /// Removes a row; the rows above it move down.
    pub(super) fn remove(&mut self, row: usize) {
        self.rows.remove(row);
        self.rows.insert(0, 0);
    }

    /// Lowers a piece as long as the next row is free, without a check of its first place.
    pub(super) fn drop(&self, piece: Piece, mut place: Place) -> Place {
        loop {
            let lower = Place {
                y: place.y + 1,
                ..place
            };
            if !self.free(piece, lower) {
                return place;
            }
            place = lower;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decide_overlapping_placement_is_none() {
        let board = Board::from_rows(6, &[0b01_1111; 8]).unwrap();
        assert!(decide(&board, Piece::O, None).is_none());
        let mut rows = vec![0b01_1111; 4];
        rows.resize(8, 0);
        let board = Board::from_rows(6, &rows).unwrap();
        let placed = decide(&board, Piece::I, None).unwrap();
        assert_eq!((placed.column, placed.row), (5, 0));
        assert_eq!(placed.rows_cleared, 4);
    }

    #[test]
    fn look_above_top_wraps_to_bottom() {
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
        // Row −1 is the bottom row, which counts as the ninth.
        let seen = look(-1).unwrap();
        assert_eq!(seen.heights[..2], [9, 2]);
        // Column 0 has seven empty cells below row −1, column 1 one at its bottom.
        assert_eq!((seen.nearby, seen.created), (7 + 1, 0));
        assert!(look(-8).is_some());
        assert!(look(-9).is_none());
    }

    #[test]
    fn score_counts_and_removes_filled_row() {
        // The horizontal I fills row 0 beside two cells; the cell in row 1 is left.
        let wall = wall(&[0b11_0000, 0b10_0000]);
        let place = Place {
            rotation: 1,
            x: 0,
            y: 7,
        };
        let query = Query {
            wall: &wall,
            piece: Piece::I,
            window: 0..6,
            home: 4,
            highest_row: 6,
        };
        let metrics = query.metrics(place).unwrap();
        let score = metrics.score();
        let expected = 50.0 + 1.0 / 6.0 * -5.0 + 2.0 * -0.6;
        assert!((score - expected).abs() < 1e-12, "{score} {expected}");
        let notes = [
            "lines 1 × 50",
            "created empties 0 × -3",
            "nearby empties 0 × -1",
            "average height 0.17 × -5",
            "variation 2 × -0.6",
            "distance 0 × 0.01",
            "score 47.97",
        ];
        assert_eq!(metrics.notes(), notes);
    }

    /// Column 1 from the bottom: empty, filled, empty, empty, filled.
    #[test]
    fn look_counts_created_runs_and_nearby_cells() {
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
        // The piece is in the row of the upper cell, row 3 from the top: one run.
        let seen = look(3..5, 1..2);
        assert_eq!((seen.created, seen.nearby), (1, 3));
        // Both filled cells are in its rows: two runs.
        let seen = look(3..7, 0..2);
        assert_eq!((seen.created, seen.nearby), (2, 3));
        // The piece is in other columns: only heights count.
        let seen = look(3..7, 2..4);
        assert_eq!((seen.created, seen.nearby), (0, 0));
        assert_eq!(seen.heights, [0, 5, 0, 0, 0, 0]);
    }

    /// A wall of 6 columns and 8 rows, from rows counted from the bottom.
    fn wall(rows: &[u64]) -> Wall {
        let mut rows = rows.to_vec();
        rows.resize(8, 0);
        let board = Board::from_rows(6, &rows).unwrap();
        let wall = Wall::of(&board).unwrap();
        assert_eq!(wall.to_board(), board);
        wall
    }
}
