//! `ece532-v2.5`: the ECE532 AI core version 2.5, with the same decisions as its published design.
//!
//! Source: `DerekPPeterson/ece532` on GitHub, the core `aicontroller_v2_5` (no licence: read for
//! facts, nothing taken). `fixtures/tetris/ece532_v25_decisions.jsonl` has 300 decisions of a model
//! that agreed with the simulated RTL on 1.3 million; a test reproduces them, with their scores.
//!
//! Full rows are not removed, but most features skip them. Its peculiarities:
//! - The landing height is the height of the stack, minus the full rows.
//! - Row transitions do not count walls, nor column transitions the floor. Column transitions
//!   compare a row with the next row above that is not full, at most three rows up. The rows form a
//!   ring, in which the bottom row follows the top one. A column with transitions counts one less.
//! - A hole has a filled cell, in a row that is not full, at most three rows above; row 19 covers
//!   nothing.
//! - A well is any empty cell between filled neighbours, covered or not.
//! - Three or four full rows get the highest score, whatever the other features.
//! - If no placement is legal, the core returns the leftmost placement of its first rotation with
//!   score 0. Here [`Policy::decide`](super::Policy) returns `None`, and the module `ece532_game`
//!   plays that placement.
//!
//! The core also requires row 19 to be empty in every column of the piece. That does not change
//! which placements are legal, because a piece does not fit on a column of full height.

use super::ece532::{flanked, rotation_order, row_transitions};
use super::ece532_game::Ece532Game;
use super::packed::{Columns, best, height};
use super::{Policy, whole_score};
use crate::tetris::{Piece, PieceSource, Placement, Size};

/// The score to which features are added; scores are unsigned 32-bit numbers.
const INITIAL_SCORE: i64 = 1 << 31;

/// The score of three or four full rows.
const HIGHEST_SCORE: i64 = u32::MAX as i64;

/// Number of rows of its board.
const ROWS: usize = 20;

/// The largest distance of two rows that are compared.
const REACH: usize = 3;

/// The program, which supports only boards of 20 rows.
pub(super) const POLICY: Policy = Policy {
    name: "ece532-v2.5",
    summary: "the ECE532 AI core version 2.5 with the decisions of its design, bit for bit",
    source: "github.com/DerekPPeterson/ece532, aicontroller_v2_5",
    board: Size::STANDARD,
    // Its own game deals from bags.
    piece_source: PieceSource::Uniform,
    lookahead: false,
    plays_on: |size| Columns::hold(size) && size.rows() == ROWS,
    decide: |board, piece, _| decide(Columns::of(board)?, piece),
    own_game: Some(|seed, game| Box::new(Ece532Game::new(seed, game))),
    prefers_own_game: false,
};

/// The core's decision; `None` if no placement is legal.
pub(super) fn decide(board: Columns, piece: Piece) -> Option<Placement> {
    if board.all_rows() != (1 << ROWS) - 1 {
        return None;
    }
    let candidates = board.candidates(piece, rotation_order(piece));
    best(candidates.map(|c| (score(&c.board), c)), whole_score)
}

/// The score of a board with the piece, before full rows are removed.
fn score(board: &Columns) -> i64 {
    let full = i64::from(board.full_rows().count_ones());
    if full == 3 || full == 4 {
        return HIGHEST_SCORE;
    }
    INITIAL_SCORE
        - 3217 * row_transitions(board)
        - 3385 * wells(board)
        - 9348 * column_transitions(board)
        - 7899 * holes(board)
        + 3418 * full
        - 4500 * (max_height(board) - full)
}

fn max_height(board: &Columns) -> i64 {
    height(board.columns().iter().fold(0, |all, c| all | c)) as i64
}

fn wells(board: &Columns) -> i64 {
    flanked(board).map(|c| i64::from(c.count_ones())).sum()
}

fn column_transitions(board: &Columns) -> i64 {
    let full = board.full_rows();
    let kept = board.all_rows() & !full;
    let of_column = |&column: &u32| {
        // The rows without a neighbour so far; the top row has none.
        let mut rows = kept & !(1 << (ROWS - 1));
        let mut changes = 0;
        for distance in 1..=REACH {
            let paired = rows & above(kept, distance);
            changes |= (column ^ above(column, distance)) & paired;
            rows &= !paired;
        }
        i64::from(changes.count_ones().saturating_sub(1))
    };
    board.columns().iter().map(of_column).sum()
}

/// For each row, the bit of the row `distance` rows above; the rows form a ring.
fn above(bits: u32, distance: usize) -> u32 {
    (bits >> distance | bits << (ROWS - distance)) & ((1 << ROWS) - 1)
}

fn holes(board: &Columns) -> i64 {
    let covering = !board.full_rows() & !(1 << (ROWS - 1));
    let of_column = |&column: &u32| {
        let filled = column & covering;
        let covered = (1..=REACH).fold(0, |rows, distance| rows | filled >> distance);
        i64::from((covered & !column).count_ones())
    };
    board.columns().iter().map(of_column).sum()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::tetris::board::Board;

    fn packed(rows: &[u64]) -> Columns {
        let mut rows = rows.to_vec();
        rows.resize(ROWS, 0);
        Columns::of(&Board::from_rows(10, &rows).unwrap()).unwrap()
    }

    #[derive(Deserialize)]
    struct Decision {
        board: Vec<u64>,
        piece: Piece,
        cells: Vec<[usize; 2]>,
        score: i64,
    }

    #[test]
    fn decide_reproduces_300_decisions_of_core() {
        let text = include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../fixtures/tetris/ece532_v25_decisions.jsonl"
        ));
        let mut differing = Vec::new();
        let mut full_rows = 0;
        for (number, line) in text.lines().enumerate() {
            let expected: Decision = serde_json::from_str(line).unwrap();
            let board = Board::from_rows(10, &expected.board).unwrap();
            full_rows += usize::from(expected.board.contains(&1023));
            let decided = (POLICY.decide)(&board, expected.piece, None).unwrap();
            let sorted = |mut cells: Vec<[usize; 2]>| {
                cells.sort_unstable();
                cells
            };
            if sorted(decided.cells(expected.piece)) != sorted(expected.cells)
                || decided.score != whole_score(expected.score)
            {
                differing.push((number, decided));
            }
        }
        assert_eq!(text.lines().count(), 300);
        assert!(full_rows > 0, "some boards hold full rows");
        assert!(differing.is_empty(), "{differing:?}");
    }

    #[test]
    fn column_transitions_pair_row_18_with_row_0_over_full_row_19() {
        let mut rows = [0; ROWS];
        rows[0] = 1;
        rows[1] = 1;
        rows[19] = 0b11_1111_1111;
        // Column 0 changes at 1|2 and, around the ring, at 18|0; one is subtracted.
        assert_eq!(column_transitions(&packed(&rows)), 1);
        rows[19] = 0;
        assert_eq!(column_transitions(&packed(&rows)), 0);
    }

    #[test]
    fn score_of_three_or_four_full_rows_is_highest() {
        let full = 0b11_1111_1111;
        assert_eq!(score(&packed(&[full; 3])), HIGHEST_SCORE);
        assert_eq!(score(&packed(&[1, full, full, full, full])), HIGHEST_SCORE);
        assert!(score(&packed(&[full; 2])) < HIGHEST_SCORE);
        assert!(score(&packed(&[full; 5])) < HIGHEST_SCORE);
    }
}
