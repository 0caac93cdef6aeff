//! The games, played by the golden model.

use std::ops::Range;

use super::controller::controller;
use super::features::FeatureSet;
use super::settings::Size;
use super::{Evaluation, Fitness, Settings};
use crate::games::tetris::board::Board;
use crate::games::tetris::source::Pieces;
use crate::games::tetris::{Controller, PieceSource, golden};

/// Games of one seed on boards of one size.
pub struct Games {
    set: FeatureSet,
    size: Size,
    max_pieces: u64,
    seed: u64,
}

impl Games {
    /// The games of a training.
    pub fn new(settings: &Settings) -> Self {
        Self {
            set: settings.controller_features.clone(),
            size: settings.board,
            max_pieces: settings.max_pieces,
            seed: settings.seed,
        }
    }

    /// Lines and pieces of one game; `None` when stopped.
    fn play(
        &self,
        controller: &Controller,
        game: u64,
        stop: &dyn Fn() -> bool,
    ) -> Option<(u64, u64)> {
        let mut board = Board::new(self.size.columns, self.size.rows);
        let dealt = Pieces::new(PieceSource::Uniform, self.seed, game);
        let (mut lines, mut pieces) = (0, 0);
        for piece in dealt.take(self.max_pieces.try_into().unwrap_or(usize::MAX)) {
            if stop() {
                return None;
            }
            let Some((placed, _)) = golden::best(&board, piece, controller) else {
                break;
            };
            lines += placed.features.rows_cleared as u64;
            pieces += 1;
            board = placed.after;
        }
        Some((lines, pieces))
    }
}

impl Fitness for Games {
    fn evaluate(
        &self,
        weights: &[f64],
        games: Range<u64>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Evaluation> {
        let controller = controller("", "", &self.set, weights);
        let count = games.end.saturating_sub(games.start);
        let (mut lines, mut pieces) = (0, 0);
        for game in games {
            let played = self.play(&controller, game, stop)?;
            lines += played.0;
            pieces += played.1;
        }
        let lines = lines as f64 / count.max(1) as f64;
        Some(Evaluation { lines, pieces })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Method;
    use super::super::functions::settings;
    use super::*;
    use crate::games::tetris::{Setup, Tetris};
    use crate::games::{Game as _, Match as _};

    const GO_ON: &(dyn Fn() -> bool + Sync) = &|| false;

    /// The same games as those of `lockstep play`.
    #[test]
    fn games_are_those_of_a_session() {
        let mut settings = settings(Method::Cmaes, 1);
        settings.board = "10x20".parse().unwrap();
        let games = Games::new(&settings);
        let lowest = Controller::load("lowest").unwrap();
        let setup = Setup {
            piece_source: PieceSource::Uniform,
            seed: settings.seed,
        };
        let (mut lines, mut pieces) = (0, 0);
        for game in 3..5 {
            let mut played = Tetris::deal(&setup, game);
            while played.apply(&Tetris::decide(&lowest, &played.position())) == Ok(true) {}
            lines += played.score();
            pieces += played.moves();
        }
        let found = games.evaluate(&[-2.0], 3..5, GO_ON).unwrap();
        assert_eq!((found.lines * 2.0, found.pieces), (lines as f64, pieces));
    }

    #[test]
    fn games_stop_at_the_limit_and_when_told() {
        let mut settings = settings(Method::Cmaes, 1);
        settings.max_pieces = 3;
        let games = Games::new(&settings);
        let found = games.evaluate(&[-1.0], 0..4, GO_ON).unwrap();
        assert_eq!(found.pieces, 12);
        assert_eq!(games.evaluate(&[-1.0], 0..4, &|| true), None);
    }
}
