//! The engine as a backend that also plays by itself.
//!
//! A self-play that begins as a [`Game`] does, on an empty board and with its first
//! signature, is a game of the engine: millions of pieces a second. Any other is decided
//! piece by piece, and its scores are summed up as well.

use lockstep_engine::tetris::{Engine, FastTetris, Game, Path, PathError, Tally};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::source::{PieceSource, Pieces};
use lockstep_games::tetris::{
    Controller, Linear, Placement, Position, Run, Search, SelfPlay, Size, Sums, Tetris, playing,
};
use lockstep_games::{BoxError, Capabilities, Decider, Implementation, Played};

/// Signature with which a [`Game`] begins.
pub fn first_signature() -> u64 {
    let pieces = Pieces::from_seed(PieceSource::Uniform, 0);
    Game::new(Size::STANDARD, pieces).tally().signature
}

/// The engine on one of its paths.
pub struct FastPlayer {
    path: Path,
    engine: FastTetris,
}

impl FastPlayer {
    /// On the path of that name, or the fastest here.
    ///
    /// # Errors
    /// When there is no such path, or not on this machine.
    pub fn new(path: Option<&str>) -> Result<Self, PathError> {
        Ok(Self {
            path: path.map_or_else(|| Ok(Path::best()), Path::named)?,
            engine: FastTetris::new(path)?,
        })
    }
}

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
        }))
    }
}

struct FastDecider {
    decider: Box<dyn Decider<Tetris>>,
    /// `None` where it does not play by itself.
    linear: Option<Linear>,
    path: Path,
}

impl Decider<Tetris> for FastDecider {
    fn decide(&mut self, position: &Position) -> Result<Option<Placement>, BoxError> {
        self.decider.decide(position)
    }

    fn play(&mut self, run: &Run) -> Result<Option<Played<Tetris>>, BoxError> {
        if self.linear.is_none() {
            return Ok(None);
        }
        playing::play(run, |position| self.decider.decide(position)).map(Some)
    }

    fn self_play(
        &mut self,
        run: &SelfPlay,
        tell: &mut dyn FnMut(Sums) -> bool,
    ) -> Result<Option<Sums>, BoxError> {
        let Some(linear) = &self.linear else {
            return Ok(None);
        };
        let size = Size::new(run.board.columns(), run.board.rows())?;
        if run.signature == first_signature() && run.board == Board::of_size(size) {
            let engine = Engine::new(linear, size, self.path)?;
            return Ok(Some(long_game(&engine, run, tell)));
        }
        let decide = |position: &Position| self.decider.decide(position);
        playing::self_play(run, decide, tell).map(Some)
    }
}

/// Plays on as the engine does by itself.
fn long_game(engine: &Engine, run: &SelfPlay, tell: &mut dyn FnMut(Sums) -> bool) -> Sums {
    let pieces = Pieces::from_seed(PieceSource::Uniform, run.generator);
    let mut game = Game::new(engine.size(), pieces);
    let (all, spacing) = (u64::from(run.pieces), u64::from(run.spacing.max(1)));
    loop {
        let played = game.tally().pieces;
        let next = (played / spacing + 1) * spacing;
        let left = next.min(all) - played;
        if left == 0 {
            break;
        }
        engine.play(&mut game, left);
        let tally = game.tally();
        if tally.pieces == next && !tell(sums(&tally)) {
            break;
        }
    }
    Sums {
        board_crc: playing::board_crc(&game.board()),
        ..sums(&game.tally())
    }
}

/// What the engine counts.
pub fn sums(tally: &Tally) -> Sums {
    Sums {
        pieces: tally.pieces,
        games: tally.games,
        rows_cleared: tally.lines,
        signature: tally.signature,
        ..Sums::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A long game of the engine's and one decided piece by piece.
    #[test]
    fn both_ways_are_one() {
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
