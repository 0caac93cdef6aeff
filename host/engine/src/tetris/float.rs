//! Linear controllers in double precision, for comparison with fixed point.

use super::brute;
use super::core::EngineError;
use super::game::EngineGame;
use super::limits::fits;
use lockstep_games::tetris::arithmetic::float_score;
use lockstep_games::tetris::linear::halves;
use lockstep_games::tetris::{FEATURES, Size};

/// A linear controller in double precision, which evaluates every placement in full.
#[derive(Clone, Debug)]
pub struct Float {
    /// Weights for one stored unit of a feature; the landing height is stored in half rows.
    weights: [f64; FEATURES],
    size: Size,
}

impl Float {
    /// A controller for boards of `size`, from the published weights by feature number.
    ///
    /// # Errors
    /// When the board is too large.
    pub fn new(published: [f64; FEATURES], size: Size) -> Result<Float, EngineError> {
        let weights = std::array::from_fn(|index| published[index] / halves(index));
        match fits(size) {
            true => Ok(Float { weights, size }),
            false => Err(EngineError::Size(size)),
        }
    }

    /// Plays up to `pieces` pieces of `game`; see [`Engine::play`](super::Engine::play).
    pub fn play(&self, game: &mut EngineGame, pieces: u64) -> bool {
        game.play(pieces, |game, piece| {
            let score = |features: &[i32; FEATURES]| float_score(&self.weights, features);
            let best = brute::best(self.size, &game.stack.column_words(), piece, score);
            best.map(|(place, ..)| place)
        })
    }
}
