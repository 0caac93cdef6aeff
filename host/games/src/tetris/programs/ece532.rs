//! `ece532`: the controller that the ECE532 report describes, taken literally.
//!
//! Source: *ECE532: Hardware Accelerated Tetris AI Group Report* (Kang, Peterson, Xi),
//! section 4.4.2. It has the weights of El-Tetris, truncated to integers of thousandths, and six
//! features, which differ from those of El-Tetris: the landing height includes the whole piece,
//! transitions are between two cells of the board (without walls and floor), and a well counts only
//! if nothing lies above it, and not cumulatively. Full rows are removed first, as the text on the
//! newer core says. [`super::ece532_v25`] is what the published design does instead.
//!
//! The report describes no game beyond a 10x20 board; here the controller plays by the common rules
//! with uniform pieces. "Original height of the column placed" is taken as the landing row, because
//! a piece has several columns.

use super::packed::{Candidate, Columns, below_top, best};
use super::{Policy, whole_score};
use crate::tetris::{Piece, PieceSource, Size};

/// The weights of the report: El-Tetris's in thousandths.
const LANDING_HEIGHT: i64 = -4500;
const ROWS_REMOVED: i64 = 3418;
const ROW_TRANSITIONS: i64 = -3217;
const COLUMN_TRANSITIONS: i64 = -9348;
const HOLES: i64 = -7899;
const WELLS: i64 = -3385;

/// The rotations in the order of the program.
pub(super) fn rotation_order(piece: Piece) -> &'static [usize] {
    match piece {
        Piece::I => &[1, 0],
        Piece::O => &[0],
        Piece::S | Piece::Z => &[0, 1],
        Piece::T | Piece::J => &[0, 3, 2, 1],
        Piece::L => &[0, 1, 2, 3],
    }
}

/// The program.
pub(super) const POLICY: Policy = Policy {
    name: "ece532",
    summary: "the ECE532 report taken literally: El-Tetris in integers with its own landing height, transitions and wells",
    source: "ECE532 Hardware Accelerated Tetris AI Group Report, section 4.4.2",
    board: Size::STANDARD,
    piece_source: PieceSource::Uniform,
    lookahead: false,
    plays_on: Columns::hold,
    decide: |board, piece, _| {
        let candidates = Columns::of(board)?.candidates(piece, rotation_order(piece));
        best(candidates.map(|c| (score(&c), c)), whole_score)
    },
    own_game: None,
    prefers_own_game: false,
};

/// The weighted sum of the six features.
fn score(candidate: &Candidate) -> i64 {
    let mut after = candidate.board;
    let removed = after.clear_full_rows();
    LANDING_HEIGHT * (candidate.row + candidate.piece_height) as i64
        + ROWS_REMOVED * removed as i64
        + ROW_TRANSITIONS * row_transitions(&after)
        + COLUMN_TRANSITIONS * column_transitions(&after)
        + HOLES * holes(&after)
        + WELLS * wells(&after)
}

/// Number of horizontally adjacent cells that differ.
pub(super) fn row_transitions(board: &Columns) -> i64 {
    let pairs = board.columns().windows(2);
    pairs.map(|c| i64::from((c[0] ^ c[1]).count_ones())).sum()
}

/// Number of vertically adjacent cells that differ.
fn column_transitions(board: &Columns) -> i64 {
    let pairs = board.all_rows() >> 1;
    let of_column = |c: &u32| i64::from(((c ^ c >> 1) & pairs).count_ones());
    board.columns().iter().map(of_column).sum()
}

/// Number of empty cells with a filled cell above them in their column.
fn holes(board: &Columns) -> i64 {
    let of_column = |c: &u32| i64::from((!c & below_top(*c)).count_ones());
    board.columns().iter().map(of_column).sum()
}

/// Number of empty cells with nothing above them and both neighbours filled or wall.
fn wells(board: &Columns) -> i64 {
    flanked(board)
        .zip(board.columns())
        .map(|(flanked, c)| i64::from((flanked & !below_top(*c)).count_ones()))
        .sum()
}

/// For each column, the empty cells with both neighbours filled or wall.
pub(super) fn flanked(board: &Columns) -> impl Iterator<Item = u32> {
    let columns = board.columns();
    let wall = board.all_rows();
    (0..columns.len()).map(move |i| {
        let left = if i == 0 { wall } else { columns[i - 1] };
        let right = columns.get(i + 1).copied().unwrap_or(wall);
        left & right & !columns[i]
    })
}
