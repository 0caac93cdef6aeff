//! Random numbers of the seeds' own games: seeded as every game here
//! ([`crate::tetris::source`]), drawn as each program draws.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng as _;

use crate::random::{below, game_seed};
use crate::tetris::piece::Piece;

/// A seeded generator, the same on every machine.
#[derive(Debug, Clone)]
pub(super) struct Random(SplitMix64);

impl Random {
    /// The generator of a game of a session.
    pub(super) fn new(seed: u64, game: u64) -> Self {
        Self(SplitMix64::seed_from_u64(game_seed(seed, game)))
    }

    /// A number below `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        below(&mut self.0, n)
    }

    /// The seven pieces, every order as likely, as every program here but
    /// Hidamari fills a bag.
    pub(super) fn bag(&mut self) -> Vec<Piece> {
        let mut bag = Piece::ALL.to_vec();
        for i in (1..bag.len()).rev() {
            let j = self.below(i + 1);
            bag.swap(i, j);
        }
        bag
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tetris::source::{PieceSource, Pieces};

    /// The same seed deals the same bags as the common source.
    #[test]
    fn bags_are_those_of_the_common_source() {
        let mut random = Random::new(11, 4);
        let mut common = Pieces::new(PieceSource::Bag, 11, 4);
        for _ in 0..20 {
            let mut bag = random.bag();
            while let Some(piece) = bag.pop() {
                assert_eq!(Some(piece), common.next());
            }
        }
    }
}
