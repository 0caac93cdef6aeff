//! Boards of all kinds and controllers of all kinds, from a seed.

use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::{Controller, Linear, Search, Size};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

pub const FEATURES: usize = 14;

/// Random numbers of a test.
pub struct Random(SplitMix64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A row whose cells are filled with probability 1 − 2⁻ⁿ.
    fn dense(&mut self, full: u64, n: usize) -> u64 {
        (0..n).fold(0, |row, _| row | self.bits()) & full
    }
}

/// Common sizes, and the limits.
pub fn sizes() -> Vec<Size> {
    let sizes = [
        (10, 20),
        (10, 10),
        (10, 16),
        (12, 22),
        (4, 4),
        (12, 32),
        (7, 31),
        (11, 24),
    ];
    sizes.map(|(c, r)| Size::new(c, r).expect("a size")).into()
}

/// A board of one of eight kinds; some of them cannot occur in a game.
pub fn board(random: &mut Random, size: Size, kind: usize) -> Board {
    let full = (1u64 << size.columns()) - 1;
    let height = random.below(size.rows() + 1);
    let mut rows = vec![0u64; size.rows()];
    for row in &mut rows[..height] {
        *row = match kind % 8 {
            0 => random.dense(full, 3),
            1 => random.dense(full, 1) & random.bits(),
            2 => random.dense(full, 1),
            // One to four neighbouring gaps: clears are common.
            3 | 4 => full & !(((1 << (1 + random.below(4))) - 1) << random.below(size.columns())),
            5 if random.one_in(3) => full,
            5 => random.dense(full, 2),
            _ => 0,
        };
        if kind % 8 == 4 && random.one_in(3) {
            *row &= random.dense(full, 3);
        }
    }
    match kind % 8 {
        // To the top.
        6 => rows.fill_with(|| random.dense(full, 2)),
        // Columns of random height with few holes, as in a game.
        7 => {
            for c in 0..size.columns() {
                let top = random.below(height + 1).max(height.saturating_sub(6));
                for row in &mut rows[..top.min(height)] {
                    *row |= u64::from(!random.one_in(12)) << c;
                }
            }
        }
        _ => {}
    }
    for row in &mut rows {
        if kind % 8 != 5 && *row == full {
            *row &= !(1 << random.below(size.columns()));
        }
    }
    Board::from_rows(size.columns(), &rows).expect("inside the board")
}

/// The presets, one feature alone, random weights, the extremes.
pub fn controllers(random: &mut Random) -> Vec<(String, Linear)> {
    let linear = |weights| Linear {
        weights,
        search: Search::ONE,
    };
    let presets = lockstep_games::tetris::controller::linear_presets();
    let mut all: Vec<(String, Linear)> = presets
        .map(|name| {
            let controller = Controller::load(name).expect("a built-in controller");
            (name.into(), controller.linear().expect("linear").clone())
        })
        .collect();
    for weight in [0, i32::MAX, i32::MIN] {
        all.push((format!("all {weight}"), linear([weight; FEATURES])));
    }
    for feature in 0..FEATURES {
        for weight in [1, -1, i32::MAX, i32::MIN] {
            let mut weights = [0; FEATURES];
            weights[feature] = weight;
            let name = format!("feature {feature} at {weight}");
            all.push((name, linear(weights)));
        }
    }
    for n in 0..12 {
        let mut weights = [0; FEATURES];
        // The fast paths compute fewer features if the last weights are 0.
        for weight in &mut weights[..[7, 11, 14][n % 3]] {
            *weight = match n / 3 {
                0 => random.bits() as i32,
                1 => random.below(9) as i32 - 4,
                2 => random.below(20_000_000) as i32 - 15_000_000,
                _ => [i32::MIN, i32::MAX, 0, 1][random.below(4)],
            };
        }
        all.push((format!("random {weights:?}"), linear(weights)));
    }
    all
}
