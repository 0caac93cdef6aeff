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
//!   first rotation and score 0. Here [`Policy::decide`] says `None` and
//!   [`super::ece532_game`] plays that answer.
//!
//! A placement also needs row 19 empty in every column of the piece; since a
//! piece that drops onto a full-height column does not fit anyway, the common
//! rules' legality is the same.

use super::ece532::{best, flanked, rotation_order, row_transitions};
use super::ece532_game::{AsksWhen, Ece532Game};
use super::packed::{Columns, height};
use super::{OwnGame, Policy};
use crate::tetris::board::Board;
use crate::tetris::piece::Piece;
use crate::tetris::placement::Placement;
use crate::tetris::size::Size;
use crate::tetris::source::PieceSource;

/// The profile.
#[derive(Debug, Clone, Copy)]
pub struct Ece532V25;

/// The score of nothing at all; scores are unsigned 32-bit numbers.
const INITIAL_SCORE: i64 = 1 << 31;

/// The score of three or four full rows.
const HIGHEST_SCORE: i64 = u32::MAX as i64;

/// Rows of its board.
const ROWS: usize = 20;

/// How far above a row its neighbour may lie.
const REACH: usize = 3;

impl Policy for Ece532V25 {
    fn name(&self) -> &'static str {
        "ece532-v2.5"
    }

    fn summary(&self) -> &'static str {
        "the ECE532 AI core version 2.5 as its design really decides, bit for bit"
    }

    fn source(&self) -> &'static str {
        "github.com/DerekPPeterson/ece532, aicontroller_v2_5"
    }

    fn board(&self) -> Size {
        Size::STANDARD
    }

    fn plays_on(&self, size: Size) -> bool {
        Columns::hold(size) && size.rows() == ROWS
    }

    /// Its own game deals bags.
    fn piece_source(&self) -> PieceSource {
        PieceSource::Uniform
    }

    fn lookahead(&self) -> bool {
        false
    }

    /// On a board of another height than 20 rows the core has no decision.
    fn decide(&self, board: &Board, piece: Piece, _: Option<Piece>) -> Option<Placement> {
        decide(Columns::of(board)?, piece)
    }

    fn own_game(&self, seed: u64, game: u64) -> Option<Box<dyn OwnGame>> {
        Some(Box::new(Ece532Game::new(
            AsksWhen::BeforeClearing,
            seed,
            game,
        )))
    }
}

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
            let decided = Ece532V25.decide(&board, expected.piece, None).unwrap();
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
    fn counts_by_hand_with_a_full_row() {
        // Row 0 X.X.......  row 1 full  row 2 .XX.......  row 3 X.........
        let board = packed(&[0b101, 0b11_1111_1111, 0b110, 0b1]);
        // Row 0: 3 changes; row 1: none; row 2: 2; row 3: 1.
        assert_eq!(row_transitions(&board), 3 + 2 + 1);
        // Skipping row 1. Column 0: X.X. 3 − 1; column 1: .X.. 2 − 1;
        // column 2: XX.. 1 − 1.
        assert_eq!(column_transitions(&board), 2 + 1);
        // (1, 0) is covered by (1, 2) two rows above; (0, 2) by (0, 3).
        assert_eq!(holes(&board), 2);
        // (1, 0) between columns 0 and 2; (0, 2) between the wall and column 1.
        assert_eq!(wells(&board), 2);
        assert_eq!(max_height(&board), 4);
        let terms = 3217 * 6 + 3385 * 2 + 9348 * 3 + 7899 * 2 - 3418 + 4500 * 3;
        assert_eq!(score(&board), INITIAL_SCORE - terms);
    }

    #[test]
    fn holes_need_cover_within_three_rows_and_below_row_19() {
        // A lone cell in row 5 covers rows 2 to 4.
        assert_eq!(holes(&packed(&[0, 0, 0, 0, 0, 1])), 3);
        let mut rows = [0; ROWS];
        rows[19] = 1;
        assert_eq!(holes(&packed(&rows)), 0);
        rows[19] = 0;
        rows[18] = 1;
        assert_eq!(holes(&packed(&rows)), 3);
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

    #[test]
    fn nothing_fits_on_a_full_board_or_one_of_another_size() {
        let board = Board::from_rows(10, &[0b1111_1111; ROWS]).unwrap();
        assert!(Ece532V25.decide(&board, Piece::O, None).is_some());
        let board = Board::from_rows(10, &[0b1_1111_1111; ROWS]).unwrap();
        assert!(Ece532V25.decide(&board, Piece::O, None).is_none());
        assert!(
            Ece532V25
                .decide(&Board::new(10, 16), Piece::O, None)
                .is_none()
        );
    }
}
