//! The same controllers in double precision, every placement evaluated in full:
//! what the fixed point is compared with.

use super::brute;
use super::core::EngineError;
use super::game::Game;
use super::limits::fits;
use super::shape::shape;
use lockstep_games::tetris::arithmetic::float_score;
use lockstep_games::tetris::features::FEATURES;
use lockstep_games::tetris::linear::halves;
use lockstep_games::tetris::piece::Piece;
use lockstep_games::tetris::size::Size;

/// A linear controller in double precision.
#[derive(Clone, Debug)]
pub struct Float {
    /// Per unit of the features as they are carried.
    weights: [f64; FEATURES],
    size: Size,
}

impl Float {
    /// A controller for boards of `size`, from weights as published by feature
    /// number.
    ///
    /// # Errors
    /// [`EngineError::Size`] when the board is too large.
    pub fn new(published: [f64; FEATURES], size: Size) -> Result<Float, EngineError> {
        let weights = std::array::from_fn(|index| published[index] / halves(index));
        match fits(size) {
            true => Ok(Float { weights, size }),
            false => Err(EngineError::Size(size)),
        }
    }

    /// Plays up to `pieces` pieces of `game`, as
    /// [`Engine::play`](super::Engine::play) does.
    pub fn play(&self, game: &mut Game, pieces: u64) -> bool {
        for _ in 0..pieces {
            let piece = game.pieces.draw();
            let best = self.best(game, piece);
            let lost = game.advance(best.map(|(r, x, _)| (r, x)), |stack| {
                best.map_or(0, |(r, x, row)| stack.place(shape(piece, r), x, row))
            });
            if lost {
                return true;
            }
        }
        false
    }

    /// Rotation, column and row of the first placement with the highest score.
    fn best(&self, game: &Game, piece: Piece) -> Option<(usize, usize, i32)> {
        let columns = game.stack.column_words();
        let mut best = None;
        let mut highest = f64::NEG_INFINITY;
        for (rotation, x, row) in brute::placements(&columns, self.size, piece) {
            let shape = shape(piece, rotation);
            let played = brute::evaluate_move(&columns, self.size, shape, x, row);
            let score = float_score(&self.weights, &played.features);
            if score > highest {
                (best, highest) = (Some((rotation, x, row)), score);
            }
        }
        best
    }
}
