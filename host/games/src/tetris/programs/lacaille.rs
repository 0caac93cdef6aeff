//! `lacaille`: Samuel Lacaille-Moisan's bot, which plays a million pieces per second.
//!
//! Source: `geranim0/tetris_bot_v2` on GitHub (read for facts, nothing taken) and its author's
//! article. It has four features with weights from a genetic algorithm. All are counted
//! with the piece in place and **before** full rows are removed, so a completed row still counts in
//! the heights. The board is 10x16 and pieces are uniform; the rules are the common ones. The
//! article rounds the weights; here are the weights of the code. Terms are added in its order, in
//! double precision.

use super::packed::{Columns, below_top, best, height};
use super::{Policy, score};
use crate::tetris::{Board, Piece, PieceSource, Placement, Size};

const AGGREGATE_HEIGHT: f64 = -7.412680247196155;
const FULL_ROWS: f64 = 9.55321583886473;
const HOLES: f64 = -9.366750591287099;
const BUMPINESS: f64 = -3.2854200045777064;

/// The rotations in the order of the program.
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

/// The program.
pub(super) const POLICY: Policy = Policy {
    name: "lacaille",
    summary: "Lacaille-Moisan's million-pieces-a-second bot: four features counted before full rows are removed",
    source: "github.com/geranim0/tetris_bot_v2",
    board: Size::known(10, 16),
    piece_source: PieceSource::Uniform,
    lookahead: false,
    plays_on: Columns::hold,
    decide,
    own_game: None,
    prefers_own_game: false,
};

fn decide(board: &Board, piece: Piece, _: Option<Piece>) -> Option<Placement> {
    let candidates = Columns::of(board)?.candidates(piece, rotation_order(piece));
    best(candidates.map(|c| (value(&c.board), c)), score)
}

/// The program's value of a board with the piece, before full rows are removed.
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
