//! The Tetris core and two of its stages.

pub mod best;
pub mod core;
pub mod evaluation;

use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::{Piece, Position};
use sim::Bits;

use crate::random::Random;

/// Boards of every kind a wire can carry, also such as no game leads to.
pub fn any_position(random: &mut Random) -> Position {
    let mut rows = vec![0; 20];
    let height = random.below(21) as usize;
    match random.below(4) {
        // Anything
        0 => rows.iter_mut().for_each(|row| *row = random.below(1024)),
        // Columns of any height, with a hole here and there
        1 => {
            for column in 0..10 {
                let (height, hole) = (random.below(21), random.below(40));
                for row in (0..height).filter(|row| *row != hole) {
                    rows[row as usize] |= 1 << column;
                }
            }
        }
        // One deep well in a stack that is full otherwise
        2 => {
            let well = random.below(10);
            for row in &mut rows[..height] {
                *row = 0x3ff ^ 1 << well;
            }
        }
        // A dense stack, full rows among its rows
        _ => {
            for row in &mut rows[..height] {
                *row = match random.below(4) {
                    0 => 0x3ff ^ 1 << random.below(10),
                    1 => 0x3ff,
                    _ => random.below(1024) | random.below(1024),
                };
            }
        }
    }
    Position {
        board: from_rows(&rows),
        piece: random.choice(&Piece::ALL),
        next: None,
    }
}

/// A board of such rows, the bottom one first, bit c column c.
pub fn from_rows(rows: &[u64]) -> Board {
    let mut board = Board::new(10, 20);
    for (row, cells) in rows.iter().enumerate() {
        for column in 0..10 {
            board.set(column, row, cells >> column & 1 == 1);
        }
    }
    board
}

/// Weights of every size; small ones make scores that are nearly the same.
pub fn any_weights(random: &mut Random) -> [i32; 14] {
    let size = random.choice(&[1, 3, 100, 20_000_000, i64::from(i32::MAX)]);
    let mut weights = [0; 14];
    for weight in &mut weights {
        *weight = match random.below(40) {
            0 => i32::MIN,
            1 => i32::MAX,
            _ => (random.below(2 * size as u64 + 1) as i64 - size) as i32,
        };
    }
    if random.chance(20) {
        weights = [random.choice(&[0, 1, -1]); 14];
    }
    weights
}

/// A board as the core has it: row 0 lowest, of each row column 0.
pub fn board_bits(board: &Board) -> Bits {
    let mut bits = Bits::default();
    for row in board.to_rows() {
        bits.push(row, 10);
    }
    bits
}

/// Weights as the core has them, the first one lowest.
pub fn weight_bits(weights: &[i32; 14]) -> Bits {
    let mut bits = Bits::default();
    for weight in weights {
        bits.push(*weight as u32 as u64, 32);
    }
    bits
}
