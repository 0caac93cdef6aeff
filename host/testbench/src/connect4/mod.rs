//! The Connect Four core, its win test and its reader.

pub mod link;
pub mod model;
pub mod reader;
pub mod search;
pub mod whole;

use protocol::layout::connect4::{COLUMNS, ROWS};

use crate::random::Random;
use model::{Board, OPPONENT, OWN, OWNERS};

/// Cells of the board.
pub const CELLS: usize = COLUMNS * ROWS;

/// A position that may be searched; half of them come of a game.
pub fn any_position(random: &mut Random) -> Board {
    loop {
        let board = match random.chance(50) {
            true => played(random),
            false => filled(random),
        };
        if !board.is_over() {
            return board;
        }
    }
}

/// What a game of random moves leads to.
fn played(random: &mut Random) -> Board {
    let mut board = Board::default();
    for stone in 0..random.below(CELLS as u64) {
        let before = board;
        let column = random.below(COLUMNS as u64) as usize;
        if board.is_open(column) {
            board.drop_stone(column, OWNERS[stone as usize % 2]);
        }
        if board.is_over() {
            return before;
        }
    }
    board
}

/// Columns of any height, stones of any side. Near the top of it there is little left to search.
fn filled(random: &mut Random) -> Board {
    let mut board = Board::default();
    let least = random.choice(&[0, 3, 5, 5]);
    for column in 0..COLUMNS {
        for _ in 0..random.between(least, ROWS as u64) {
            let before = board;
            let owner = random.choice(&OWNERS);
            board.drop_stone(column, owner);
            if board.has_four(owner) {
                board = before;
                board.drop_stone(column, OWN + OPPONENT - owner);
            }
        }
    }
    board
}

/// Weights of which some are at the ends of their range.
pub fn any_weights(random: &mut Random) -> [i8; CELLS] {
    let ends = random.choice(&[0, 30, 100]);
    [(); CELLS].map(|()| match random.chance(ends) {
        true => random.choice(&[i8::MIN, i8::MAX]),
        false => random.bits() as i8,
    })
}
