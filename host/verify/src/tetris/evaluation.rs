//! `tetris_eval`: computes the features of placements from their rows.

use std::collections::VecDeque;

use lockstep_games::tetris::golden::placements;
use lockstep_games::tetris::piece::height;
use sim::Bits;

use super::any_position;
use crate::random::{Pace, Random};
use crate::{Failure, Trial};

/// Cycles from row 0 to the features.
const LATENCY: u64 = 3;

/// A placement: its rows from the top down as beats, its struct, and the expected features, `None`
/// if it is illegal.
struct Placed {
    beats: VecDeque<Bits>,
    placement: Bits,
    features: Option<[u64; 14]>,
}

impl Placed {
    fn any(random: &mut Random) -> Option<Self> {
        let position = any_position(random);
        let all: Vec<_> = placements(&position.board, position.piece).collect();
        let number = random.below(34);
        if all.is_empty() || random.chance(10) {
            let beat = (random.bits() & 0xf_ffff, 20);
            let beats = [Bits::packed(&[beat, (0, 2), (1, 1), (1, 1)])];
            return Some(Self {
                beats: beats.into(),
                placement: placement(number, 0, 0, false, 0),
                features: None,
            });
        }
        let any = &all[random.index(all.len())];
        let clearing = all.iter().max_by_key(|p| p.features.rows_cleared);
        let candidate = clearing.filter(|_| random.chance(30)).unwrap_or(any);
        let cells = position.piece.rotations().get(candidate.rotation)?;
        let mut piece = [0_u64; 24];
        for (column, row) in cells {
            piece[candidate.row + row] |= 1 << (candidate.column + column);
        }
        let board = position.board.to_rows();
        let filled = |row: usize| board[row] | piece[row];
        let top = (0..20).rev().find(|row| filled(*row) != 0)?;
        let rise = height(cells) as u64 - 1;
        let beat = |row: usize| {
            Bits::packed(&[
                (filled(row), 10),
                (piece[row], 10),
                (rise, 2),
                ((row == top).into(), 1),
                ((row == 0).into(), 1),
            ])
        };
        let features = candidate.features.to_array().map(|feature| feature as u64);
        let (rotation, column) = (candidate.rotation as u64, candidate.column as u64);
        Some(Self {
            beats: (0..=top).rev().map(beat).collect(),
            placement: placement(number, rotation, column, true, candidate.row as u64),
            features: Some(features),
        })
    }
}

fn placement(number: u64, rotation: u64, column: u64, legal: bool, row: u64) -> Bits {
    Bits::packed(&[
        (number, 6),
        (rotation, 2),
        (column, 4),
        (legal.into(), 1),
        (row, 5),
    ])
}

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let mut pace = Pace::default();
    let mut on_the_way: Option<Placed> = None;
    let mut due: VecDeque<(u64, Placed)> = VecDeque::new();
    for _ in 0..8_000 {
        let now = trial.cycles();
        let is_due = due.front().is_some_and(|(at, _)| *at == now);
        trial.expect("features_valid_o", is_due)?;
        if let Some((_, placed)) = due.pop_front_if(|_| is_due) {
            trial.same("placement_o", &trial.bits("placement_o"), &placed.placement)?;
            if let Some(expected) = placed.features {
                // A packed array, its first element in the lowest bits.
                let bits = trial.bits("features_o");
                let got: [u64; 14] = std::array::from_fn(|i| bits.slice(12 * i as u32, 12));
                trial.same("features_o", &got, &expected)?;
            }
        }
        if on_the_way.is_none() {
            on_the_way = Placed::any(&mut trial.random);
        }
        let go = pace.go(&mut trial.random);
        trial.put("beat_valid_i", go);
        trial.garbage("beat_i");
        trial.garbage("placement_i");
        if let Some(mut placed) = on_the_way.take_if(|_| go) {
            if let Some(row) = placed.beats.pop_front() {
                trial.put("beat_i", row);
            }
            trial.put("placement_i", placed.placement.clone());
            match placed.beats.is_empty() {
                true => due.push_back((now + LATENCY, placed)),
                false => on_the_way = Some(placed),
            }
        }
        trial.clock()?;
    }
    Ok(())
}
