//! `tetris_board`: pieces put on boards of every kind, and full rows removed.

use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::golden::placements;
use sim::{Input, Output};

use super::{any_position, board_bits};
use crate::random::Random;
use crate::{Failure, Trial};

struct Ports {
    reset: Input,
    clear: Input,
    load: Input,
    load_board: Input,
    put_valid: Input,
    put_ready: Output,
    placement: [Input; 4],
    take: Input,
    board: Output,
}

/// # Errors
/// What differs first.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let bench = &trial.bench;
    let ports = Ports {
        reset: bench.input("rst_ni")?,
        clear: bench.input("clear_i")?,
        load: bench.input("load_i")?,
        load_board: bench.input("load_board_i")?,
        put_valid: bench.input("put_valid_i")?,
        put_ready: bench.output("put_ready_o")?,
        placement: [
            bench.input("piece_i")?,
            bench.input("rotation_i")?,
            bench.input("column_i")?,
            bench.input("row_i")?,
        ],
        take: bench.input("take_i")?,
        board: bench.output("board_o")?,
    };
    let mut board = Board::new(10, 20);
    for _ in 0..150 {
        if trial.random.chance(40) {
            let loaded = match trial.random.chance(15) {
                true => topped(&mut trial.random),
                false => any_position(&mut trial.random).board,
            };
            trial.bench.put(ports.load_board, board_bits(&loaded));
            board = match trial.random.chance(70) {
                true => {
                    pulse(trial, ports.clear)?;
                    loaded
                }
                // What is there stays.
                false => {
                    let (there, comes) = (board.to_rows(), loaded.to_rows());
                    let rows = there.iter().zip(comes).map(|(is, comes)| is | comes);
                    super::from_rows(&rows.collect::<Vec<_>>())
                }
            };
            pulse(trial, ports.load)?;
            let other = any_position(&mut trial.random).board;
            trial.bench.put(ports.load_board, board_bits(&other));
        }
        is(trial, &ports, &board)?;
        for _ in 0..trial.random.between(1, 6) {
            put(trial, &ports, &mut board)?;
        }
        match trial.random.below(10) {
            0 => {
                board = Board::new(10, 20);
                pulse(trial, ports.clear)?;
            }
            1 => {
                // Read out, the rows from the bottom
                for _ in 0..trial.random.between(1, 20) {
                    let rows: Vec<u64> = board.to_rows()[1..].iter().copied().chain([0]).collect();
                    board = super::from_rows(&rows);
                    pulse(trial, ports.take)?;
                    trial.bench.clock()?;
                    is(trial, &ports, &board)?;
                }
            }
            2 => {
                board = Board::new(10, 20);
                trial.bench.put(ports.reset, false);
                trial.bench.clock()?;
                trial.bench.put(ports.reset, true);
            }
            _ => {}
        }
    }
    Ok(())
}

/// A board on which an I that lies has a place in the top row alone, and fills it.
fn topped(random: &mut Random) -> Board {
    let gap = 0xf << random.below(7);
    let mut rows = [0; 20];
    (rows[18], rows[19]) = (gap, 0x3ff & !gap);
    super::from_rows(&rows)
}

fn pulse(trial: &mut Trial, port: Input) -> Result<(), Failure> {
    trial.bench.put(port, true);
    trial.bench.clock()?;
    trial.bench.put(port, false);
    Ok(())
}

fn is(trial: &mut Trial, ports: &Ports, board: &Board) -> Result<(), Failure> {
    trial.bench.settle()?;
    trial.same(
        "board_o",
        &trial.bench.bits(ports.board),
        &board_bits(board),
    )
}

/// One legal placement, if there is one; sometimes a reset before it has ended.
fn put(trial: &mut Trial, ports: &Ports, board: &mut Board) -> Result<(), Failure> {
    let piece = any_position(&mut trial.random).piece;
    let legal: Vec<_> = placements(board, piece).collect();
    if legal.is_empty() {
        return Ok(());
    }
    let chosen = &legal[trial.random.below(legal.len() as u64) as usize];
    let place = [
        usize::from(piece.number()),
        chosen.rotation,
        chosen.column,
        chosen.row,
    ];
    for (port, value) in ports.placement.into_iter().zip(place) {
        trial.bench.put(port, value as u64);
    }
    let cells = &piece.rotations()[chosen.rotation];
    let rows = lockstep_games::tetris::piece::height(cells);
    board.place(cells, chosen.column, chosen.row);
    let removed = board.clear_full_rows().len();
    trial.bench.put(ports.put_valid, true);
    let reset = trial.random.chance(5);
    for cycle in 0..rows + 3 + 2 * removed {
        trial.bench.settle()?;
        trial.same("put_ready_o", &trial.bench.get(ports.put_ready), &0)?;
        if reset && trial.random.chance(30) {
            trial.bench.put(ports.put_valid, false);
            trial.bench.put(ports.reset, false);
            trial.bench.clock()?;
            trial.bench.put(ports.reset, true);
            *board = Board::new(10, 20);
            return is(trial, ports, board);
        }
        trial.bench.clock()?;
        if cycle == rows + 1 + 2 * removed {
            is(trial, ports, board)?;
        }
    }
    trial.same("put_ready_o", &trial.bench.get(ports.put_ready), &1)?;
    trial.bench.clock()?;
    trial.bench.put(ports.put_valid, false);
    for port in ports.placement {
        let garbage = trial.random.below(4);
        trial.bench.put(port, garbage);
    }
    if trial.random.chance(50) {
        trial.bench.clock()?;
    }
    is(trial, ports, board)
}
