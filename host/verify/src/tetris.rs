//! The benches of the Tetris core, of two of its stages, its board, requests and replies.

pub mod best;
pub mod board;
pub mod core;
pub mod evaluation;
pub mod games;
pub mod replies;
pub mod request;

use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::golden::{self, Landing};
use lockstep_games::tetris::{Linear, Piece, Position, Search};
use sim::Bits;

use crate::random::Random;

/// A position without a next piece.
pub fn position(board: Board, piece: Piece) -> Position {
    let next = None;
    Position { board, piece, next }
}

/// A random position of any kind, including ones that no game reaches.
pub fn any_position(random: &mut Random) -> Position {
    let mut rows = vec![0; 20];
    let height = random.below(21) as usize;
    let mut piece = random.choice(&Piece::ALL);
    match random.below(9) {
        // The extreme of some feature.
        4 => rows = extreme(random, height, &mut piece),
        // Random cells.
        0 => rows.iter_mut().for_each(|row| *row = random.below(1024)),
        // Columns of any height with some holes.
        1 => {
            for column in 0..10 {
                let (height, hole) = (random.below(21), random.below(40));
                for row in (0..height).filter(|row| *row != hole) {
                    rows[row as usize] |= 1 << column;
                }
            }
        }
        // One column above all others.
        5 => {
            let column = match random.below(3) {
                0 => 0,
                1 => 9,
                _ => random.below(10),
            };
            for (row, cells) in rows[..height].iter_mut().enumerate() {
                let others = if row < height / 3 {
                    random.below(1024)
                } else {
                    0
                };
                *cells = others | 1 << column;
            }
        }
        // A row that a horizontal I fills with all its cells.
        6 => {
            piece = Piece::I;
            rows[..height].fill_with(|| random.below(1024));
            rows[height.saturating_sub(1)] = 0x3ff ^ 0xf << random.below(7);
        }
        // One deep well in a full stack.
        2 => {
            let well = random.below(10);
            for row in &mut rows[..height] {
                *row = 0x3ff ^ 1 << well;
            }
        }
        // A row of holes under columns that are full up to the top except for a well.
        8 => {
            let well = random.below(10);
            let height = random.between(16, 19) as usize;
            rows[..height].fill(0x3ff ^ 1 << well);
            rows[0] = 0;
        }
        // A dense stack with some full rows.
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
    position(from_rows(&rows), piece)
}

/// Rows with the most transitions, wells or steps.
const COMBS: [u64; 4] = [0x155, 0x2aa, 0x1b6, 0x294];

/// Full rows with a gap for a piece, which then clears all of them.
fn nearly_full(random: &mut Random, height: usize) -> Position {
    let fits = [(Piece::I, 1, 4), (Piece::I, 4, 1), (Piece::O, 2, 2)];
    let (piece, width, depth) = random.choice(&fits);
    let gap = ((1 << width) - 1) << random.below(11 - width);
    let mut rows = [0; 20];
    rows[..height].fill(0x3ff);
    for row in &mut rows[height.saturating_sub(depth)..height] {
        *row ^= gap;
    }
    position(from_rows(&rows), piece)
}

/// Positions and weights of decisions with the largest field values.
pub fn extremes(random: &mut Random) -> [(Position, [i32; 14]); 6] {
    let mut clearing = [0; 14];
    clearing[2] = 1;
    [
        (comb(random, 17), [i32::MIN; 14]),
        (comb(random, 19), [i32::MIN; 14]),
        (comb(random, 18), [i32::MAX; 14]),
        (comb(random, 19), [i32::MAX; 14]),
        (nearly_full(random, 16), clearing),
        (nearly_full(random, 20), clearing),
    ]
}

/// Boards with the largest numbers of a lane, each for an I.
pub fn lane_extremes(random: &mut Random) -> [Position; 5] {
    let well = !(1 << random.below(10));
    // An upright I in a well of all rows.
    let full = comb(random, 20).board;
    // A flat I far above two columns.
    let mut tower = [0; 20];
    tower[..18].fill(1 << random.below(7));
    // An upright I beside a column that is filled in every second row, even or odd.
    let checked = [[0x155 & well, 0x2aa & well], [0x2aa & well, 0x155 & well]].map(|pair| {
        let mut rows = [0; 20];
        rows[..16]
            .chunks_mut(2)
            .for_each(|two| two.copy_from_slice(&pair));
        rows
    });
    // Wells over rows that are open.
    let mut roof = [0; 20];
    roof[13..16].fill(random.choice(&COMBS[..2]));
    let [tower, even, odd, roof] = [tower, checked[0], checked[1], roof].map(|r| from_rows(&r));
    [full, tower, even, odd, roof].map(|board| position(board, Piece::I))
}

/// Adjacent wells, whose sum of features is nearly the largest.
fn comb(random: &mut Random, height: usize) -> Position {
    let mut rows = [0; 20];
    rows[..height].fill(random.choice(&COMBS[..2]));
    let piece = random.choice(&[Piece::I, Piece::O, Piece::L]);
    position(from_rows(&rows), piece)
}

/// Rows with the largest feature values; may choose another piece.
fn extreme(random: &mut Random, height: usize, piece: &mut Piece) -> Vec<u64> {
    let mut rows = vec![0; 20];
    let high = match random.chance(50) {
        true => random.between(16, 19) as usize,
        false => height,
    };
    let comb = random.choice(&COMBS);
    match random.below(4) {
        // Adjacent deep wells.
        0 => rows[..high].fill(comb),
        // Full rows with a gap for a piece, which clears all of them.
        1 => {
            let position = nearly_full(random, high);
            (rows, *piece) = (position.board.to_rows(), position.piece);
        }
        // Cells without neighbours beside or below.
        2 => {
            for (row, cells) in rows[..high].iter_mut().enumerate() {
                *cells = if row % 2 == 0 { comb } else { comb ^ 0x3ff };
            }
        }
        // A roof with wells over empty rows.
        _ => {
            let thick = random.between(1, 4) as usize;
            rows[high.saturating_sub(thick)..high].fill(comb);
        }
    }
    rows
}

/// The board with these rows, the bottom one first; bit c is column c.
pub fn from_rows(rows: &[u64]) -> Board {
    let filled = |column, row| rows.get(row).is_some_and(|cells| cells >> column & 1 == 1);
    Board::from_cells(10, 20, filled)
}

/// Random weights of any size; small ones give nearly equal scores.
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
        weights = [random.choice(&[0, 1, -1, i32::MIN, i32::MAX]); 14];
    }
    weights
}

