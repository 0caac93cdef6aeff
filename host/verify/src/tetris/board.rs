//! `tetris_board`: places pieces on boards of every kind and removes full rows.

use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::golden::placements;

use super::{any_position, board_bits};
use crate::random::Random;
use crate::{Failure, Trial};

const PLACEMENT: [&str; 4] = ["piece_i", "rotation_i", "column_i", "row_i"];

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let mut board = Board::new(10, 20);
    for _ in 0..150 {
        if trial.random.chance(40) {
            let loaded = match trial.random.chance(15) {
                true => topped(&mut trial.random),
                false => any_position(&mut trial.random).board,
            };
            trial.put("load_board_i", board_bits(&loaded));
            board = match trial.random.chance(70) {
                true => {
                    trial.pulse("clear_i")?;
                    loaded
                }
                // The present cells stay.
                false => {
                    let (before, added) = (board.to_rows(), loaded.to_rows());
                    let rows = before.iter().zip(added).map(|(old, new)| old | new);
                    super::from_rows(&rows.collect::<Vec<_>>())
                }
            };
            trial.pulse("load_i")?;
            let other = any_position(&mut trial.random).board;
            trial.put("load_board_i", board_bits(&other));
        }
        is(trial, &board)?;
        for _ in 0..trial.random.between(1, 6) {
            put(trial, &mut board)?;
        }
        match trial.random.below(10) {
            0 => {
                board = Board::new(10, 20);
                trial.pulse("clear_i")?;
            }
            1 => {
                // Reads rows from the bottom up.
                for _ in 0..trial.random.between(1, 20) {
                    let rows: Vec<u64> = board.to_rows()[1..].iter().copied().chain([0]).collect();
                    board = super::from_rows(&rows);
                    trial.pulse("take_i")?;
                    trial.clock()?;
                    is(trial, &board)?;
                }
            }
            2 => {
                board = Board::new(10, 20);
                trial.reset()?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// A board on which a horizontal I fits only into the top row, and fills it.
fn topped(random: &mut Random) -> Board {
    let gap = 0xf << random.below(7);
    let mut rows = [0; 20];
    (rows[18], rows[19]) = (gap, 0x3ff & !gap);
    super::from_rows(&rows)
}

fn is(trial: &mut Trial, board: &Board) -> Result<(), Failure> {
    trial.settle()?;
    trial.same("board_o", &trial.bits("board_o"), &board_bits(board))
}

/// Makes a legal placement, if there is one; sometimes resets before its end.
fn put(trial: &mut Trial, board: &mut Board) -> Result<(), Failure> {
    let piece = any_position(&mut trial.random).piece;
    let legal: Vec<_> = placements(board, piece).collect();
    if legal.is_empty() {
        return Ok(());
    }
    let chosen = &legal[trial.random.index(legal.len())];
    let place = [
        usize::from(piece.number()),
        chosen.rotation,
        chosen.column,
        chosen.row,
    ];
    for (port, value) in PLACEMENT.into_iter().zip(place) {
        trial.put(port, value as u64);
    }
    let cells = &piece.rotations()[chosen.rotation];
    let rows = lockstep_games::tetris::piece::height(cells);
    board.place(cells, chosen.column, chosen.row);
    let removed = board.clear_full_rows().len();
    trial.put("put_valid_i", true);
    let reset = trial.random.chance(5);
    for cycle in 0..rows + 3 + 2 * removed {
        trial.settle()?;
        trial.expect("put_ready_o", 0)?;
        if reset && trial.random.chance(30) {
            trial.put("put_valid_i", false);
            trial.reset()?;
            *board = Board::new(10, 20);
            return is(trial, board);
        }
        trial.clock()?;
        if cycle == rows + 1 + 2 * removed {
            is(trial, board)?;
        }
    }
    trial.expect("put_ready_o", 1)?;
    trial.clock()?;
    trial.put("put_valid_i", false);
    for port in PLACEMENT {
        let garbage = trial.random.below(4);
        trial.put(port, garbage);
    }
    if trial.random.chance(50) {
        trial.clock()?;
    }
    is(trial, board)
}
