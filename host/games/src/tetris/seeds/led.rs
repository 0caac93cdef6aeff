//! `led-tetris`: the heuristic of a 96×64 LED wall that plays itself.
//!
//! Source: `Meebuhs/led-tetris` on GitHub (read for facts, nothing taken) and
//! its author's article (seed 002). A placement's score is the sum of six
//! metrics with the piece in place and the rows it fills removed:
//!
//! | metric | factor | what the program really counts |
//! |---|---|---|
//! | lines | 50 | full rows among the piece's |
//! | created empties | −3 | runs of empty cells, not cells, in the piece's columns that end below a filled cell in the piece's rows or the row under them |
//! | nearby empties | −1 | empty cells below a filled one in the piece's columns |
//! | average height | −5 | over all columns |
//! | variation | −0.6 | adjacent height differences, the last column next to the first |
//! | distance | 0.01 | columns from where the piece appeared, only when at most 1 |
//!
//! Columns are tried from the left and in each every rotation; the first of the
//! highest wins. It scans rows only up to the piece's height above the highest
//! row it knows of; a row number below 0 there is, as in Python, a row from the
//! bottom of the wall, seen as if it lay above the top, and beyond the wall the
//! thread dies. The wall's six games and their shared rows are
//! `led_game`; there the highest row goes wrong with every line.
//!
//! [`Policy::decide`] is the same program with one game as wide as the board.

use std::ops::Range;

use super::led_game::LedGame;
use super::led_scan::Scan;
use super::led_wall::{Place, Wall, home, rotation_order};
use super::{OwnGame, Policy, score};
use crate::tetris::board::Board;
use crate::tetris::piece::{Piece, height, width};
use crate::tetris::placement::Placement;
use crate::tetris::size::Size;
use crate::tetris::source::PieceSource;

/// The profile.
#[derive(Debug, Clone, Copy)]
pub struct LedTetris;

/// The board of its program.
const BOARD: Size = Size::known(96, 64);

const LINES: f64 = 50.0;
const CREATED_EMPTIES: f64 = -3.0;
const NEARBY_EMPTIES: f64 = -1.0;
const AVERAGE_HEIGHT: f64 = -5.0;
const VARIATION: f64 = -0.6;
const DISTANCE: f64 = 0.01;

/// What is asked of the heuristic.
pub(super) struct Question<'a> {
    pub wall: &'a Wall,
    pub piece: Piece,
    /// Columns tried; a piece may reach beyond their end.
    pub window: Range<usize>,
    /// Where the piece appeared.
    pub home: usize,
    /// The topmost row the program believes occupied, from the top.
    pub highest_row: isize,
}

impl Question<'_> {
    /// The best placement and its score; `None` when the heuristic dies.
    pub(super) fn answer(&self) -> Option<(Place, f64)> {
        let mut best: Option<(Place, f64)> = None;
        for x in self.window.clone() {
            for &rotation in rotation_order(self.piece) {
                let place = Place { rotation, x, y: 0 };
                let cells = place.cells(self.piece);
                if x + width(cells) > self.wall.columns || height(cells) > self.wall.rows.len() {
                    continue;
                }
                let place = self.wall.drop(self.piece, place);
                let score = self.score(place)?;
                if best.is_none_or(|(_, highest)| score > highest) {
                    best = Some((place, score));
                }
            }
        }
        best
    }

    fn score(&self, place: Place) -> Option<f64> {
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
        let mut score = f64::from(lines) * LINES;
        score += f64::from(seen.created) * CREATED_EMPTIES;
        score += f64::from(seen.nearby) * NEARBY_EMPTIES;
        score += average * AVERAGE_HEIGHT;
        score += variation as f64 * VARIATION;
        if distance <= 1 {
            score += distance as f64 * DISTANCE;
        }
        Some(score)
    }
}