/// Few and small weights, with which many placements are equal.
pub fn tying_weights(random: &mut Random) -> [i32; 14] {
    [0; 14].map(|_: i32| match random.chance(15) {
        true => random.below(7) as i32 - 3,
        false => 0,
    })
}

/// A board as the core's struct: row 0 in the lowest bits, column 0 the lowest of each row.
pub fn board_bits(board: &Board) -> Bits {
    let mut bits = Bits::default();
    for row in board.to_rows() {
        bits.push(row, 10);
    }
    bits
}

/// Weights as the core's struct, the first one in the lowest bits.
pub fn weight_bits(weights: &[i32; 14]) -> Bits {
    let mut bits = Bits::default();
    for weight in weights {
        bits.push(*weight as u32 as u64, 32);
    }
    bits
}

/// The controller with these weights and depth 1.
pub fn linear(weights: &[i32; 14]) -> Linear {
    Linear {
        weights: *weights,
        search: Search::ONE,
    }
}

/// A traced placement: rotation, column, legal, row; its features; its score.
pub type Traced = ([u64; 4], Vec<u64>, i64);

/// All placements of a piece in the core's order; row, features and score of illegal ones are 0.
pub fn every_placement(position: &Position, weights: &[i32; 14]) -> Vec<Traced> {
    let all = golden::all_placements(&position.board, position.piece);
    let traced = |(place, landing): ([usize; 2], Option<Landing>)| {
        let [rotation, column] = place.map(|n| n as u64);
        let Some(landing) = landing else {
            return ([rotation, column, 0, 0], vec![0; 14], 0);
        };
        let features = landing.features.to_array().map(|f| f as u64);
        let score = linear(weights).score(&landing.features);
        let place = [rotation, column, 1, landing.row as u64];
        (place, features.to_vec(), score.0)
    };
    all.map(traced).collect()
}
