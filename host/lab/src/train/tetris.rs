//! The games of an evaluation, played by the engine.

use super::features::FeatureSet;
use super::features::linear;
use super::{Evaluation, Settings, Stop};
use crate::strength::tetris::fast;
use crate::ticking::EndReason;
use lockstep_engine::tetris::{Engine, EngineError, EngineGame, Path};
use lockstep_games::tetris::{FEATURES, Linear, Search, Setup};

/// Games with the settings of a training run.
pub struct Games {
    set: FeatureSet,
    setup: Setup,
    max_pieces: u64,
    path: Path,
}

impl Games {
    /// The games of a training run.
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

    /// Plays a game; see [`Fitness`](super::Fitness).
    pub fn evaluate(&self, weights: &[f64], game: u64, stop: Stop<'_>) -> Option<Evaluation> {
        let linear = linear(&self.set, weights);
        // Cannot fail: `new` has checked path and size.
        let engine = Engine::new(&linear, self.setup.board, self.path).ok()?;
        let play = |game: &mut EngineGame, pieces| engine.play(game, pieces);
        let (dealt, most) = ((&self.setup, game), Some(self.max_pieces));
        let played = fast(dealt, most, engine.chunk(), play, &|_| !stop());
        (played.end != EndReason::Stopped).then_some(Evaluation {
            lines: played.lines as f64,
            pieces: played.pieces,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Method;
    use super::super::functions::settings;
    use super::*;
    use lockstep_games::tetris::{Controller, Tetris};
    use lockstep_games::{Golden as _, Match as _, Rules as _};

    const GO_ON: Stop<'_> = &|| false;

    #[test]
    fn train_games_equal_session() {
        let mut settings = settings(Method::Cmaes, 1);
        settings.board = "10x20".parse().unwrap();
        let games = Games::new(&settings).unwrap();
        let lowest = Controller::load("lowest").unwrap();
        let setup = Setup::standard(settings.seed);
        for game in 3..5 {
            let mut played = Tetris::deal(&setup, game);
            while played
                .apply(&Tetris::decide(&lowest, &played.position()).unwrap())
                .unwrap()
            {}
            let found = games.evaluate(&[-2.0], game, GO_ON).unwrap();
            let expected = (played.lines() as f64, played.moves());
            assert_eq!((found.lines, found.pieces), expected);
        }
    }

    #[test]
    fn game_stops_at_limit_or_on_request() {
        let mut settings = settings(Method::Cmaes, 1);
        settings.max_pieces = 3;
        let games = Games::new(&settings).unwrap();
        let found = games.evaluate(&[-1.0], 0, GO_ON).unwrap();
        assert_eq!(found.pieces, 3);
        assert_eq!(games.evaluate(&[-1.0], 0, &|| true), None);
    }

    #[test]
    fn games_refuse_board_too_large() {
        let mut settings = settings(Method::Cmaes, 1);
        settings.board = "10x40".parse().unwrap();
        let error = Games::new(&settings).err().unwrap().to_string();
        assert!(
            error.contains("is 10x40, but the engine takes at most 12x32"),
            "{error}"
        );
    }
}
