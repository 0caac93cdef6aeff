//! The fast engine of Tetris with batches and self-play.
//!
//! Self-play that begins on an empty board with a game's first signature, or that continues the
//! last one, is played as a `LongGame`: millions of pieces a second. Any other self-play is
//! decided piece by piece, and also sums scores.

use lockstep_engine::tetris::{Engine, EngineGame, FastTetris, Path, PathError};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::source::{PieceSource, Pieces, generator_after};
use lockstep_games::tetris::{
    Controller, Linear, Placement, Position, Run, Search, SelfPlay, Size, Sums, Tetris, playing,
};
use lockstep_games::{BoxError, Capabilities, Decider, Implementation, RunResult};

/// The signature of a [`EngineGame`] before its first move.
pub fn first_signature() -> u64 {
    let pieces = Pieces::from_seed(PieceSource::Uniform, 0);
    EngineGame::new(Size::STANDARD, pieces).totals().signature
}

/// The engine on one dispatch path, as software that decides and plays.
pub struct FastPlayer {
    path: Path,
    engine: FastTetris,
}

impl FastPlayer {
    /// The engine on a path by name, or on the fastest of this machine.
    ///
    /// # Errors
    /// When the path does not exist or this machine cannot run it.
    pub fn new(path: Option<&str>) -> Result<Self, PathError> {
        Ok(Self {
            path: path.map_or_else(|| Ok(Path::best()), Path::named)?,
            engine: FastTetris::new(path)?,
        })
    }
}

/// The weights of a controller that the engine plays: linear, of depth 1.
fn plays(controller: &Controller) -> Option<&Linear> {
    controller
        .linear()
        .filter(|linear| linear.search == Search::ONE)
}

impl Implementation<Tetris> for FastPlayer {
    fn description(&self) -> String {
        self.engine.description()
    }

    fn capabilities(&self, controller: Option<&Controller>) -> Capabilities {
        let can = controller.is_none_or(|controller| plays(controller).is_some());
        Capabilities {
            batch: can,
            self_play: can,
            ..self.engine.capabilities(controller)
        }
    }

    fn decider(&self, controller: &Controller) -> Result<Box<dyn Decider<Tetris>>, BoxError> {
        Ok(Box::new(FastDecider {
            decider: self.engine.decider(controller)?,
            linear: plays(controller).cloned(),
            path: self.path,
            long: None,
        }))
    }
}

struct FastDecider {
    decider: Box<dyn Decider<Tetris>>,
    /// `None` if the controller allows no self-play.
    linear: Option<Linear>,
    path: Path,
    /// The last long game, which the next self-play may continue.
    long: Option<LongGame>,
}

impl Decider<Tetris> for FastDecider {
    fn decide(&mut self, position: &Position) -> Result<Option<Placement>, BoxError> {
        self.decider.decide(position)
    }

    fn play(&mut self, run: &Run) -> Result<Option<RunResult<Tetris>>, BoxError> {
        if self.linear.is_none() {
            return Ok(None);
        }
        let (moves, sums) = playing::play(run, |position| self.decider.decide(position))?;
        Ok(Some(RunResult { moves, sums }))
    }

    fn self_play(
        &mut self,
        run: &SelfPlay,
        checkpoint: &mut dyn FnMut(Sums) -> bool,
    ) -> Result<Option<Sums>, BoxError> {
        let Some(linear) = &self.linear else {
            return Ok(None);
        };
        let long = self.long.take().filter(|long| long.is_at(run));
        let long = match long {
            None if begins(run.signature, &run.board) => {
                let size = Size::new(run.board.columns(), run.board.rows())?;
                let engine = Engine::new(linear, size, self.path)?;
                Some(LongGame::new(engine, run.generator))
            }
            long => long,
        };
        if let Some(long) = long {
            return Ok(Some(self.long.insert(long).play(run, checkpoint)));
        }
        let decide = |position: &Position| self.decider.decide(position);
        playing::self_play(run, decide, checkpoint).map(Some)
    }
}

/// Whether a self-play begins like a new [`EngineGame`].
fn begins(signature: u64, board: &Board) -> bool {
    let is_empty = || board.to_rows().iter().all(|row| *row == 0);
    signature == first_signature() && is_empty()
}

/// A self-play in the engine's own loop, which sums no scores.
struct LongGame {
    engine: Engine,
    game: EngineGame,
    /// State of the generator before the first piece.
    seed: u64,
}

impl LongGame {
    /// Begins on an empty board.
    fn new(engine: Engine, seed: u64) -> Self {
        let pieces = Pieces::from_seed(PieceSource::Uniform, seed);
        let game = EngineGame::new(engine.size(), pieces);
        Self { engine, game, seed }
    }

    /// Plays `pieces` pieces, game after game.
    fn advance(&mut self, pieces: u64) {
        let end = self.game.totals().pieces + pieces;
        loop {
            // The engine stops at a lost game.
            let left = end - self.game.totals().pieces;
            if left == 0 {
                break;
            }
            self.engine.play(&mut self.game, left);
        }
    }

    /// The sums from the first piece on.
    fn sums(&self) -> Sums {
        let tally = self.game.totals();
        Sums {
            pieces: tally.pieces,
            games: tally.games,
            rows_cleared: tally.lines,
            signature: tally.signature,
            ..Sums::default()
        }
    }

    /// Whether a self-play continues this game.
    fn is_at(&self, run: &SelfPlay) -> bool {
        let tally = self.game.totals();
        tally.signature == run.signature
            && generator_after(self.seed, tally.pieces) == run.generator
            && self.game.board() == run.board
    }

    fn play(&mut self, run: &SelfPlay, checkpoint: &mut dyn FnMut(Sums) -> bool) -> Sums {
        let before = self.sums();
        let since = |sums: Sums| Sums {
            pieces: sums.pieces - before.pieces,
            games: sums.games - before.games,
            rows_cleared: sums.rows_cleared - before.rows_cleared,
            ..sums
        };
        let (mut left, spacing) = (u64::from(run.pieces), u64::from(run.spacing.max(1)));
        while left > 0 {
            let next = left.min(spacing);
            self.advance(next);
            left -= next;
            if next == spacing && !checkpoint(since(self.sums())) {
                break;
            }
        }
        Sums {
            board_crc: playing::board_crc(&self.game.board()),
            ..since(self.sums())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn self_play_equals_decisions_piece_by_piece() {
        let lowest = Controller::load("lowest").expect("a preset");
        let player = FastPlayer::new(None).expect("the fastest path");
        let mut decider = player.decider(&lowest).expect("linear");
        let run = SelfPlay {
            board: Board::of_size(Size::STANDARD),
            pieces: 5_000,
            spacing: 300,
            generator: 3,
            signature: first_signature(),
        };
        let (mut long, mut single) = (Vec::new(), Vec::new());
        let mut keep = |sums| {
            long.push(sums);
            true
        };
        let end = decider.self_play(&run, &mut keep).expect("it plays");
        let mut keep = |sums| {
            single.push(sums);
            true
        };
        let again = playing::self_play(&run, |p: &Position| decider.decide(p), &mut keep);
        let known = |sums: Sums| Sums {
            score: None,
            ..sums
        };
        let single: Vec<_> = single.into_iter().map(known).collect();
        assert_eq!((long.len(), &long), (16, &single));
        assert_eq!(end, again.ok().map(known));
        assert!(end.is_some_and(|end| end.games > 10));
    }
}
