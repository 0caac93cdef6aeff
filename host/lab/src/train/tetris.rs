//! The games, played by the engine.

use std::ops::Range;

use super::controller::linear;
use super::features::FeatureSet;
use super::{Evaluation, Fitness, Settings};
use crate::turns::{self, End, Turn};
use lockstep_engine::tetris::{Engine, EngineError, Game, Path};
use lockstep_games::tetris::features::FEATURES;
use lockstep_games::tetris::{Linear, Search, Setup};

/// Games of one seed on boards of one size.
pub struct Games {
    set: FeatureSet,
    setup: Setup,
    max_pieces: u64,
    path: Path,
}

impl Games {
    /// The games of a training.
    ///
    /// # Errors
    /// When the board is too large for the engine.
    pub fn new(settings: &Settings) -> Result<Self, EngineError> {
        let path = Path::best();
        let any = Linear {
            weights: [0; FEATURES],
            search: Search::ONE,
        };
        Engine::new(&any, settings.board, path)?;
        Ok(Self {
            set: settings.controller_features.clone(),
            setup: Setup {
                board: settings.board,
                ..Setup::standard(settings.seed)
            },
            max_pieces: settings.max_pieces,
            path,
        })
    }

    /// Lines and pieces of one game; `None` when stopped.
    fn play(&self, engine: &Engine, game: u64, stop: &dyn Fn() -> bool) -> Option<(u64, u64)> {
        let mut game = Game::deal(&self.setup, game);
        let end = turns::play(
            Some(self.max_pieces),
            |_| !stop(),
            |most| {
                let pieces = most.min(engine.chunk());
                match engine.play(&mut game, pieces) {
                    true => Turn::Over,
                    false => Turn::Played(pieces),
                }
            },
        );
        let tally = game.tally();
        // The last piece of a lost game found no place.
        (end != End::Stopped).then(|| (tally.lines, tally.pieces - tally.games))
    }
}

impl Fitness for Games {
    fn evaluate(
        &self,
        weights: &[f64],
        games: Range<u64>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Evaluation> {
        let linear = linear(&self.set, weights);
        // Checked when the games were made: only a path or a size can fail.
        let engine = Engine::new(&linear, self.setup.board, self.path).ok()?;
        let count = games.end.saturating_sub(games.start);
        let (mut lines, mut pieces) = (0, 0);
        for game in games {
            let played = self.play(&engine, game, stop)?;
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
    use lockstep_games::tetris::{Controller, Tetris};
    use lockstep_games::{Golden as _, Match as _, Rules as _};

    const GO_ON: &(dyn Fn() -> bool + Sync) = &|| false;

    /// The same games as those of `lockstep play`.
    #[test]
    fn games_are_those_of_a_session() {
        let mut settings = settings(Method::Cmaes, 1);
        settings.board = "10x20".parse().unwrap();
        let games = Games::new(&settings).unwrap();
        let lowest = Controller::load("lowest").unwrap();
        let setup = Setup::standard(settings.seed);
        let (mut lines, mut pieces) = (0, 0);
        for game in 3..5 {
            let mut played = Tetris::deal(&setup, game);
            while played
                .apply(&Tetris::decide(&lowest, &played.position()).unwrap())
                .unwrap()
            {}
            lines += played.lines();
            pieces += played.moves();
        }
        let found = games.evaluate(&[-2.0], 3..5, GO_ON).unwrap();
        assert_eq!((found.lines * 2.0, found.pieces), (lines as f64, pieces));
    }

    #[test]
    fn games_stop_at_the_limit_and_when_told() {
        let mut settings = settings(Method::Cmaes, 1);
        settings.max_pieces = 3;
        let games = Games::new(&settings).unwrap();
        let found = games.evaluate(&[-1.0], 0..4, GO_ON).unwrap();
        assert_eq!(found.pieces, 12);
        assert_eq!(games.evaluate(&[-1.0], 0..4, &|| true), None);
    }

    #[test]
    fn a_board_too_large_is_refused() {
        let mut settings = settings(Method::Cmaes, 1);
        settings.board = "10x40".parse().unwrap();
        let error = Games::new(&settings).err().unwrap().to_string();
        assert!(error.contains("up to 12x32, not 10x40"), "{error}");
    }
}
