//! The benches of the Connect Four core and its reader.

pub mod model;
pub mod reader;
pub mod search;
pub mod whole;

use lockstep_games::connect4::{Board, Red, Stone, Yellow};
use protocol::layout::connect4::{COLUMNS, ROWS, Search};

use crate::random::Random;

pub const CELLS: usize = COLUMNS * ROWS;
/// The side to move and the other side.
pub const OWNERS: [Stone; 2] = [Yellow, Red];

pub fn search_of(board: &Board, depth: u8) -> Search {
    let [own, opponent] = OWNERS.map(|owner| board.bytes(owner));
    Search {
        own,
        opponent,
        depth,
    }
}

/// A random position in which the game is not over.
pub fn any_position(random: &mut Random) -> Board {
    loop {
        let board = match random.below(10) {
            0..5 => played(random, CELLS as u64),
            5..8 => filled(random),
            _ => topped(random),
        };
        if !board.is_over() {
            return board;
        }
    }
}

/// The position after a number of random moves below `moves`.
fn played(random: &mut Random, moves: u64) -> Board {
    let mut board = Board::default();
    for stone in 0..random.below(moves) {
        let before = board;
        let column = random.index(COLUMNS);
        board.drop(column, OWNERS[stone as usize % 2]);
        if board.is_over() {
            return before;
        }
    }
    board
}

/// Columns of any height with stones of any side; full ones leave little to search.
fn filled(random: &mut Random) -> Board {
    let mut board = Board::default();
    let least = random.choice(&[0, 3, 5, 5]);
    for column in 0..COLUMNS {
        for _ in 0..random.between(least, ROWS as u64) {
            drop_any(random, &mut board, column);
        }
    }
    board
}

/// Three stones of a side in the top row with room for the fourth; few cells are empty.
fn topped(random: &mut Random) -> Board {
    let mut board = Board::default();
    let owner = random.choice(&OWNERS);
    let first = random.below(4) as usize;
    let gap = first + random.below(4) as usize;
    for column in 0..COLUMNS {
        let in_line = (first..first + 4).contains(&column);
        let stones = match in_line {
            true => ROWS as u64 - 1,
            false => random.between(4, ROWS as u64),
        };
        for _ in 0..stones {
            drop_any(random, &mut board, column);
        }
        if in_line && column != gap {
            board.drop(column, owner);
        }
    }
    board
}

/// Drops a stone of any side that does not win.
fn drop_any(random: &mut Random, board: &mut Board, column: usize) {
    let owner = random.choice(&OWNERS);
    let row = board.drop(column, owner);
    if row.is_some_and(|row| board.makes_four(column, row)) {
        board.take(column);
        board.drop(column, owner.other());
    }
}

/// Random weights, some of them the smallest or largest.
pub fn any_weights(random: &mut Random) -> [i8; CELLS] {
    let ends = random.choice(&[0, 30, 100]);
    [(); CELLS].map(|()| match random.chance(ends) {
        true => random.choice(&[i8::MIN, i8::MAX]),
        false => random.bits() as i8,
    })
}
