//! `tetris_best`: finds the highest score of placements in any order; among equal scores, the
//! lowest number.

use std::collections::VecDeque;

use sim::Bits;

use crate::random::{Pace, Random};
use crate::{Failure, Trial};

/// Cycles from the last placement to the decision.
const LATENCY: u64 = 2;

const OUTPUTS: [&str; 6] = [
    "legal_o",
    "rotation_o",
    "column_o",
    "row_o",
    "rows_cleared_o",
    "score_o",
];

/// A placement with its score.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Scored {
    number: u64,
    legal: bool,
    score: i64,
}

impl Scored {
    fn any(number: u64, spread: u64, random: &mut Random) -> Self {
        let far = random.choice(&[0, 0, 1 << 40, -(1 << 40)]);
        Self {
            number,
            legal: random.chance(85),
            score: far + random.below(spread) as i64 - (spread / 2) as i64,
        }
    }

    /// Rotation, column, row and rows cleared, which follow from the number, so that a mix-up is
    /// detected.
    fn place(self) -> [u64; 4] {
        let n = self.number;
        [n & 3, (n * 7) & 15, (n * 5) & 31, (n * 11) & 31]
    }
}

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let mut pace = Pace::default();
    for _ in 0..150 {
        let total = trial.random.between(1, 34);
        let spread = trial.random.choice(&[1, 2, 5, 1 << 30]);
        let mut all: Vec<_> = (0..total)
            .map(|number| Scored::any(number, spread, &mut trial.random))
            .collect();
        trial.random.shuffle(&mut all);
        // The highest score, and among equal ones the lowest number.
        let legal = all.iter().filter(|scored| scored.legal);
        let best = legal.max_by_key(|scored| (scored.score, std::cmp::Reverse(scored.number)));
        let expected = best.map_or([0; 6], |best| {
            let [rotation, column, row, cleared] = best.place();
            let score = best.score as u64 & 0xffff_ffff_ffff;
            [1, rotation, column, row, cleared, score]
        });

        trial.put("score_valid_i", false);
        trial.pulse("start_i")?;
        trial.put("count_i", 0);
        trial.settle()?;
        let mut known = false;
        let mut arrivals = VecDeque::from(all);
        let mut last = 0;
        loop {
            let all_in = arrivals.is_empty() && trial.cycles() >= last + LATENCY;
            let finished = all_in && known;
            trial.expect("done_o", finished)?;
            if finished {
                break;
            }
            known |= trial.random.chance(10);
            trial.put("count_i", if known { total } else { 0 });
            let arrived = pace.next(&mut trial.random, &mut arrivals);
            trial.put("score_valid_i", arrived.is_some());
            if arrived.is_some() {
                last = trial.cycles();
            }
            let scored = arrived.unwrap_or_else(|| Scored::any(33, 1 << 30, &mut trial.random));
            trial.put("score_i", Bits::from(scored.score as u64));
            let [rotation, column, row, cleared] = scored.place();
            trial.put("rows_cleared_i", cleared);
            let members = [
                (scored.number, 6),
                (rotation, 2),
                (column, 4),
                (scored.legal.into(), 1),
                (row, 5),
            ];
            trial.put("placement_i", Bits::packed(&members));
            trial.clock()?;
        }
        for _ in 0..trial.random.below(3) {
            trial.put("score_valid_i", false);
            trial.clock()?;
            trial.expect("done_o", 1)?;
        }
        for (port, expected) in OUTPUTS.into_iter().zip(expected) {
            trial.expect(port, expected)?;
        }
    }
    Ok(())
}
