//! Sources of pieces, drawn from a seed; they are the same on every machine.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng as _;
use serde::{Deserialize, Serialize};

use super::piece::Piece;
use crate::random::{below, game_seed, shuffle};

pub use crate::random::generator_after;

/// A way to draw pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(strum::Display, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum PieceSource {
    /// Each piece is drawn independently with equal probability, as in research.
    Uniform,
    /// All seven pieces in a random order, repeatedly.
    Bag,
}

impl PieceSource {
    /// Describes the draws, so that another program can repeat them.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Uniform => {
                "SplitMix64: game n, from 1, is seeded with number n of the generator of the \
                 session's seed; each piece is number ((x >> 32) * 7) >> 32 of IOTSZJL, from 0, x \
                 the game's next number"
            }
            Self::Bag => {
                "SplitMix64: game n, from 1, is seeded with number n of the generator of the \
                 session's seed; IOTSZJL is shuffled, for i from 6 down to 1 place i changed with \
                 place ((x >> 32) * (i + 1)) >> 32, x the game's next number, and dealt from its \
                 end, then again"
            }
        }
    }
}

/// An endless sequence of pieces.
#[derive(Debug, Clone)]
pub struct Pieces {
    source: PieceSource,
    random: SplitMix64,
    bag: [Piece; 7],
    /// Number of pieces left in the bag, which is dealt from its end.
    left: usize,
}

impl Pieces {
    /// The sequence of a session's game.
    pub fn new(source: PieceSource, seed: u64, game: u64) -> Self {
        Self::from_seed(source, game_seed(seed, game))
    }

    /// The sequence of a generator with this seed.
    pub fn from_seed(source: PieceSource, seed: u64) -> Self {
        Self {
            source,
            random: SplitMix64::seed_from_u64(seed),
            bag: Piece::ALL,
            left: 0,
        }
    }

    /// The sequence of a session's game after `pieces` pieces, in constant time.
    pub fn after(source: PieceSource, seed: u64, game: u64, pieces: u64) -> Self {
        let seed = game_seed(seed, game);
        match source {
            PieceSource::Uniform => Self::from_seed(source, generator_after(seed, pieces)),
            PieceSource::Bag => {
                // Each bag takes six random numbers.
                let (bags, dealt) = (pieces / 7, pieces % 7);
                let shuffled = generator_after(seed, bags.wrapping_mul(6));
                let mut sequence = Self::from_seed(source, shuffled);
                for _ in 0..dealt {
                    sequence.draw();
                }
                sequence
            }
        }
    }

    /// The next piece.
    #[inline]
    pub fn draw(&mut self) -> Piece {
        match self.source {
            PieceSource::Uniform => Piece::ALL[below(&mut self.random, 7)],
            PieceSource::Bag => self.draw_from_bag(),
        }
    }

    fn draw_from_bag(&mut self) -> Piece {
        if self.left == 0 {
            self.bag = Piece::ALL;
            self.left = self.bag.len();
            shuffle(&mut self.random, &mut self.bag);
        }
        self.left -= 1;
        self.bag[self.left]
    }
}

impl Iterator for Pieces {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        Some(self.draw())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_after_continues_sequence() {
        for source in [PieceSource::Uniform, PieceSource::Bag] {
            for pieces in [0, 1, 6, 7, 8, 13, 14, 15, 100] {
                let entered = Pieces::after(source, 7, 3, pieces as u64);
                let all = Pieces::new(source, 7, 3);
                assert!(entered.take(30).eq(all.skip(pieces).take(30)), "{pieces}");
            }
            let far = Pieces::after(source, 7, 3, u64::MAX);
            assert_eq!(far.take(8).count(), 8);
        }
    }

    #[test]
    fn pieces_bag_has_each_piece_once() {
        let pieces: Vec<Piece> = Pieces::from_seed(PieceSource::Bag, 5).take(700).collect();
        for bag in pieces.chunks(7) {
            let mut sorted = bag.to_vec();
            sorted.sort();
            assert_eq!(sorted, Piece::ALL);
        }
        assert_ne!(pieces[..7], pieces[7..14]);
    }

    #[test]
    fn pieces_uniform_are_equally_frequent() {
        let mut counts = [0; 7];
        for piece in Pieces::from_seed(PieceSource::Uniform, 1).take(70_000) {
            counts[usize::from(piece.number())] += 1;
        }
        assert!(
            counts.iter().all(|n| (9_500..10_500).contains(n)),
            "{counts:?}"
        );
    }

    #[test]
    fn pieces_repeat_by_game_and_differ() {
        let start = |game| Pieces::new(PieceSource::Uniform, 7, game).take(50);
        assert!(start(0).eq(start(0)));
        assert!(!start(0).eq(start(1)));
    }
}
