//! `ece532-v2.5`: the ECE532 AI core version 2.5, decision for decision as its
//! published design decides.
//!
//! Source: `DerekPPeterson/ece532` on GitHub, the core `aicontroller_v2_5` (no
//! licence: read for facts, nothing taken). 300 decisions of a model that
//! agreed with its simulated RTL on 1.3 million are in
//! `fixtures/tetris/ece532_v25_decisions.jsonl`; a test reproduces them all,
//! score included.
//!
//! Full rows are not removed but skipped in most counts. Its quirks:
//! - the landing height is the height of the whole stack, less the full rows;
//! - row transitions know no walls, column transitions no floor: they pair a
//!   row with the next one above that is not full, at most three rows up (the
//!   rows are in a ring, so that the bottom row follows the top one), and each
//!   column that has any counts one less;
//! - a hole needs a filled cell of a row that is not full within three rows
//!   above, and row 19 covers nothing;
//! - a well is every empty cell between filled neighbours, open or not;
//! - three or four full rows score the most there is, whatever else they do;
//! - when nothing fits it still answers, with the leftmost placement of its
//!   first rotation and score 0. Here [`Policy::decide`](super::Policy) says `None` and
//!   [`super::ece532_game`] plays that answer.
//!
//! A placement also needs row 19 empty in every column of the piece; since a
//! piece that drops onto a full-height column does not fit anyway, the common
//! rules' legality is the same.

use super::Policy;
use super::ece532::{best, flanked, rotation_order, row_transitions};
use super::packed::{Columns, height};
use crate::tetris::piece::Piece;
use crate::tetris::placement::Placement;
use crate::tetris::size::Size;
use crate::tetris::source::PieceSource;

/// The score of nothing at all; scores are unsigned 32-bit numbers.
const INITIAL_SCORE: i64 = 1 << 31;

/// The score of three or four full rows.
const HIGHEST_SCORE: i64 = u32::MAX as i64;

/// Rows of its board.
const ROWS: usize = 20;

/// How far above a row its neighbour may lie.
const REACH: usize = 3;

/// The profile; on a board of another height than 20 rows the core has no decision.
pub(super) const POLICY: Policy = Policy {
    name: "ece532-v2.5",
    summary: "the ECE532 AI core version 2.5 as its design really decides, bit for bit",
    source: "github.com/DerekPPeterson/ece532, aicontroller_v2_5",
    board: Size::STANDARD,
    // Its own game deals bags.
    piece_source: PieceSource::Uniform,
    lookahead: false,
    plays_on: |size| Columns::hold(size) && size.rows() == ROWS,
    decide: |board, piece, _| decide(Columns::of(board)?, piece),
    own_game: None,
    prefers_own_game: false,
};

/// The core's decision; `None` when nothing fits.
pub(super) fn decide(board: Columns, piece: Piece) -> Option<Placement> {
    if board.all_rows() != (1 << ROWS) - 1 {
        return None;
    }
    let candidates = board.candidates(piece, rotation_order(piece));
    best(candidates.map(|candidate| (score(&candidate.board), candidate)))
}

/// Score of a board with the piece in it, full rows still there.
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
        // Every row but the top one, as long as no neighbour was found for it.
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

/// Bit r is the bit `distance` rows above row r, the rows being a ring.
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

    use super::super::whole_score;
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
    fn all_300_decisions_of_the_core_are_reproduced() {
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
    fn the_ring_pairs_row_18_with_the_bottom_when_row_19_is_full() {
        let mut rows = [0; ROWS];
        rows[0] = 1;
        rows[1] = 1;
        rows[19] = 0b11_1111_1111;
        // Column 0 changes at 1|2 and, around, at 18|0; one is taken off.
        assert_eq!(column_transitions(&packed(&rows)), 1);
        rows[19] = 0;
        assert_eq!(column_transitions(&packed(&rows)), 0);
    }

    #[test]
    fn three_or_four_full_rows_outdo_everything() {
        let full = 0b11_1111_1111;
        assert_eq!(score(&packed(&[full; 3])), HIGHEST_SCORE);
        assert_eq!(score(&packed(&[1, full, full, full, full])), HIGHEST_SCORE);
        assert!(score(&packed(&[full; 2])) < HIGHEST_SCORE);
        assert!(score(&packed(&[full; 5])) < HIGHEST_SCORE);
    }
}
