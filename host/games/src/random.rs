//! Random numbers of games: SplitMix64, the same on every machine.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// The seed of a session's game: output `game` of the generator with the session's seed. Its state
/// grows by a constant, so this takes constant time.
pub fn game_seed(seed: u64, game: u64) -> u64 {
    SplitMix64::seed_from_u64(generator_after(seed, game)).next_u64()
}

/// State of a generator after so many outputs, in constant time.
pub fn generator_after(seed: u64, numbers: u64) -> u64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    seed.wrapping_add(STEP.wrapping_mul(numbers))
}

/// A number below `n`, which is less than 2^32.
#[inline]
pub fn below(random: &mut SplitMix64, n: usize) -> usize {
    (((random.next_u64() >> 32) * n as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published first outputs of SplitMix64 seeded with 1234567.
    #[test]
    fn the_generator_is_splitmix64() {
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
    fn games_are_seeded_one_after_the_other() {
        let mut seeds = SplitMix64::seed_from_u64(7);
        for game in 0..20 {
            assert_eq!(game_seed(7, game), seeds.next_u64());
        }
    }
}
