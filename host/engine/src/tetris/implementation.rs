//! The engine as a backend: decides positions of any size within its limits, and plays.
//!
//! Self-play of one game that begins on an empty board with a game's first signature, or that
//! continues the last one, is played as a `LongGame`: millions of pieces a second. Any other
//! self-play is decided piece by piece, and also sums scores.

use lockstep_games::tetris::source::generator_after;
use lockstep_games::tetris::{
    Board, Controller, Linear, PieceSource, Pieces, Placement, Position, Rule, Run, Search,
    SelfPlay, Size, Sums, Tetris, playing,
};
use lockstep_games::{
    BoardSize, Boards, BoxError, Capabilities, Decider, Implementation, RunResult,
};

use super::core::Path;
use super::core::{Engine, EngineError};
use super::game::EngineGame;
use super::limits::{MAX_COLUMNS, MAX_ROWS};

/// The engine on one of its paths.
pub struct FastTetris {
    path: Path,
}

impl FastTetris {
    /// The engine on the path of that name, or on the fastest that this machine has.
    ///
    /// # Errors
    /// When no path has the name, or this machine cannot run it.
    pub fn new(path: Option<&str>) -> Result<Self, EngineError> {
        let path = path.map_or_else(|| Ok(Path::best()), Path::named)?;
        Ok(Self { path })
    }
}

/// Whether the engine plays with a controller, as a core does: it is linear, of depth 1.
fn plays(linear: &Linear) -> bool {
    linear.search == Search::ONE
}

impl Implementation<Tetris> for FastTetris {
    fn description(&self) -> String {
        format!("fast engine, {}", self.path)
    }

    fn capabilities(&self, controller: Option<&Controller>) -> Capabilities {
        let looks_ahead = controller.is_none_or(Controller::looks_ahead);
        let plays = controller.is_none_or(|controller| controller.linear().is_some_and(plays));
        Capabilities {
            known_next: looks_ahead,
            averaged_next: looks_ahead,
            batch: plays,
            self_play: plays,
            ..Capabilities::plain(Boards::UpTo(BoardSize::new(MAX_COLUMNS, MAX_ROWS)))
        }
    }

    fn decider(&self, controller: &Controller) -> Result<Box<dyn Decider<Tetris>>, BoxError> {
        match &controller.rule {
            Rule::Linear(linear) => Ok(Box::new(LinearDecider {
                linear: linear.clone(),
                path: self.path,
                engine: None,
                long: None,
            })),
            Rule::Program(_) => Err(Box::new(controller.is_program("the engine"))),
        }
    }
}

/// A linear controller on the engine.
struct LinearDecider {
    linear: Linear,
    path: Path,
    /// The engine for the size of the position before.
    engine: Option<Engine>,
    /// The last long game, which the next self-play may continue.
    long: Option<LongGame>,
}

impl LinearDecider {
    fn engine(&self, board: &Board) -> Result<Engine, BoxError> {
        let size = Size::new(board.columns(), board.rows())?;
        Ok(Engine::new(&self.linear, size, self.path)?)
    }
}

impl Decider<Tetris> for LinearDecider {
    fn decide(&mut self, position: &Position) -> Result<Option<Placement>, BoxError> {
        let board = &position.board;
        let engine = match self.engine.take().filter(|e| board.is_of(e.size())) {
            Some(engine) => engine,
            None => self.engine(board)?,
        };
        let engine = self.engine.insert(engine);
        Ok(engine.decide(board, position.piece, position.next))
    }

    fn play(&mut self, run: &Run) -> Result<Option<RunResult<Tetris>>, BoxError> {
        if !plays(&self.linear) {
            return Ok(None);
        }
        let (moves, sums) = playing::play(run, |position| self.decide(position))?;
        Ok(Some(RunResult { moves, sums }))
    }

    fn self_play(
        &mut self,
        run: &SelfPlay,
        checkpoint: &mut dyn FnMut(Sums) -> bool,
    ) -> Result<Option<Sums>, BoxError> {
        if !plays(&self.linear) {
            return Ok(None);
        }
        let long = match self.long.take().filter(|long| long.is_at(run)) {
            None if begins(run) => Some(LongGame::new(self.engine(&run.board)?, run.generator)),
            long => long,
        };
        if let Some(long) = long {
            return Ok(Some(self.long.insert(long).play(run, checkpoint)));
        }
        playing::self_play(run, |position| self.decide(position), checkpoint).map(Some)
    }
}

/// Whether a self-play begins like a new [`EngineGame`].
fn begins(run: &SelfPlay) -> bool {
    let is_empty = || run.board.to_rows().iter().all(|row| *row == 0);
    run.games == 1 && run.signature == EngineGame::FIRST_SIGNATURE && is_empty()
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
        run.games == 1
            && tally.signature == run.signature
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
            board_crc: playing::board_crc([&self.game.board()]),
            ..since(self.sums())
        }
    }
}