impl Policy for LedTetris {
    fn name(&self) -> &'static str {
        "led-tetris"
    }

    fn summary(&self) -> &'static str {
        "the LED wall that plays itself: six metrics, six games side by side on one 96×64 board"
    }

    fn source(&self) -> &'static str {
        "github.com/Meebuhs/led-tetris"
    }

    fn board(&self) -> Size {
        BOARD
    }

    fn plays_on(&self, size: Size) -> bool {
        size.columns() <= Size::MAX
    }

    fn piece_source(&self) -> PieceSource {
        PieceSource::Bag
    }

    fn lookahead(&self) -> bool {
        false
    }

    /// Boards have at most 128 columns. `None` also when the placement it wants
    /// overlaps the stack, which it does not check at the top.
    fn decide(&self, board: &Board, piece: Piece, _: Option<Piece>) -> Option<Placement> {
        let wall = Wall::of(board)?;
        let empty_rows = wall.rows.iter().take_while(|&&row| row == 0).count();
        let question = Question {
            wall: &wall,
            piece,
            window: 0..wall.columns,
            home: home(piece, wall.columns / 2),
            highest_row: empty_rows as isize,
        };
        let (place, value) = question.answer()?;
        let cells = place.cells(piece);
        let row = board.landing_row(cells, place.x)?;
        let mut after = board.clone();
        after.place(cells, place.x, row);
        Some(Placement {
            rotation: place.rotation,
            column: place.x,
            row,
            rows_cleared: after.clear_full_rows().len(),
            score: score(value),
        })
    }

    fn own_game(&self, seed: u64, game: u64) -> Option<Box<dyn OwnGame>> {
        Some(Box::new(LedGame::new(seed, game)))
    }

    fn prefers_own_game(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::led_wall::tests::wall;
    use super::*;

    fn question(wall: &Wall, piece: Piece) -> Question<'_> {
        let empty = wall.rows.iter().take_while(|&&row| row == 0).count();
        Question {
            wall,
            piece,
            window: 0..wall.columns,
            home: home(piece, 3),
            highest_row: empty as isize,
        }
    }

    #[test]
    fn a_score_by_hand() {
        // A flat I in columns 0 to 3 of the empty wall; it appears at 1.
        let empty = wall(&[]);
        let place = Place {
            rotation: 1,
            x: 0,
            y: 7,
        };
        let score = question(&empty, Piece::I).score(place).unwrap();
        let expected = 4.0 / 6.0 * -5.0 + (1.0 + 1.0) * -0.6 + 0.01;
        assert!((score - expected).abs() < 1e-12, "{score} {expected}");
        // Two columns away there is no bonus.
        let place = Place { x: 2, ..place };
        let asked = Question {
            home: 0,
            ..question(&empty, Piece::I)
        };
        let further = asked.score(place).unwrap();
        assert!((further - (expected - 0.01)).abs() < 1e-12);
    }

    #[test]
    fn a_row_it_fills_counts_and_goes() {
        // The flat I fills row 0 beside two cells and leaves the one in row 1.
        let wall = wall(&[0b11_0000, 0b10_0000]);
        let place = Place {
            rotation: 1,
            x: 0,
            y: 7,
        };
        let asked = Question {
            home: 4,
            ..question(&wall, Piece::I)
        };
        let score = asked.score(place).unwrap();
        let expected = 50.0 + 1.0 / 6.0 * -5.0 + 2.0 * -0.6;
        assert!((score - expected).abs() < 1e-12, "{score} {expected}");
    }

    #[test]
    fn heights_wrap_from_the_last_column_to_the_first() {
        let empty = wall(&[]);
        let score = |x| {
            let place = Place {
                rotation: 0,
                x,
                y: 6,
            };
            let asked = Question {
                home: 9,
                ..question(&empty, Piece::O)
            };
            asked.score(place).unwrap()
        };
        assert_eq!(score(0), score(2));
    }

    #[test]
    fn it_lies_one_column_from_where_it_appears_on_an_empty_wall() {
        let wall = Wall::of(&Board::new(96, 64)).unwrap();
        let window = 31..49;
        let asked = Question {
            window,
            home: home(Piece::O, 40),
            ..question(&wall, Piece::O)
        };
        // 39 and 41 are both one away; the first wins.
        assert_eq!(asked.answer().unwrap().0.x, 39);
    }

    #[test]
    fn a_placement_into_the_stack_is_none() {
        let board = Board::from_rows(6, &[0b01_1111; 8]).unwrap();
        assert!(LedTetris.decide(&board, Piece::O, None).is_none());
        let mut rows = vec![0b01_1111; 4];
        rows.resize(8, 0);
        let board = Board::from_rows(6, &rows).unwrap();
        let placed = LedTetris.decide(&board, Piece::I, None).unwrap();
        assert_eq!((placed.column, placed.row), (5, 0));
        assert_eq!(placed.rows_cleared, 4);
    }
}
