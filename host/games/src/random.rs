//! Random numbers of games, from SplitMix64; they are the same on every machine.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// The seed of game `game` of a session: output `game` of the generator with the session's seed.
///
/// Takes constant time, as the state grows by a constant.
pub fn game_seed(seed: u64, game: u64) -> u64 {
    SplitMix64::seed_from_u64(generator_after(seed, game)).next_u64()
}

/// The state of a generator after `numbers` outputs, in constant time.
pub fn generator_after(seed: u64, numbers: u64) -> u64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    seed.wrapping_add(STEP.wrapping_mul(numbers))
}

/// A random number below `n`; `n` is less than 2³².
#[inline]
pub fn below(random: &mut SplitMix64, n: usize) -> usize {
    (((random.next_u64() >> 32) * n as u64) >> 32) as usize
}

/// Shuffles `items` so that every order is equally likely (Fisher-Yates).
pub fn shuffle<T>(random: &mut SplitMix64, items: &mut [T]) {
    for i in (1..items.len()).rev() {
        items.swap(i, below(random, i + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published first outputs for the seed 1234567.
    #[test]
    fn generator_matches_published_outputs() {
        let mut random = SplitMix64::seed_from_u64(1_234_567);
        let numbers = [(); 3].map(|()| random.next_u64());
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn game_seeds_are_successive_outputs() {
        let mut seeds = SplitMix64::seed_from_u64(7);
        for game in 0..20 {
            assert_eq!(game_seed(7, game), seeds.next_u64());
        }
    }
}
